// Serves GET /metrics in the text format of Prometheus. The metrics describe requests, the database, the outbox, the process and its event
// loop.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { run, type Db } from '../database/db.ts';
import type { Env } from './env.ts';
import { forbidden } from '../errors.ts';
import type { AppContext } from '../http/pipeline/route.ts';

const NOT_FOR_YOU = 'Metrics are for this machine, or for who sends the METRICS_TOKEN.';
const BY_TOKEN_ALONE = 'Metrics are for who sends the METRICS_TOKEN.';
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The metrics of the process. All applications in the process share them. */
const ofProcess = new Registry();

function requestsInto(registers: Registry[]): (request: FastifyRequest, reply: FastifyReply) => void {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by the pattern of their route, from their arrival to the last byte.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers,
  });
  return (request, reply) =>
    seconds.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
}

function databaseInto(registers: Registry[], db: Db): void {
  const connections = new Gauge({
    name: 'database_connections',
    help: 'Connections of this process, and requests that wait for one.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { total, idle, waiting } = db.poolStats();
      connections.set({ state: 'busy' }, total - idle);
      connections.set({ state: 'idle' }, idle);
      connections.set({ state: 'waiting' }, waiting);
    },
  });
  const counted = (name: string, help: string, of: (load: ReturnType<Db['poolStats']>) => number): void => {
    const counter = new Counter({
      name,
      help,
      registers,
      collect() {
        counter.reset();
        counter.inc(of(db.poolStats()));
      },
    });
  };
  counted('database_statements_total', 'Statements of this process.', (load) => load.statements);
  counted('database_statement_seconds_total', 'Time they took, their way there and back included.', (load) => load.seconds);
  counted('database_failures_total', 'Statements that failed.', (load) => load.failures);
}

// Each state has its own query, which uses its own index, so that the rows of sent mails are not read.
const WAITING = `SELECT 'queued' AS status, count(*) AS mails,
    coalesce(extract(epoch FROM $1::timestamptz - min("nextAttemptAt") FILTER (WHERE "nextAttemptAt" <= $1)), 0)::float8 AS late
  FROM emails WHERE status = 'queued'
  UNION ALL SELECT 'sending', count(*), 0 FROM emails WHERE status = 'sending'`;

function outboxInto(registers: Registry[], { db, now }: AppContext): () => Promise<void> {
  const late = new Gauge({ name: 'outbox_oldest_due_seconds', help: 'How long the mail that is due longest has waited.', registers });
  const mails = new Gauge({
    name: 'outbox_mails',
    help: 'Mails that have not reached their end, of all processes.',
    labelNames: ['status'] as const,
    registers,
  });
  return async () => {
    // When the database is unreachable, only the metrics of the outbox are left out. The metrics of the process are most important then.
    const rows = await run<{ status: string; mails: number; late: number }>(db, WAITING, [now()]).catch(() => null);
    if (rows === null) {
      mails.reset();
      late.remove();
      return;
    }
    for (const { status, mails: waiting } of rows) mails.set({ status }, waiting);
    late.set(Math.max(...rows.map((row) => row.late)));
  };
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
/** A request with one of these headers was forwarded for another client, by a local proxy that TRUST_PROXY does not count. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

function hasToken(request: FastifyRequest, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const right = Buffer.from(`Bearer ${token}`);
  return given.length === right.length && timingSafeEqual(given, right);
}

const isFromHere = ({ socket, headers }: FastifyRequest): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') && FORWARDED.every((name) => headers[name] === undefined);

/**
 * Whether there is a proxy in front of the server. Behind a local proxy every request comes from the loopback address, and not every proxy
 * sends a header that names the client.
 */
const hasProxy = ({ trustProxy, publicUrl }: Env): boolean => trustProxy > 0 || publicUrl.startsWith('https:');

function judge(request: FastifyRequest, env: Env): void {
  if (env.metricsToken !== null && hasToken(request, env.metricsToken)) return;
  if (hasProxy(env)) throw forbidden(BY_TOKEN_ALONE);
  if (!isFromHere(request)) throw forbidden(NOT_FOR_YOU);
}

/**
 * Counts every request from now on, and serves `GET /metrics`. The call requires the token, unless the request comes from the loopback
 * address and there is no proxy.
 */
export function serveMetrics(app: FastifyInstance, context: AppContext): void {
  if (!ofProcess.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: ofProcess });
  const registry = new Registry();
  const observe = requestsInto([registry]);
  databaseInto([registry], context.db);
  const readOutbox = outboxInto([registry], context);
  app.addHook('onResponse', (request, reply, done) => {
    observe(request, reply);
    done();
  });
  app.get('/metrics', async (request, reply) => {
    judge(request, context.env);
    await readOutbox();
    const metrics = `${await registry.metrics()}\n${await ofProcess.metrics()}`;
    return await reply.type(registry.contentType).header('cache-control', 'no-store').send(metrics);
  });
}
