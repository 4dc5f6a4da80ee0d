// Every change of a waiting list row first locks the row's distribution, then its product. The SQL function save_orders_v3 (db/functions)
// takes the locks in the same sequence, so that the transactions cannot deadlock.
import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import { run, runOne, runSingle, setLockTimeout, transaction, type Db } from '../../server/database/db.ts';
import { rowsInChunks, type ListSource } from '../../server/database/id-chunks.ts';
import { runEach, throwError, type OnError } from '../../server/operations/run-each.ts';
import { notFound, unauthenticated } from '../../server/errors.ts';
import type { CountRows } from '../../server/database/count-rows.ts';
import { runInQueue, type QueuePosition } from '../../server/queues/expensive-queue.ts';
import type { Viewer } from '../../server/auth/session.ts';
import type { Row } from '../../server/database/schema.ts';
import { NOW_SQL, queuedSql, type DistributionKey } from '../distributions/queries.ts';
import type { WaitingEntry } from './contract.ts';

interface Entry {
  readonly distributionId: number;
  readonly productId: number;
}

interface Expired extends Entry {
  readonly distributorId: number;
}

// An SQL condition for open ordering: after ordering has closed, no units are held for anybody. It differs from `orderingOpenSql`, which
// reads the clock at each use: `now()` is the same in the whole statement, so that the two columns of a hold agree with each other.
const IS_OPEN = `(d."orderingOpen" AND (d."closesAt" IS NULL OR d."closesAt" > now()))`;
const PERSON = `json_build_object('id', u.id, 'email', ${realEmailSql('u')}, 'firstName', nullif(c."firstName", ''), 'lastName', nullif(c."lastName", ''))`;
const LISTED = `w."distributorId" = $1 AND w."distributionId" = $2 AND (w."heldUntil" IS NULL OR w."heldUntil" > now())`;
const ENTRIES = `SELECT w."productId", p.name AS "productName", p.product_code AS "productCode", w.quantity, w."createdAt", w."customerId",
    CASE WHEN ${IS_OPEN} THEN w."heldQuantity" ELSE 0 END AS "heldQuantity", CASE WHEN ${IS_OPEN} THEN w."heldUntil" END AS "heldUntil",
    CASE WHEN $3::int IS NULL THEN ${PERSON} END AS customer
  FROM waiting_list w JOIN products p ON p.id = w."productId" JOIN distributions d ON d.id = w."distributionId"
    JOIN users u ON u.id = w."customerId" LEFT JOIN contacts c ON c."userId" = u.id
  WHERE ${LISTED} AND ($3::int IS NULL OR w."customerId" = $3)`;
const OWN_LIST = `${ENTRIES} ORDER BY w.id`;
const NUMBERED = `SELECT w.id, row_number() OVER (ORDER BY w.id) - 1 AS place FROM waiting_list w WHERE ${LISTED}`;
const ALL = 'SELECT FROM waiting_list w WHERE w."distributorId" = $1 AND w."distributionId" = $2';
const LIST_PART = `${ENTRIES} AND w.id = ANY($4::int[]) ORDER BY w.id`;

/**
 * Lists the entries of a customer in the sequence in which customers get free units. Entries whose hold has expired are left out. A customer
 * has at most MAX_WAITING entries in a distribution.
 */
export const listOwnWaiting = (db: Db, { distributorId, id }: DistributionKey, customerId: number): Promise<WaitingEntry[]> =>
  run<WaitingEntry>(db, OWN_LIST, [distributorId, id, customerId]);

/** Yields the entries of all customers of a distribution, in the sequence in which customers get free units. */
export const waitingOf = (db: Db, source: ListSource): AsyncGenerator<WaitingEntry[]> =>
  rowsInChunks(db, { numbered: NUMBERED, values: [source.distributorId, source.id], queue: source, searched: ALL }, (ids) =>
    run<WaitingEntry>(db, LIST_PART, [source.distributorId, source.id, null, ids]),
  );

const LOCK = `WITH ${queuedSql('pg_advisory_xact_lock_shared', 'distributions WHERE id = $1')},
  held AS MATERIALIZED (SELECT id FROM distributions WHERE id = (SELECT id FROM queued) FOR SHARE)
  SELECT FROM products p, held WHERE p."distributionId" = held.id AND p.id = ANY ($2::int[]) ORDER BY p.id FOR NO KEY UPDATE OF p`;

/** Locks the distribution and the product, so that nobody can order units of the product until the transaction ends. */
export async function lockProduct(db: Db, { id }: Pick<DistributionKey, 'id'>, productId: number): Promise<void> {
  await run(db, LOCK, [id, [productId]]);
}

/**
 * Locks the customer's row, so that the entries of concurrent calls are counted correctly. If another transaction is removing or disabling
 * the customer, the statement waits for that transaction. The caller must have locked the product.
 */
