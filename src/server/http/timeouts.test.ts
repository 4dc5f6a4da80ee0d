import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { readEnv } from '../operations/env.ts';
import { createApp } from './app.ts';
import { TIMEOUTS } from './timeouts.ts';

const MEGABYTE = 1_000_000;
let app: FastifyInstance | undefined;
let port: number;
let sockets: Socket[] = [];

async function listen(timeouts: Partial<typeof TIMEOUTS> = {}): Promise<void> {
  app = await createApp(readEnv({}), pino({ level: 'silent' }), { ...TIMEOUTS, ...timeouts });
  app.post('/api/text', async () => 'read');
  app.get('/api/long', async () => 'x'.repeat(20 * MEGABYTE));
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
}
beforeEach(() => {
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app?.close();
});

/** Sends the beginning of a request whose body never ends. */
function sendUnfinished(length: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST /api/text HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n"`);
  sockets.push(socket);
  return socket;
}
const closed = (socket: Socket): Promise<number> => {
  const began = performance.now();
  return new Promise((resolve) => socket.once('close', () => resolve(performance.now() - began)).resume());
};
/** Sends a whole request, and resolves with its status. */
const sendWhole = (text = 'x'): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = httpRequest({ host: '127.0.0.1', port, method: 'POST', path: '/api/text', headers, agent: false });
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    sent.end(JSON.stringify(text));
  });

test(
  'the server closes a connection whose request body never ends; a longer body gets more time (reliability abuse)',
  { tags: ['long'] },
  async () => {
    await listen({ body: 200, bytesPerMs: 1000 });
    const [short, long] = await Promise.all([closed(sendUnfinished(10)), closed(sendUnfinished(MEGABYTE))]);
    expect(short).toBeGreaterThanOrEqual(190);
    expect(long).toBeGreaterThanOrEqual(1150);
    expect(long).toBeLessThan(10_000);
  },
);

test('an upload of 4 MB may take almost two minutes, as on a slow phone', () => {
  expect(TIMEOUTS.body + (4 * 1024 * 1024) / TIMEOUTS.bytesPerMs).toBeGreaterThan(110_000);
  expect(TIMEOUTS.request).toBeGreaterThan(TIMEOUTS.body + (4 * 1024 * 1024) / TIMEOUTS.bytesPerMs);
});

test(
  'requests with unfinished long bodies count toward the limit of long bodies of their network until the connections are closed (reliability abuse)',
  { tags: ['long'] },
  async () => {
    await listen({ body: 3000, bytesPerMs: Infinity });
    for (let each = 0; each < 2; each++) sendUnfinished(MEGABYTE);
    await pause(100);
    const began = performance.now();
    expect(await sendWhole('x'.repeat(20_000))).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(2000);
  },
);

test.each([
  ['short', 100],
  ['long', MEGABYTE],
])('requests with unfinished %s bodies do not delay the short requests of their network (reliability abuse)', async (_, length) => {
  await listen();
  for (let each = 0; each < 30; each++) sendUnfinished(length);
  await pause(100);
  const began = performance.now();
  expect(await sendWhole()).toBe(200);
  expect(performance.now() - began).toBeLessThan(2000);
});

test('the connection of a client that does not read its reply is closed (reliability abuse)', async () => {
  await listen({ reply: 300 });
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.pause();
  socket.write('GET /api/long HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => new Promise((resolve) => app?.server.getConnections((_, count) => resolve(count))), { timeout: 10_000 }).toBe(1);
  await expect.poll(() => new Promise((resolve) => app?.server.getConnections((_, count) => resolve(count))), { timeout: 10_000 }).toBe(0);
});
