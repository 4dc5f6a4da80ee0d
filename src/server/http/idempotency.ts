// The same key of the same user within a day answers what the first call answered and does nothing a second time (contract §2).
import { createHash } from 'node:crypto';
import { run, transaction, type Db } from '../database/db.ts';
import { conflict, HttpError, invalid } from './errors.ts';
import type { Viewer } from '../auth/session.ts';

const HOUR = 3_600_000;
/** For which a key stands for its first call. */
export const KEY_HOURS = 24;
/** Characters of a key. */
export const LONGEST_KEY = 200;
const DAY = KEY_HOURS * HOUR;
export const USED_FOR_ANOTHER = 'This Idempotency-Key was used for another request.';

export interface Kept {
  readonly status: number;
  /** JSON of the answer, or of a refusal's sentence and details. */
  readonly reply: string;
}

/** What a key is for. */
export interface About {
  readonly viewer: Viewer;
  readonly key: string;
  readonly bodyHash: string;
  readonly now: Date;
}

interface KeptRow {
  bodyHash: string;
  status: number;
  reply: string;
}

export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || header.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(header))
    throw invalid(`The Idempotency-Key must be 1 to ${LONGEST_KEY} visible characters.`);
  return header;
}

/** Of a call, its address included, and its body. */
export const hashOf = (call: string, body: unknown): string =>
  createHash('sha256')
    .update(`${call}\n${JSON.stringify(body)}`)
    .digest('base64url');

// Equal requests that wait for the first one's answer must not hold every connection for long. A key of yesterday is as good as new.
const TAKE = `INSERT INTO idempotency_keys AS k ("userId", key, "bodyHash", "createdAt")
    SELECT $1, $2, $3, $4 FROM set_config('lock_timeout', '5s', true)
  ON CONFLICT ("userId", key) DO UPDATE
    SET "bodyHash" = excluded."bodyHash", "createdAt" = excluded."createdAt", status = NULL, reply = NULL WHERE k."createdAt" < $5
  RETURNING 1`;

const STORED = `SELECT "bodyHash", status, reply FROM idempotency_keys
  WHERE "userId" = $1 AND key = $2 AND status IS NOT NULL AND "createdAt" >= $3`;

/** The reply of a finished call under this key; null where there is none. */
export async function findStored(db: Db, { viewer, key, bodyHash, now }: About): Promise<Kept | null> {
  const [stored] = await run<KeptRow>(db, STORED, [viewer.userId, key, new Date(now.getTime() - DAY)]);
  if (stored && stored.bodyHash !== bodyHash) throw conflict(USED_FOR_ANOTHER);
  return stored ?? null;
}

/**
 * Runs the work once per key, in one transaction with the key's row: an equal request that comes meanwhile waits for the first
 * one's answer. A refusal by the work is kept too, but nothing the work wrote before it.
 */
export async function once(db: Db, { viewer, key, bodyHash, now }: About, work: (db: Db) => Promise<Kept>): Promise<Kept> {
  return await transaction(db, async (db) => {
    const taken = await run(db, TAKE, [viewer.userId, key, bodyHash, now, new Date(now.getTime() - DAY)]);
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

/** A reply with its key, for work that stores them itself, in the statement that does the work. */
export interface IdempotencyRecord extends Kept {
  readonly key: string;
  readonly bodyHash: string;
  readonly createdAt: Date;
}
