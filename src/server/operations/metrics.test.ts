import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { createApp } from '../http/app.ts';
import { readEnv } from './env.ts';
import { openDb, run } from '../database/db.ts';
import { serveMetrics } from './metrics.ts';

const TOKEN = 'a-token-of-the-operator';
const testApp = setupTestApp({ METRICS_TOKEN: TOKEN });

const scrape = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  testApp.app.inject({ method: 'GET', url: '/metrics', headers, remoteAddress });
/**
 * Each read of the metrics restarts the measurement of the event loop's lag, so a read shortly after another read has no values yet. This
 * function repeats the read until the lag has a value.
 */
const lagShows = (read: () => Promise<string>) =>
  expect.poll(async () => numberOf(await read(), 'nodejs_eventloop_lag_p99_seconds'), { interval: 50, timeout: 60_000 }).toBeGreaterThan(0);
const numberOf = (body: string, line: string): number => {
  const found = body.split('\n').find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1));
};

describe('who may read the metrics', () => {
  test.each<[string, Record<string, string>, string, number]>([
    ['this machine', {}, '127.0.0.1', 200],
    ['this machine over IPv6', {}, '::1', 200],
    ['another machine', {}, '192.0.2.7', 403],
    ['another machine behind a proxy on this one', { 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1', 403],
    ['a proxy that says it otherwise', { forwarded: 'for=192.0.2.7' }, '127.0.0.1', 403],
    ['another machine with the token', { authorization: `Bearer ${TOKEN}` }, '192.0.2.7', 200],
    ['another machine with another token', { authorization: `Bearer ${TOKEN}x` }, '192.0.2.7', 403],
    ['another machine that says to be this one', { 'x-forwarded-for': '127.0.0.1' }, '192.0.2.7', 403],
  ])('for %s, with the headers %j and the IP address %s, the reply has the status %i', async (_, headers, address, status) => {
    const answer = await scrape(headers, address);
    expect(answer.statusCode).toBe(status);
    if (status === 403) expect(answer.body).toBe('Metrics are for this machine, or for who sends the METRICS_TOKEN.');
  });
});

describe('the metrics of a server behind a proxy require the token even from a loopback address', () => {
  test.each<NodeJS.ProcessEnv>([{ TRUST_PROXY: '1' }, { PUBLIC_URL: 'https://orders.example.org' }])(
    'with the configuration %j',
    async (source) => {
      const env = readEnv({ ...source, METRICS_TOKEN: TOKEN });
      const app = await createApp(env, pino({ level: 'silent' }));
      serveMetrics(app, { ...testApp, env, now: () => testApp.time });
      const refused = await app.inject({ method: 'GET', url: '/metrics' });
      expect([refused.statusCode, refused.body]).toEqual([403, 'Metrics are for who sends the METRICS_TOKEN.']);
      const headers = { authorization: `Bearer ${TOKEN}` };
      expect((await app.inject({ method: 'GET', url: '/metrics', headers })).statusCode).toBe(200);
      await app.close();
    },
  );
});

test('the metrics count requests per route pattern, without paths, ids and e-mail addresses', async () => {
  const distributor = await makeDistributor(testApp.db);
  await testApp.request(distributor, { method: 'GET', url: '/api/distributions/4711' });
  await testApp.request(null, { method: 'GET', url: '/api/distributions/4712' });
  await testApp.request(null, { method: 'GET', url: '/nowhere/4713?token=secret' });
  const { body, headers } = await scrape();
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const ofRoute = 'http_request_duration_seconds_count{method="GET",route="/api/distributions/:id",status=';
  expect(numberOf(body, `${ofRoute}"404"}`)).toBe(1);
  expect(numberOf(body, `${ofRoute}"401"}`)).toBe(1);
  // Only the labels are searched, because a sum of durations may contain these digits by chance.
  expect(body.match(/"[^"]*"/g)?.join(' ')).not.toMatch(/471[123]|secret|@/);
});

test('the metrics report the load of the database, the outbox and the event loop', async () => {
  const before = numberOf((await scrape()).body, 'database_statements_total');
  await run(testApp.db, 'SELECT 1', []);
  await run(testApp.db, 'SELECT no_such_column', []).catch(() => undefined);
  const due = new Date(testApp.time.getTime() - 90_000);
  await run(testApp.db, `INSERT INTO emails (kind, "from", "to", subject, html, "nextAttemptAt") VALUES ('bulk', '', '', '', '', $1)`, [
    due,
  ]);
  const { body } = await scrape();
  // The read of the metrics itself runs queries about the outbox.
  expect(numberOf(body, 'database_statements_total') - before).toBeGreaterThanOrEqual(3);
  expect(numberOf(body, 'database_failures_total')).toBe(1);
  expect(numberOf(body, 'database_statement_seconds_total')).toBeGreaterThan(0);
  expect(numberOf(body, 'database_connections{state="waiting"}')).toBe(0);
  expect(numberOf(body, 'outbox_mails{status="queued"}')).toBe(1);
  expect(numberOf(body, 'outbox_oldest_due_seconds')).toBe(90);
  expect(numberOf(body, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  await lagShows(async () => (await scrape()).body);
});

test('the metrics still report on the process while the database is unreachable', async () => {
  const { db, close } = openDb({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' }, () => undefined);
  const app = await createApp(testApp.env, pino({ level: 'silent' }));
  serveMetrics(app, { db, env: testApp.env, now: () => testApp.time });
  const read = () => app.inject({ method: 'GET', url: '/metrics' });
  const { statusCode, body } = await read();
  expect(statusCode).toBe(200);
  expect(body).not.toMatch(/^outbox_/m);
  await lagShows(async () => (await read()).body);
  await app.close();
  await close();
});
