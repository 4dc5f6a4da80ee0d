import { connect } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { rememberSession, type RecentUser } from '../auth/recent-sessions.ts';
import { readEnv } from '../operations/env.ts';
import { createApp } from './app.ts';

let app: FastifyInstance;
let ranInTurn = 0;
let mostInTurn = 0;
beforeEach(async () => {
  [ranInTurn, mostInTurn] = [0, 0];
  app = await createApp({ ...readEnv({}), trustProxy: 1 }, pino({ level: 'silent' }));
  app.get('/api/short', async () => {
    mostInTurn = Math.max(mostInTurn, ++ranInTurn);
    return 'short';
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

const get = async (address = '203.0.113.200') => await app.inject({ url: '/api/short', headers: { 'x-forwarded-for': address } });

/** Sends a request of a user whose session the process has verified recently. */
async function askAs(user: RecentUser, url = '/api/short', method: 'GET' | 'POST' = 'GET'): Promise<void> {
  const cookie = `session-of-${user.userId}`;
  rememberSession(cookie, user);
  await app.inject({ url, method, headers: { cookie: `sid=${cookie}` } });
}

/** Resolves after this many iterations of the event loop. */
async function iterations(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await nextIteration();
}

test('of many short requests from one network, at most eight run in one iteration of the event loop', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let isDone = false;
  const endTurn = () => {
    if (isDone) return;
    ranInTurn = 0;
    // The next request of a network starts some time after the previous one has ended.
    vi.advanceTimersByTime(10);
    setImmediate(endTurn);
  };
  const flood = Array.from({ length: 200 }, () => get());
  endTurn();
  const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode);
  isDone = true;
  expect([new Set(statuses), mostInTurn]).toEqual([new Set([200]), 8]);
});

test('short requests of one network that arrive together pause after eight, even if each ends before the server reads the next (reliability abuse)', async () => {
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  let accepted = 0;
  app.server.on('connection', () => accepted++);
  const sockets = Array.from({ length: 30 }, () => connect(Number(port), '127.0.0.1'));
  await expect.poll(() => accepted).toBe(30);
  let replies = 0;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  for (const socket of sockets) {
    socket.on('data', () => replies++);
    socket.write('GET /api/short HTTP/1.1\r\nHost: localhost\r\n\r\n');
  }
  await iterations(100);
  expect(replies).toBe(8);
  await vi.advanceTimersByTimeAsync(39);
  await iterations(100);
  expect(replies).toBe(8);
  await vi.advanceTimersByTimeAsync(1);
  await iterations(100);
  expect(replies).toBe(16);
  for (const socket of sockets) socket.destroy();
});

test('of the short requests of many clients, at most eight start in one iteration of the event loop, and the clients take turns (reliability abuse)', async () => {
  const done: string[] = [];
  const from = async (network: number) => {
    await get(`203.0.113.${network}`);
    done.push(`network ${network}`);
  };
  let isDone = false;
  const endTurn = () => {
    ranInTurn = 0;
    if (!isDone) setImmediate(endTurn);
  };
  const all = [...Array.from({ length: 40 }, (_, index) => from(index % 5)), from(5)];
  endTurn();
  await Promise.all(all);
  isDone = true;
  expect(mostInTurn).toBe(8);
  expect(done.indexOf('network 5')).toBeLessThan(16);
});

test('short requests of hundreds of networks of one IPv6 block (/48) delay a request from elsewhere by at most two iterations of the event loop (reliability abuse)', async () => {
  const done: string[] = [];
  const from = (address: string, name: string) => get(address).then(() => void done.push(name));
  const flood = Array.from({ length: 300 }, (_, n) => from(`2001:db8:48:${(n * 256).toString(16)}::1`, 'flood'));
  await Promise.all([...flood, from('2001:db8:49::1', 'family'), from('192.0.2.9', 'family')]);
  expect(done.lastIndexOf('family')).toBeLessThan(24);
});

test('short requests of hundreds of customers of one tenant delay its staff, another tenant and signed-out people by at most two iterations of the event loop (reliability abuse)', async () => {
  const done: string[] = [];
  const by = (name: string, request: Promise<unknown>) => request.then(() => void done.push(name));
  const flood = Array.from({ length: 300 }, (_, n) => by('flood', askAs({ userId: 1000 + n, role: 'customer', tenantId: 1 })));
  const others = [
    by('other', askAs({ userId: 1, role: 'distributor', tenantId: 1 })),
    by('other', askAs({ userId: 3, role: 'customer', tenantId: 2 })),
    by('other', get()),
  ];
  await Promise.all([...flood, ...others]);
  expect(done.lastIndexOf('other')).toBeLessThan(24);
});

test('while signed-in people are active, signed-out people of many networks never pause, because a page needs many files', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await askAs({ userId: 3, role: 'customer', tenantId: 2 });
  ranInTurn = 0;
  const families = Array.from({ length: 40 }, (_, n) => get(`203.0.113.${n}`));
  await iterations(100);
  expect(ranInTurn).toBe(40);
  await Promise.all(families);
});

test.each([
  ['reads', 'GET', 12],
  ['saves', 'POST', 4],
] as const)(
  'while a request of another tenant runs, or has just ended, the %s of the customers of a tenant pause after a few starts; while they are alone, they never pause (reliability abuse)',
  async (_, method, most) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const running = Promise.withResolvers<void>();
    app.get('/api/long', () => running.promise);
    app.post('/api/short', async () => ++ranInTurn);
    const customers = () =>
      Array.from({ length: 40 }, (_, n) => askAs({ userId: 1000 + n, role: 'customer', tenantId: 1 }, '/api/short', method));
    await Promise.all(customers());
    await vi.advanceTimersByTimeAsync(1000);
    ranInTurn = 0;
    const other = askAs({ userId: 3, role: 'customer', tenantId: 2 }, '/api/long');
    await iterations(10);
    const flood = customers();
    await iterations(100);
    expect(ranInTurn).toBe(most);
    await vi.advanceTimersByTimeAsync(900);
    await Promise.all(flood);
    running.resolve();
    await other;
    ranInTurn = 0;
    const afterwards = customers();
    await iterations(100);
    expect(ranInTurn).toBe(most);
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all(afterwards);
  },
);

test.each(['GET', 'POST'] as const)(
  'hundreds of customers who send requests all the time do not delay the requests (%s) of a customer of the same tenant who sends few (reliability abuse)',
  { tags: ['long'] },
  async (method) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    app.post('/api/short', async () => 'saved');
    const done: string[] = [];
    const send = (name: string, userId: number) =>
      askAs({ userId, role: 'customer', tenantId: 1 }, '/api/short', method).then(() => void done.push(name));
    const flood = () => Array.from({ length: 300 }, (_, n) => send('flood', 1000 + n));
    await Promise.all([...flood(), ...flood()]);
    await vi.advanceTimersByTimeAsync(10);
    await askAs({ userId: 3, role: 'distributor', tenantId: 1 });
    const busy = [...flood(), ...flood()];
    await iterations(300);
    done.length = 0;
    const family = [send('family', 5), send('family', 5)];
    await iterations(300);
    await vi.advanceTimersByTimeAsync(10);
    await iterations(300);
    expect(done.filter((name) => name === 'family')).toHaveLength(2);
    expect(done.length).toBeLessThan(100);
    await vi.advanceTimersByTimeAsync(2000);
    await Promise.all([...busy, ...family]);
  },
);
