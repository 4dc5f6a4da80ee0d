// The same key of the same user within a day answers what the first call answered and does nothing a second time (contract §2).
import { createHash } from 'node:crypto';
import { run, transaction, type Db } from './db.ts';
import { conflict, HttpError, invalid } from './errors.ts';
import type { Viewer } from './session.ts';

const DAY = 86_400_000;
const USED_FOR_ANOTHER = 'This Idempotency-Key was used for another request.';

export interface Kept {
  readonly status: number;
  /** JSON of the answer, or of a refusal's sentence and details. */
  readonly reply: string;
}

interface KeptRow {
  bodyHash: string;
  status: number;
  reply: string;
}

export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header))
    throw invalid('The Idempotency-Key must be 1 to 200 visible characters.');
  return header;
}

/**
 * Runs the work once per key, in one transaction with the key's row: an equal request that comes meanwhile waits for the first
 * one's answer. A refusal by the work is kept too, but nothing the work wrote before it.
 */
export async function once(
  db: Db,
  { viewer, key, call, body, now }: { viewer: Viewer; key: string; call: string; body: unknown; now: Date },
  work: (db: Db) => Promise<Kept>,
): Promise<Kept> {
  const bodyHash = createHash('sha256')
    .update(`${call}\n${JSON.stringify(body)}`)
    .digest('base64url');
  return await transaction(db, async (db) => {
    // Equal requests that wait for the first one's answer must not hold every connection for long.
    await run(db, `SET LOCAL lock_timeout = '5s'`, []);
    await run(db, 'DELETE FROM idempotency_keys WHERE "userId" = $1 AND "createdAt" < $2', [viewer.userId, new Date(now.getTime() - DAY)]);
    const taken = await run(
      db,
      'INSERT INTO idempotency_keys ("userId", key, "bodyHash", "createdAt") VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1',
      [viewer.userId, key, bodyHash, now],
    );
    if (taken.length === 0) {
      const [kept] = await run<KeptRow>(db, 'SELECT "bodyHash", status, reply FROM idempotency_keys WHERE "userId" = $1 AND key = $2', [
        viewer.userId,
        key,
      ]);
      if (!kept || kept.bodyHash !== bodyHash) throw conflict(USED_FOR_ANOTHER);
      return kept;
    }
    await run(db, 'SAVEPOINT before_the_work', []);
    const answer = await work(db).catch(async (error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
      await run(db, 'ROLLBACK TO SAVEPOINT before_the_work', []);
      return { status: error.status, reply: JSON.stringify({ sentence: error.message.replaceAll('\0', ''), details: error.details }) };
    });
    await run(db, 'UPDATE idempotency_keys SET status = $3, reply = $4 WHERE "userId" = $1 AND key = $2', [
      viewer.userId,
      key,
      answer.status,
      answer.reply,
    ]);
    return answer;
  });
}

/** The refusal that a kept answer was. */
export function asRefusal({ status, reply }: Kept): HttpError {
  const { sentence, details } = JSON.parse(reply) as { sentence: string; details: Record<string, unknown> };
  return new HttpError(status, sentence, details);
}
