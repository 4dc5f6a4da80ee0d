// Tests that requests with a new session wait for the turns of their person, like requests with a session that the server knows.
import { connect } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { hashOfPassword, PASSWORD } from '../../../test/data/accounts.ts';
import { makeCustomer, makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { recentUserOf, rememberSession } from '../auth/recent-sessions.ts';
import { createApp } from './app.ts';
import { knownUserOf, waitForTurnOf } from './fair-admission.ts';
import { registerRoutes } from './pipeline/register-routes.ts';
import { on } from './pipeline/route.ts';

const testApp = setupTestApp({ TRUST_PROXY: '1' });
let port: number;
beforeAll(async () => {
  port = Number(new URL(await testApp.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(() => void vi.useRealTimers());

const makeCustomers = (distributor: Person): Promise<Person[]> =>
  Promise.all(Array.from({ length: 10 }, () => makeCustomer(testApp.db, distributor)));

/** Lets the server work until the condition is true. Gives up after 20 s, so that a test of a request that never ends fails soon. */
async function workUntil(isDone: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isDone() && performance.now() < end) await nextIteration();
}

test.each([
  ['reads', 'GET', '/api/user', 12],
  ['saves', 'POST', '/api/orders', 4],
] as const)(
  'while another tenant is active, %s with a new session for each request, from many networks, start only a few at once (reliability abuse)',
  async (_, method, url, most) => {
    const [one, other] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
    const customers = await makeCustomers(one);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await testApp.request(other, { url: '/api/user' });
    let replies = 0;
    const flood = Array.from({ length: 30 }, async (_, n) => {
      await testApp.request(customers[n % 10] ?? null, {
        method,
        url,
        ...(method === 'POST' && { payload: {} }),
        headers: { 'x-forwarded-for': `203.0.113.${n}` },
      });
      replies++;
    });
    while (replies < most) await nextIteration();
    // The simulated time does not advance, so no further request starts.
    for (let left = 500; left > 0; left--) await nextIteration();
    expect(replies).toBe(most);
    while (replies < flood.length) {
      await vi.advanceTimersByTimeAsync(10);
      await nextIteration();
    }
    await Promise.all(flood);
  },
);

test('waitForTurnOf resolves at once for a request that fair admission has not admitted', async () => {
  await expect(waitForTurnOf({} as never, { userId: 1, role: 'customer', tenantId: 1 })).resolves.toBeUndefined();
});

test('the server knows the user of a request whose session it has read, also after it has read more sessions of this user than it remembers (reliability abuse)', async () => {
  const user = { userId: 1, role: 'customer', tenantId: 1 } as const;
  const request = { headers: {}, cookies: { sid: 'first' } } as never;
  expect(knownUserOf(testApp.env, request)).toBeNull();
  rememberSession('first', user);
  await waitForTurnOf(request, user);
  for (let n = 0; n < 60; n++) rememberSession(`cookie ${n}`, user);
  expect(knownUserOf(testApp.env, request)).toEqual(user);
});

test('requests with new sessions do not run after their clients have left, and do not delay later requests of the same person (reliability abuse)', async () => {
  const [one, other] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
  const customers = await makeCustomers(one);
  let closed = 0;
  testApp.app.server.on('connection', (socket) => socket.once('close', () => closed++));
  const cookies = await Promise.all([...customers, ...customers, ...customers].map(testApp.cookieOf));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await testApp.request(other, { url: '/api/user' });
  const sockets = cookies.map((cookie, n) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /api/user HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.${n}\r\nCookie: ${cookie}\r\n\r\n`);
    return socket;
  });
  let replies = 0;
  for (const socket of sockets) socket.on('data', () => replies++);
  while (replies < 12) await nextIteration();
  for (let left = 500; left > 0; left--) await nextIteration();
  const answered = () => testApp.logged.filter((line) => line.includes('"route":"/api/user"') && line.includes('"status":200')).length;
  const before = answered();
  for (const socket of sockets) socket.destroy();
  while (closed < sockets.length) await nextIteration();
  for (let left = 500; left > 0; left--) await nextIteration();
  await vi.advanceTimersByTimeAsync(10);
  const last = await testApp.request(customers[0] ?? null, { url: '/api/user', headers: { 'x-forwarded-for': '203.0.113.99' } });
  expect([last.statusCode, answered() - before]).toEqual([200, 1]);
});

test('requests with new sessions whose clients have left while the sessions were read do not count as requests of their person for ever (reliability abuse)', async () => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  let closed = 0;
  testApp.app.server.on('connection', (socket) => socket.once('close', () => closed++));
  for (let round = 0; round < 15; round++) {
    const socket = connect(port, '127.0.0.1');
    testApp.app.server.once('request', () => socket.destroy());
    socket.write(
      `GET /api/user HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.7\r\nCookie: ${await testApp.cookieOf(customer)}\r\n\r\n`,
    );
    while (closed <= round) await nextIteration();
  }
  for (let left = 500; left > 0; left--) await nextIteration();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let replies = 0;
  const cookie = await testApp.cookieOf(customer);
  rememberSession(cookie.slice('sid='.length), { userId: customer.id, role: 'customer', tenantId: 1 });
  const send = async () => {
    // The simulated time does not advance, so a pause after a request would never end.
    for (let turn = 0; turn < 10; turn++, replies++) await testApp.app.inject({ url: '/api/user', headers: { cookie } });
  };
  const sending = send();
  await workUntil(() => replies === 10);
  expect(replies).toBe(10);
  vi.useRealTimers();
  await sending;
});

const ends: (() => void)[] = [];
const untilEnded = () => new Promise<void>((resolve) => ends.push(resolve));
const call = { summary: 'Wait', roles: ['customer'], status: 204 } as const;
const text = z.object({ text: z.string() });
const waitingRoutes = [
  on(endpoint({ ...call, method: 'GET', path: '/api/wait' }), untilEnded),
  on(endpoint({ ...call, method: 'POST', path: '/api/upload', body: text, bodyLimit: 4_000_000 }), untilEnded),
];

test.each([
  ['requests', { method: 'GET', url: '/api/wait' }],
  ['long bodies', { method: 'POST', url: '/api/upload', payload: { text: 'x'.repeat(98_000) } }],
] as const)(
  'of the %s that a person sends with sessions that the server does not know, six run at once, and the others do not delay people behind the same IPv4 address (reliability abuse)',
  async (_, options) => {
    const distributor = await makeDistributor(testApp.db);
    const [customer, family] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
    const app = await createApp(testApp.env, pino({ level: 'silent' }));
    registerRoutes(app, waitingRoutes, { db: testApp.db, env: testApp.env, now: () => testApp.time });
    const send = async (by = customer): Promise<number> => {
      const headers = { cookie: await testApp.cookieOf(by), 'x-forwarded-for': '203.0.113.7' };
      return (await app.inject({ ...options, headers })).statusCode;
    };
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const flood = Array.from({ length: 30 }, () => send());
    await workUntil(() => ends.length === 6);
    const beside = send(family);
    // Requests with sessions that the server does not know wait for 40 ms after each 16 of their network.
    for (let turn = 0; turn < 2; turn++) {
      for (let left = 200; left > 0; left--) await nextIteration();
      await vi.advanceTimersByTimeAsync(40);
    }
    await workUntil(() => ends.length === 7);
    // The simulated time does not advance, so no further request starts.
    for (let left = 500; left > 0; left--) await nextIteration();
    expect(ends).toHaveLength(7);
    vi.useRealTimers();
    const ending = setInterval(() => ends.splice(0).forEach((end) => end()), 5);
    expect(new Set(await Promise.all([beside, ...flood]))).toEqual(new Set([204]));
    clearInterval(ending);
    await app.close();
  },
);

test('requests with made-up sessions and bodies that never arrive do not delay people behind the same IPv4 address whose sessions the server does not know (reliability abuse)', async () => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  let arrived = 0;
  const count = (): void => void arrived++;
  testApp.app.server.on('request', count);
  const sockets = Array.from({ length: 250 }, (_, n) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      `POST /api/orders HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.7\r\nCookie: sid=${'x'.repeat(40)}${n}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 20000\r\n\r\n{"ids',
    );
    return socket;
  });
  while (arrived < sockets.length) await nextIteration();
  testApp.app.server.off('request', count);
  const began = performance.now();
  const { statusCode } = await testApp.request(customer, { url: '/api/user', headers: { 'x-forwarded-for': '203.0.113.7' } });
  expect(statusCode).toBe(200);
  // The server waits three seconds for the rest of each of these bodies.
  expect(performance.now() - began).toBeLessThan(2500);
  for (const socket of sockets) socket.destroy();
});

test('the server knows the session of a person who has just signed in (reliability abuse)', async () => {
  const password = await hashOfPassword();
  const distributor = await makeUser(testApp.db, 'distributor', { password });
  const customer = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password });
  for (const { id, email, role } of [distributor, customer]) {
    const { cookies } = await testApp.request(null, { method: 'POST', url: '/api/login', payload: { email, password: PASSWORD } });
    const cookie = cookies.find(({ name }) => name === 'sid')?.value;
    expect(recentUserOf(cookie)).toMatchObject({ userId: id, role, tenantId: distributor.id });
  }
});
