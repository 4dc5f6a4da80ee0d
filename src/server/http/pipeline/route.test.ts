import { request as httpRequest } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FastifyInstance, InjectOptions } from 'fastify';
import * as z from 'zod/mini';
import { makeCustomer, makeDistributor } from '../../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { endpoint } from '../../../shared/endpoint.ts';
import { requiredText } from '../../../shared/fields.ts';
import { createApp } from '../app.ts';
import { run } from '../../database/db.ts';
import { busy, conflict } from '../../errors.ts';
import { registerRoutes } from './register-routes.ts';
import { on, onPublic, ReplyWithStatus, type Route } from './route.ts';

const testApp = setupTestApp();

const Thing = z.object({ name: z.string(), count: z.int() });
const roles = ['customer'] as const;
const read = endpoint({ method: 'GET', path: '/api/things/:id', summary: 'One', roles, reply: Thing });
const list = endpoint({ method: 'GET', path: '/api/things', summary: 'All', roles, reply: z.array(Thing) });
const create = endpoint({
  method: 'POST',
  path: '/api/things/:id',
  summary: 'New',
  roles,
  body: z.object({ name: requiredText('Name'), count: z._default(z.int(), 7) }),
  reply: Thing,
  status: 201,
});
const remove = endpoint({ method: 'DELETE', path: '/api/things/:id', summary: 'Gone', roles, status: 204 });
const expensive = endpoint({
  method: 'POST',
  path: '/api/expensive',
  summary: 'Expensive',
  roles,
  status: 204,
  isExpensive: true,
  idempotent: true,
});
const who = endpoint({
  method: 'GET',
  path: '/api/who',
  summary: 'Who',
  roles: ['public'],
  reply: z.object({ email: z.nullable(z.string()) }),
});

/** The function that the route for reading runs. Each test sets it. */
let work: () => Promise<unknown>;
let called: unknown[];

const things: Route[] = [
  on(read, async () => (await work()) as never),
  on(list, async () => {
    await work();
    async function* rows() {
      yield [{ name: 'first', count: 1, secret: 'hidden' }];
      yield [(await work()) as { name: string; count: number }];
    }
    return rows();
  }),
  on(create, async ({ body, params, viewer }) => {
    called.push(body, params, viewer.role);
    return body.count === 0 ? new ReplyWithStatus(200, body) : body;
  }),
  on(remove, async () => undefined),
  on(expensive, async () => void (await work())),
  onPublic(who, async ({ viewer }) => ({ email: viewer?.email ?? null })),
];

let app: FastifyInstance;
let customer: Person;
let distributor: Person;
let logged: string[];
beforeAll(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  app = await createApp(testApp.env, pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }));
  registerRoutes(app, things, { db: testApp.db, env: testApp.env, now: () => testApp.time });
});
beforeEach(() => {
  called = [];
  logged = [];
  work = async () => ({ name: 'brisket', count: 1 });
});
afterAll(() => app.close());

async function request(by: Person | null, options: InjectOptions) {
  const cookie = by ? await testApp.cookieOf(by) : '';
  const { statusCode, body } = await app.inject({ ...options, headers: { ...options.headers, ...(cookie ? { cookie } : {}) } });
  return [statusCode, body];
}

describe('requests pass the stages in order (contract §2)', () => {
  const url = '/api/things/x';
  const payload = { count: 1 };

  test('the session is checked before role, id and body', async () => {
    expect(await request(null, { method: 'POST', url, payload })).toEqual([401, 'Please sign in.']);
  });
  test('the role is checked before id and body', async () => {
    expect(await request(distributor, { method: 'POST', url, payload })).toEqual([403, 'Your role may not do this.']);
  });
  test('the role is checked before an unreadable body is refused', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect(await request(null, { method: 'POST', url, headers, payload: '{' })).toEqual([401, 'Please sign in.']);
  });
  test('the id is checked before the body', async () => {
    expect(await request(customer, { method: 'POST', url, payload })).toEqual([400, 'The id in the address must be a whole number.']);
  });
  test('the body is checked before the handler runs', async () => {
    expect(await request(customer, { method: 'POST', url: '/api/things/1', payload: { name: ' ' } })).toEqual([400, 'Name is required']);
    expect(called).toEqual([]);
  });
  test('the handler receives validated input only', async () => {
    const sent = { name: ' Wine ', price: 1 };
    expect(await request(customer, { method: 'POST', url: '/api/things/5', payload: sent })).toEqual([201, '{"name":"Wine","count":7}']);
    expect(called).toEqual([{ name: 'Wine', count: 7 }, { id: 5 }, 'customer']);
  });
});

test('a validation error names the field', async () => {
  const [status, sentence] = await request(customer, { method: 'POST', url: '/api/things/1', payload: { name: 'Wine', count: 'x' } });
  expect([status, sentence]).toEqual([400, 'count must be a number.']);
});

test('a route can reply with another status than 200', async () => {
  expect(await request(customer, { method: 'POST', url: '/api/things/1', payload: { name: 'Wine', count: 0 } })).toEqual([
    200,
    '{"name":"Wine","count":0}',
  ]);
});

test('a reply without content has no body', async () => {
  expect(await request(customer, { method: 'DELETE', url: '/api/things/1' })).toEqual([204, '']);
});

