// Builds the list of a distribution's products. The products are read and checked only after the catalogue has changed. The list is
// serialized only after the catalogue, or a number that orders change, has changed. A long list therefore takes little time, however often
// it is read, and however often a product changes (reliability, "abuse").
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { assertFound } from '../../server/errors.ts';
import { longInBatches, mapInSlices } from '../../server/queues/event-loop.ts';
import { VersionedBodyCache, type CachedBody } from '../../server/web/body-cache.ts';
import { createSharedReads } from '../../server/queues/shared-reads.ts';
import { checkedReply } from '../../server/web/checked-reply.ts';
import { VersionedCache } from '../../server/web/versioned-cache.ts';
import type { Viewer } from '../../server/auth/session.ts';
import type { DistributionKey } from '../distributions/queries.ts';
import { listProducts, type Product } from '../products/contract.ts';
import { LIST, priced } from '../products/queries.ts';

type ProductRow = Row<'products'>;
type ListedDistribution = DistributionKey & Pick<Row<'distributions'>, 'catalogueVersion'>;

const toListed = (products: readonly ProductRow[]): Product[] =>
  checkedReply(
    listProducts.reply,
    products.map((product) => priced(product, null)),
  ) as Product[];

/** The approximate size of a product in memory without its description. */
const BYTES_OF_PRODUCT = 500;
const listed = new VersionedCache<readonly Product[]>((products) =>
  products.reduce((sum, { description }) => sum + BYTES_OF_PRODUCT + (description?.length ?? 0), 0),
);

const VERSION = 'SELECT "catalogueVersion" AS version FROM distributions WHERE "distributorId" = $1 AND id = $2';

/**
 * The maximum pause in milliseconds after a product list was made. One list of a distributor is made at a time: a distributor can have many
 * long lists, more than the memory holds, and each change of a product causes another read of a list.
 */
const MAX_PAUSE = 5000;

/** Reads the products of the newest version of the catalogue. Requests for older versions share this read. */
const readListed = createSharedReads(
  async (db, { distributorId, id }: DistributionKey): Promise<readonly Product[]> => {
    const key = [distributorId, id];
    const { version } = assertFound(await runOne<{ version: number }>(db, VERSION, key), 'Distribution');
    return await listed.get(db, id, { version, make: async () => await mapInSlices(await run<ProductRow>(db, LIST, key), toListed) });
  },
  { maxPause: MAX_PAUSE },
);

/**
 * Returns the products of the distribution without the numbers that every order changes, `left` and `total_ordered`. They come from memory
 * if they have not changed.
 */
const findListed = (db: Db, { distributorId, id, catalogueVersion }: ListedDistribution): Promise<readonly Product[]> =>
  listed.known(db, id, catalogueVersion) ?? readListed(db, { key: String(id), group: String(distributorId) }, { distributorId, id });

/**
 * The numbers that every order changes, as JSON objects with the product ids as keys. The objects are strings, so that two versions can be
 * compared quickly.
 */
interface ListedUnits {
  /** How many units all orders together have. Null if the numbers are for customers. */
  readonly ordered: string | null;
  readonly left: string;
}

/** The numbers for customers if no product has a limit. */
const NO_LIMITS: ListedUnits = { ordered: null, left: '{}' };

const versionOf = (catalogueVersion: number, { ordered, left }: ListedUnits): string => `${catalogueVersion} ${ordered} ${left}`;

const UNITS = `SELECT (SELECT "catalogueVersion" FROM distributions WHERE "distributorId" = $1 AND id = $2) AS "catalogueVersion",
  CASE WHEN $3 THEN (SELECT coalesce(json_object_agg(o."productId", o.units ORDER BY o."productId"), '{}')::text
    FROM (SELECT "productId", sum(quantity) AS units FROM order_products WHERE "distributorId" = $1 AND "distributionId" = $2 GROUP BY 1) o) END AS ordered,
  (SELECT coalesce(json_object_agg(l."productId", l.units ORDER BY l."productId"), '{}')::text
    FROM (SELECT "productId", sum(units) AS units FROM units_left_v2((SELECT array_agg(id) FROM products
        WHERE "distributorId" = $1 AND "distributionId" = $2 AND total_limit IS NOT NULL)) WHERE "customerId" IS NULL GROUP BY 1) l) AS "left"`;

interface UnitsReader {
  readonly distribution: DistributionKey;
  readonly isStaff: boolean;
}

interface Context {
  readonly db: Db;
  readonly viewer: Viewer;
  readonly openReply: () => Promise<unknown>;
}
type ProductList = Product[] | AsyncGenerator<Product[]>;
type UnitsById = Readonly<Record<number, number>>;

/** Returns the list of products as JSON. */
async function productsAsJson(db: Db, distribution: ListedDistribution, units: ListedUnits): Promise<string> {
  const products = await findListed(db, distribution);
  const left = JSON.parse(units.left) as UnitsById;
  const ordered = units.ordered === null ? null : (JSON.parse(units.ordered) as UnitsById);
  const withUnits = (product: Product): Product => ({
    ...product,
    left: product.total_limit === null ? null : (left[product.id] ?? 0),
    ...(ordered && { total_ordered: ordered[product.id] ?? 0 }),
  });
  const slices = await mapInSlices(products, (slice) => [JSON.stringify(slice.map(withUnits)).slice(1, -1)]);
  return `[${slices.join(',')}]`;
}