export async function lockOwnAccount(db: Db, { userId }: Viewer): Promise<void> {
  const text = 'SELECT FROM users WHERE id = $1 AND "removedAt" IS NULL AND "disabledAt" IS NULL FOR NO KEY UPDATE';
  if ((await run(db, text, [userId])).length === 0) throw unauthenticated();
}

interface ProductToWaitFor {
  readonly now: string;
  /** Null if the distribution has no such product. */
  readonly product: Pick<Row<'products'>, 'id' | 'name' | 'max_order_qty' | 'total_limit' | 'notOffered'> | null;
  /** The units that the customer has ordered. */
  readonly ordered: number;
  /** The number of waiting lists of the distribution that the customer is on. */
  readonly entries: number;
  /** Whether the customer is on the waiting list of the product. An entry whose hold has expired does not count. */
  readonly isWaiting: boolean;
  /** Whether the customer's order has units and was picked up, so that the customer cannot change it any more. */
  readonly isHandedOver: boolean;
}
const TO_WAIT_FOR = `SELECT ${NOW_SQL} AS now,
    (SELECT json_build_object('id', p.id, 'name', p.name, 'max_order_qty', p.max_order_qty, 'total_limit', p.total_limit, 'notOffered', p."notOffered")
      FROM products p WHERE p."distributorId" = $1 AND p."distributionId" = $2 AND p.id = $4) AS product,
    coalesce((SELECT l.quantity FROM orders o JOIN order_products l ON l."orderId" = o.id AND l."productId" = $4
      WHERE o."distributorId" = $1 AND o."distributionId" = $2 AND o."customerId" = $3), 0) AS ordered,
    count(*) AS entries, coalesce(bool_or(w."productId" = $4 AND (w."heldUntil" IS NULL OR w."heldUntil" > now())), false) AS "isWaiting",
    EXISTS (SELECT FROM orders o JOIN order_products l ON l."orderId" = o.id WHERE o."distributorId" = $1 AND o."distributionId" = $2
      AND o."customerId" = $3 AND o."pickedUpAt" IS NOT NULL AND l.quantity > 0) AS "isHandedOver"
  FROM waiting_list w WHERE w."distributorId" = $1 AND w."distributionId" = $2 AND w."customerId" = $3`;

/** Returns the data that decide whether the customer can join the waiting list of the product, except the number of units left. */
export const findProductToWaitFor = (
  db: Db,
  { distributorId, id }: DistributionKey,
  { userId }: Viewer,
  productId: number,
): Promise<ProductToWaitFor> => runSingle<ProductToWaitFor>(db, TO_WAIT_FOR, [distributorId, id, userId, productId]);

const LEFT = 'SELECT units FROM units_left_v2(ARRAY[$1::int]) WHERE "customerId" IS NULL';

/** Returns the number of units of a limited product that are left for everybody. The caller must have locked the product. */
export const findLeft = async (db: Db, productId: number): Promise<number> =>
  (await runOne<{ units: number }>(db, LEFT, [productId]))?.units ?? 0;

const SETTLE = 'SELECT settle_waiting_list_v2($1, $2::int[]) AS summed';
/** Holds free units for the next customers. Returns how many order lines and entries of waiting lists were added up for this. */
const settle = async (db: Db, distributionId: number, productIds: readonly number[]): Promise<number> =>
  (await runSingle<{ summed: number }>(db, SETTLE, [distributionId, productIds])).summed;

export interface NewEntry {
  readonly productId: number;
  readonly quantity: number;
  /** Whether some units are left, but fewer than the customer requested. These units are held for the customer immediately. */
  readonly isAnythingLeft: boolean;
}

const JOIN = `INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT DO NOTHING RETURNING id`;

/** Adds the customer to the waiting list. The caller must have locked the product and the customer, and then checked the entry. */
export async function saveWaiting(db: Db, distribution: DistributionKey, by: Viewer, entry: NewEntry): Promise<WaitingEntry> {
  const { productId, quantity, isAnythingLeft } = entry;
  const join = () => run(db, JOIN, [distribution.distributorId, distribution.id, productId, by.userId, quantity]);
  if ((await join()).length === 0) {
    // The customer's own expired hold makes the insert fail, so it is removed first.
    await settle(db, distribution.id, [productId]);
    await join();
  }
  if (isAnythingLeft) await settle(db, distribution.id, [productId]);
  const saved = (await listOwnWaiting(db, distribution, by.userId)).find((row) => row.productId === productId);
  if (!saved) throw new Error('A saved entry of the waiting list is missing.');
  return saved;
}

const OWN_ENTRIES = '"distributionId" = $1 AND "productId" = ANY ($2::int[]) AND "customerId" = $3';
const FIND_OWN = `SELECT id FROM waiting_list WHERE ${OWN_ENTRIES}`;
const LEAVE = `DELETE FROM waiting_list WHERE ${OWN_ENTRIES} RETURNING id`;

