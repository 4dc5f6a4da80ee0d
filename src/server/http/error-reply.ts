// Converts every error into a response: the status and message of each error of Fastify, of the database and of the application.
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { busy, HttpError } from '../errors.ts';

export const PLAIN_TEXT = 'text/plain; charset=utf-8';
export const HEADER_TOO_LARGE = 'The header of the request is too large.';
export const BODY_TOO_LARGE = 'FST_ERR_CTP_BODY_TOO_LARGE';

/** Maps Fastify's error codes to the messages with which the server replies when Fastify itself refuses a request. */
const REFUSED_BY_FASTIFY: Readonly<Record<string, string>> = {
  [BODY_TOO_LARGE]: 'The request is too large.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be JSON (Content-Type: application/json).',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The Content-Length does not match the body.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_BAD_URL: 'The address is malformed.',
  FST_ERR_MAX_PARAM_LENGTH: 'The address is too long.',
};

/**
 * Errors with these codes mean that the database is unreachable or refuses connections. The server then replies with 503, and the client
 * may repeat the request.
 */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '53200',
  '25006',
  '08006',
  '08001',
]);

/**
 * These SQLSTATEs stand for a serialization failure, a deadlock, a lock timeout and a statement timeout. PostgreSQL has rolled the
 * statement back, so the client may repeat the request.
 */
const BUSY = new Set(['40001', '40P01', '55P03', '57014']);

/** The SQLSTATE foreign_key_violation: the call and another transaction have deleted a row and added one that references it. */
const FOREIGN_KEY = '23503';
const DELETED_MEANWHILE = 'Something that belongs to this was added or deleted meanwhile, so nothing was saved. Reload the page.';

/** These error codes mean that the disk is full, or that it cannot be read or written. */
const DISK = new Set(['53100', '58030', 'ENOSPC']);
const NO_DISK = 'The disk of the server takes nothing more just now, so nothing was saved. Please tell whoever runs it.';

/** The SQLSTATE insufficient_privilege, which PostgreSQL also raises for files that it cannot open, and for read-only mounts. */
const NOT_ALLOWED = '42501';
const NO_RIGHT = 'The database is not allowed to do this, so nothing was saved. Please tell whoever runs the server.';

/**
 * Whether the error comes from a connection pooler in front of PostgreSQL, such as pgbouncer's 'server conn crashed?' (08P01). The errors
 * of a pooler have no `routine`, whereas PostgreSQL's own errors have one.
 */
const isOfPooler = ({ severity, routine }: { severity?: unknown; routine?: unknown }): boolean =>
  severity !== undefined && routine === undefined;

const MALFORMED = 'The request is malformed.';
/** Maps the error codes of Node.js to the replies to requests that have not arrived, or that Node.js cannot parse. */
const REFUSED_BY_NODE: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [431, HEADER_TOO_LARGE],
};

export function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const { code, statusCode, message } = error as Partial<FastifyError>;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new HttpError(statusCode, REFUSED_BY_FASTIFY[code ?? ''] ?? MALFORMED);
  }
  if (DISK.has(code ?? '')) return new HttpError(503, NO_DISK);
  if (code === NOT_ALLOWED) return new HttpError(503, NO_RIGHT);
  if (BUSY.has(code ?? '')) return busy();
  if (code === FOREIGN_KEY) return new HttpError(409, DELETED_MEANWHILE);
  const away =
    AWAY.has(code ?? '') ||
    isOfPooler(error as object) ||
    /timeout exceeded when trying to connect|Query read timeout|Connection terminated|not queryable|connect ENOENT/.test(message ?? '');
  if (away) return new HttpError(503, 'The database cannot be reached just now. Please try again in a moment.');
  return new HttpError(500, 'Something went wrong on our side. Please try again.');
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asHttpError(error);
  void reply.code(known.status).header('cache-control', 'no-store');
  if (known.retryAfter !== undefined) void reply.header('retry-after', String(known.retryAfter));
  if (/application\/problem\+json/.test(request.headers.accept ?? '')) {
    const problem = {
      type: 'about:blank',
      title: STATUS_CODES[known.status],
      status: known.status,
      detail: known.message,
      instance: `urn:request:${request.id}`,
      ...known.details,
    };
    return reply.type('application/problem+json').send(JSON.stringify(problem));
  }
  return reply.type(PLAIN_TEXT).send(known.message);
}

/** Replies to what is no request for Fastify, because Node.js has refused it, and closes the connection (contract §2). */
export function sendParserError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, sentence] = REFUSED_BY_NODE[error.code] ?? [400, MALFORMED];
  const fields = [`Content-Type: ${PLAIN_TEXT}`, `Content-Length: ${sentence.length}`, 'Connection: close'];
  if (socket.writable) socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields, '', sentence].join('\r\n'));
  socket.destroy(error);
}
