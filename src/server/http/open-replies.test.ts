// Tests how many replies may be open that their clients have not read to the end.
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { makeAgent, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { createApp } from './app.ts';
import { registerRoutes } from './pipeline/register-routes.ts';
import { on } from './pipeline/route.ts';

const testApp = setupTestApp();
const own = endpoint({ method: 'GET', path: '/api/own', summary: 'Own', roles: ['agent'], status: 204 });

let app: FastifyInstance;
let port: number;
/** How many replies without an end have been started. */
let started: number;
beforeEach(async () => {
  started = 0;
  app = await createApp(testApp.env, pino({ level: 'silent' }));
  registerRoutes(app, [on(own, async () => undefined)], { db: testApp.db, env: testApp.env, now: () => testApp.time });
  app.get('/api/endless', (_request, reply) => {
    started++;
    const endless = function* () {
      for (;;) yield 'x'.repeat(65_536);
    };
    return reply.send(Readable.from(endless()));
  });
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** Creates agents of one distributor whose sessions the process remembers, so that it knows who sends their requests. */
async function agentsOfOneDistributor(count: number): Promise<string[]> {
  const distributor = await makeDistributor(testApp.db);
  const cookies: string[] = [];
  for (let index = 0; index < count; index++) {
    const agent = await makeAgent(testApp.db, distributor);
    cookies.push(await testApp.cookieOf(agent));
    expect(await statusOf(cookies[index])).toBe(204);
  }
  return cookies;
}
const statusOf = async (cookie = ''): Promise<number> =>
  (await app.inject({ method: 'GET', url: '/api/own', headers: { cookie } })).statusCode;

/** Requests replies without an end, which the clients do not read. */
const openEndless = (cookies: readonly string[], ofEach: number): Socket[] =>
  cookies.flatMap((cookie) =>
    Array.from({ length: ofEach }, () => {
      const socket = connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .pause();
      socket.write(`GET /api/endless HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
      return socket;
    }),
  );

test.each([
  ['one person', 1, 30, 20],
  ['the staff of one distributor', 4, 20, 63],
])(
  'of the replies to %s, only a limited number are open at once while the clients do not read them to the end (reliability abuse)',
  async (_, people, requests, most) => {
    const agents = await agentsOfOneDistributor(people);
    const sockets = openEndless(agents, requests);
    await expect.poll(() => started).toBe(most);
    await pause(300);
    expect(started).toBe(most);
    for (const socket of sockets.slice(0, 20)) socket.destroy();
    await expect.poll(() => started).toBeGreaterThan(most);
  },
);

test(
  'staff who do not read their replies, however many, do not keep others of the staff waiting (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const [other, ...agents] = await agentsOfOneDistributor(14);
    openEndless(agents, 30);
    await expect.poll(() => started).toBeGreaterThan(60);
    for (let round = 0; round < 5; round++)
      expect(await Promise.all([statusOf(other), statusOf(other), statusOf(other)])).toEqual([204, 204, 204]);
  },
);

test(
  'replies of one network that their clients do not read are cut off while other requests of the network wait; a reply that its client reads slowly is not (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const [slow, ...unread] = openEndless(['', ...Array.from({ length: 259 }, () => '')], 1);
    const reading = setInterval(() => void slow?.once('data', () => slow.pause()).resume(), 50);
    // Waiting replies start as soon as unread ones are cut off, so the number may pass 200 between two polls.
    await expect.poll(() => started, { timeout: 60_000 }).toBeGreaterThanOrEqual(200);
    // This request is refused, because its address is unknown, as soon as it may have an open reply.
    const began = performance.now();
    expect((await app.inject({ url: '/api/unknown' })).statusCode).toBe(404);
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(slow?.destroyed).toBe(false);
    clearInterval(reading);
    for (const socket of unread) socket.destroy();
  },
);
