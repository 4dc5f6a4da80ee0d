import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { makeAgent, makeDistributor } from '../../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { endpoint } from '../../../shared/endpoint.ts';
import { createApp } from '../app.ts';
import { longInBatches } from '../../queues/event-loop.ts';
import { registerRoutes } from './register-routes.ts';
import { on } from './route.ts';

const testApp = setupTestApp();

/** A reply with this many rows of 10 kB is longer than the buffers of its connection. */
const LONG = 2000;
const roles = ['distributor', 'agent'] as const;
const held = endpoint({ method: 'GET', path: '/api/held', summary: 'Held', roles, reply: z.object({ rows: z.array(z.string()) }) });

let rows: number;
/** The rows of the reply, if they are not all in memory. */
let batches: (() => AsyncGenerator<string[]>) | null;
let started: number[];
let sockets: Socket[];
let app: FastifyInstance;
let port: number;
let distributor: Person;
beforeAll(async () => {
  app = await createApp(testApp.env, pino({ level: 'silent' }));
  const route = on(
    held,
    async ({ viewer }) => {
      started.push(viewer.userId);
      return { rows: batches?.() ?? longInBatches(Array.from({ length: rows }, () => 'x'.repeat(10_000))) };
    },
    { keepsListsInMemory: true },
  );
  registerRoutes(app, [route], { db: testApp.db, env: testApp.env, now: () => testApp.time });
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
beforeEach(async () => {
  started = [];
  batches = null;
  sockets = [];
  distributor = await makeDistributor(testApp.db);
});
afterEach(() => sockets.forEach((socket) => socket.destroy()));
afterAll(() => app.close());

/** Sends requests of this person whose replies are never read. */
async function leaveUnread(person: Person, count: number): Promise<void> {
  const cookie = await testApp.cookieOf(person);
  for (let index = 0; index < count; index++) {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(`GET /api/held HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
    sockets.push(socket);
  }
}

test('a person has at most two unread replies that keep long lists in memory, and a distributor at most four; further calls wait (reliability abuse)', async () => {
  rows = LONG;
  const agents = [await makeAgent(testApp.db, distributor), await makeAgent(testApp.db, distributor)];
  await leaveUnread(distributor, 4);
  await expect.poll(() => started).toHaveLength(2);
  await pause(200);
  expect(started).toHaveLength(2);
  for (const agent of agents) await leaveUnread(agent, 3);
  await expect.poll(() => started).toHaveLength(4);
  await pause(200);
  expect(started).toHaveLength(4);
  await leaveUnread(await makeDistributor(testApp.db), 1);
  await expect.poll(() => started).toHaveLength(5);
  sockets[0]?.destroy();
  sockets[1]?.destroy();
  await expect.poll(() => started.length).toBeGreaterThan(5);
});

test('an unread reply is cut off after twenty seconds if a call of another person waits for its place (reliability abuse)', async () => {
  rows = LONG;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const agents = [await makeAgent(testApp.db, distributor), await makeAgent(testApp.db, distributor)];
  await leaveUnread(distributor, 2);
  for (const agent of agents) await leaveUnread(agent, 1);
  await Promise.all(sockets.map((socket) => once(socket, 'readable')));
  vi.advanceTimersByTime(15_000);
  const other = await makeAgent(testApp.db, distributor);
  await leaveUnread(other, 1);
  await pause(200);
  expect(started).toHaveLength(4);
  // The clock advances until the other call starts, because that call may not have reached its queue yet.
  await expect.poll(() => (vi.advanceTimersByTime(1000), started)).toHaveLength(5);
  expect(started.at(-1)).toBe(other.id);
  vi.useRealTimers();
});

test('a reply that its client reads at once is not cut off, however slowly the server reads its rows, also if another call waits for its place (reliability abuse)', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  batches = async function* () {
    yield ['first'];
    await promise;
    yield ['last'];
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await leaveUnread(distributor, 3);
  const texts = sockets.map(() => '');
  sockets.forEach((socket, index) => socket.on('data', (chunk) => (texts[index] += String(chunk))).resume());
  await expect.poll(() => texts.filter((text) => text.includes('first'))).toHaveLength(2);
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  resolve();
  await expect.poll(() => texts.filter((text) => text.includes('last'))).toHaveLength(3);
});

test('a reply with a short list counts as open only until its call ends, however slowly the client reads it (reliability abuse)', async () => {
  rows = 100;
  await leaveUnread(distributor, 6);
  await expect.poll(() => started).toHaveLength(6);
});
