// When the same user repeats a call with the same idempotency key within a day, the server returns the first reply again and changes
// nothing (contract §2).
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../shared/endpoint.ts';
import { LOCK_TIMEOUT_SQL, run, runOne, transaction, type Db } from '../../database/db.ts';
import type { IdempotencyRecord } from '../../database/idempotency-record.ts';
import { busy, conflict, HttpError, invalid } from '../../errors.ts';
import type { CallQueue } from './expensive-calls.ts';
import { serializeJson } from './serialize-reply.ts';
import { countStoredReply, limitStoredReplies, MAX_STORED_REPLY } from './stored-replies.ts';
import { SerializedReply, type AnyContext, type ReplyWithStatus, type Route, type RouteHandler } from './route.ts';
import type { Viewer } from '../../auth/session.ts';
import { HOUR } from '../../../domain/durations.ts';

export const KEY_HOURS = 24;
export const MAX_KEY_LENGTH = 200;
const KEY_LIFETIME = KEY_HOURS * HOUR;
export const USED_FOR_ANOTHER = 'This Idempotency-Key was used for another request.';
export const DONE_WITHOUT_REPLY = 'This request was already carried out, and its reply is no longer stored. Reload to see the result.';

export interface IdempotencyContext {
  readonly userId: number;
  readonly key: string;
  /** A hash of the call's method, URL and body. */
  readonly bodyHash: string;
  readonly now: Date;
}

export interface StoredResponse {
  readonly status: number;
  /** The JSON of a reply or of a StoredRefusal. */
  readonly json: string;
}
interface StoredRow {
  readonly status: number;
  /** The stored reply as JSON. It is null if the cleanup has deleted the reply. The key itself is kept. */
  readonly json: string | null;
  readonly bodyHash: string;
}
interface StoredRefusal {
  readonly sentence: string;
  readonly details: Readonly<Record<string, unknown>>;
}

function keyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || header.length > MAX_KEY_LENGTH || !/^[\x21-\x7e]+$/.test(header))
    throw invalid(`The Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} visible characters.`);
  return header;
}

/** Returns the idempotency context of a call. Returns null if the endpoint supports no idempotency keys, or if the client sent none. */
export function idempotencyOf(
  { method, idempotent }: Endpoint,
  request: FastifyRequest,
  { viewer, body, now }: { viewer: Viewer | null; body: unknown; now: Date },
): IdempotencyContext | null {
  const key = idempotent ? keyOf(request.headers['idempotency-key']) : null;
  if (key === null || viewer === null) return null;
  const bodyHash = createHash('sha256')
    .update(`${method} ${request.url}\n${JSON.stringify(body)}`)
    .digest('base64url');
  return { userId: viewer.userId, key, bodyHash, now };
}

const STORED = `SELECT "bodyHash", status, reply AS json FROM idempotency_keys
  WHERE "userId" = $1 AND key = $2 AND status IS NOT NULL AND "createdAt" >= $3`;

// A second request with the same key waits at this statement for the reply of the first request. lock_timeout limits this wait, so that
// waiting requests do not occupy every connection for long. The update reuses a key that is older than a day.
const CLAIM = `INSERT INTO idempotency_keys AS k ("userId", key, "bodyHash", "createdAt")
    SELECT $1, $2, $3, $4 FROM ${LOCK_TIMEOUT_SQL}
  ON CONFLICT ("userId", key) DO UPDATE
    SET "bodyHash" = excluded."bodyHash", "createdAt" = excluded."createdAt", status = NULL, reply = NULL WHERE k."createdAt" < $5
  RETURNING 1`;

const STORE = 'UPDATE idempotency_keys SET status = $3, reply = $4 WHERE "userId" = $1 AND key = $2';

async function findStored(db: Db, { userId, key, bodyHash, now }: IdempotencyContext): Promise<StoredResponse | null> {
  const stored = await runOne<StoredRow>(db, STORED, [userId, key, new Date(now.getTime() - KEY_LIFETIME)]);
  if (!stored) return null;
  if (stored.bodyHash !== bodyHash) throw conflict(USED_FOR_ANOTHER);
  if (stored.json === null) throw conflict(DONE_WITHOUT_REPLY);
  return { status: stored.status, json: stored.json };
}

/**
 * Whether the error is a refusal, which is stored under the key. After any other error, including a 429, a request with the same key runs
 * the call again.
 */
const isRefusal = (error: unknown): error is HttpError => error instanceof HttpError && error.status < 499 && error.status !== 429;

/**
 * Returns a value of a refusal as it is stored. PostgreSQL refuses JSON with U+0000 or half of an emoji when it shortens stored refusals, and
 * would then shorten those of nobody.
 */
const readable = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;

/** Returns the JSON to store: null for a very long reply, and only the sentence of a very long refusal. */
function toStore({ status, json }: StoredResponse): string | null {
  if (Buffer.byteLength(json) <= MAX_STORED_REPLY) return json;
  if (status < 400) return null;
  const { sentence } = JSON.parse(json) as StoredRefusal;
  return JSON.stringify({ sentence, details: {} } satisfies StoredRefusal);
}

