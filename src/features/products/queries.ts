import { priceOf } from '../../domain/order.ts';
import { batchPerDb } from '../../server/database/batcher.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { assertFound, conflict, notFound } from '../../server/errors.ts';
import { mapInSlices } from '../../server/queues/event-loop.ts';
import { VersionedBodyCache, type CachedBody } from '../../server/web/body-cache.ts';
import { createSharedReads } from '../../server/queues/shared-reads.ts';
import { checkedReply } from '../../server/web/checked-reply.ts';
import { VersionedCache } from '../../server/web/versioned-cache.ts';
import type { ReencodedImage } from '../../server/images/reencode-image.ts';
import type { Row } from '../../server/database/schema.ts';
import { tooManyPictures } from '../../shared/texts.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { queuedSql, type DistributionKey } from '../distributions/queries.ts';
import { assertOpenUpload, MAY_WRITE, NOTHING, OPEN_UPLOAD, recordedSql, REPLACED } from '../uploads/queries.ts';
import {
  listProductImages,
  MAX_DESCRIPTIONS_BYTES,
  MAX_PICTURES,
  MAX_PRODUCTS_KEPT,
  SHORT_DESCRIPTION,
  type Product,
  type ProductChange,
  type ProductFields,
  type ProductImage,
} from './contract.ts';
import { PICTURE_CHANGED, tooLongDescriptions, tooManyProducts } from './texts.ts';
type ProductRow = Row<'products'>;

export const priced = ({ notOffered, shortDelivery: _shortDelivery, ...product }: ProductRow, left: number | null) => ({
  ...product,
  price: priceOf(product),
  left,
  ...(notOffered && { notOffered }),
});

/**
 * The ORDER BY list for the tables p (products) and d (distributions). Groups that are not in groupOrder follow alphabetically (contract
 * §4).
 */
export const PRODUCT_ORDER = `array_position(d."groupOrder", p.product_group), p.product_group, p.product_code, p.name, p.id`;
export const LIST = `SELECT p.* FROM products p JOIN distributions d ON d."distributorId" = p."distributorId" AND d.id = p."distributionId"
  WHERE p."distributorId" = $1 AND p."distributionId" = $2
  ORDER BY ${PRODUCT_ORDER}`;

const LEFT = `SELECT "productId" AS id, sum(units)::int AS units FROM units_left_v2($1) WHERE "customerId" IS NULL GROUP BY 1`;

/** Returns the products with their prices and, for each product that has a limit, the number of units that are left. */
async function withUnitsLeft(db: Db, products: readonly ProductRow[]): Promise<Product[]> {
  const limited = products.filter((product) => product.total_limit !== null).map((product) => product.id);
  const rows = limited.length === 0 ? [] : await run<{ id: number; units: number }>(db, LEFT, [limited]);
  const units = new Map(rows.map((row) => [row.id, row.units]));
  return products.map((product) => priced(product, product.total_limit === null ? null : (units.get(product.id) ?? 0)));
}

/**
 * Returns the products sorted by group, code and name, with nulls last (contract §4). `left` is null: to know it, the server would have to
 * count the units of all orders.
 */
export const listProductsOf = async (db: Db, { distributorId, id }: DistributionKey): Promise<Product[]> =>
  (await run<ProductRow>(db, LIST, [distributorId, id])).map((product) => priced(product, null));

// Counts bytes, because PostgreSQL stores the number of bytes of a text. To count characters, it would have to decompress each description.
const DESCRIPTIONS = `SELECT coalesce(sum(octet_length(description)), 0) AS bytes FROM products
  WHERE "distributorId" = $1 AND "distributionId" = $2`;

interface DescriptionChange {
  readonly before?: Pick<ProductRow, 'description'>;
  readonly after: Pick<ProductChange, 'description'>;
}

const bytesOf = (product: DescriptionChange['after'] | undefined): number => Buffer.byteLength(product?.description ?? '');

/** Throws a conflict when a change would make all descriptions of the distribution together too long. */
async function refuseLongDescriptions(
  db: Db,
  { distributorId, id }: DistributionKey,
  changes: readonly DescriptionChange[],
): Promise<void> {
  const longer = changes
    .filter(({ after }) => bytesOf(after) > SHORT_DESCRIPTION)
    .map(({ before, after }) => bytesOf(after) - bytesOf(before));
  const more = longer.reduce((sum, bytes) => sum + bytes, 0);
  if (more <= 0) return;
  const { bytes } = await runSingle<{ bytes: number }>(db, DESCRIPTIONS, [distributorId, id]);
  if (bytes + more > MAX_DESCRIPTIONS_BYTES) throw conflict(tooLongDescriptions(MAX_DESCRIPTIONS_BYTES));
}

