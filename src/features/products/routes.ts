import { transaction } from '../../server/db.ts';
import { refuse } from '../../server/errors.ts';
import { checkedReply, on, type Route } from '../../server/http.ts';
import { PreparedBodies } from '../../server/prepared.ts';
import { distributionFor, distributionToChange, nextCatalogueVersion } from '../distributions/queries.ts';
import { addProduct, changeProduct, isAffordable, listProducts, PRICE_TOO_LARGE, ProductFields } from './contract.ts';
import { countOrdered, listProductsOf, productOf, saveNewProduct, saveProduct } from './queries.ts';

const bodies = new PreparedBodies();

export const productsRoutes: Route[] = [
  on(listProducts, async ({ db, viewer, params }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    if (viewer.role === 'customer') {
      const make = async () => checkedReply(listProducts.reply, await listProductsOf(db, distribution));
      return await bodies.get(db, distribution.id, { version: distribution.catalogueVersion, make });
    }
    const ordered = await countOrdered(db, distribution);
    const products = await listProductsOf(db, distribution);
    return products.map((product) => ({ ...product, total_ordered: ordered.get(product.id) ?? 0 }));
  }),

  on(addProduct, ({ db, viewer, params, body }) =>
    transaction(db, async (db) => {
      const distribution = await distributionToChange(db, viewer, params.id);
      await nextCatalogueVersion(db, distribution.id);
      return await saveNewProduct(db, distribution, body);
    }),
  ),

  on(changeProduct, ({ db, viewer, params, body }) =>
    transaction(db, async (db) => {
      const distribution = await distributionToChange(db, viewer, params.id);
      await nextCatalogueVersion(db, distribution.id);
      const product = await productOf(db, distribution, params.productId);
      const fields = ProductFields.parse({ ...product, ...body });
      refuse(isAffordable(fields) ? null : PRICE_TOO_LARGE);
      return await saveProduct(db, product.id, fields);
    }),
  ),
];
