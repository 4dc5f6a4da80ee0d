import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import { cents, sum } from '../../domain/money.ts';
import { withDetail } from '../../domain/product-names.ts';
import { run, type Db } from '../../server/database/db.ts';
import { rowsByKeyset, type ListSource } from '../../server/database/id-chunks.ts';
import { previewQueue } from '../../server/queues/expensive-queue.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { accountsUnder, type Account, type AccountData } from '../payments/queries.ts';
import type { Product, ProductTerms } from '../products/contract.ts';
import { readNameDetails } from '../product-names/queries.ts';
import { listProductsOf } from '../products/queries.ts';
import type { PageQuery } from '../../shared/pages.ts';
import type { DistributionKey } from '../distributions/queries.ts';
import { MAX_CHANGES, type CatalogueChange, type CountedOrders, type FeeTerms, type PlannedChange, type Repriced } from './contract.ts';
import { NAME_COLUMNS } from '../contact/queries.ts';

const RECORD_FEE = `INSERT INTO catalogue_audit ("distributorId", "distributionId", "feeId", name, before, after, "updatedBy")
  SELECT $1, $2, $3, $4, $5::jsonb, $6::jsonb, $7 WHERE EXISTS (SELECT FROM orders WHERE "distributorId" = $1 AND "distributionId" = $2)`;

const productTerms = ({ unit_price, unit_qty, unit_qty_is_estimate }: ProductTerms): string =>
  JSON.stringify({ unit_price, unit_qty, unit_qty_is_estimate });
const feeTerms = ({ name, type, amount, sort_order }: FeeTerms): string => JSON.stringify({ name, type, amount, sort_order });

interface FeeChange {
  /** The fee before the change; null for a new fee. `after` is the fee after the change; null for a deleted fee. */
  readonly before: (FeeTerms & { readonly id: number }) | null;
  readonly after: (FeeTerms & { readonly id: number }) | null;
  readonly by: Viewer;
}

/** Records a change of a fee, but only if the fee is really different and a customer has an order already. */
export async function recordFeeChange(db: Db, distribution: DistributionKey, { before, after, by }: FeeChange): Promise<void> {
  const fee = after ?? before;
  const terms = [before && feeTerms(before), after && feeTerms(after)];
  if (!fee || terms[0] === terms[1]) return;
  await run(db, RECORD_FEE, [distribution.distributorId, distribution.id, fee.id, fee.name, ...terms, by.userId]);
}

const CHANGES_AT_ONCE = 200;
const CHANGES = `SELECT a.id::text AS key, a.id, a."productId", a."feeId", a.name, a.before, a.after, a."updatedAt", u.email
  FROM catalogue_audit a JOIN users u ON u.id = a."updatedBy"
  WHERE a."distributorId" = $1 AND a."distributionId" = $2 AND ($3::int IS NULL OR a.id < $3) ORDER BY a.id DESC LIMIT $4`;

export const listChangesOf = (db: Db, distribution: ListSource, { limit = MAX_CHANGES, after }: PageQuery) =>
  rowsByKeyset({
    size: CHANGES_AT_ONCE,
    most: limit,
    queue: distribution,
    read: (count, last?: CatalogueChange) =>
      run<CatalogueChange>(db, CHANGES, [distribution.distributorId, distribution.id, last?.id ?? after ?? null, count]),
  });

/**
 * The id that a planned new fee gets in the preview. It is the largest integer, because fees with the same sort_order are charged by id,
 * and the new fee comes last (contract §7).
 */
const NEXT_ID = 2_147_483_647;

/** Returns the given data with the planned change applied. Order amounts are computed from the result. */
function dataAfter(
  data: AccountData,
  { products, cleared, newFees, changedFees, deletedFees }: PlannedChange,
  distribution: DistributionKey,
): AccountData {
  const terms = new Map(products.map((product) => [product.id, product]));
  const [removed, deleted] = [new Set(cleared), new Set(deletedFees)];
  const changed = new Map(changedFees.map((fee) => [fee.id, fee]));
  const ofDistribution = { distributorId: distribution.distributorId, distributionId: distribution.id };
  return {
    ...data,
    products: data.products.map((product) => ({ ...product, ...terms.get(product.id) })),
    lines: data.lines.filter((line) => !removed.has(line.productId)),
    fees: [
      ...data.fees.filter((fee) => !deleted.has(fee.id)).map((fee) => ({ ...fee, ...changed.get(fee.id) })),
      ...newFees.map((fee, index) => ({ ...fee, ...ofDistribution, id: NEXT_ID + index })),
    ],
  };
}