/** Throws 'not found' unless the customer has an entry in the waiting list. */
export async function assertWaits(db: Db, distribution: DistributionKey, by: Viewer, productId: number): Promise<void> {
  const found = await run(db, FIND_OWN, [distribution.id, [productId], by.userId]);
  if (found.length === 0) throw notFound('Entry of the waiting list');
}

/** Removes the customer's entry from the waiting list. The caller must have locked the product. */
export async function deleteWaiting(db: Db, distribution: DistributionKey, by: Viewer, productId: number): Promise<void> {
  const left = await run(db, LEAVE, [distribution.id, [productId], by.userId]);
  if (left.length === 0) throw notFound('Entry of the waiting list');
  await settle(db, distribution.id, [productId]);
}

const COUNT_ENTRIES = `SELECT count(*)::int AS count FROM waiting_list
  WHERE "distributorId" = $1 AND "distributionId" = $2 AND ($3::int[] IS NULL OR "productId" = ANY ($3))`;

/**
 * Returns how many entries the waiting lists of these products have, or of all products of the distribution. A change that begins, moves or
 * ends their holds may write all of them.
 */
export const countEntries = async (db: Db, { distributorId, id }: DistributionKey, productIds: readonly number[] | null): Promise<number> =>
  (await runSingle<{ count: number }>(db, COUNT_ENTRIES, [distributorId, id, productIds])).count;

/**
 * Moves the ends of all holds of a distribution after its opening or closing time has changed. A hold ends 12 hours after it has begun and
 * ordering has opened, or earlier when ordering closes. The mails about these holds count toward the distributor's daily limit. The caller must have locked the distribution.
 */
export async function moveHolds(db: Db, { id }: Pick<DistributionKey, 'id'>): Promise<void> {
  await run(db, 'SELECT move_holds_v1($1)', [id]);
  await run(db, 'SELECT count_hold_mails_v1($1)', [id]);
}

const SETTLE_ALL = `SELECT settle_waiting_list_v2($2, array_agg(DISTINCT "productId")) FROM waiting_list
  WHERE "distributorId" = $1 AND "distributionId" = $2 HAVING count(*) > 0`;

/**
 * Ends all holds of a distribution that is now unpublished, because its customers cannot order. In a distribution that is now published,
 * holds free units for the customers on the waiting lists, who kept their places. The mails about these holds count toward the
 * distributor's daily limit. The caller must have locked the distribution.
 */
export async function settleAll(db: Db, { distributorId, id }: DistributionKey): Promise<void> {
  await run(db, SETTLE_ALL, [distributorId, id]);
  await run(db, 'SELECT count_hold_mails_v1($1)', [id]);
}

/** A customer who leaves the waiting lists of this distribution, or of all distributions if `distributionId` is null. */
type Leaver = Readonly<{ customerId: number; distributionId: number | null }>;
const OF_CUSTOMER = '"distributorId" = $1 AND "customerId" = $2';
const OF_LEAVER = `${OF_CUSTOMER} AND ($3::int IS NULL OR "distributionId" = $3)`;
const COUNT_OF_CUSTOMER = `SELECT count(*)::int AS count FROM waiting_list WHERE ${OF_CUSTOMER}`;
export const countWaitingOf = async (db: Db, distributorId: number, customerId: number): Promise<number> =>
  (await runSingle<{ count: number }>(db, COUNT_OF_CUSTOMER, [distributorId, customerId])).count;

interface OwnLists {
  readonly distributionId: number;
  readonly productIds: number[];
}
/** Lists the products of each distribution for which the customer waits. */
const OWN = `SELECT "distributionId", array_agg("productId" ORDER BY "productId") AS "productIds" FROM waiting_list WHERE ${OF_LEAVER}
  GROUP BY "distributionId" ORDER BY "distributionId"`;

/**
 * Removes a customer from all waiting lists, and holds the freed units for the next customers. Each distribution waits in the queue of
 * expensive reads and has a short transaction of its own, because adding up the order lines of all its limited products may take long.
 */
export async function leaveWaitingLists(
  db: Db,
  customerId: number,
  { queue, countRows }: { queue: QueuePosition; countRows: CountRows },
): Promise<void> {
  const lists = await runInQueue(queue, () => run<OwnLists>(db, OWN, [queue.distributorId, customerId, null]));
  for (const { distributionId, productIds } of lists) {
    const leave = async (db: Db): Promise<number> => {
      await run(db, LOCK, [distributionId, productIds]);
      await run(db, LEAVE, [distributionId, productIds, customerId]);
      return await settle(db, distributionId, productIds);
    };
    countRows({ summed: await runInQueue(queue, () => transaction(db, leave)) });
  }
}

