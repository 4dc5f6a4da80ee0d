import { meanWeight, proposedEstimate, weightSpread } from '../../domain/weights/estimates.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { idChunks, readAhead } from '../../server/database/id-chunks.ts';
import { runInQueue, type QueuePosition } from '../../server/queues/expensive-queue.ts';
import { assertFound, notFound } from '../../server/errors.ts';
import type { Row } from '../../server/database/schema.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { PRODUCT_ORDER } from '../products/queries.ts';
import type { DistributionKey } from '../distributions/queries.ts';
import type { Estimate } from './contract.ts';

type DistributionRow = Row<'distributions'>;
// Sums the weights and their squares for each product. The sums are selected as text, because they may exceed JavaScript's safe integers.
const OWN_PRODUCTS = `FROM products p JOIN distributions d ON d.id = p."distributionId" AND d."distributorId" = p."distributorId"`;
const ESTIMATED = `p."distributorId" = $1 AND p."distributionId" = $2 AND p.unit_qty_is_estimate`;
const NUMBERED = `SELECT p.id, row_number() OVER (ORDER BY ${PRODUCT_ORDER}) - 1 AS place ${OWN_PRODUCTS} WHERE ${ESTIMATED}`;
const SUMS = `WITH weights AS (
    SELECT l."productId", count(*) AS weighed, sum(w."actualQuantity" * 1000)::numeric(40, 0)::text AS sum,
      sum(w."actualQuantity" * w."actualQuantity" * 1000000)::numeric(40, 0)::text AS squares
    FROM order_products l JOIN actual_quantities w ON w."orderProductId" = l.id AND w."sortOrder" < l.quantity
    WHERE l."distributorId" = $1 AND l."distributionId" = $2 AND l."productId" = ANY($3::int[]) AND w."actualQuantity" > 0
    GROUP BY l."productId")
  SELECT p.id, p.name, p.product_code, p.product_group, p.uom, p.unit_price, p.unit_qty,
    coalesce(w.weighed, 0) AS weighed, coalesce(w.sum, '0') AS sum, coalesce(w.squares, '0') AS squares
  ${OWN_PRODUCTS} LEFT JOIN weights w ON w."productId" = p.id
  WHERE ${ESTIMATED} AND p.id = ANY($3::int[]) ORDER BY ${PRODUCT_ORDER}`;

interface SummedProduct extends Pick<
  Row<'products'>,
  'id' | 'name' | 'product_code' | 'product_group' | 'uom' | 'unit_price' | 'unit_qty'
> {
  readonly weighed: number;
  readonly sum: string;
  readonly squares: string;
}

const inUnits = (thousandths: number | null): number | null => (thousandths === null ? null : thousandths / 1000);

function toEstimate(product: SummedProduct, nameDetail: string | undefined): Estimate {
  const sums = { weighed: product.weighed, sum: BigInt(product.sum), squares: BigInt(product.squares) };
  return {
    productId: product.id,
    product_code: product.product_code,
    name: product.name,
    ...(nameDetail !== undefined && { nameDetail }),
    product_group: product.product_group,
    uom: product.uom,
    estimate: product.unit_qty,
    mean: inUnits(meanWeight(sums)),
    spread: inUnits(weightSpread(sums)),
    weighed: product.weighed,
    proposed: proposedEstimate(product, sums),
  };
}

const PRODUCTS_AT_ONCE = 500;

interface EstimateOptions {
  /** By product id: the part of the description that distinguishes products with the same name (domain/product-names.ts). */
  readonly details?: ReadonlyMap<number, string>;
  /**
   * Where each read waits in the queue of expensive reads, because summing many weights keeps the database busy. Null in a transaction,
   * which must not wait.
   */
  readonly queue?: QueuePosition | null;
}

/** Yields the estimates of a distribution. */
export async function* estimatesOf(
  db: Db,
  { distributorId, id }: DistributionKey,
  { details = new Map(), queue = null }: EstimateOptions = {},
): AsyncGenerator<Estimate[]> {
  const chunks = await idChunks(db, { numbered: NUMBERED, values: [distributorId, id], queue, size: PRODUCTS_AT_ONCE });
  yield* readAhead(chunks, async ({ ids }) => {
    const products = await runInQueue(queue, () => run<SummedProduct>(db, SUMS, [distributorId, id, ids]));
    return products.map((product) => toEstimate(product, details.get(product.id)));
  });
}

