import { priceOf } from '../../domain/order.ts';
import { run, type Db } from '../../server/db.ts';
import { notFound } from '../../server/errors.ts';
import type { Row } from '../../server/schema.ts';
import type { Product, ProductFields } from './contract.ts';

interface Place {
  readonly distributorId: number;
  readonly id: number;
}
type ProductRow = Row<'products'>;

const priced = <P extends ProductRow>(product: P) => ({ ...product, price: priceOf(product) });

/** By group, code (none last) and name (contract §4). */
export async function listProductsOf(db: Db, distribution: Place): Promise<Product[]> {
  const products = await db
    .selectFrom('products')
    .selectAll()
    .where('distributorId', '=', distribution.distributorId)
    .where('distributionId', '=', distribution.id)
    .orderBy('product_group', (by) => by.asc().nullsLast())
    .orderBy('product_code', (by) => by.asc().nullsLast())
    .orderBy('name')
    .orderBy('id')
    .execute();
  return products.map(priced);
}

/** Units over all orders, by product id. */
export async function countOrdered(db: Db, distribution: Place): Promise<Map<number, number>> {
  const text = `SELECT "productId" AS id, sum(quantity)::bigint AS units FROM order_products
    WHERE "distributionId" = $1 AND "distributorId" = $2 GROUP BY "productId"`;
  const rows = await run<{ id: number; units: number }>(db, text, [distribution.id, distribution.distributorId]);
  return new Map(rows.map((row) => [row.id, row.units]));
}

export async function saveNewProduct(db: Db, distribution: Place, fields: ProductFields): Promise<Product> {
  const values = { ...fields, distributorId: distribution.distributorId, distributionId: distribution.id };
  return priced(await db.insertInto('products').values(values).returningAll().executeTakeFirstOrThrow());
}

/** The gate of a single product, behind that of its distribution. */
export async function productOf(db: Db, distribution: Place, productId: number): Promise<ProductRow> {
  const product = await db
    .selectFrom('products')
    .selectAll()
    .where('distributionId', '=', distribution.id)
    .where('id', '=', productId)
    .executeTakeFirst();
  if (!product) throw notFound('Product');
  return product;
}

export async function saveProduct(db: Db, productId: number, fields: ProductFields): Promise<Product> {
  return priced(await db.updateTable('products').set(fields).where('id', '=', productId).returningAll().executeTakeFirstOrThrow());
}