/** Locks the distributions and products of the waiting lists that the customer is on. */
export async function lockWaitingLists(db: Db, distributorId: number, { customerId, distributionId: only }: Leaver): Promise<void> {
  for (const { distributionId, productIds } of await run<OwnLists>(db, OWN, [distributorId, customerId, only]))
    await run(db, LOCK, [distributionId, productIds]);
}

const LEAVE_ALL = `WITH left_lists AS (DELETE FROM waiting_list WHERE ${OF_LEAVER} RETURNING "distributionId", "productId")
  SELECT "distributionId", array_agg("productId") AS "productIds" FROM left_lists GROUP BY "distributionId"`;

/** Like `leaveWaitingLists`, in the current transaction and without waiting in a queue. The caller must have locked the waiting lists. */
export async function deleteWaitingOf(
  db: Db,
  { viewer, countRows }: { viewer: Viewer; countRows: CountRows },
  { customerId, distributionId: only }: Leaver,
): Promise<void> {
  const lists = await run<OwnLists>(db, LEAVE_ALL, [viewer.tenantId, customerId, only]);
  countRows({ read: lists.flatMap(({ productIds }) => productIds).length });
  for (const { distributionId, productIds } of lists) countRows({ summed: await settle(db, distributionId, productIds) });
}

const MAX_AT_ONCE = 100;
// The distributors take turns, so that thousands of expired holds of one do not delay those of others. The sequence within a distributor is
// random. With a fixed sequence, a product that fails in every run would keep the distributor's next products from being processed.
const EXPIRED = `SELECT "distributorId", "distributionId", "productId" FROM waiting_list w WHERE "heldUntil" <= now()
    AND "distributorId" <> ALL ($1::int[]) AND EXISTS (SELECT FROM users d WHERE d.id = w."distributorId" AND d."disabledAt" IS NULL)
  GROUP BY 1, 2, 3 ORDER BY row_number() OVER (PARTITION BY "distributorId" ORDER BY random()), random() LIMIT ${MAX_AT_ONCE}`;

interface PassingOn {
  readonly onError?: OnError;
  readonly signal?: AbortSignal;
}

/**
 * Removes expired holds, holds their units for the next customers on the list and mails these customers. Reads ignore expired holds even
 * before this function runs. The holds of disabled distributors are not changed, because the data of a disabled distributor may be
 * exported. Each product has a transaction of its own, so that its locks are short. After an error, for example because a row stays locked,
 * the other products of the same distributor wait for the next call. When `signal` is aborted, at most MAX_AT_ONCE products are processed.
 */
export async function passOnExpiredHolds(db: Db, { onError = throwError, signal }: PassingOn = {}): Promise<void> {
  const failed = new Set<number>();
  const passOn = async ({ distributorId, distributionId, productId }: Expired): Promise<void> => {
    if (failed.has(distributorId)) return;
    const settled = transaction(db, async (db) => {
      await setLockTimeout(db);
      await settle(db, distributionId, [productId]);
    });
    await settled.catch((error: unknown) => {
      failed.add(distributorId);
      throw error;
    });
  };
  let expired: Expired[];
  do {
    expired = await run<Expired>(db, EXPIRED, [[...failed]]);
    await runEach(expired, passOn, onError);
  } while (expired.length === MAX_AT_ONCE && signal?.aborted !== true);
}

export interface Hold extends Expired {
  readonly distributionName: string;
  readonly productName: string;
  readonly units: number;
  readonly heldUntil: string;
  /** When ordering opens. Null if it has opened already. */
  readonly opensAt: string | null;
  readonly timeZone: string | null;
}

/** The maximum number of holds that a mail lists. A customer can have 100 of them in each distribution. */
export const MAX_LISTED_HOLDS = 100;
const HOLDS = `SELECT d."distributorId", d.id AS "distributionId", d.name AS "distributionName", p.id AS "productId", p.name AS "productName", w."heldQuantity" AS units, w."heldUntil",
    CASE WHEN d."opensAt" > now() THEN d."opensAt" END AS "opensAt", (SELECT "timeZone" FROM organizations org WHERE org."distributorId" = d."distributorId") AS "timeZone"
  FROM waiting_list w JOIN products p ON p.id = w."productId" JOIN distributions d ON d.id = w."distributionId"
  WHERE w."customerId" = $1 AND w."heldUntil" > now() AND d.published AND ${IS_OPEN} ORDER BY d.date, d.id, w."heldUntil", w.id LIMIT ${MAX_LISTED_HOLDS} + 1`;

/** Returns the first holds of a customer, and one more than a mail lists if there are more. */
export const listHolds = (db: Db, customerId: number | null): Promise<Hold[]> => run<Hold>(db, HOLDS, [customerId]);
