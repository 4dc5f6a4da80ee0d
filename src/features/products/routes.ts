import { assertFound, busy, conflict, notFound, throwIfOutdated, throwIfRefused } from '../../server/errors.ts';
import { on, onTransaction, ReplyWithStatus, type Route } from '../../server/http/pipeline/route.ts';
import { ImageReply } from '../../server/images/image-reply.ts';
import { reencodeImage } from '../../server/images/reencode-image.ts';
import { distributionFor, lockDistribution, nextCatalogueVersion, visibleDistributionWithLimits } from '../distributions/queries.ts';
import { assertOpenUpload } from '../uploads/queries.ts';
import { findProductList } from '../product-list/queries.ts';
import { countEntries } from '../waiting/queries.ts';
import { clearLines, listOrderedLines } from '../short-delivery/queries.ts';
import {
  addProduct,
  changeProduct,
  changeProducts,
  clearQuantities,
  deleteProduct,
  deleteProductImage,
  isAffordable,
  listProductImages,
  listProducts,
  NOTHING_CLEARED,
  offerProduct,
  ProductFields,
  ProductTerms,
  readProductImage,
  saveProductImage,
} from './contract.ts';
import {
  deleteImage,
  deleteProductOf,
  findProducts,
  imageOf,
  isInOrder,
  knownCode,
  listImages,
  productOf,
  saveImage,
  saveNewProduct,
  saveOffer,
  saveProduct,
  saveProducts,
} from './queries.ts';
import { clearedText, OTHER_CODE, OTHER_DISTRIBUTION, OTHER_PRODUCT, PRICE_TOO_LARGE, PRODUCT_WAS_ORDERED } from './texts.ts';

/** The maximum number of attempts to validate and save a change. An attempt fails if another change was saved in between. */
const ATTEMPTS = 20;

/** A call that changes more products than this must wait in the queue of expensive reads. */
const MANY_PRODUCTS = 20;

export const productsRoutes: Route[] = [
  on(listProducts, (context) => findProductList(context, assertFound(context.preloaded, 'Distribution')), {
    sessionPreload: { query: visibleDistributionWithLimits, args: ({ params }) => ({ distributionId: params.id }) },
  }),

  on(addProduct, async ({ db, viewer, params, body: { distributionId = params.id, uploadId, ...fields } }) => {
    throwIfRefused(distributionId === params.id ? null : OTHER_DISTRIBUTION);
    return await saveNewProduct(db, viewer, params.id, { fields, uploadId });
  }),

  on(changeProduct, async ({ db, viewer, params, body, countRows }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    const { uploadId } = body;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (uploadId !== undefined) await assertOpenUpload(db, distribution, uploadId);
      const before = await productOf(db, distribution, params.productId);
      throwIfRefused(body.id === undefined || body.id === before.id ? null : OTHER_PRODUCT);
      throwIfOutdated(before.name, before, { before: body.before, after: body });
      const after = ProductFields.parse({ ...before, ...body });
      throwIfRefused(isAffordable(after) ? null : PRICE_TOO_LARGE);
      if (attempt === 0 && after.total_limit !== before.total_limit)
        countRows({ changed: await countEntries(db, distribution, [before.id]) });
      const product = await saveProduct(db, viewer, { before, after, uploadId });
      if (product) return product;
    }
    throw busy();
  }),

  onTransaction(
    changeProducts,
    async ({ db, viewer, params, body, countRows }) => {
      const distribution = await lockDistribution(db, viewer, params.id);
      const ids = body.products.map(({ id }) => id);
      const stored = await findProducts(db, distribution, ids);
      const changes = body.products.map((change) => {
        const before = stored.get(change.id);
        if (!before) throw notFound('Product');
        throwIfOutdated(before.name, before, change);
        throwIfRefused(isAffordable(ProductTerms.parse({ ...before, ...change.after })) ? null : PRICE_TOO_LARGE);
        return { before, after: change.after };
      });
      const isLimitChanged = ({ before, after }: (typeof changes)[number]): boolean =>
        'total_limit' in after && after.total_limit !== before.total_limit;
      const limitedIds = changes.filter(isLimitChanged).map(({ before }) => before.id);
      countRows({ changed: changes.length + (await countEntries(db, distribution, limitedIds)) });
      return await saveProducts(db, viewer, changes);
    },
    { isExpensiveChange: ({ body }) => body.products.length > MANY_PRODUCTS },
  ),

  onTransaction(deleteProduct, async ({ db, viewer, params, countRows }) => {
    const distribution = await lockDistribution(db, viewer, params.id);
    const product = await productOf(db, distribution, params.productId);
    if (await isInOrder(db, product)) throw conflict(PRODUCT_WAS_ORDERED);
    countRows({ changed: 1 + (await countEntries(db, distribution, [product.id])) });
    await deleteProductOf(db, product);
    await nextCatalogueVersion(db, distribution.id);
  }),

  onTransaction(offerProduct, async ({ db, viewer, params, body, countRows }) => {
    const distribution = await lockDistribution(db, viewer, params.id);
    const product = await productOf(db, distribution, params.productId);
    if (body.notOffered) countRows({ changed: 1 + (await countEntries(db, distribution, [product.id])) });
    await saveOffer(db, product, body.notOffered);
    await nextCatalogueVersion(db, distribution.id);
  }),

  onTransaction(clearQuantities, async ({ db, viewer, params, body, countRows }) => {
    const distribution = await lockDistribution(db, viewer, params.id);
    const product = await productOf(db, distribution, body.productId);
    throwIfRefused(body.product_code === null || body.product_code === product.product_code ? null : OTHER_CODE, 409);
    const lines = await listOrderedLines(db, product);
    countRows({ changed: lines.length + (await countEntries(db, distribution, [product.id])) });
    await clearLines(db, viewer, product, lines);
    const units = lines.reduce((sum, { ordered }) => sum + ordered, 0);
    return { message: units === 0 ? NOTHING_CLEARED : clearedText(product.name, { orders: lines.length, units }) };
  }),

  on(listProductImages, ({ db, viewer: { tenantId } }) => listImages(db, { key: String(tenantId) }, tenantId)),
  on(readProductImage, async ({ db, viewer, params }) => new ImageReply(await imageOf(db, viewer.tenantId, params))),
  on(saveProductImage, async ({ db, viewer, params: { productCode }, body, signal }) => {
    await knownCode(db, viewer.tenantId, productCode);
    const picture = await reencodeImage(Buffer.from(body.image, 'base64'), { key: String(viewer.tenantId), signal });
    const { isNew, ...saved } = await saveImage(db, viewer, { productCode, before: body.before, ...picture });
    return new ReplyWithStatus(isNew ? 201 : 200, saved);
  }),
  on(deleteProductImage, ({ db, viewer, params, query }) => deleteImage(db, viewer.tenantId, { ...params, before: query.before })),
];
