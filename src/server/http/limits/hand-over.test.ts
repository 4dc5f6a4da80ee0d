import { once } from 'node:events';
import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import { connect, Socket } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readEnv } from '../../operations/env.ts';
import { createApp } from '../app.ts';
import { shortBodyArrived } from '../timeouts.ts';

let app: FastifyInstance;
/** The addresses of the requests that Fastify has received, in sequence. */
let received: string[];
beforeEach(async () => {
  received = [];
  app = await createApp({ ...readEnv({}), trustProxy: 1 }, pino({ level: 'silent' }));
  await app.ready();
});
afterEach(async () => await app.close());

/** Lets the server receive a request from this address, as if its header had just arrived. */
function send(server: Server, address: string): Socket {
  const socket = new Socket();
  const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: '/api/read', headers: { 'x-forwarded-for': address } });
  // Fastify reads this header when it receives the request.
  Object.defineProperty(request.headers, 'x-request-id', { get: () => void received.push(address) });
  server.emit('request', request, new ServerResponse(request));
  return socket;
}

/** Resolves with the values of `count` at the end of each iteration of the event loop until it has stopped growing. */
async function growthOf(count: () => number): Promise<number[]> {
  const growth: number[] = [];
  for (let before = -1; before !== count();) {
    const isFirst = before < 0;
    before = count();
    await nextIteration();
    growth.push(count() - (isFirst ? 0 : before));
  }
  return growth;
}

test('of thousands of requests that arrive at once, Fastify receives at most fifty in each iteration of the event loop (reliability abuse)', async () => {
  for (let left = 1000; left > 0; left--) send(app.server, '203.0.113.1');
  const growth = await growthOf(() => received.length);
  expect([Math.max(...growth), received.length]).toEqual([50, 1000]);
});

test('requests of other addresses do not wait until thousands of requests of one address have been received (reliability abuse)', async () => {
  for (let left = 1000; left > 0; left--) send(app.server, '198.51.100.7, 203.0.113.1');
  for (const end of [1, 2, 3]) send(app.server, `2001:db8:${end}::1`);
  await expect.poll(() => received.length).toBe(1003);
  expect(received.findLastIndex((address) => address.startsWith('2001'))).toBeLessThan(60);
});

test('Fastify does not receive requests whose clients have disconnected while they waited', async () => {
  const sockets = Array.from({ length: 200 }, () => send(app.server, '203.0.113.1'));
  for (const socket of sockets.slice(0, 150)) socket.destroy();
  await growthOf(() => received.length);
  await expect.poll(() => received.length).toBe(50);
});

test('thousands of short bodies that are overdue at the same moment are ended in slices of fifty (reliability abuse)', async () => {
  let ended = 0;
  const bodies = Array.from({ length: 1000 }, () => {
    const raw = { complete: false, destroyed: false, destroy: () => ended++ };
    return shortBodyArrived({ raw, headers: { 'content-length': '50' } } as unknown as FastifyRequest, -1).catch(() => 'ended');
  });
  await nextIteration();
  const growth = await growthOf(() => ended);
  expect([Math.max(...growth.slice(1)), new Set(await Promise.all(bodies)), ended]).toEqual([50, new Set(['ended']), 1000]);
});

test('thousands of connections whose requests have not arrived in time are closed in slices of fifty (reliability abuse)', async () => {
  const sockets = Array.from({ length: 1000 }, () => new Socket().on('error', () => undefined));
  for (const socket of sockets) app.server.emit('clientError', new Error('timeout'), socket);
  const growth = await growthOf(() => sockets.filter(({ destroyed }) => destroyed).length);
  expect([Math.max(...growth), sockets.every(({ destroyed }) => destroyed)]).toEqual([50, true]);
});

test('a malformed connection that waits to be closed is no longer read, so that each of its packets does not wait, too (reliability abuse)', async () => {
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const client = connect(Number(port), '127.0.0.1')
    .setNoDelay()
    .on('error', () => undefined);
  await once(client, 'connect');
  let malformed = 0;
  app.server.on('clientError', (error: Error) => void (malformed += error.message.startsWith('Parse Error') ? 1 : 0));
  for (let left = 2000; left > 0; left--)
    app.server.emit(
      'clientError',
      new Error('timeout'),
      new Socket().on('error', () => undefined),
    );
  while (!client.destroyed) {
    client.write('malformed');
    await nextIteration();
  }
  expect(malformed).toBe(1);
});
