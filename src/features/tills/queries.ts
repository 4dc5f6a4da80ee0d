import { expectedIn, receivedBy, sumOfTills, type TillSums } from '../../domain/counter/till.ts';
import type { Cents } from '../../domain/money.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import { run, runOne, runSingle, snapshot, type Db } from '../../server/database/db.ts';
import { idChunks } from '../../server/database/id-chunks.ts';
import { assertFound, conflict, throwIfRefused } from '../../server/errors.ts';
import type { Row } from '../../server/database/schema.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { MAX_TILLS, MAX_TILLS_FOR_AGENTS } from './contract.ts';
import { OPEN_ALREADY, tooManyTills, tooManyTillsForAgents } from './texts.ts';

export type TillRow = Row<'tills'> & { readonly by: string };

const TILL = 'SELECT t.*, u.email AS by FROM tills t JOIN users u ON u.id = t."userId" WHERE t."distributorId" = $1';
// The parameter $2 is the id of an agent, who sees only the agent's own tills. It is null for the distributor, who sees all tills.
const OWN = '($2::int IS NULL OR t."userId" = $2)';
const agentIdOf = (viewer: Viewer): number | null => (viewer.role === 'distributor' ? null : viewer.userId);

/**
 * Returns the user's open till, to which a new payment belongs, or null. Locks the till, so that nobody closes it before the transaction
 * ends.
 */
export async function lockOpenTill(db: Db, by: Viewer, distributionId: number): Promise<number | null> {
  const text = `SELECT id FROM tills WHERE "distributorId" = $1 AND "distributionId" = $2 AND "userId" = $3 AND "closedAt" IS NULL FOR SHARE`;
  return (await runOne<{ id: number }>(db, text, [by.tenantId, distributionId, by.userId]))?.id ?? null;
}

interface TillCounts {
  readonly all: number;
  readonly own: number;
  readonly open: number;
}
const COUNTS = `SELECT count(*)::int AS "all", count(*) FILTER (WHERE "userId" = $3)::int AS own,
    count(*) FILTER (WHERE "userId" = $3 AND "closedAt" IS NULL)::int AS open
  FROM tills WHERE "distributorId" = $1 AND "distributionId" = $2`;

function openingBlockedReason({ role }: Viewer, { all, own, open }: TillCounts): string | null {
  if (open > 0) return OPEN_ALREADY;
  if (own >= MAX_TILLS) return tooManyTills(MAX_TILLS);
  return role === 'agent' && all >= MAX_TILLS_FOR_AGENTS ? tooManyTillsForAgents(MAX_TILLS_FOR_AGENTS) : null;
}

/** Opens a till. Several people who open their tills at the same moment can exceed the limit of agents by these tills. */
export async function saveNewTill(
  db: Db,
  by: Viewer,
  { distributionId, float }: { distributionId: number; float: Cents },
): Promise<TillRow> {
  const key = [by.tenantId, distributionId, by.userId];
  throwIfRefused(openingBlockedReason(by, await runSingle<TillCounts>(db, COUNTS, key)), 409);
  const text = `INSERT INTO tills ("distributorId", "distributionId", "userId", float) VALUES ($1, $2, $3, $4)
    ON CONFLICT ("userId", "distributionId") WHERE "closedAt" IS NULL DO NOTHING RETURNING *`;
  const till = await runOne<Row<'tills'>>(db, text, [...key, float]);
  if (!till) throw conflict(OPEN_ALREADY);
  return { ...till, by: by.email };
}

/** Checks that the viewer may close the till, and locks it. The lock waits for uncommitted payments of the till, and prevents new ones. */
export async function lockTill(db: Db, viewer: Viewer, id: number): Promise<TillRow> {
  return assertFound(
    await runOne<TillRow>(db, `${TILL} AND ${OWN} AND t.id = $3 FOR UPDATE OF t`, [viewer.tenantId, agentIdOf(viewer), id]),
    'Till',
  );
}

interface TillPayment {
  readonly tillId: number | null;
  readonly paymentMethod: PaymentMethod;
  readonly amount: Cents;
  readonly feeAmount: Cents;
}

