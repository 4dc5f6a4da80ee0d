import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import * as z from 'zod/mini';
import { makeCustomer, makeDistributor } from '../../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { endpoint } from '../../../shared/endpoint.ts';
import { createApp } from '../app.ts';
import { definePreload } from '../../auth/session-preload.ts';
import { on, type Route } from './route.ts';
import { endSessions } from '../../auth/session.ts';
import { registerRoutes } from './register-routes.ts';

const testApp = setupTestApp();

const NUMBER = z.object({ number: z.int() });
const double = definePreload<{ number: number }, { double: number }>({
  name: 'double',
  args: { number: 'int' },
  sql: 'SELECT args.number * 2 AS double WHERE args.number > 0',
});
let ran: unknown[];
let finish = (): void => undefined;
const routes: Route[] = [
  on(
    endpoint({ method: 'POST', path: '/api/double', summary: 'Double', roles: ['customer'], body: NUMBER, reply: NUMBER }),
    async ({ preloaded, viewer }) => {
      ran.push([viewer.role, preloaded]);
      return { number: preloaded?.double ?? 0 };
    },
    { sessionPreload: { query: double, args: ({ body }) => body } },
  ),
  on(
    endpoint({ method: 'POST', path: '/api/plain', summary: 'Plain', roles: ['customer'], body: NUMBER, reply: NUMBER }),
    async ({ body }) => {
      ran.push(body);
      return body;
    },
  ),
  on(
    endpoint({ method: 'POST', path: '/api/slow', summary: 'Slow', roles: ['customer'], body: NUMBER, reply: NUMBER }),
    async ({ body }) => {
      ran.push(body);
      await new Promise<void>((resolve) => (finish = resolve));
      return body;
    },
    { oneAtATime: 'waiting lists' },
  ),
];

let customer: Person;
let distributor: Person;
beforeAll(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
});
beforeEach(() => {
  ran = [];
});

interface Served {
  readonly server: FastifyInstance;
  readonly logged: string[];
}
async function serve(onRoute: (route: RouteOptions) => void = () => undefined): Promise<Served> {
  const logged: string[] = [];
  const server = await createApp(testApp.env, pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }));
  server.addHook('onRoute', onRoute);
  registerRoutes(server, routes, { db: testApp.db, env: testApp.env, now: () => testApp.time });
  return { server, logged };
}

async function post(
  { server }: Served,
  url: string,
  { by, body, type = 'application/json' }: { by: Person | 'forged' | null; body: string; type?: string },
) {
  const cookie = by === 'forged' ? 'sid=forged' : by && (await testApp.cookieOf(by));
  const headers = { 'content-type': type, ...(cookie === null ? {} : { cookie }) };
  const { statusCode, body: reply } = await server.inject({ method: 'POST', url, headers, payload: body });
  return [statusCode, reply];
}

const without =
  (stage: string) =>
  (route: RouteOptions): void => {
    for (const hook of ['onRequest', 'preHandler'] as const) {
      const stages = [route[hook] ?? []].flat();
      Object.assign(route, { [hook]: stages.filter(({ name }) => name !== stage) });
    }
  };

test.each(['authenticate', 'authorize', 'validate'])(
  'a request that skips the pipeline stage "%s" fails, and its route does not run',
  async (stage) => {
    const served = await serve(without(stage));
    for (const url of ['/api/plain', '/api/double']) {
      expect(await post(served, url, { by: customer, body: '{"number":4}' })).toEqual([
        500,
        'Something went wrong on our side. Please try again.',
      ]);
      expect(served.logged.join('')).toContain(`POST ${url} skipped the stage \\"${stage}\\".`);
    }
    expect(ran).toEqual([]);
    await served.server.close();
  },
);

test('a route gets the row that was preloaded together with the session, or null when there is none', async () => {
  const served = await serve();
  expect(await post(served, '/api/double', { by: customer, body: '{"number":4}' })).toEqual([200, '{"number":8}']);
  expect(await post(served, '/api/double', { by: customer, body: '{"number":0}' })).toEqual([200, '{"number":0}']);
  expect(ran).toEqual([
    ['customer', { double: 8 }],
    ['customer', null],
  ]);
  await served.server.close();
});

test.each(['/api/plain', '/api/double'])(
  'the route %s replies 401 and 403 before it replies 400 and 415, whichever stage reads the body',
  async (url) => {
    const served = await serve();
    const bodies = [
      { body: '{"number":"four"}', refused: [400, 'number must be a number.'] },
      { body: '{', refused: [400, 'The body is not valid JSON.'] },
      { body: 'x', type: 'text/plain', refused: [415, 'The body must be JSON (Content-Type: application/json).'] },
    ];
    for (const { refused, ...sent } of bodies) {
      expect(await post(served, url, { ...sent, by: null })).toEqual([401, 'Please sign in.']);
      expect(await post(served, url, { ...sent, by: 'forged' })).toEqual([401, 'Please sign in.']);
      expect(await post(served, url, { ...sent, by: distributor })).toEqual([403, 'Your role may not do this.']);
      expect(await post(served, url, { ...sent, by: customer })).toEqual(refused);
    }
    expect(ran).toEqual([]);
    await served.server.close();
  },
);

test('a request whose long body arrives after its session has ended gets 401, and its route does not run (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { server } = await serve();
  onTestFinished(() => server.close());
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const cookie = await testApp.cookieOf(customer);
  const body = `${' '.repeat(20_000)}{"number":4}`;
  const send = async (whileSending: () => Promise<unknown>): Promise<number | undefined> => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length, cookie };
    const sent = httpRequest(`${address}/api/plain`, { method: 'POST', headers });
    sent.write(body.slice(0, 100));
    await pause(300);
    await whileSending();
    vi.advanceTimersByTime(1200);
    sent.end(body.slice(100));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response.resume().statusCode;
  };
  expect(await send(async () => undefined)).toBe(200);
  expect(await send(() => endSessions(testApp.db, customer.id))).toBe(401);
  expect(ran).toHaveLength(1);
});

test('a request that waits for another call of the same person keeps no field that its contract does not name (reliability abuse)', async () => {
  const bodies: (() => unknown)[] = [];
  const served = await serve((route) => {
    Object.assign(route, { preValidation: async (request: FastifyRequest) => void bodies.push(() => request.body) });
  });
  const send = () => post(served, '/api/slow', { by: customer, body: '{"number":4,"unknown":[{},{}]}' });
  const replies = [send(), send()];
  await vi.waitFor(() => expect(bodies.map((bodyOf) => bodyOf())).toEqual([{ number: 4 }, { number: 4 }]));
  expect(ran).toHaveLength(1);
  finish();
  await vi.waitFor(() => expect(ran).toHaveLength(2));
  finish();
  expect(await Promise.all(replies)).toEqual([
    [200, '{"number":4}'],
    [200, '{"number":4}'],
  ]);
  await served.server.close();
});

test('the server replies 404 to invalid JSON for an unknown path', async () => {
  const served = await serve();
  expect(await post(served, '/api/nothing', { by: customer, body: '{' })).toEqual([404, expect.any(String)]);
  await served.server.close();
});
