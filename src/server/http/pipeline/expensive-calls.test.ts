import { request as httpRequest, type ServerResponse } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { makeCustomer, makeDistributor } from '../../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { endpoint } from '../../../shared/endpoint.ts';
import { createApp } from '../app.ts';
import { registerRoutes } from './register-routes.ts';
import { on } from './route.ts';
import { run } from '../../database/db.ts';
import { invalid } from '../../errors.ts';
import { runInQueue } from '../../queues/expensive-queue.ts';
import { endSessions } from '../../auth/session.ts';

const testApp = setupTestApp();

const expensive = endpoint({
  method: 'POST',
  path: '/api/expensive',
  summary: 'Expensive',
  roles: ['customer'],
  status: 204,
  isExpensive: true,
  idempotent: true,
});
let work: () => Promise<unknown>;
let prepare = async (): Promise<void> => undefined;
const withPreview = endpoint({ ...expensive, path: '/api/expensive-preview' });
const routes = [
  on(expensive, async () => void (await work()), { prepareBody: async () => await prepare() }),
  on(withPreview, async () => undefined, { isPreview: () => true }),
];
const newApp = () => createApp(testApp.env, pino({ level: 'silent' }));
const mountOn = (app: FastifyInstance) => registerRoutes(app, routes, { db: testApp.db, env: testApp.env, now: () => testApp.time });

let app: FastifyInstance;
let distributor: Person;
let customer: Person;
beforeAll(async () => {
  app = await newApp();
  mountOn(app);
});
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
});
afterAll(() => app.close());

async function post(by: Person, key?: string, url: string = expensive.path) {
  const headers = { cookie: await testApp.cookieOf(by), ...(key ? { 'idempotency-key': key } : {}) };
  const { statusCode, body } = await app.inject({ method: 'POST', url, headers });
  return [statusCode, body];
}

test.each([
  ['signed out', () => endSessions(testApp.db, customer.id)],
  [
    'disabled',
    () =>
      testApp.db
        .updateTable('users')
        .set({ disabledAt: new Date(0).toISOString() })
        .where('id', '=', customer.id)
        .execute(),
  ],
])('an expensive call whose client is %s while it is queued never runs', async (_, change) => {
  const ends: (() => void)[] = [];
  work = () => new Promise<void>((resolve) => ends.push(resolve));
  const first = post(await makeCustomer(testApp.db, distributor));
  await expect.poll(() => ends).toHaveLength(1);
  const waiting = ['a-key', undefined].map((key) => post(customer, key));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await change();
  const ran = vi.fn<() => Promise<void>>(async () => undefined);
  work = ran;
  ends.shift()?.();
  expect(await first).toEqual([204, '']);
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => [401, 'Please sign in.']));
  expect(ran).not.toHaveBeenCalled();
});

test('an expensive call whose client disconnects before its handler starts never runs', async () => {
  const early = await newApp();
  const arrived = Promise.withResolvers<ServerResponse>();
  const goOn = Promise.withResolvers<void>();
  const outcome = Promise.withResolvers<unknown>();
  early.addHook('preHandler', async (_, reply) => {
    arrived.resolve(reply.raw);
    await goOn.promise;
  });
  early.addHook('onError', async (_request, _reply, error) => outcome.resolve(error));
  work = async () => outcome.resolve('ran');
  mountOn(early);
  const { port } = new URL(await early.listen({ port: 0, host: '127.0.0.1' }));
  const headers = { cookie: await testApp.cookieOf(customer) };
  const client = httpRequest({ host: '127.0.0.1', port, method: 'POST', path: '/api/expensive', headers, agent: false });
  client.on('error', () => undefined).end();
  const raw = await arrived.promise;
  const closed = new Promise((resolve) => raw.once('close', resolve));
  client.destroy();
  await closed;
  goOn.resolve();
  expect(await outcome.promise).toMatchObject({ status: 499 });
  await early.close();
});

test('the preview of an expensive call does not wait for running expensive calls', async () => {
  const running = Promise.withResolvers<void>();
  const started = vi.fn<() => Promise<void>>(() => running.promise);
  work = started;
  const first = post(await makeCustomer(testApp.db, distributor));
  await expect.poll(() => started.mock.calls).toHaveLength(1);
  expect(await post(customer, undefined, withPreview.path)).toEqual([204, '']);
  running.resolve();
  expect(await first).toEqual([204, '']);
});

test('the server prepares the body of a call with an idempotency key before the transaction of the call begins', async () => {
  const open = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
  const inTransaction: number[] = [];
  const measure = async () => void inTransaction.push((await run<{ open: number }>(testApp.db, open, []))[0]?.open ?? -1);
  prepare = measure;
  work = measure;
  expect(await post(customer, 'prepared')).toEqual([204, '']);
  expect(inTransaction).toEqual([0, 1]);
  prepare = () => Promise.reject(invalid('Not like this'));
  expect(await post(customer, 'refused')).toEqual([400, 'Not like this']);
  prepare = async () => undefined;
  expect(await post(customer, 'refused')).toEqual([204, '']);
});

test('while the body of an expensive call is prepared, only expensive calls of the same distributor wait (reliability abuse)', async () => {
  const prepared = Promise.withResolvers<void>();
  const preparing = vi.fn<() => Promise<void>>(() => prepared.promise);
  prepare = preparing;
  work = async () => undefined;
  const slow = [post(customer), post(customer)];
  await expect.poll(() => preparing.mock.calls).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(preparing).toHaveBeenCalledTimes(1);
  prepare = async () => undefined;
  const other = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  expect(await post(other)).toEqual([204, '']);
  const { signal } = new AbortController();
  expect(await runInQueue({ distributorId: distributor.id, signal }, async () => 'read')).toBe('read');
  prepared.resolve();
  expect(await Promise.all(slow)).toEqual([
    [204, ''],
    [204, ''],
  ]);
});