const NEW_COLUMNS = `name, description, unit_price, unit_qty, uom, unit_qty_is_estimate, max_order_qty, product_group, product_code, total_limit`;
const ADD = `WITH ${queuedSql('pg_advisory_xact_lock', 'distributions WHERE "distributorId" = $1 AND id = $2')},
  room AS (SELECT ${MAX_PRODUCTS_KEPT} - count(*) AS rows FROM products WHERE "distributionId" = $2),
  ${OPEN_UPLOAD},
  changed AS (UPDATE distributions SET "catalogueVersion" = "catalogueVersion" + 1 WHERE id = (SELECT id FROM queued)
    AND (SELECT rows FROM room) > 0 AND ${MAY_WRITE} RETURNING id),
  added AS (INSERT INTO products ("distributorId", "distributionId", ${NEW_COLUMNS}) SELECT $1, changed.id, ${NEW_COLUMNS}
  FROM changed, room, ROWS FROM (jsonb_to_recordset($3) AS (name text, description text, unit_price int, unit_qty int, uom text,
    unit_qty_is_estimate boolean, max_order_qty int, product_group text, product_code int, total_limit int)) WITH ORDINALITY AS p (${NEW_COLUMNS}, place)
  WHERE place <= room.rows ORDER BY place RETURNING products AS product),
  ${recordedSql('added', NOTHING)}
  SELECT (added.product).* FROM added`;

interface NewProduct {
  readonly tenantId: number;
  readonly distributionId: number;
  readonly fields: ProductFields;
  /** The upload to which the product belongs, if it is added by one. All products of a batch belong to the same upload. */
  readonly uploadId: number | undefined;
}

/**
 * Adds products to one distribution, in the given sequence. Each result is null if the distributor has no such distribution, or if the
 * distribution would have too many products.
 */
async function addProducts(db: Db, added: readonly NewProduct[]): Promise<(ProductRow | null)[]> {
  const [first] = added;
  const fields = JSON.stringify(added.map((product) => product.fields));
  const rows = await run<ProductRow>(db, ADD, [first?.tenantId, first?.distributionId, fields, first?.uploadId ?? null]);
  const byId = rows.toSorted((a, b) => a.id - b.id);
  return added.map((_, index) => byId[index] ?? null);
}

// One statement adds all products that concurrent requests of an import contain, because each statement locks the distribution, and saves
// of orders wait for that lock.
const addInBatch = batchPerDb(addProducts);

const IS_THERE = 'SELECT FROM distributions WHERE "distributorId" = $1 AND id = $2';

/** Throws 'not found' if the distributor has no such distribution, and a conflict if it would have too many products. */
export async function saveNewProduct(
  db: Db,
  { tenantId }: Viewer,
  distributionId: number,
  { fields, uploadId }: Pick<NewProduct, 'fields' | 'uploadId'>,
): Promise<Product> {
  await refuseLongDescriptions(db, { distributorId: tenantId, id: distributionId }, [{ after: fields }]);
  const product = await addInBatch(db, `${tenantId} ${distributionId} ${uploadId}`, { tenantId, distributionId, fields, uploadId });
  if (product) return priced(product, product.total_limit);
  if (uploadId !== undefined) await assertOpenUpload(db, { distributorId: tenantId, id: distributionId }, uploadId);
  const isThere = (await run(db, IS_THERE, [tenantId, distributionId])).length > 0;
  throw isThere ? conflict(tooManyProducts(MAX_PRODUCTS_KEPT)) : notFound('Distribution');
}

/** Returns a product of the distribution, or throws 'not found'. The caller must have checked the access to the distribution. */
export async function productOf(db: Db, distribution: DistributionKey, productId: number): Promise<ProductRow> {
  const text = 'SELECT * FROM products WHERE "distributionId" = $1 AND id = $2';
  return assertFound(await runOne<ProductRow>(db, text, [distribution.id, productId]), 'Product');
}

/** Whether an order has a line of the product. The caller must have locked the distribution, so that nobody orders the product meanwhile. */
export const isInOrder = async (db: Db, { distributionId, id }: ProductRow): Promise<boolean> =>
  (await run(db, 'SELECT FROM order_products WHERE "distributionId" = $1 AND "productId" = $2 LIMIT 1', [distributionId, id])).length > 0;

const DELETE_WAITING = 'DELETE FROM waiting_list WHERE "distributorId" = $1 AND "distributionId" = $2 AND "productId" = $3';