/** Two caches of product lists with the current numbers of units: for customers for whom no units are on hold, and for staff. */
const customerBodies = new VersionedBodyCache();
const staffBodies = new VersionedBodyCache(1);

/**
 * Returns the product list with the current numbers of units. Requests for the same list share one read, because each read counts the units
 * of all orders. The list is serialized again only if a number or the catalogue has changed.
 */
const readCurrentList = createSharedReads(
  async (db, { distribution: { distributorId, id }, isStaff }: UnitsReader): Promise<CachedBody> => {
    const units = await runSingle<ListedUnits & Pick<ListedDistribution, 'catalogueVersion'>>(db, UNITS, [distributorId, id, isStaff]);
    const { catalogueVersion } = units;
    return await (isStaff ? staffBodies : customerBodies).get(db, id, {
      version: versionOf(catalogueVersion, units),
      make: () => productsAsJson(db, { distributorId, id, catalogueVersion }, units),
    });
  },
  { maxPause: MAX_PAUSE },
);

const currentList = (db: Db, reader: UnitsReader): Promise<CachedBody> =>
  readCurrentList(db, { key: `${reader.distribution.id} ${reader.isStaff}`, group: String(reader.distribution.distributorId) }, reader);

const readLeft = createSharedReads(async (db, { distributorId, id }: DistributionKey): Promise<UnitsById> => {
  const { left } = await runSingle<ListedUnits>(db, UNITS, [distributorId, id, false]);
  return JSON.parse(left) as UnitsById;
});

/**
 * Returns the units left for customers for whom no units are on hold, of each limited product. Requests share one read, as in
 * `readCurrentList`.
 */
export const readUnitsLeft = (db: Db, distribution: DistributionKey): Promise<UnitsById> =>
  readLeft(db, { key: String(distribution.id), group: String(distribution.distributorId) }, distribution);

const IS_WAITING = 'SELECT FROM waiting_list WHERE "distributorId" = $1 AND "distributionId" = $2 AND "customerId" = $3 LIMIT 1';
const LEFT_WITH_HOLDS = `SELECT "productId" AS id, sum(units)::int AS units
  FROM units_left_v2(ARRAY(SELECT "productId" FROM waiting_list WHERE "distributorId" = $1 AND "distributionId" = $2 AND "customerId" = $3))
  WHERE "customerId" IS NULL OR "customerId" = $3 GROUP BY 1 HAVING bool_or("customerId" = $3 AND units > 0)`;

/** Maps each product of which units are on hold for the customer to the number of units left, which includes the units on hold. */
async function findLeftWithHolds(db: Db, { userId }: Viewer, { distributorId, id }: DistributionKey): Promise<ReadonlyMap<number, number>> {
  const values = [distributorId, id, userId];
  if ((await run(db, IS_WAITING, values)).length === 0) return new Map();
  const rows = await run<{ id: number; units: number }>(db, LEFT_WITH_HOLDS, values);
  return new Map(rows.map((row) => [row.id, row.units]));
}

/**
 * Returns the product list of a customer for whom units are on hold. Many customers may have such lists of their own. A long one is
 * therefore made while it is sent, and only a few of a distributor are open at once.
 */
async function listWithHolds(
  { db, openReply }: Pick<Context, 'db' | 'openReply'>,
  distribution: ListedDistribution,
  readLeftWithHolds: () => Promise<ReadonlyMap<number, number>>,
): Promise<ProductList> {
  const products = await findListed(db, distribution);
  const rows = longInBatches(products);
  if (!Array.isArray(rows)) await openReply();
  const [left, leftWithHolds] = await Promise.all([readUnitsLeft(db, distribution), readLeftWithHolds()]);
  const withLeft = (product: Product): Product => ({
    ...product,
    left: product.total_limit === null ? null : (leftWithHolds.get(product.id) ?? left[product.id] ?? 0),
  });
  if (Array.isArray(rows)) return rows.map(withLeft);
  return (async function* () {
    for await (const batch of rows) yield batch.map(withLeft);
  })();
}

export async function findProductList(
  { db, viewer, openReply }: Context,
  distribution: ListedDistribution & { readonly hasLimits: boolean },
): Promise<CachedBody | ProductList> {
  if (viewer.role !== 'customer') return await currentList(db, { distribution, isStaff: true });
  if (!distribution.hasLimits) {
    const known = customerBodies.known(db, distribution.id, versionOf(distribution.catalogueVersion, NO_LIMITS));
    return await (known ?? currentList(db, { distribution, isStaff: false }));
  }
  const readLeftWithHolds = () => findLeftWithHolds(db, viewer, distribution);
  if ((await readLeftWithHolds()).size === 0) return await currentList(db, { distribution, isStaff: false });
  return await listWithHolds({ db, openReply }, distribution, readLeftWithHolds);
}