/** The number of payments in a till, or of those without a till, and their sums by payment method. */
export interface TillTotals {
  readonly payments: number;
  readonly received: TillSums;
}
export const NO_TOTALS: TillTotals = { payments: 0, received: receivedBy([]) };
const bothOf = (one: TillTotals, other: TillTotals): TillTotals => ({
  payments: one.payments + other.payments,
  received: sumOfTills([one.received, other.received]),
});

const numbered = (condition: string): string => `SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM payments
  WHERE "distributorId" = $1 AND "distributionId" = $2 AND ${condition}`;
const NUMBERED_OF_TILL = numbered('"tillId" = $3');
const NUMBERED_OF_DISTRIBUTION = numbered('$3::int IS NULL');
const PAYMENTS = `SELECT "tillId", "paymentMethod", amount, "feeAmount" FROM payments
  WHERE "distributorId" = $1 AND "distributionId" = $2 AND id = ANY($3::int[])`;
/** Reading all payments of a distribution at once could block the event loop, because each order may have a thousand of them. */
const PAYMENTS_AT_ONCE = 10_000;

interface PaymentsRead {
  readonly distributorId: number;
  readonly distributionId: number;
  /** The till whose payments are read. Null reads the payments of all tills and the payments without a till. */
  readonly tillId: number | null;
}

/**
 * Returns the totals by till id. The key null stands for the payments without a till. The caller has locked the till in a transaction, or
 * has waited in the queue of expensive reads.
 */
async function readTillTotals(db: Db, { distributorId, distributionId, tillId }: PaymentsRead): Promise<Map<number | null, TillTotals>> {
  const key = [distributorId, distributionId];
  const totals = new Map<number | null, TillTotals>();
  const numbered = tillId === null ? NUMBERED_OF_DISTRIBUTION : NUMBERED_OF_TILL;
  const chunks = await idChunks(db, { numbered, values: [...key, tillId], queue: null, size: PAYMENTS_AT_ONCE });
  for (const { ids } of chunks) {
    const byTill = Map.groupBy(await run<TillPayment>(db, PAYMENTS, [...key, ids]), (payment) => payment.tillId);
    for (const [id, payments] of byTill)
      totals.set(id, bothOf(totals.get(id) ?? NO_TOTALS, { payments: payments.length, received: receivedBy(payments) }));
  }
  return totals;
}

/** Returns the totals of a till. The caller must have locked the till. */
export async function totalsOfTill(db: Db, { id, distributorId, distributionId }: Row<'tills'>): Promise<TillTotals> {
  return (await readTillTotals(db, { distributorId, distributionId, tillId: id })).get(id) ?? NO_TOTALS;
}

export async function saveClosing(
  db: Db,
  by: Viewer,
  till: TillRow,
  { expected, counted }: { expected: TillSums; counted: TillSums },
): Promise<TillRow> {
  const text = `UPDATE tills SET "closedAt" = clock_timestamp(), "closedBy" = $2, expected = $3::jsonb, counted = $4::jsonb WHERE id = $1 RETURNING *`;
  const closed = assertFound(
    await runOne<Row<'tills'>>(db, text, [till.id, by.userId, JSON.stringify(expected), JSON.stringify(counted)]),
    'Till',
  );
  return { ...closed, by: till.by };
}

/** Reads the viewer's tills of a distribution and the totals of all tills from one consistent snapshot. */
export const readTills = (
  db: Db,
  viewer: Viewer,
  distributionId: number,
): Promise<{ tills: TillRow[]; totals: ReadonlyMap<number | null, TillTotals> }> =>
  snapshot(db, async (db) => ({
    tills: await run<TillRow>(db, `${TILL} AND ${OWN} AND t."distributionId" = $3 ORDER BY t."openedAt", t.id`, [
      viewer.tenantId,
      agentIdOf(viewer),
      distributionId,
    ]),
    totals: await readTillTotals(db, { distributorId: viewer.tenantId, distributionId, tillId: null }),
  }));

export const expectedOf = (till: Row<'tills'>, { received }: TillTotals): TillSums => till.expected ?? expectedIn(till.float, received);
