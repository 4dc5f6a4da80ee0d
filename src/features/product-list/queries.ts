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

/**
 * The units left of each limited product. `left` are those that everybody can order. `held` contains, by the id of the customer, those that
 * are on hold for this customer, as JSON, so that only the JSON of the customer who reads the list is parsed.
 */
interface UnitsLeft {
  readonly left: UnitsById;
  readonly held: Partial<Record<number, string>>;
}

const LEFT = `WITH units AS MATERIALIZED (SELECT * FROM units_left_v2(
    (SELECT array_agg(id) FROM products WHERE "distributorId" = $1 AND "distributionId" = $2 AND total_limit IS NOT NULL)))
  SELECT (SELECT coalesce(json_object_agg("productId", units), '{}') FROM units WHERE "customerId" IS NULL) AS "left",
    (SELECT coalesce(json_object_agg("customerId", held), '{}') FROM (SELECT "customerId", json_object_agg("productId", units)::text AS held
      FROM units WHERE "customerId" IS NOT NULL AND units > 0 GROUP BY 1) h) AS held`;
const readLeft = createSharedReads((db, { distributorId, id }: DistributionKey) => runSingle<UnitsLeft>(db, LEFT, [distributorId, id]));

/**
 * Returns the units left of each limited product. Requests share one read, as in `readCurrentList`, because each read counts the units of
 * all orders.
 */
export const readUnitsLeft = (db: Db, distribution: DistributionKey): Promise<UnitsLeft> =>
  readLeft(db, { key: String(distribution.id), group: String(distribution.distributorId) }, distribution);

/** Returns a function that sets the units left of a product for a customer, including those on hold for this customer. */
function leftFor({ left, held }: UnitsLeft, customerId: number): (product: Product) => Product {
  const own = JSON.parse(held[customerId] ?? '{}') as UnitsById;
  return (product) => ({ ...product, left: product.total_limit === null ? null : (left[product.id] ?? 0) + (own[product.id] ?? 0) });
}

/** Returns the products of a distribution with the units left for a customer. They come from the shared read. */
export async function withLeftFor(
  db: Db,
  distribution: DistributionKey,
  { products, customerId }: { readonly products: Product[]; readonly customerId: number },
): Promise<Product[]> {
  if (products.every(({ total_limit }) => total_limit === null)) return products;
  return products.map(leftFor(await readUnitsLeft(db, distribution), customerId));
}

const IS_WAITING = 'SELECT FROM waiting_list WHERE "distributorId" = $1 AND "distributionId" = $2 AND "customerId" = $3 LIMIT 1';
const isWaiting = async (db: Db, { userId }: Viewer, { distributorId, id }: DistributionKey): Promise<boolean> =>
  (await run(db, IS_WAITING, [distributorId, id, userId])).length > 0;

/**
 * Returns the product list of a customer for whom units are on hold, or null if none are. Many customers may have such lists of their own. A
 * long one is therefore made while it is sent, and only a few of a distributor are open at once.
 */
async function listWithHolds({ db, viewer, openReply }: Context, distribution: ListedDistribution): Promise<ProductList | null> {
  // The units are read after the products, so that those of all products are known.
  const products = await findListed(db, distribution);
  let units = await readUnitsLeft(db, distribution);
  if (units.held[viewer.userId] === undefined) return null;
  const rows = longInBatches(products);
  if (!Array.isArray(rows)) {
    await openReply();
    // The reply may have waited for those of other customers.
    units = await readUnitsLeft(db, distribution);
  }
  const withLeft = leftFor(units, viewer.userId);
  if (Array.isArray(rows)) return rows.map(withLeft);
  return (async function* () {
    for await (const batch of rows) yield batch.map(withLeft);
  })();
}

export async function findProductList(
  context: Context,
  distribution: ListedDistribution & { readonly hasLimits: boolean },
): Promise<CachedBody | ProductList> {
  const { db, viewer } = context;
  if (viewer.role !== 'customer') return await currentList(db, { distribution, isStaff: true });
  if (!distribution.hasLimits) {
    const known = customerBodies.known(db, distribution.id, versionOf(distribution.catalogueVersion, NO_LIMITS));
    return await (known ?? currentList(db, { distribution, isStaff: false }));
  }
  const own = (await isWaiting(db, viewer, distribution)) ? await listWithHolds(context, distribution) : null;
  return own ?? (await currentList(db, { distribution, isStaff: false }));
}
