// Creates the Fastify instance with all its plugins.
import compress from '@fastify/compress';
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
import type { Server } from 'node:http';
import { constants } from 'node:zlib';
import { BODY_LIMIT } from '../../shared/endpoint.ts';
import { DISCARD_REFUSED_MS, DISCARD_TOO_LARGE_MS, discardBody, refuseExpectations, refusePipelining } from './connections.ts';
import { BODY_TOO_LARGE, sendError, sendParserError } from './error-reply.ts';
import { HttpError, notFound } from '../errors.ts';
import type { Env } from '../operations/env.ts';
import { parseJsonOnly } from './json-body.ts';
import { hasLongBody } from './admission-rules.ts';
import { admitFairly, releasePermits } from './fair-admission.ts';
import { refuseCrossSite } from './csrf.ts';
import { closeInTurns, handOverInTurns } from './limits/hand-over.ts';
import { limitConnections } from './limits/max-connections.ts';
import { serveOwnCookies } from './own-cookies.ts';
import { parseQuery, refuseLongUrl } from './limits/url.ts';
import { createResponseLog } from './response-log.ts';
import { closeSlowConnections, hasArrived, TIMEOUTS, type Timeouts } from './timeouts.ts';

/**
 * These headers are set on the responses to requests that Fastify refuses before any hook runs, because their URL is malformed. Such
 * requests have no limit, so the connection is closed after each.
 */
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
 * Returns the request id that a trusted proxy has sent, so that the logs of the proxy and of this server contain the same id. Without a
 * trusted proxy, the id is new.
 */
const requestId = ({ trustProxy }: Env, given: string | string[] | undefined): string =>
  trustProxy > 0 && typeof given === 'string' && /^[\w.:-]{8,64}$/.test(given) ? given : crypto.randomUUID();

/**
 * Whether the rest of a body is read before its request is refused, so that the client gets the response. This does not apply to clients
 * that send too many requests, and to bodies in chunks: Node.js handles each chunk separately, even a chunk of one byte.
 */
const mayDiscard = (error: Error, { raw, headers }: FastifyRequest): boolean =>
  raw.complete === false && headers['transfer-encoding'] === undefined && !(error instanceof HttpError && error.status === 429);

/** The client reads from the request id whether the server or a proxy sent a response. */
const CORS = { credentials: true, methods: ['GET', 'POST', 'PATCH', 'DELETE'], exposedHeaders: ['X-Request-Id'] };

const LENGTH_REQUIRED = 'A request body needs a Content-Length header.';
const COMPRESSED = 'A request body must not be compressed.';

/**
 * Refuses a body before it is read if its size is unknown or it is compressed. A compressed body of a few bytes could become many megabytes.
 */
function refuseUnboundedBody({ headers }: FastifyRequest): void {
  if (headers['transfer-encoding'] !== undefined) throw new HttpError(411, LENGTH_REQUIRED);
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') throw new HttpError(415, COMPRESSED);
}

/** Refuses a long body for an unknown address before it is read, because no limit of saves counts such bodies. */
async function refuseUnknownAddress(request: FastifyRequest): Promise<void> {
  if (request.is404 && hasLongBody(request)) throw notFound('This address was');
}

/** Sets the limits that apply to connections and requests before Fastify receives a request. */
function limitServer(server: Server, env: Env): void {
  limitConnections(server, env);
  handOverInTurns(server, env);
  closeInTurns(server);
  refusePipelining(server);
  refuseExpectations(server);
}

/** Sends the errors of requests, and logs all responses. */
function finishResponses(app: FastifyInstance, responseLog: ReturnType<typeof createResponseLog>): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    responseLog.logFailure(error, request);
    const isTooLarge = error.code === BODY_TOO_LARGE;
    if (isTooLarge || mayDiscard(error, request)) {
      releasePermits(request);
      await discardBody(request.raw, isTooLarge ? DISCARD_TOO_LARGE_MS : DISCARD_REFUSED_MS);
    }
    if (!hasArrived(request)) void reply.header('connection', 'close');
    return sendError(error, request, reply);
  });
  app.addHook('onResponse', (request, reply, done) => {
    // After the response, Node.js would read the rest of the body to its end, however long it is.
    if (!hasArrived(request)) request.raw.socket.destroy();
    responseLog.logResponse(request, reply);
    done();
  });
}

export async function createApp(env: Env, logger: FastifyBaseLogger, timeouts: Timeouts = TIMEOUTS): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address: string, hop: number) => hop < env.trustProxy,
    bodyLimit: BODY_LIMIT,
    http: { headersTimeout: timeouts.headers, connectionsCheckingInterval: timeouts.headers / 4 },
    requestTimeout: timeouts.request,
    connectionTimeout: timeouts.connection,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => requestId(env, headers['x-request-id']),
    clientErrorHandler: sendParserError,
    routerOptions: { maxParamLength: 500, querystringParser: parseQuery },
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers({ ...WITHOUT_HOOKS, 'x-request-id': request.id, connection: 'close' })),
  });
  limitServer(app.server, env);
  finishResponses(app, createResponseLog(env));
  parseJsonOnly(app, env);
  await app.register(helmet, { ...contentSecurity(env), global: false });
  let security: Readonly<Record<string, string>> | undefined;
  app.addHook('onRequest', async (request, reply) => {
    // The security headers are equal in every response, so they are computed only once.
    security ??= securityHeaders(reply);
    void reply.headers(security).header('x-request-id', request.id);
    if (request.routeOptions.url?.startsWith('/api/')) void reply.header('cache-control', 'no-store');
  });
  await serveOwnCookies(app, env);
  if (env.corsOrigins.length > 0) await app.register(cors, { ...CORS, origin: [...env.corsOrigins] });
  admitFairly(app, env, timeouts);
  app.addHook('onRequest', async (request) => {
    refuseLongUrl(request);
    refuseUnboundedBody(request);
    refuseCrossSite(request, env);
  });
  app.addHook('preParsing', refuseUnknownAddress);
  closeSlowConnections(app, timeouts);
  // The build has compressed the client's files. Compressing the files of a folder for each request would take too much processor time.
  app.addHook('onRoute', (route) => {
    if (route.url.endsWith('*')) route.compress = false;
  });
  await app.register(compress, {
    globalDecompression: false,
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    zlibOptions: { level: 1 },
  });
  return app;
}
