import { LOCK_TIMEOUT_SQL, run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { assertFound, throwIfRefused } from '../../server/errors.ts';
import { queuePositionOf } from '../../server/queues/expensive-queue.ts';
import { rowsByKeyset, type ListSource } from '../../server/database/id-chunks.ts';
import type { Row } from '../../server/database/schema.ts';
import { definePreload } from '../../server/auth/session-preload.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { MAX_DISTRIBUTIONS, type DistributionChange } from './contract.ts';
import { tooManyDistributions } from './texts.ts';

export type DistributionRow = Omit<Row<'distributions'>, 'remindedAt'> & { readonly timeZone: string | null; readonly hasSlots: boolean };

export type DistributionKey = Pick<Row<'distributions'>, 'distributorId' | 'id'>;

/** The condition for the rows of one distribution: $1 is the distributor's id and $2 is the distribution's id. */
export const OF_DISTRIBUTION = '"distributorId" = $1 AND "distributionId" = $2';

/**
 * Returns an SQL expression that formats a time in UTC, as in '2027-04-15T18:00:00.000Z'. With this format, JSON and plain selects return
 * the same text.
 */
export const isoSql = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/**
 * Returns an SQL expression that tells whether ordering is open now, by the database's clock. The stored flag orderingOpen becomes false
 * only some time after the closing time.
 */
export const orderingOpenSql = (d: string): string => `is_ordering_open(${d}."orderingOpen", ${d}."closesAt")`;
export const NOW_SQL = isoSql('clock_timestamp()');

// Customers see published distributions, and those in which they have an order (contract §4). This query is used as a plain select and
// inside JSON, and both must return the same values. JSON would change the format of a timestamp and lose digits of a bigint. The query
// therefore formats timestamps as text, and selects no bigint.
const visibleTo = (
  tenant: string,
  customer: string,
  groupOrder = 'd."groupOrder"',
): string => `SELECT d.id, d."distributorId", d.name, d.date, d.published,
    d."acceptActuals", ${orderingOpenSql('d')} AS "orderingOpen", d."catalogueVersion", ${groupOrder} AS "groupOrder", ${isoSql('d."opensAt"')} AS "opensAt",
    ${isoSql('d."closesAt"')} AS "closesAt", d."remindHours", d.rehearsal,
    (SELECT "timeZone" FROM organizations WHERE organizations."distributorId" = d."distributorId") AS "timeZone",
    EXISTS (SELECT FROM slots s WHERE s."distributorId" = d."distributorId" AND s."distributionId" = d.id) AS "hasSlots"
  FROM distributions d WHERE d."distributorId" = ${tenant} AND (${customer} IS NULL OR d.published
    OR EXISTS (SELECT 1 FROM orders o WHERE o."distributorId" = ${tenant} AND o."customerId" = ${customer} AND o."distributionId" = d.id))`;
const VISIBLE = visibleTo('$1', '$2::int');

const VISIBLE_TO_VIEWER = `${visibleTo('viewer."tenantId"', `(CASE viewer.role WHEN 'customer' THEN viewer."userId" END)`)} AND d.id = args."distributionId"`;

/** Like `visibleDistribution`, but also reads whether any product of the distribution has a limit (contract §12). */
export const visibleDistributionWithLimits = definePreload<{ distributionId: number }, DistributionRow & { readonly hasLimits: boolean }>({
  name: 'visible distribution with limits',
  args: { distributionId: 'int' },
  sql: `SELECT d.*, EXISTS (SELECT FROM products p WHERE p."distributionId" = d.id AND p.total_limit IS NOT NULL) AS "hasLimits"
    FROM (${VISIBLE_TO_VIEWER}) d`,
});

/**
 * Reads the distribution if the viewer may see it, in the same statement as the session. The route passes the result to `assertFound`,
 * which throws 'not found' if the viewer may not see the distribution.
 */
export const visibleDistribution = definePreload<{ distributionId: number }, DistributionRow>({
  name: 'visible distribution',
  args: { distributionId: 'int' },
  sql: VISIBLE_TO_VIEWER,
});
/** The session preload of a route whose path has the distribution's id as `:id`. */
export const preloadDistribution = {
  query: visibleDistribution,
  args: ({ params }: { readonly params: { readonly id: number } }) => ({ distributionId: params.id }),
};

/** Returns the id that restricts a customer to the customer's own records; null for staff. */
export const customerIdOf = (viewer: Viewer): number | null => (viewer.role === 'customer' ? viewer.userId : null);

/** Returns the distribution's row if the viewer may see it. Throws 'not found' otherwise. */
export async function distributionFor(db: Db, viewer: Viewer, id: number): Promise<DistributionRow> {
  const values = [viewer.tenantId, customerIdOf(viewer), id];
  return assertFound(await runOne<DistributionRow>(db, `${VISIBLE} AND d.id = $3`, values), 'Distribution');
}

/** Checks access like `distributionFor`. Adds the signal of the request, so that reading a list ends when the client disconnects. */
export const listSourceFor = async (db: Db, viewer: Viewer, id: number, signal: AbortSignal): Promise<DistributionRow & ListSource> => ({
  ...(await distributionFor(db, viewer, id)),
  signal,
});

const STORE_CLOSINGS = `WITH due AS (SELECT id FROM distributions o WHERE "orderingOpen" AND "closesAt" <= clock_timestamp()
    AND (id = $1 OR $1::int IS NULL AND EXISTS (SELECT FROM users u WHERE u.id = o."distributorId" AND u."disabledAt" IS NULL))
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED),
  closed AS (UPDATE distributions d SET "orderingOpen" = false FROM due WHERE d.id = due.id RETURNING d.id, d."distributorId", d."closesAt")
  INSERT INTO distribution_audit ("distributorId", "distributionId", before, after, "updatedAt")
  SELECT "distributorId", id, '{"orderingOpen": true}', '{"orderingOpen": false}', "closesAt" FROM closed RETURNING "distributionId"`;

/**
 * Closes ordering in the distributions whose closing time has passed: sets orderingOpen to false and writes one audit row for each of them.
 * With `id`, updates only that distribution. Without `id`, updates the distributions of all distributors except disabled ones, whose data
 * may be exported at that time. Skips a distribution that another transaction has locked. Returns the number of closed distributions. Reads
 * do not depend on this update, because they use `orderingOpenSql`.
 */
export async function storeClosings(db: Db, id: number | null = null): Promise<number> {
  return (await run(db, STORE_CLOSINGS, [id])).length;
}

/** Returns the time of the database's clock. All processes of the server compare times with this clock and not with their own. */
export async function databaseTime(db: Db): Promise<string> {
  return (await runSingle<{ now: string }>(db, 'SELECT clock_timestamp() AS now', [])).now;
}

// Each advisory lock has two keys: one of these numbers, and the id of a distribution or of a customer.
const DISTRIBUTION_QUEUE = 1;
const WAITING_CUSTOMER = 2;

const LOCK_WAITING_CUSTOMER = `SELECT ${LOCK_TIMEOUT_SQL}, pg_advisory_xact_lock(${WAITING_CUSTOMER}, $1)`;
/**
 * Waits until no other transaction adds the customer to a waiting list or removes the customer from all of them because an order is marked as
 * picked up. This must be the first lock of the transaction, so that it causes no deadlock.
 */
export async function lockWaitingCustomer(db: Db, customerId: number): Promise<void> {
  await run(db, LOCK_WAITING_CUSTOMER, [customerId]);
}

/**
 * Returns a CTE `queued`, which waits in the queue of a distribution before the statement locks the distribution's row: with the lock
 * pg_advisory_xact_lock in statements that change the row, and with pg_advisory_xact_lock_shared in those that lock the row FOR SHARE and
 * then may wait for other rows. PostgreSQL grants these locks in the sequence of the requests. It grants a row lock FOR SHARE also while a
 * change waits for the row, so a change would wait as long as there is always another call that holds this lock. The statement must read
 * the id of the distribution from `queued`: PostgreSQL waits in the queue when this row is read. A transaction must not take the shared lock
 * and then the exclusive one, because two such transactions would wait for each other.
 */
export const queuedSql = (lock: 'pg_advisory_xact_lock' | 'pg_advisory_xact_lock_shared', rows: string, id = 'id'): string =>
  `queued AS MATERIALIZED (SELECT ${id} AS id, ${LOCK_TIMEOUT_SQL}, ${lock}(${DISTRIBUTION_QUEUE}, ${id}) FROM ${rows})`;

const LOCK_TO_CHANGE = `WITH ${queuedSql('pg_advisory_xact_lock', 'distributions WHERE "distributorId" = $1 AND id = $2')}
  SELECT * FROM distributions WHERE id = (SELECT id FROM queued) FOR NO KEY UPDATE`;

/**
 * Checks access before a change, like `distributionFor`. Locks the row until the transaction ends, so that changes of one distribution run
 * one after the other. If the closing time has passed when the row is locked, sets orderingOpen to false first.
 */
export async function lockDistribution(db: Db, viewer: Viewer, id: number): Promise<Row<'distributions'>> {
  const distribution = assertFound(await runOne<Row<'distributions'>>(db, LOCK_TO_CHANGE, [viewer.tenantId, id]), 'Distribution');
  if (!distribution.orderingOpen || distribution.closesAt === null) return distribution;
  // A separate statement stores the closing. It begins after the wait for the lock, so it compares the closing time with the time after the
  // wait.
  const isClosed = (await storeClosings(db, id)) > 0;
  return { ...distribution, orderingOpen: !isClosed };
}

const OWN_ORDER = 'orders o WHERE o."distributorId" = $1 AND ($2::int IS NULL OR o."customerId" = $2) AND o.id = $3';
const ORDER_TO_CHANGE = `WITH ${queuedSql('pg_advisory_xact_lock_shared', OWN_ORDER, 'o."distributionId"')},
  held AS (SELECT d.id, d."acceptActuals" FROM distributions d WHERE d."distributorId" = $1 AND d.id = (SELECT id FROM queued) FOR SHARE)
  SELECT held.id AS "distributionId", held."acceptActuals" FROM held, orders
  WHERE orders.id = $3 AND orders."distributionId" = held.id FOR UPDATE OF orders`;

/**
 * Checks access before a change of an order. Locks the order's distribution and then the order. Until the transaction ends, nothing else
 * can change the order's prices, fees, quantities, weights or payments. Returns the fields of the distribution that the change needs.
 */
export async function lockOrder(db: Db, viewer: Viewer, orderId: number) {
  const values = [viewer.tenantId, customerIdOf(viewer), orderId];
  return assertFound(await runOne<{ distributionId: number; acceptActuals: boolean }>(db, ORDER_TO_CHANGE, values), 'Order');
}

const DISTRIBUTIONS_AT_ONCE = 50;
// Of the distributions that are read at once, only the newest have their `groupOrder`, up to this number of bytes together. The longest
// values of all distributions would block the event loop. The size of the array with an empty one appended is the size of the uncompressed
// array, and PostgreSQL computes it several times faster than the number of characters.
const MAX_GROUP_ORDERS = 55_000;
const NEWEST_FIRST = 'ORDER BY d.date DESC, d.id DESC';
const SHORT_GROUP_ORDER = `CASE WHEN sum(coalesce(pg_column_size(d."groupOrder" || '{}'::text[]), 0)) OVER (${NEWEST_FIRST}) <= ${MAX_GROUP_ORDERS}
      THEN d."groupOrder" END`;
const VISIBLE_LIST = `${visibleTo('$1', '$2::int', SHORT_GROUP_ORDER)} AND NOT d.id = ANY($3::int[]) ${NEWEST_FIRST} LIMIT $4`;

/** Returns the distributions that the viewer may see, newest date first. */
export function listDistributionsFor(db: Db, viewer: Viewer, signal: AbortSignal) {
  // Each chunk leaves out the distributions that are listed already, so none is missing or repeated if its date changes in the meantime.
  const listed: number[] = [];
  return rowsByKeyset({
    size: DISTRIBUTIONS_AT_ONCE,
    queue: queuePositionOf(viewer, signal),
    read: async (count) => {
      const rows = await run<DistributionRow>(db, VISIBLE_LIST, [viewer.tenantId, customerIdOf(viewer), listed, count]);
      listed.push(...rows.map(({ id }) => id));
      return rows;
    },
  });
}

/**
 * Throws if the distributor has too many distributions. Call this function after inserting a distribution, in the same transaction, so that
 * the error rolls back the insert.
 */
export async function refuseTooManyDistributions(db: Db, { tenantId }: Viewer): Promise<void> {
  const text = 'SELECT count(*) AS distributions FROM distributions WHERE "distributorId" = $1';
  const { distributions } = await runSingle<{ distributions: number }>(db, text, [tenantId]);
  throwIfRefused(distributions > MAX_DISTRIBUTIONS ? tooManyDistributions(MAX_DISTRIBUTIONS) : null, 409);
}

export async function saveNewDistribution(db: Db, viewer: Viewer, fields: { name: string; date: string }): Promise<Row<'distributions'>> {
  const text = 'INSERT INTO distributions ("distributorId", name, date) VALUES ($1, $2, $3) RETURNING *';
  return await runSingle<Row<'distributions'>>(db, text, [viewer.tenantId, fields.name, fields.date]);
}

const CHANGED_COLUMNS = 'name, date, published, "acceptActuals", "orderingOpen", "groupOrder", "opensAt", "closesAt", "remindHours"';
const CHANGE = `UPDATE distributions d SET (${CHANGED_COLUMNS}) = (SELECT ${CHANGED_COLUMNS} FROM jsonb_populate_record(d, $2))
  WHERE d.id = $1 RETURNING *`;

/** Changes a distribution. Fields that are absent keep their values. */
export const saveDistribution = (db: Db, id: number, change: DistributionChange): Promise<Row<'distributions'>> =>
  runSingle<Row<'distributions'>>(db, CHANGE, [id, JSON.stringify(change)]);

const DEPENDENTS = ['waiting_list', 'slots', 'product_uploads', 'products', 'fees', 'catalogue_audit', 'distribution_audit'] as const;

const USED = `SELECT FROM orders WHERE ${OF_DISTRIBUTION}
  UNION ALL SELECT FROM tills WHERE ${OF_DISTRIBUTION} LIMIT 1`;

/**
 * Locks a distribution so that no other transaction can add rows that reference it. FOR UPDATE is stronger than the lock that other functions
 * take on a distribution. A call that opens a till at the same time waits for this lock, and is then refused.
 */
export const lockForDeletion = (db: Db, id: number): Promise<unknown> =>
  run(db, 'SELECT 1 FROM distributions WHERE id = $1 FOR UPDATE', [id]);

/** Deletes a distribution, unless it has orders or tills; returns false if it has. */
export async function deleteDistributionOf(db: Db, { distributorId, id }: Row<'distributions'>): Promise<boolean> {
  await lockForDeletion(db, id);
  const key = [distributorId, id];
  if ((await run(db, USED, key)).length > 0) return false;
  for (const table of DEPENDENTS) await run(db, `DELETE FROM ${table} WHERE ${OF_DISTRIBUTION}`, key);
  // Mails that were sent while the distribution was published stay in the e-mail log.
  await run(db, `UPDATE emails SET "distributionId" = NULL WHERE ${OF_DISTRIBUTION}`, key);
  await run(db, 'DELETE FROM distributions WHERE "distributorId" = $1 AND id = $2', key);
  return true;
}

/** Gives the catalogue a new version. Every transaction that changes products or fees of a distribution must call this. */
export async function nextCatalogueVersion(db: Db, id: number): Promise<void> {
  await run(db, 'UPDATE distributions SET "catalogueVersion" = "catalogueVersion" + 1 WHERE id = $1', [id]);
}

type OpenDistribution = Pick<Row<'distributions'>, 'name' | 'date' | 'closesAt'> & {
  readonly timeZone: string | null;
  /** The number of all distributions in which a customer can order now. */
  readonly total: number;
};

/** The maximum number of distributions that an invitation lists. A distributor can have 500 distributions with long names. */
export const MAX_LISTED_DISTRIBUTIONS = 10;

/** Returns the first distributions in which a customer can order now. Empty if `distributorId` is null. */
export const listOpenDistributions = (db: Db, distributorId: number | null): Promise<OpenDistribution[]> =>
  run(
    db,
    `SELECT name, date::text, "closesAt", count(*) OVER () AS total,
      (SELECT "timeZone" FROM organizations org WHERE org."distributorId" = d."distributorId") AS "timeZone"
    FROM distributions d WHERE "distributorId" = $1 AND published AND ${orderingOpenSql('d')}
    AND ("opensAt" IS NULL OR "opensAt" <= clock_timestamp()) ORDER BY date, id LIMIT ${MAX_LISTED_DISTRIBUTIONS}`,
    [distributorId],
  );
