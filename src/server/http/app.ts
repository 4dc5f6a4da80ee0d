// Creates the Fastify instance with all its plugins. A single error handler turns every error into a response.
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { STATUS_CODES } from 'node:http';
import { constants } from 'node:zlib';
import { BODY_LIMIT } from '../../shared/endpoint.ts';
import { discardBody } from './discard-body.ts';
import { busy, HttpError } from './errors.ts';
import type { Env } from '../operations/env.ts';
import { parseJsonOnly } from './json-body.ts';
import { admitFairly } from './fair-admission.ts';
import { refuseCrossSite } from './csrf.ts';

const BODY_TOO_LARGE = 'FST_ERR_CTP_BODY_TOO_LARGE';

/** Maps Fastify's error codes to the messages with which the server replies when Fastify itself refuses a request. */
const REFUSED_BY_FASTIFY: Readonly<Record<string, string>> = {
  [BODY_TOO_LARGE]: 'The request is too large.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be JSON (Content-Type: application/json).',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The Content-Length does not match the body.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_BAD_URL: 'The address is malformed.',
  FST_ERR_MAX_PARAM_LENGTH: 'The address is too long.',
};

/** The error codes of a database that is unreachable or refuses connections, so that the client may repeat the request. */
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

export function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const { code, statusCode, message } = error as Partial<FastifyError>;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new HttpError(statusCode, REFUSED_BY_FASTIFY[code ?? ''] ?? 'The request is malformed.');
  }
  if (DISK.has(code ?? '')) return new HttpError(503, NO_DISK);
  if (code === NOT_ALLOWED) return new HttpError(503, NO_RIGHT);
  if (BUSY.has(code ?? '')) return busy();
  const away =
    AWAY.has(code ?? '') ||
    isOfPooler(error as object) ||
    /timeout exceeded when trying to connect|Query read timeout|Connection terminated|not queryable|connect ENOENT/.test(message ?? '');
  if (away) return new HttpError(503, 'The database cannot be reached just now. Please try again in a moment.');
  return new HttpError(500, 'Something went wrong on our side. Please try again.');
}

/** Removes the values of rows that PostgreSQL quotes in these errors, because an e-mail address must not reach the log. */
const withoutValues = (error: unknown): unknown =>
  error instanceof Error && 'detail' in error ? Object.assign(error, { detail: undefined, where: undefined }) : error;

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asHttpError(error);
  if (known.status >= 500) request.log.error({ err: withoutValues(error) }, 'request failed');
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
  return reply.type('text/plain; charset=utf-8').send(known.message);
}

/** These headers are set on the responses to requests that Fastify refuses before any hook runs, because their URL is malformed. */
const WITHOUT_HOOKS = {
  'content-security-policy': `default-src 'none';frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
} as const;

function contentSecurity(env: Env) {
  const secure = env.publicUrl.startsWith('https:');
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: [`'self'`],
        // Inline styles are allowed, because the dialogs, the menus and the mail editor insert style elements.
        styleSrc: [`'self'`, `'unsafe-inline'`],
        imgSrc: [`'self'`, 'data:', 'blob:'],
        objectSrc: [`'none'`],
        baseUri: [`'none'`],
        formAction: [`'self'`],
        frameAncestors: [`'none'`],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' as const },
    xFrameOptions: { action: 'deny' as const },
  };
}

function securityHeaders(reply: FastifyReply): Readonly<Record<string, string>> {
  reply.helmet();
  return { ...reply.raw.getHeaders() } as Record<string, string>;
}

/**
 * Returns the request id that a trusted proxy has sent, so that the logs of both servers contain the same id. Without such a proxy, the id
 * is new.
 */
const requestId = ({ trustProxy }: Env, given: string | string[] | undefined): string =>
  trustProxy > 0 && typeof given === 'string' && /^[\w.:-]{8,64}$/.test(given) ? given : crypto.randomUUID();

export async function createApp(env: Env, logger: FastifyBaseLogger): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address: string, hop: number) => hop < env.trustProxy,
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => requestId(env, headers['x-request-id']),
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers({ ...WITHOUT_HOOKS, 'x-request-id': request.id })),
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (error.code === BODY_TOO_LARGE) await discardBody(request.raw);
    return sendError(error, request, reply);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    // The log contains the pattern of the route instead of the URL, because the URL may contain a token.
    request.log.info({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode, ms }, 'answered');
    done();
  });
  parseJsonOnly(app);
  await app.register(helmet, { ...contentSecurity(env), global: false });
  let security: Readonly<Record<string, string>> | undefined;
  app.addHook('onRequest', async (request, reply) => {
    // The security headers are equal in every response, so they are computed only once.
    security ??= securityHeaders(reply);
    void reply.headers(security).header('x-request-id', request.id);
    if (request.routeOptions.url?.startsWith('/api/')) void reply.header('cache-control', 'no-store');
    refuseCrossSite(request, env);
  });
  await app.register(cookie);
  if (env.corsOrigins.length > 0)
    await app.register(cors, { origin: [...env.corsOrigins], credentials: true, methods: ['GET', 'POST', 'PATCH', 'DELETE'] });
  admitFairly(app, env);
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    zlibOptions: { level: 1 },
  });
  return app;
}