/** Returns whether the planned change would alter the price or unit quantity of a product, or set its ordered quantities to 0. */
function changedBy({ products, cleared }: PlannedChange): (product: Product) => boolean {
  const planned = new Map(products.map((product) => [product.id, productTerms(product)]));
  const removed = new Set(cleared);
  return (product) => removed.has(product.id) || (planned.get(product.id) ?? productTerms(product)) !== productTerms(product);
}

const MAX_NAMED = 5;

async function named(db: Db, distribution: DistributionKey, chosen: readonly Product[]): Promise<Repriced['products']> {
  const details = chosen.length === 0 ? null : await readNameDetails(db, distribution);
  const names = chosen.slice(0, MAX_NAMED).map(({ id, name }) => withDetail(name, details?.get(id)));
  return { count: chosen.length, names };
}

const PEOPLE = `SELECT u.id, ${realEmailSql('u')} AS email, ${NAME_COLUMNS}
  FROM users u LEFT JOIN contacts c ON c."userId" = u.id
  WHERE u."distributorId" = $1 AND u.id = ANY($2::int[]) ORDER BY c."lastName", c."firstName", u.email LIMIT ${MAX_NAMED}`;

async function counted(db: Db, distribution: DistributionKey, customerIds: readonly number[]): Promise<CountedOrders> {
  const customers = await run<CountedOrders['customers'][number]>(db, PEOPLE, [distribution.distributorId, customerIds]);
  return { count: customerIds.length, customers };
}

/**
 * Sums up the orders that a planned change touches. Keeps two numbers of each order and no lines, so that a large distribution fits into
 * memory.
 */
class RepricingTotals {
  readonly customerIds: number[] = [];
  readonly paidIds: number[] = [];
  readonly productIds = new Set<number>();
  units = 0;
  before = cents(0);
  after = cents(0);

  add({ before, after }: { readonly before: Account; readonly after: Account }, changed: ReadonlySet<number>): void {
    this.customerIds.push(before.customerId);
    if (before.balance < before.orderAmount) this.paidIds.push(before.customerId);
    for (const { productId, quantity } of before.products) {
      if (!changed.has(productId)) continue;
      this.productIds.add(productId);
      this.units += quantity;
    }
    this.before = sum([this.before, before.orderAmount]);
    this.after = sum([this.after, after.orderAmount]);
  }
}

/** Returns what a planned change would do to existing orders. src/domain computes the amounts (contract §4, §7). */
async function repricingOf(db: Db, distribution: ListSource, planned: PlannedChange): Promise<Repriced> {
  const known = await listProductsOf(db, distribution);
  const changed = new Set(known.filter(changedBy(planned)).map(({ id }) => id));
  const isOfAll = planned.newFees.length + planned.changedFees.length + planned.deletedFees.length > 0;
  const isTouched = ({ products }: Account): boolean =>
    isOfAll ? products.length > 0 : products.some(({ productId }) => changed.has(productId));
  const totals = new RepricingTotals();
  if (changed.size > 0 || isOfAll)
    for await (const batch of accountsUnder(db, distribution, (data) => dataAfter(data, planned, distribution)))
      for (const accounts of batch) if (isTouched(accounts.before)) totals.add(accounts, changed);
  const { customerIds, paidIds, productIds, units, before, after } = totals;
  return {
    orders: await counted(db, distribution, customerIds),
    paid: await counted(db, distribution, paidIds),
    products: await named(
      db,
      distribution,
      known.filter(({ id }) => productIds.has(id)),
    ),
    units,
    before,
    after,
  };
}

/** Previews the planned changes of a distributor one after the other, because each preview reads all orders of a distribution. */
export const previewRepricing = (db: Db, distribution: ListSource, planned: PlannedChange): Promise<Repriced> =>
  previewQueue(() => repricingOf(db, distribution, planned), { key: String(distribution.distributorId), signal: distribution.signal });
