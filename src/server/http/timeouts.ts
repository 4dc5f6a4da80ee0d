// Limits how long a client may take to send a request and to receive its reply, so that slow or silent clients cannot hold connections and
// memory without end (docs/reliability.md, "abuse").
import { Socket } from 'node:net';
import { setImmediate as nextIteration, setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MINUTE } from '../../domain/durations.ts';
import { clientGone } from '../errors.ts';
import { limitPerIteration } from '../queues/limiter.ts';
import { hasLongBody } from './admission-rules.ts';

export interface Timeouts {
  /** The header of a request must have arrived within this many milliseconds after the connection was opened, or its first byte arrived. */
  readonly headers: number;
  /** A request with its body must have arrived within this many milliseconds. The time in which the request is queued counts too. */
  readonly request: number;
  /** The milliseconds after which a connection without traffic is closed. A request that is queued for longer gets no reply. */
  readonly connection: number;
  /** A connection is closed when its client has read nothing of its reply for this many milliseconds. */
  readonly reply: number;
  /**
   * After the server has begun to read a body, the body must arrive within this many milliseconds, plus the time that `bytesPerMs` allows
   * for its length.
   */
  readonly body: number;
  /** The slowest accepted speed of a body. With 40 bytes in a millisecond, 4 MB on a slow phone may take 115 seconds. */
  readonly bytesPerMs: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 3 * MINUTE,
  connection: 5 * MINUTE,
  reply: 90_000,
  body: 10_000,
  bytesPerMs: 40,
};

/** Whether the whole body of a request has arrived. The requests of Fastify's `inject` have no property `complete`. */
export const hasArrived = ({ raw }: FastifyRequest): boolean => (raw.complete as boolean | undefined) !== false;

/** For each request: the functions to call when its body has been parsed. */
const afterParsingOf = new WeakMap<FastifyRequest, (() => void)[]>();
const parsed = new WeakSet<FastifyRequest>();

/** Calls `done` when the body of a request has been parsed: at once if the body is short or has been parsed already. */
export function afterParsing(request: FastifyRequest, done: () => void): void {
  if (!hasLongBody(request) || parsed.has(request)) done();
  else afterParsingOf.set(request, [...(afterParsingOf.get(request) ?? []), done]);
}

function endParsing(request: FastifyRequest): void {
  if (!hasLongBody(request)) return;
  parsed.add(request);
  for (const done of afterParsingOf.get(request) ?? []) done();
}

const LONGEST_PAUSE = 500;

/** Ending a request takes about 0.1 ms, and thousands of bodies may be overdue at the same moment. */
const endInTurn = limitPerIteration({ concurrency: 50 });

/**
 * Resolves when the short body of a request has arrived. Node.js receives it before anybody reads it. Throws if the client disconnects, or
 * does not send the body within `ms` milliseconds.
 */
export async function shortBodyArrived(request: FastifyRequest, ms: number): Promise<void> {
  const { raw } = request;
  if (!Number(request.headers['content-length'])) return;
  // Most bodies are in the same packet as their headers.
  await nextIteration();
  const deadline = Date.now() + ms;
  for (let wait = 10; !hasArrived(request); wait = Math.min(2 * wait, LONGEST_PAUSE)) {
    if (Date.now() > deadline || raw.destroyed) {
      await endInTurn();
      raw.destroy();
      throw clientGone();
    }
    await pause(wait);
  }
}

/**
 * Closes the connection of a client that does not send its body within the time for its length, or that does not read its reply.
 */
export function closeSlowConnections(app: FastifyInstance, { body, bytesPerMs, reply: replyMs }: Timeouts): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (!hasArrived(request)) {
      const { raw, headers, routeOptions } = request;
      const largest = routeOptions.bodyLimit ?? 0;
      const length = Math.min(Number(headers['content-length'] ?? 0), largest);
      const timer = setTimeout(() => raw.destroy(), body + length / bytesPerMs).unref();
      const clear = (): void => clearTimeout(timer);
      raw.once('end', clear).once('close', clear);
    }
    done(null, payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    endParsing(request);
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Node.js closes the connection after this timeout. For the next request on the connection, Node.js restores the usual timeout. The
    // requests of Fastify's `inject` have no socket.
    if (reply.raw.socket instanceof Socket) reply.raw.socket.setTimeout(replyMs);
    done(null, payload);
  });
}