/** Deletes a product that is in no order, and its waiting list. The caller must have locked the distribution. */
export async function deleteProductOf(db: Db, { distributorId, distributionId, id }: ProductRow): Promise<void> {
  const key = [distributorId, distributionId, id];
  await run(db, DELETE_WAITING, key);
  await run(db, 'DELETE FROM products WHERE "distributorId" = $1 AND "distributionId" = $2 AND id = $3', key);
}

/**
 * Withdraws the product or offers it again. Removes the mark that a short delivery has withdrawn the product. Withdrawing deletes the
 * product's waiting list. The caller must have locked the distribution.
 */
export async function saveOffer(db: Db, { distributorId, distributionId, id }: ProductRow, notOffered: boolean): Promise<void> {
  const key = [distributorId, distributionId, id];
  const text = `UPDATE products SET "notOffered" = $4, "shortDelivery" = "shortDelivery" - 'isWithdrawn'
    WHERE "distributorId" = $1 AND "distributionId" = $2 AND id = $3`;
  await run(db, text, [...key, notOffered]);
  if (notOffered) await run(db, DELETE_WAITING, key);
}

const CHANGED_DISTRIBUTION = `distributions WHERE "distributorId" = ($1::jsonb->>'distributorId')::int AND id = ($1::jsonb->>'distributionId')::int`;
const CHANGE = `WITH ${queuedSql('pg_advisory_xact_lock', CHANGED_DISTRIBUTION)},
  ${OPEN_UPLOAD},
  changed AS MATERIALIZED (SELECT change_products_v1(jsonb_build_array(jsonb_build_object('before', $1::jsonb, 'after', $2::jsonb)), $3) AS product
    FROM queued WHERE ${MAY_WRITE}),
  ${recordedSql('changed', REPLACED)}
  SELECT (changed.product).* FROM changed`;

interface ChangedFields {
  readonly before: ProductRow;
  readonly after: ProductFields;
  /** The upload to which the change belongs, if it is part of one. */
  readonly uploadId: number | undefined;
}

/** Saves a change of a product. Returns null if the product is no longer as in `before`, or if the upload has ended. */
export async function saveProduct(db: Db, by: Viewer, { before, after, uploadId }: ChangedFields): Promise<Product | null> {
  await refuseLongDescriptions(db, { distributorId: before.distributorId, id: before.distributionId }, [{ before, after }]);
  const values = [JSON.stringify(before), JSON.stringify(after), by.userId, uploadId ?? null];
  const [product = null] = await withUnitsLeft(db, await run<ProductRow>(db, CHANGE, values));
  return product;
}

export async function findProducts(db: Db, { distributorId, id }: DistributionKey, productIds: readonly number[]) {
  const text = 'SELECT * FROM products WHERE "distributorId" = $1 AND "distributionId" = $2 AND id = ANY ($3::int[])';
  const products = await run<ProductRow>(db, text, [distributorId, id, productIds]);
  return new Map(products.map((product) => [product.id, product]));
}

const CHANGE_MANY = `SELECT changed.* FROM change_products_v1($1, $2) changed
  JOIN jsonb_array_elements($1) WITH ORDINALITY AS given (change, place) ON (given.change->'before'->>'id')::int = changed.id ORDER BY given.place`;

/**
 * Saves changes of several products and returns the products in the given sequence. The caller must have locked the distribution before it
 * read `before`.
 */
export async function saveProducts(
  db: Db,
  by: Viewer,
  changes: readonly { readonly before: ProductRow; readonly after: ProductChange }[],
): Promise<Product[]> {
  const [first] = changes;
  if (first) await refuseLongDescriptions(db, { distributorId: first.before.distributorId, id: first.before.distributionId }, changes);
  return await withUnitsLeft(db, await run<ProductRow>(db, CHANGE_MANY, [JSON.stringify(changes), by.userId]));
}

const PICTURES = 'SELECT product_code, hash FROM product_images WHERE "distributorId" = $1 ORDER BY product_code';
const VERSION_OF_PICTURES = `SELECT coalesce(md5(string_agg(product_code || hash, ',' ORDER BY product_code)), '') AS version
  FROM product_images WHERE "distributorId" = $1`;
const checkedImages = (images: readonly ProductImage[]) => checkedReply(listProductImages.reply, images) as ProductImage[];
const imageLists = new VersionedBodyCache();

/**
 * Returns the list of a distributor's pictures. Every customer who opens an order page requests it, so concurrent requests share one read.
 * The list is validated and serialized again only after a picture has changed.
 */