/** Returns the estimates of a distribution. Products with the same name are not distinguished by their descriptions. */
export async function listEstimatesOf(db: Db, distribution: DistributionKey): Promise<Estimate[]> {
  const estimates: Estimate[] = [];
  for await (const rows of estimatesOf(db, distribution)) estimates.push(...rows);
  return estimates;
}

/**
 * Checks that the viewer may copy this distribution, and locks it. The lock keeps its products unchanged until the transaction ends, and
 * does not block orders.
 */
export async function lockOriginal(db: Db, viewer: Viewer, id: number): Promise<DistributionRow> {
  const text = 'SELECT * FROM distributions WHERE "distributorId" = $1 AND id = $2 FOR SHARE';
  return assertFound(await runOne<DistributionRow>(db, text, [viewer.tenantId, id]), 'Distribution');
}

/** Throws unless all products that the request body names belong to this distribution. */
export async function assertProducts(db: Db, { distributorId, id }: DistributionKey, productIds: readonly number[]): Promise<void> {
  if (productIds.length === 0) return;
  const wanted = [...new Set(productIds)];
  const text = `SELECT count(*) AS found FROM products WHERE "distributorId" = $1 AND "distributionId" = $2 AND id = ANY($3::int[])`;
  const { found } = await runSingle<{ found: number }>(db, text, [distributorId, id, wanted]);
  if (found !== wanted.length) throw notFound('Product');
}

const COPY_DISTRIBUTION = `INSERT INTO distributions ("distributorId", name, date, "groupOrder")
  SELECT "distributorId", $3, $4, "groupOrder" FROM distributions WHERE "distributorId" = $1 AND id = $2 RETURNING *`;
const COPIED_COLUMNS = 'name, description, unit_price, uom, unit_qty_is_estimate, max_order_qty, product_group, product_code';
// A short delivery may have limited or withdrawn a product. In the copy, the product has the limit from before the short delivery and is
// offered again, unless staff have changed the limit or withdrawn the product themselves (decision 19).
const LIMIT_OF_COPY = `CASE WHEN "shortDelivery" IS NOT NULL AND total_limit IS NOT DISTINCT FROM ("shortDelivery"->>'limit')::int
    THEN ("shortDelivery"->>'limitBefore')::int ELSE total_limit END`;
const IS_COPIED = `(NOT "notOffered" OR coalesce(("shortDelivery"->>'isWithdrawn')::boolean, false))`;
const COPY_PRODUCTS = `INSERT INTO products ("distributorId", "distributionId", ${COPIED_COLUMNS}, total_limit, unit_qty)
  SELECT "distributorId", $3, ${COPIED_COLUMNS}, ${LIMIT_OF_COPY}, coalesce(measured.unit_qty_measured, unit_qty)
  FROM products LEFT JOIN jsonb_to_recordset($4) AS measured (product_id int, unit_qty_measured int) ON measured.product_id = products.id
  WHERE "distributorId" = $1 AND "distributionId" = $2 AND ${IS_COPIED} ORDER BY products.id`;
// Copies the fees in the sequence in which they are charged: by sort_order, then by id. The copies get ascending ids, so fees with the same
// sort_order are charged in the same sequence as in the original (contract §7).
const COPY_FEES = `INSERT INTO fees ("distributorId", "distributionId", name, type, sort_order, amount)
  SELECT "distributorId", $3, name, type, sort_order, amount FROM fees WHERE "distributorId" = $1 AND "distributionId" = $2 ORDER BY sort_order, id`;

interface CopyRequest {
  readonly name: string;
  readonly date: string;
  /** The products that get a measured estimate in the copy, with this estimate. */
  readonly measured: readonly { readonly productId: number; readonly unit_qty: number }[];
}

/** Creates the copy as an unpublished distribution that is open for ordering. The caller must have locked the original. */
export async function saveCopy(
  db: Db,
  { distributorId, id }: DistributionKey,
  { name, date, measured }: CopyRequest,
): Promise<DistributionRow> {
  const copy = await runSingle<DistributionRow>(db, COPY_DISTRIBUTION, [distributorId, id, name, date]);
  await copyCatalogue(db, { distributorId, id }, copy.id, measured);
  return copy;
}

export async function copyCatalogue(
  db: Db,
  { distributorId, id }: DistributionKey,
  copyId: number,
  measured: CopyRequest['measured'] = [],
): Promise<void> {
  const estimates = JSON.stringify(measured.map((one) => ({ product_id: one.productId, unit_qty_measured: one.unit_qty })));
  await run(db, COPY_PRODUCTS, [distributorId, id, copyId, estimates]);
  await run(db, COPY_FEES, [distributorId, id, copyId]);
}