/**
 * Runs `work` once per key, in one transaction with the key's row. A concurrent request with the same key waits for the reply of the first
 * request. When the call is refused, the changes of `work` are rolled back and the refusal is stored.
 */
export async function runOnce(db: Db, call: IdempotencyContext, work: (db: Db) => Promise<StoredResponse>): Promise<StoredResponse> {
  const { userId, key, bodyHash, now } = call;
  return await transaction(db, async (db) => {
    const claimed = await run(db, CLAIM, [userId, key, bodyHash, now, new Date(now.getTime() - KEY_LIFETIME)]);
    if (claimed.length === 0) {
      const stored = await findStored(db, call);
      if (!stored) throw busy();
      return stored;
    }
    await run(db, 'SAVEPOINT before_work', []);
    const response = await work(db).catch(async (error: unknown): Promise<StoredResponse> => {
      if (!isRefusal(error)) throw error;
      await run(db, 'ROLLBACK TO SAVEPOINT before_work', []);
      const { status, message: sentence, details } = error;
      return { status, json: JSON.stringify({ sentence, details } satisfies StoredRefusal, readable) };
    });
    await run(db, STORE, [userId, key, response.status, toStore(response)]);
    return response;
  });
}

/** Returns the stored reply of a key, or throws the stored refusal. */
function replyOf({ status, json }: StoredResponse): SerializedReply {
  if (status < 400) return new SerializedReply(status, json);
  const { sentence, details } = JSON.parse(json) as StoredRefusal;
  throw new HttpError(status, sentence, details);
}

/** This pipeline stage returns the stored reply of an expensive call that has finished, without queueing the call again. */
export const replayFinishedCall = (route: Route, handle: RouteHandler): RouteHandler =>
  route.endpoint.isExpensive
    ? async (context, request) => {
        const stored = context.idempotency && !route.isPreview?.(context) && (await findStored(context.db, context.idempotency));
        return stored ? replyOf(stored) : await handle(context, request);
      }
    : handle;

/** A reply that the fast path stored, or a refusal, which the caller must store. Otherwise the call must run in a transaction. */
type Early = { readonly reply?: IdempotencyRecord; readonly refusal?: HttpError; readonly checked?: unknown };

/** Runs the route's `refuseEarly` and its fast path, if it has them. If they return no reply, the route has not run yet. */
async function tryWithoutTransaction(
  { endpoint, isExpensiveChange, refuseEarly, idempotentFastPath }: Route,
  context: AnyContext,
  call: IdempotencyContext,
): Promise<Early> {
  const { key, bodyHash, now: createdAt } = call;
  const recordOf = (reply: ReplyWithStatus<unknown>): IdempotencyRecord => {
    const { status, json } = serializeJson(endpoint, reply);
    return { key, bodyHash, createdAt, status, reply: json };
  };
  try {
    const checked = await refuseEarly?.(context);
    // A call that changes many rows has no fast path, because the fast path does not wait in the queue.
    const reply = isExpensiveChange?.(context) ? null : await idempotentFastPath?.(context, recordOf);
    return reply ? { reply } : { checked };
  } catch (error) {
    // An error that is not a refusal, for example because the database is busy, ends the request without another transaction.
    if (!isRefusal(error)) throw error;
    return { refusal: error };
  }
}

/** Counts the bytes of a key and of its stored reply toward the limits of stored replies and of saves. */
function countStored({ countRows }: AnyContext, { userId, key }: IdempotencyContext, reply: string): void {
  const storedBytes = key.length + Buffer.byteLength(reply);
  countStoredReply(userId, storedBytes);
  countRows({ storedBytes });
}

/**
 * This pipeline stage runs the route only once per idempotency key. A request without a key, and a preview, run directly. The route runs in
 * `inQueue`. Its early checks run before, so that a refused call never waits there.
 */
export const withIdempotencyKey =
  (route: Route, inQueue: CallQueue = (_context, _request, work) => work()): RouteHandler =>
  async (context, request) => {
    const { db, idempotency } = context;
    if (idempotency === null || route.isPreview?.(context)) {
      const checked = await route.refuseEarly?.(context);
      return await inQueue(context, request, () => route.run({ ...context, checked }));
    }
    const { userId } = idempotency;
    await limitStoredReplies(db, userId);
    const { reply, refusal, checked } = await tryWithoutTransaction(route, context, idempotency);
    if (reply) {
      countStored(context, idempotency, reply.reply);
      return new SerializedReply(reply.status, reply.reply);
    }
    const stored = refusal
      ? // Stores the refusal instead of running the call again, which would take its locks.
        await runOnce(db, idempotency, () => Promise.reject(refusal))
      : await inQueue(context, request, async () => {
          // While the call waited in the queue, other calls may have stored replies.
          await limitStoredReplies(db, userId);
          return await runOnce(db, idempotency, async (db) => serializeJson(route.endpoint, await route.run({ ...context, checked, db })));
        });
    countStored(context, idempotency, toStore(stored) ?? '');
    return replyOf(stored);
  };
