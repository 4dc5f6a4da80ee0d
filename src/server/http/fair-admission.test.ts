import { request as httpRequest } from 'node:http';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { makeAgent, makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { createApp } from './app.ts';
import { tooMany } from '../errors.ts';
import { registerRoutes } from './pipeline/register-routes.ts';
import { on, onPublic } from './pipeline/route.ts';
import { definePreload } from '../auth/session-preload.ts';

const testApp = setupTestApp();

const own = endpoint({ method: 'GET', path: '/api/own', summary: 'Own', roles: ['customer', 'agent'], status: 204 });
const open = endpoint({ method: 'GET', path: '/api/open', summary: 'Open', roles: ['public'], status: 204 });
const live = endpoint({ method: 'GET', path: '/api/live', summary: 'Live', roles: ['public'], status: 204 });
const health = endpoint({ method: 'GET', path: '/api/health', summary: 'Health', roles: ['public'], status: 204 });
const order = endpoint({
  method: 'POST',
  path: '/api/order',
  summary: 'Order',
  roles: ['customer'],
  status: 204,
  body: z.object({ text: z.string() }),
});

/** A route that preloads this query authenticates the request after its body was read. */
const one = definePreload<{ number: number }, { one: number }>({ name: 'one', args: { number: 'int' }, sql: 'SELECT 1 AS one' });

/** The functions that end the currently running handlers. */
let ends: (() => void)[] = [];
const hold = () => new Promise<void>((resolve) => ends.push(resolve));
const endAll = () => ends.splice(0).forEach((end) => end());

let app: FastifyInstance;
let cookie: string;
let customer: Person;
beforeEach(async () => {
  ends = [];
  app = await createApp({ ...testApp.env, trustProxy: 1 }, pino({ level: 'silent' }));
  const routes = [
    on(own, hold),
    onPublic(open, hold),
    onPublic(live, hold),
    onPublic(health, hold),
    on(order, ({ body }) => refuseIf(body.text.startsWith('429')), { sessionPreload: { query: one, args: () => ({ number: 1 }) } }),
  ];
  app.get('/assets/some.js', hold);
  app.get('/api/openapi.json', async () => 'document');
  registerRoutes(app, routes, { db: testApp.db, env: testApp.env, now: () => testApp.time });
  customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  cookie = await testApp.cookieOf(customer);
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

const get = async (url: string, headers: Record<string, string> = {}) => {
  const { statusCode, body, headers: sent } = await app.inject({ method: 'GET', url, headers });
  return { statusCode, body, retryAfter: sent['retry-after'] };
};
const refuseIf = (isRefused: boolean) => (isRefused ? Promise.reject(tooMany('Too many.')) : Promise.resolve());
const stillWaits = Promise.resolve('waits');
/** Stops the timers, so that even on a slow machine no request counts as running for more than a second. */
const stopTimers = () => vi.useFakeTimers({ toFake: ['setTimeout'] });

/** Sends a request of this user, so that the process remembers the user's session. */
async function visit(by: string): Promise<void> {
  const visiting = get('/api/own', { cookie: by });
  await expect.poll(() => ends).toHaveLength(1);
  endAll();
  expect(await visiting).toMatchObject({ statusCode: 204 });
}

test('at most six requests of one person run at once, and requests of another person run in addition', async () => {
  const other = await testApp.cookieOf(await makeCustomer(testApp.db, await makeDistributor(testApp.db)));
  await visit(cookie);
  await visit(other);
  stopTimers();
  const flood = Array.from({ length: 20 }, () => get('/api/own', { cookie }));
  await expect.poll(() => ends).toHaveLength(6);
  const beside = get('/api/own', { cookie: other });
  await expect.poll(() => ends).toHaveLength(7);
  ends.pop()?.();
  expect(await beside).toMatchObject({ statusCode: 204 });
  expect(ends).toHaveLength(6);
  vi.useRealTimers();
  const ending = setInterval(endAll, 5);
  const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode);
  clearInterval(ending);
  expect(statuses).toEqual(flood.map(() => 204));
});

test('at most sixty requests of the staff of one distributor run at once, and three of each further agent; customers and other distributors are not limited by them (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const agents = await Promise.all(Array.from({ length: 11 }, async () => testApp.cookieOf(await makeAgent(testApp.db, distributor))));
  const others = [
    await testApp.cookieOf(await makeCustomer(testApp.db, distributor)),
    await testApp.cookieOf(await makeAgent(testApp.db, await makeDistributor(testApp.db))),
  ];
  for (const by of [...agents, ...others]) await visit(by);
  stopTimers();
  const flood = agents.flatMap((by) => Array.from({ length: 6 }, () => get('/api/own', { cookie: by })));
  await expect.poll(() => ends).toHaveLength(63);
  const beside = others.map((by) => get('/api/own', { cookie: by }));
  await expect.poll(() => ends).toHaveLength(65);
  vi.useRealTimers();
  const ending = setInterval(endAll, 5);
  for (const { statusCode } of await Promise.all([...flood, ...beside])) expect(statusCode).toBe(204);
  clearInterval(ending);
});

test('at most eight requests of signed-out people in one network run at once; requests of other networks and of signed-in people run in addition', async () => {
  await visit(cookie);
  stopTimers();
  const from = (address: string) => get('/api/open', { 'x-forwarded-for': address, cookie: 'sid=no-such-session' });
  const flood = Array.from({ length: 40 }, (_, index) => from(`2001:db8:1:2::${index}`));
  await expect.poll(() => ends).toHaveLength(8);
  const beside = [from('2001:db8:1:3::1'), get('/api/own', { cookie, 'x-forwarded-for': '2001:db8:1:2::1' })];
  await expect.poll(() => ends).toHaveLength(10);
  vi.useRealTimers();
  const ending = setInterval(endAll, 5);
  const statuses = (await Promise.all([...beside, ...flood])).map(({ statusCode }) => statusCode);
  clearInterval(ending);
  expect(new Set(statuses)).toEqual(new Set([204]));
});

test('the networks of one IPv6 /56 together run at most sixteen requests of signed-out people at once (reliability abuse)', async () => {
  stopTimers();
  const flood = Array.from({ length: 40 }, (_, index) => get('/api/open', { 'x-forwarded-for': `2001:db8:1:${index.toString(16)}::1` }));
  await expect.poll(() => ends).toHaveLength(16);
  const beside = get('/api/open', { 'x-forwarded-for': '2001:db8:1:100::1' });
  await expect.poll(() => ends).toHaveLength(17);
  vi.useRealTimers();
  const ending = setInterval(endAll, 5);
  const statuses = (await Promise.all([beside, ...flood])).map(({ statusCode }) => statusCode);
  clearInterval(ending);
  expect(new Set(statuses)).toEqual(new Set([204]));
});

test.each(['/api/live', '/api/health', '/assets/some.js'])(
  'at most fifty requests of one network for %s run at once, and requests of other networks run in addition (reliability abuse)',
  async (url) => {
    stopTimers();
    const from = (address: string) => get(url, { 'x-forwarded-for': address });
    const flood = Array.from({ length: 60 }, () => from('203.0.113.7'));
    await expect.poll(() => ends).toHaveLength(50);
    const beside = [from('203.0.113.8'), get('/api/open', { 'x-forwarded-for': '203.0.113.7' })];
    await expect.poll(() => ends).toHaveLength(52);
    vi.useRealTimers();
    const ending = setInterval(endAll, 5);
    await Promise.all([...flood, ...beside]);
    clearInterval(ending);
  },
);

test('requests for the API document pause after four of one network, even if each ends before the next begins (reliability abuse)', async () => {
  stopTimers();
  const from = async (address: string) => (await get('/api/openapi.json', { 'x-forwarded-for': address })).statusCode;
  for (let turn = 0; turn < 4; turn++) expect(await from('203.0.113.7')).toBe(200);
  const fifth = from('203.0.113.7');
  expect(await from('203.0.113.8')).toBe(200);
  expect(await Promise.race([fifth, stillWaits])).toBe('waits');
  await vi.advanceTimersByTimeAsync(250);
  expect(await fifth).toBe(200);
});

test.each([
  [204, 100],
  [429, 1000],
])(
  'after six requests with long bodies and the reply %i, the next request of the person waits for %i ms, even if the six were sent one after the other (reliability abuse)',
  async (status, pauseMs) => {
    await visit(cookie);
    stopTimers();
    const send = async (length: number) => {
      const body = { text: String(status).padEnd(length) };
      return (await app.inject({ method: 'POST', url: '/api/order', headers: { cookie }, body })).statusCode;
    };
    for (let turn = 0; turn < 12; turn++) expect(await send(10)).toBe(status);
    for (let turn = 0; turn < 6; turn++) expect(await send(20_000)).toBe(status);
    const seventh = send(20_000);
    await vi.advanceTimersByTimeAsync(pauseMs - 1);
    expect(await Promise.race([seventh, stillWaits])).toBe('waits');
    await vi.advanceTimersByTimeAsync(1);
    expect(await seventh).toBe(status);
  },
);

test('a person with more than 500 requests waiting is refused with 429 and Retry-After', { tags: ['long'] }, async () => {
  await visit(cookie);
  stopTimers();
  const flood = Array.from({ length: 510 }, () => get('/api/own', { cookie }));
  await expect.poll(() => ends).toHaveLength(6);
  vi.useRealTimers();
  const ending = setInterval(endAll, 5);
  const responses = await Promise.all(flood);
  clearInterval(ending);
  const refused = responses.filter(({ statusCode }) => statusCode === 429);
  expect(refused).toEqual(
    Array.from({ length: 4 }, () => ({
      statusCode: 429,
      body: 'Too many requests at once. Please wait a moment and try again.',
      retryAfter: '5',
    })),
  );
  expect(responses.filter(({ statusCode }) => statusCode === 204)).toHaveLength(506);
});

test('a request that runs for more than a second no longer delays the next request of the same person', async () => {
  await visit(cookie);
  stopTimers();
  const all = Array.from({ length: 7 }, () => get('/api/own', { cookie }));
  await expect.poll(() => ends).toHaveLength(6);
  await vi.advanceTimersByTimeAsync(1000);
  await expect.poll(() => ends).toHaveLength(7);
  vi.useRealTimers();
  endAll();
  expect((await Promise.all(all)).map(({ statusCode }) => statusCode)).toEqual(all.map(() => 204));
});

test.each(['unknown', 'ended minutes ago'])(
  'a request without a valid session (%s) gets a reply before the server has received the request body',
  async (kind) => {
    if (kind !== 'unknown') {
      await visit(cookie);
      await testApp.db.deleteFrom('session_store').where('userId', '=', customer.id).execute();
    }
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const sent = kind === 'unknown' ? 'sid=no-such-session' : cookie;
    const headers = { cookie: sent, 'content-type': 'application/json', 'content-length': 1_000_000 };
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', path: '/api/order', headers, agent: false, timeout: 60_000 });
      request.on('response', ({ statusCode }) => (resolve(statusCode), request.destroy()));
      request.on('timeout', () => request.destroy(new Error('no response before the body')));
      request.on('error', reject);
      // The test sends only the beginning of the body.
      request.write('{"text":"');
    });
    expect(status).toBe(401);
  },
);
