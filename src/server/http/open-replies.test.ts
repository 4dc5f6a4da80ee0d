// Tests how many replies may be open that their clients have not read to the end.
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { makeAgent, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { openSession } from '../auth/session.ts';
import { createApp } from './app.ts';
import { registerRoutes } from './pipeline/register-routes.ts';
import { on } from './pipeline/route.ts';

const testApp = setupTestApp();
const own = endpoint({ method: 'GET', path: '/api/own', summary: 'Own', roles: ['agent'], status: 204 });

let app: FastifyInstance;
beforeEach(async () => {
  app = await createApp(testApp.env, pino({ level: 'silent' }));
  registerRoutes(app, [on(own, async () => undefined)], { db: testApp.db, env: testApp.env, now: () => testApp.time });
});
afterEach(async () => await app.close());

test.each([
  ['one person', 1, 30, 20],
  ['the staff of one distributor', 4, 20, 60],
])(
  'of the replies to %s, only a limited number are open at once while the clients do not read them to the end (reliability abuse)',
  async (_, people, requests, most) => {
    let started = 0;
    app.get('/api/endless', (_request, reply) => {
      started++;
      const endless = function* () {
        for (;;) yield 'x'.repeat(65_536);
      };
      return reply.send(Readable.from(endless()));
    });
    const distributor = await makeDistributor(testApp.db);
    const agents = await Promise.all(
      Array.from({ length: people }, async () => {
        const agent = await makeAgent(testApp.db, distributor);
        return `sid=${(await openSession(testApp.db, agent, undefined, { now: testApp.time, rules: { customerIdleDays: 7, secure: false } })).cookie}`;
      }),
    );
    // The process remembers the session of each agent, and so knows who sends the following requests.
    for (const by of agents) expect((await app.inject({ method: 'GET', url: '/api/own', headers: { cookie: by } })).statusCode).toBe(204);
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const sockets = agents.flatMap((by) =>
      Array.from({ length: requests }, () => {
        const socket = connect(Number(port), '127.0.0.1').pause();
        socket.write(`GET /api/endless HTTP/1.1\r\nHost: localhost\r\nCookie: ${by}\r\n\r\n`);
        return socket;
      }),
    );
    await expect.poll(() => started, { timeout: 10_000 }).toBe(most);
    await pause(300);
    expect(started).toBe(most);
    sockets[0]?.destroy();
    await expect.poll(() => started).toBeGreaterThan(most);
    for (const socket of sockets) socket.destroy();
  },
);
