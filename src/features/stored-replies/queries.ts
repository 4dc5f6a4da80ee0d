// Erases a customer's personal data in the stored replies to requests of staff with an Idempotency-Key (contract §18). Long replies are
// removed. The keys stay, so that a repeated request still has no second effect.
//
// Staff can store hundreds of thousands of replies in a day, so the replies are erased in two passes. The first pass erases all replies in
// short transactions, while nobody waits for it. The second pass runs in the transaction that erases the customer, and reads only the
// replies that were stored after the first pass.
import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Eraser } from '../../domain/accounts/erase-personal-data.ts';
import { run, runSingle, transaction, type Db } from '../../server/database/db.ts';
import { runInQueue, type QueuePosition } from '../../server/queues/expensive-queue.ts';

/**
 * The maximum length of a stored reply in bytes. Erasing words in a longer reply would block the event loop. A longer refusal keeps the
 * beginning of its message, so that a repeated call is still refused.
 */
const MAX_REPLY_BYTES = 20_000;
const KEPT_OF_MESSAGE = 1000;
/** After this number of milliseconds of erasing, other requests get a turn. */
const SLICE = 5;
const REPLIES_AT_ONCE = 100;

/** The replies that a pass has erased. */
export interface ErasedReplies {
  /** The oldest transaction that was running when the pass began. The pass may have missed the replies that it and later ones stored. */
  readonly oldestRunning: string;
  /** The transactions of the pass. The replies that they wrote are erased already. */
  readonly transactions: readonly string[];
}

/** The replies that a pass has to read. */
interface FoundReplies {
  readonly userIds: readonly number[];
  readonly count: number;
  readonly oldestRunning: string;
  readonly after: ErasedReplies | null;
}

const STAFF = `SELECT id FROM users WHERE (id = $1 OR "distributorId" = $1) AND role <> 'customer'`;
const IS_UNREAD = `k.reply <> '' AND ($2::text IS NULL
    OR age(k.xmin) <= age($2::text::xid8::xid) AND k.xmin <> ALL ($3::text[]::xid[]))`;
// All values are from the snapshot of this one statement.
const FIND = `SELECT coalesce(array_agg("userId"), '{}') AS "userIds", coalesce(sum(replies), 0)::int AS count,
    pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM (SELECT k."userId", count(*) AS replies FROM idempotency_keys k WHERE k."userId" IN (${STAFF}) AND ${IS_UNREAD} GROUP BY 1) unread`;

const valuesOf = (after: ErasedReplies | null) => [after?.oldestRunning ?? null, after?.transactions ?? []];

/** Finds the stored replies of all staff, except those that the pass `after` has erased. */
export async function findReplies(db: Db, tenantId: number, after: ErasedReplies | null): Promise<FoundReplies> {
  const values = [tenantId, ...valuesOf(after)];
  return { ...(await runSingle<Omit<FoundReplies, 'after'>>(db, FIND, values)), after };
}

interface StoredReply {
  readonly key: string;
  /** The transaction that wrote the row. */
  readonly version: string;
  /** Null if the reply is too long and no refusal. */
  readonly reply: string | null;
  readonly isLong: boolean;
}
// With one user in each statement, PostgreSQL reads each row once, in the sequence of the primary key. With all staff in one statement, it
// may sort the remaining rows again for each page.
const PAGE = `SELECT k.key, k.xmin::text AS version,
    octet_length(k.reply) > ${MAX_REPLY_BYTES} AS "isLong",
    CASE WHEN octet_length(k.reply) <= ${MAX_REPLY_BYTES} THEN k.reply WHEN k.status >= 400 THEN
      json_build_object('sentence', left(k.reply::json->>'sentence', ${KEPT_OF_MESSAGE}), 'details', '{}'::json)::text END AS reply
  FROM idempotency_keys k WHERE k."userId" = $1 AND ${IS_UNREAD} AND k.key > $4 ORDER BY k.key LIMIT ${REPLIES_AT_ONCE}`;
// The last pass locks the replies, because no later pass would read a reply that is replaced before its erased text is stored.
const LOCKED_PAGE = `${PAGE} FOR NO KEY UPDATE`;
// A reply that was replaced since it was read is not changed. The next pass reads it.
const STORE_ERASED = `WITH erased AS (UPDATE idempotency_keys k SET reply = e.reply
    FROM unnest($2::text[], $3::text[], $4::text[]) e (key, version, reply)
    WHERE k."userId" = $1 AND k.key = e.key AND k.xmin = e.version::xid)
  SELECT pg_current_xact_id()::xid::text AS id`;

/** Erases the replies of one page, and returns those that the erasing changes. */
async function changedReplies(page: readonly StoredReply[], { json }: Eraser): Promise<StoredReply[]> {
  const changed: StoredReply[] = [];
  let until = performance.now() + SLICE;
  for (const { reply, ...row } of page) {
    const erased = reply === null ? null : json(reply);
    if (row.isLong || erased !== reply) changed.push({ ...row, reply: erased });
    if (performance.now() < until) continue;
    await nextLoop();
    until = performance.now() + SLICE;
  }
  return changed;
}

interface Erasing {
  readonly erase: Eraser;
  /** Where each page waits in the queue of expensive reads. Null in the last pass: it runs in a transaction, which must not wait. */
  readonly queue: QueuePosition | null;
}

/** Erases the customer's personal data in the replies that `findReplies` has found. */
export async function eraseInReplies(db: Db, found: FoundReplies, { erase, queue }: Erasing): Promise<ErasedReplies> {
  const transactions: string[] = [];
  const erasePage = async (userId: number, afterKey: string): Promise<string | undefined> => {
    const page = await run<StoredReply>(db, queue ? PAGE : LOCKED_PAGE, [userId, ...valuesOf(found.after), afterKey]);
    const changed = await changedReplies(page, erase);
    if (changed.length > 0) {
      const values = [userId, ...(['key', 'version', 'reply'] as const).map((name) => changed.map((row) => row[name]))];
      transactions.push((await transaction(db, (db) => runSingle<{ id: string }>(db, STORE_ERASED, values))).id);
    }
    return page.length === REPLIES_AT_ONCE ? page.at(-1)?.key : undefined;
  };
  for (const userId of found.userIds)
    for (let after: string | undefined = ''; after !== undefined;) {
      const key: string = after;
      after = await runInQueue(queue, () => erasePage(userId, key));
    }
  return { oldestRunning: found.oldestRunning, transactions };
}
