import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { rememberSession } from '../../auth/recent-sessions.ts';
import { readEnv } from '../../operations/env.ts';
import { createApp } from '../app.ts';

/** Each step of parsing a long body waits until this promise resolves. */
const parsing = vi.hoisted(() => ({ ...Promise.withResolvers<void>() }));
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>();
  const setImmediate: typeof timers.setImmediate = async (value) => {
    await parsing.promise;
    return await timers.setImmediate(value);
  };
  return { ...timers, setImmediate };
});

let app: FastifyInstance;
let port: number;
/** The number of bodies that the server has begun to read. */
let begun: number;
let sockets: Socket[];
beforeEach(async () => {
  [begun, sockets] = [0, []];
  parsing.resolve();
  app = await createApp(readEnv({}), pino({ level: 'silent' }));
  app.post('/api/save', { config: { needsSession: true }, preParsing: async () => void begun++ }, async () => 'saved');
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(async () => {
  parsing.resolve();
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Sends, as many customers of a tenant, a long body without its last byte. */
function leaveUnfinished(tenantId: number, customers: number): void {
  for (let customer = 0; customer < customers; customer++) {
    const userId = 1000 * tenantId + customer;
    rememberSession(`unfinished-${userId}`, { userId, role: 'customer', tenantId });
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      `POST /api/save HTTP/1.1\r\nHost: localhost\r\nCookie: sid=unfinished-${userId}\r\nContent-Type: application/json\r\n` +
        `Content-Length: 20000\r\n\r\n"${'x'.repeat(19_998)}`,
    );
    sockets.push(socket);
  }
}

/** Sends a whole long body. Resolves with the status and the milliseconds until the reply. */
async function save(tenantId: number, userId = 7): Promise<{ status: number | undefined; ms: number }> {
  rememberSession(`family-${userId}-of-${tenantId}`, { userId, role: 'customer', tenantId });
  const began = performance.now();
  const headers = { 'content-type': 'application/json', cookie: `sid=family-${userId}-of-${tenantId}` };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method: 'POST', path: '/api/save', headers, agent: false });
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    sent.end(JSON.stringify('x'.repeat(20_000)));
  });
  return { status, ms: performance.now() - began };
}

test(
  'of the long bodies that customers of one distributor leave unfinished, 64 occupy memory; another distributor does not wait, and other customers wait for at most a few seconds (reliability abuse)',
  { tags: ['long'] },
  async () => {
    leaveUnfinished(1, 80);
    await expect.poll(() => begun, { timeout: 10_000 }).toBe(64);
    const [other, own] = [save(2), save(1)];
    const { status, ms } = await other;
    expect(status).toBe(200);
    expect(ms).toBeLessThan(2500);
    expect(begun).toBe(65);
    const ofOwn = await own;
    expect(ofOwn.status).toBe(200);
    expect(ofOwn.ms).toBeLessThan(8000);
  },
);

test('whole long bodies of customers keep their places until they are parsed, so that they cannot fill the memory (reliability abuse)', async () => {
  Object.assign(parsing, Promise.withResolvers<void>());
  const saves = Array.from({ length: 80 }, (_, customer) => save(1, customer));
  await expect.poll(() => begun, { timeout: 10_000 }).toBe(64);
  await pause(300);
  expect(begun).toBe(64);
  parsing.resolve();
  expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(saves.map(() => 200));
});

test(
  'the unfinished long bodies of several distributors occupy at most 128 places; another distributor waits for at most a few seconds (reliability abuse)',
  { tags: ['long'] },
  async () => {
    leaveUnfinished(1, 80);
    leaveUnfinished(2, 80);
    await expect.poll(() => begun, { timeout: 10_000 }).toBe(128);
    const { status, ms } = await save(3);
    expect(status).toBe(200);
    expect(ms).toBeLessThan(8000);
  },
);
