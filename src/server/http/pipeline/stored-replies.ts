// Limits the bytes of the replies that are stored for one person's idempotency keys (reliability, "growth").
import { run, type Db } from '../../database/db.ts';

/** Above this number of bytes, the oldest replies of a person are deleted before their day ends. */
const MAX_BYTES = 20_000_000;
/**
 * A longer reply is not stored, because reading it would block the event loop. The idempotency key is stored without the reply, so a repeated
 * call gets 409 and changes nothing.
 */
export const MAX_STORED_REPLY = 2_000_000;
/** Stored refusals of at most this number of bytes keep their details. */
const SMALL_REFUSAL = 2000;

// Deletes the oldest replies of people whose stored replies exceed the limit. The idempotency keys stay for a day: a repeated call whose
// reply was deleted gets 409 and does not run again. Replies to payments are never deleted, because they are as short as the row of the
// payment. Only replies to payments contain the text in NOT LIKE, because quotes inside a JSON string are escaped. A refusal loses long
// details but keeps its message, so that a repeated call is refused in the same way. octet_length returns the uncompressed size without
// reading the reply. This size counts, because exporting a person's data reads every reply uncompressed. Only the replies of people with
// many bytes are sorted.
const excessOf = (whose: string): string => `WITH sizes AS (
      SELECT "userId", key, "createdAt", octet_length(reply) AS bytes FROM idempotency_keys WHERE reply <> '' AND ${whose}),
    large AS (SELECT "userId" FROM sizes GROUP BY 1 HAVING sum(bytes) > ${MAX_BYTES}),
    newest_first AS (SELECT "userId", key, bytes, sum(bytes) OVER (PARTITION BY "userId" ORDER BY "createdAt" DESC, key) AS total
      FROM sizes WHERE "userId" IN (SELECT "userId" FROM large))
  UPDATE idempotency_keys k
  SET reply = CASE WHEN k.status >= 400 THEN json_build_object('sentence', k.reply::json->'sentence', 'details', '{}'::json)::text END
  FROM newest_first n
  WHERE k."userId" = n."userId" AND k.key = n.key AND n.total > ${MAX_BYTES}
    AND CASE WHEN k.status >= 400 THEN n.bytes > ${SMALL_REFUSAL} ELSE k.reply NOT LIKE '%"paymentMethod":%' END`;
const EXCESS = excessOf('true');
const EXCESS_OF_USER = excessOf('"userId" = $1');

/** After storing this number of bytes for one person, a process checks the person's limit again. */
const CHECKED_AFTER = 2_000_000;
/** Maps the id of a user to the bytes that this process has stored for the user since the last check. */
const unchecked = new Map<number, number>();

export function countStoredReply(userId: number, bytes: number): void {
  unchecked.set(userId, (unchecked.get(userId) ?? 0) + bytes);
}

/** Deletes the oldest replies of a user for whom many bytes were stored since the last check. */
export async function limitStoredReplies(db: Db, userId: number): Promise<void> {
  if ((unchecked.get(userId) ?? 0) < CHECKED_AFTER) return;
  unchecked.delete(userId);
  await run(db, EXCESS_OF_USER, [userId]);
}

export async function limitAllStoredReplies(db: Db): Promise<void> {
  unchecked.clear();
  await run(db, EXCESS, []);
}