export const listImages = createSharedReads(async (db, tenantId: number): Promise<CachedBody> => {
  const { version } = await runSingle<{ version: string }>(db, VERSION_OF_PICTURES, [tenantId]);
  const make = async () => JSON.stringify(await mapInSlices(await run<ProductImage>(db, PICTURES, [tenantId]), checkedImages));
  return await imageLists.get(db, tenantId, { version, make });
});

const OF_PICTURE = 'FROM product_images WHERE "distributorId" = $1 AND product_code = $2 AND hash = $3';
const pictures = new VersionedCache<Buffer>((image) => image.length);

/**
 * Returns the picture of a product code with this hash. Throws 'not found' if there is none. The bytes come from memory if possible, because
 * a customer could read the same picture again and again.
 */
export async function imageOf(db: Db, tenantId: number, { productCode, hash }: { productCode: number; hash: string }) {
  const values = [tenantId, productCode, hash];
  if ((await run(db, `SELECT ${OF_PICTURE}`, values)).length === 0) throw notFound('Picture');
  const make = async () =>
    assertFound(await runOne<Pick<ReencodedImage, 'image'>>(db, `SELECT image ${OF_PICTURE}`, values), 'Picture').image;
  return { hash, image: await pictures.get(db, `${tenantId} ${productCode}`, { version: hash, make }) };
}

/**
 * Throws 'not found' unless the distributor has a product with this code. Without this check, somebody could fill the table with pictures
 * of codes that no product has.
 */
export async function knownCode(db: Db, tenantId: number, productCode: number): Promise<void> {
  const text = 'SELECT FROM products WHERE "distributorId" = $1 AND product_code = $2 LIMIT 1';
  if ((await run(db, text, [tenantId, productCode])).length === 0) throw notFound('Product');
}

const HASH = 'SELECT hash FROM product_images WHERE "distributorId" = $1 AND product_code = $2';
// The lock makes this statement wait for others that replace or remove the picture. $6 is the previous hash, an empty string if there was no
// picture, or null if any picture may be replaced. A picture that is already as in the request counts as saved.
const SAVE_IMAGE = `WITH old AS MATERIALIZED (${HASH} FOR UPDATE)
  INSERT INTO product_images ("distributorId", product_code, image, hash, "updatedBy") SELECT $1, $2, $3, $4, $5
  WHERE ($6::text IS NULL OR coalesce((SELECT hash FROM old), '') IN ($6, $4))
    AND (EXISTS (SELECT FROM old) OR (SELECT count(*) FROM product_images WHERE "distributorId" = $1) < ${MAX_PICTURES})
  ON CONFLICT ("distributorId", product_code)
    DO UPDATE SET image = excluded.image, hash = excluded.hash, "unusedSince" = NULL, "updatedAt" = now(), "updatedBy" = excluded."updatedBy"
    WHERE $6 IS NULL OR product_images.hash IN ($6, excluded.hash)
  RETURNING product_code, hash, NOT EXISTS (SELECT FROM old) AS "isNew"`;

/** `before` is the hash of the picture that the user saw, null if there was none, or undefined if any picture may be replaced or removed. */
type PictureKey = Readonly<{ productCode: number; before: string | null | undefined }>;

/** Throws 409 if somebody else has changed the picture, or if there would be too many pictures. */
export async function saveImage(
  db: Db,
  { tenantId, userId }: Viewer,
  { productCode, before, image, hash }: PictureKey & ReencodedImage,
): Promise<ProductImage & { isNew: boolean }> {
  const values = [tenantId, productCode, image, hash, userId, before === null ? '' : (before ?? null)];
  const saved = await runOne<ProductImage & { isNew: boolean }>(db, SAVE_IMAGE, values);
  if (saved) return saved;
  const stored = await runOne<{ hash: string }>(db, HASH, [tenantId, productCode]);
  throw conflict(before === undefined || (stored?.hash ?? null) === before ? tooManyPictures(MAX_PICTURES) : PICTURE_CHANGED);
}

const DELETE_IMAGE = `DELETE FROM product_images WHERE "distributorId" = $1 AND product_code = $2 AND hash = coalesce($3, hash) RETURNING hash`;

/** Throws 'not found' if there is no picture, and 409 if somebody else has changed it. */
export async function deleteImage(db: Db, tenantId: number, { productCode, before }: PictureKey): Promise<void> {
  if ((await run(db, DELETE_IMAGE, [tenantId, productCode, before ?? null])).length > 0) return;
  throw (await runOne(db, HASH, [tenantId, productCode])) ? conflict(PICTURE_CHANGED) : notFound('Picture');
}