test('expensive calls run one at a time, with and without an idempotency key, and do not delay other calls', async () => {
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  work = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running--;
  };
  const keys = [undefined, 'first', 'second', undefined];
  const all = keys.map(
    async (key) => await request(customer, { method: 'POST', url: '/api/expensive', headers: key ? { 'idempotency-key': key } : {} }),
  );
  for (const _ of keys) {
    await expect.poll(() => ends).toHaveLength(1);
    expect(await request(customer, { method: 'GET', url: '/api/who' })).toEqual([200, JSON.stringify({ email: customer.email })]);
    ends.shift()?.();
  }
  expect((await Promise.all(all)).map(([status]) => status)).toEqual([204, 204, 204, 204]);
  expect(most).toBe(1);
});

test('repeating a finished expensive call with its idempotency key returns the stored reply while other calls are queued', async () => {
  const post = (key: string) => request(customer, { method: 'POST', url: '/api/expensive', headers: { 'idempotency-key': key } });
  work = async () => undefined;
  expect(await post('finished')).toEqual([204, '']);
  const ends: (() => void)[] = [];
  work = () => new Promise<void>((resolve) => ends.push(resolve));
  const waiting = [post('running'), post('waiting')];
  await expect.poll(() => ends).toHaveLength(1);
  expect(await post('finished')).toEqual([204, '']);
  for (const _ of waiting) {
    await expect.poll(() => ends).toHaveLength(1);
    ends.shift()?.();
  }
  await Promise.all(waiting);
});

test('a queued expensive call is dropped when its client disconnects', async () => {
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const cookie = await testApp.cookieOf(customer);
  const headers = { cookie };
  const ends: (() => void)[] = [];
  work = () => new Promise<void>((resolve) => ends.push(resolve));
  const first = request(customer, { method: 'POST', url: '/api/expensive' });
  await expect.poll(() => ends).toHaveLength(1);
  const closed = new Promise((resolve) => app.server.once('connection', (socket) => socket.once('close', resolve)));
  const second = httpRequest({ host: '127.0.0.1', port, method: 'POST', path: '/api/expensive', headers, agent: false });
  second.on('error', () => undefined).end();
  await new Promise((resolve) => setTimeout(resolve, 200));
  second.destroy();
  await closed;
  const third = request(customer, { method: 'POST', url: '/api/expensive' });
  ends.shift()?.();
  expect(await first).toEqual([204, '']);
  // The third call runs next, because the second call has left the queue.
  await expect.poll(() => ends).toHaveLength(1);
  ends.shift()?.();
  expect(await third).toEqual([204, '']);
  expect(ends).toEqual([]);
});

test('the handler of a public route gets the signed-in user, or null when nobody is signed in', async () => {
  expect(await request(null, { method: 'GET', url: '/api/who' })).toEqual([200, '{"email":null}']);
  expect(await request(distributor, { method: 'GET', url: '/api/who' })).toEqual([200, `{"email":"${distributor.email}"}`]);
});

describe('a reply', () => {
  const get = () => request(customer, { method: 'GET', url: '/api/things/1' });

  test('omits fields that are not in its contract', async () => {
    work = async () => ({ name: 'brisket', count: 1, password: 'hidden' });
    expect(await get()).toEqual([200, '{"name":"brisket","count":1}']);
  });

  test('that does not match its contract becomes a 500 without details, and is logged', async () => {
    work = async () => ({ name: 'brisket', count: 'one' });
    expect(await get()).toEqual([500, 'Something went wrong on our side. Please try again.']);
    expect(JSON.parse(logged[0] ?? '{}')).toMatchObject({
      msg: 'request failed',
      err: { message: expect.stringContaining('count must be a number.') },
    });
  });

  test("to a request whose database query failed contains nothing of the database's message (contract §2)", async () => {
    work = () => run(testApp.db, 'SELECT no_such_column FROM users', []);
    expect(await get()).toEqual([500, 'Something went wrong on our side. Please try again.']);
    work = () => run(testApp.db, `INSERT INTO users (email, role) VALUES ('${customer.email}', 'admin')`, []);
    expect(await get()).toEqual([500, 'Something went wrong on our side. Please try again.']);
    expect(logged.join('')).toContain('users_email_key');
    expect(logged.join('')).not.toContain(customer.email);
  });

  test('to a request that finds a queue full is 503, and is logged as a warning without a stack', async () => {
    work = async () => {
      throw busy('Please wait.');
    };
    expect(await get()).toEqual([503, 'Please wait.']);
    expect(JSON.parse(logged[0] ?? '{}')).toMatchObject({ level: 40, msg: 'request failed', reason: 'Please wait.' });
    expect(logged.join('')).not.toContain('stack');
  });

  test('to a refused request is the message of the refusal, and is not logged as an error', async () => {
    work = async () => {
      throw conflict('Ordering is closed');
    };
    expect(await get()).toEqual([409, 'Ordering is closed']);
    expect(logged.map((line) => JSON.parse(line).msg)).toEqual(['answered']);
  });
});

describe('a long list', () => {
  const get = () => request(customer, { method: 'GET', url: '/api/things' });

  test('is sent in batches that are validated against the contract', async () => {
    work = async () => ({ name: 'second', count: 2, secret: 'hidden' });
    expect(await get()).toEqual([200, '[{"name":"first","count":1},{"name":"second","count":2}]']);
  });

  test('is replaced by an ordinary error response when reading its first batch fails', async () => {
    work = async () => {
      throw conflict('Not now');
    };
    expect(await get()).toEqual([409, 'Not now']);
  });
});
