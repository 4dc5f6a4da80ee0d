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

/** The row of a key that goes along in the statement that does what the key is for: its reply begins with the id that comes of it. */
export interface KeyRow {
  readonly userId: number;
  readonly key: string;
  readonly bodyHash: string;
  readonly now: Date;
  readonly status: number;
  /** What stands behind `{"id":7`. */
  readonly rest: string;
}

/** Parts of a statement that writes one row for each of several users, who have one key each, with the values of `keyColumns` from number `first` on. */
export const keysAlong = (first: number) => ({
  given: `keys AS (SELECT * FROM unnest($${first}::int[], $${first + 1}::text[], $${first + 2}::text[], $${first + 3}::timestamptz[], $${first + 4}::int[],
      $${first + 5}::text[]) k ("userId", key, "bodyHash", "createdAt", status, rest))`,
  /** Whether the key of this user has not been used yet. */
  isFree: (
    userId: string,
  ): string => `NOT EXISTS (SELECT FROM keys k JOIN idempotency_keys used ON used."userId" = k."userId" AND used.key = k.key
      WHERE k."userId" = ${userId})`,
  /** For the rows of `written`, which have an id and an "updatedBy". A key that another one uses meanwhile fails the statement. */
  kept: (written: string): string => `kept AS (INSERT INTO idempotency_keys ("userId", key, "bodyHash", "createdAt", status, reply)
    SELECT k."userId", k.key, k."bodyHash", k."createdAt", k.status, '{"id":' || w.id || k.rest FROM ${written} w JOIN keys k ON k."userId" = w."updatedBy"
    ORDER BY k."userId")`,
});

export const keyColumns = (rows: readonly KeyRow[]): unknown[] => [
  rows.map(({ userId }) => userId),
  rows.map(({ key }) => key),
  rows.map(({ bodyHash }) => bodyHash),
  rows.map(({ now }) => now),
  rows.map(({ status }) => status),
  rows.map(({ rest }) => rest),
];
