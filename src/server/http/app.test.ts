import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InjectOptions } from 'fastify';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { routes } from '../../api.ts';
import { createApp } from './app.ts';
import { asHttpError } from './error-reply.ts';
import { readEnv } from '../operations/env.ts';
import { conflict } from '../errors.ts';

const testApp = setupTestApp();
let customer: Person;
beforeAll(async () => {
  customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
});

const json = { 'content-type': 'application/json' };
const post = (payload: string | Buffer, headers: Record<string, string> = json) =>
  testApp.request(customer, { method: 'POST', url: '/api/orders', headers, payload });

describe('an error response', () => {
  test("asks the user to try again when a connection pooler has lost the database, but not when the application's own SQL is wrong", () => {
    const bouncer = Object.assign(new Error('server conn crashed?'), { severity: 'FATAL', code: '08P01' });
    expect(asHttpError(bouncer).status).toBe(503);
    const own = Object.assign(new Error('bind message supplies 1 parameters'), {
      severity: 'ERROR',
      code: '08P01',
      routine: 'exec_bind_message',
    });
    expect(asHttpError(own).status).toBe(500);
  });

  test('is one sentence as plain text (contract §2)', async () => {
    const answer = await testApp.request(null, { method: 'GET', url: '/api/user' });
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([401, 'text/plain; charset=utf-8', 'Please sign in.']);
  });

  test('is an RFC 9457 problem with the request id for clients that accept it (contract §2)', async () => {
    const headers = { accept: 'application/problem+json' };
    const answer = await testApp.request(null, { method: 'GET', url: '/api/user', headers });
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.json()).toEqual({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      detail: 'Please sign in.',
      instance: `urn:request:${String(answer.headers['x-request-id'])}`,
    });
  });

  test('for an internal error reveals no detail', () => {
    const error = Object.assign(new Error('column "x" does not exist at /srv/app.ts'), { code: '42703' });
    expect(asHttpError(error)).toMatchObject({ status: 500, message: 'Something went wrong on our side. Please try again.' });
  });

  test.each(['53100', '58030', 'ENOSPC'])('for the error code %s is 503 with a message that the disk is full', (code) => {
    expect(asHttpError(Object.assign(new Error('could not extend file'), { code }))).toMatchObject({
      status: 503,
      message: 'The disk of the server takes nothing more just now, so nothing was saved. Please tell whoever runs it.',
    });
  });
  test('does not report a missing database privilege as a full disk', () => {
    expect(asHttpError(Object.assign(new Error('permission denied for table orders'), { code: '42501' }))).toMatchObject({
      status: 503,
      message: 'The database is not allowed to do this, so nothing was saved. Please tell whoever runs the server.',
    });
  });

  test.each(['ECONNREFUSED', '57P01', '53300'])(
    'for the error code %s has the status 503 and a message that the database is unreachable',
    (code) => {
      expect(asHttpError(Object.assign(new Error('away'), { code }))).toMatchObject({
        status: 503,
        message: 'The database cannot be reached just now. Please try again in a moment.',
      });
    },
  );

  test.each(['40001', '40P01', '55P03', '57014'])(
    'for the error code %s has the status 503, a message that the database is busy, and the header Retry-After',
    async (code) => {
      const app = await createApp(testApp.env, pino({ level: 'silent' }));
      app.get('/busy', () => {
        throw Object.assign(new Error('canceling statement due to lock timeout'), { code });
      });
      const answer = await app.inject('/busy');
      await app.close();
      const sentence = 'The database was busy, so nothing was done. Please try again in a moment.';
      expect([answer.statusCode, answer.body, answer.headers['retry-after']]).toEqual([503, sentence, '2']);
    },
  );

  test('keeps the status and message of an HttpError', () => {
    const error = conflict('Ordering is closed');
    expect(asHttpError(error)).toBe(error);
  });
});

describe('a request body', () => {
  test.each(['{', '{"a":}', 'undefined', '[1,]', "{'a':1}", '\u0000'])(
    'with the content %j is refused as invalid JSON (contract §2)',
    async (payload) => {
      const answer = await post(payload);
      expect([answer.statusCode, answer.body]).toEqual([400, 'The body is not valid JSON.']);
    },
  );

  test('above a megabyte is refused, and just below a megabyte is read (contract §2)', async () => {
    const answer = await post(`"${'x'.repeat(1_048_576)}"`);
    expect([answer.statusCode, answer.body]).toEqual([413, 'The request is too large.']);
    expect((await post(`"${'x'.repeat(1_048_574)}"`)).statusCode).toBe(400);
  });

  test('far above a megabyte is refused with 413 although the client is still sending it (contract §2)', async () => {
    const app = await createApp(readEnv({}), pino({ level: 'silent' }));
    app.post('/', () => 'read');
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    // The body is larger than the buffers of both sockets.
    const size = 5_200_000;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`);
    socket.write(Buffer.alloc(size, ' '));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 413 [^]*The request is too large\.$/);
    await app.close();
  });

  test.each([
    ['br', brotliCompressSync('{}')],
    ['gzip', gzipSync('{}')],
    ['snappy', '{}'],
    ['identity, gzip', gzipSync('{}')],
  ])(
    'with the Content-Encoding %s is refused with 415, because a few bytes could become many megabytes (reliability abuse)',
    async (encoding, payload) => {
      const answer = await post(payload, { ...json, 'content-encoding': encoding });
      expect([answer.statusCode, answer.body]).toEqual([415, 'A request body must not be compressed.']);
    },
  );

  test('with the Content-Encoding identity is read', async () => {
    expect((await post('{}', { ...json, 'content-encoding': 'Identity' })).statusCode).not.toBe(415);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/json',
    'application/json, text/plain',
    'application /json',
    'application\t/json',
    'application/json\t+xml',
    '',
  ])('of the content type %j is refused (contract §2)', async (type) => {
    const answer = await post('{"distributionId":1,"products":[]}', { 'content-type': type });
    expect([answer.statusCode, answer.body]).toEqual([415, 'The body must be JSON (Content-Type: application/json).']);
  });

  test('with ten thousand nested levels is refused', async () => {
    for (const payload of ['['.repeat(10_000) + ']'.repeat(10_000), '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)]) {
      expect((await post(payload)).statusCode).toBe(400);
    }
  });

  test('with __proto__ or constructor keys is read without those keys', async () => {
    const payload = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"distributionId":2000000000,"products":[]}';
    expect((await post(payload)).body).toBe('Distribution not found');
    expect('polluted' in {}).toBe(false);
  });

  test("with a repeated key is read with the key's last value", async () => {
    const answer = await post('{"distributionId":1.5,"distributionId":2000000000,"products":[]}');
    expect(answer.body).toBe('Distribution not found');
  });
});

describe('a URL path', () => {
  const get = (url: string) => testApp.request(customer, { method: 'GET', url });

  test.each(['/api/nothing', '/api/user/', '/api//user', '/api/users', '/api/orders/1/2', '/api/user%2f'])(
    'such as %s is not found',
    async (url) => {
      const answer = await get(url);
      expect([answer.statusCode, answer.body]).toEqual([404, 'This address was not found']);
    },
  );

  test('is case-sensitive', async () => {
    expect((await get('/API/user')).headers['content-type']).not.toMatch('json');
  });

  test('with percent-encoded letters gets the same access check', async () => {
    const answer = await testApp.request(null, { method: 'GET', url: '/%61pi/%75ser' });
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([401, 'no-store']);
    const own = await get('/%61pi/contact');
    expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'no-store']);
  });

  test.each(['/api/orders/%E0%A4%A', '/%', '/api/%zz'])('such as %s is refused as malformed', async (url) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.body]).toEqual([400, 'The address is malformed.']);
  });

  test('is found only with an HTTP method that the API has for it', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH'] as const) {
      expect((await testApp.request(customer, { method, url: '/api/contact' })).statusCode).toBe(404);
    }
  });
});

test('every response has the security headers and a request id, and forbids caching (spec §7)', async () => {
  const requests: [number, InjectOptions][] = [
    [200, { method: 'GET', url: '/api/health' }],
    [200, { method: 'GET', url: '/api/contact' }],
    [200, { method: 'GET', url: '/api/openapi.json' }],
    [200, { method: 'HEAD', url: '/api/user' }],
    [204, { method: 'POST', url: '/api/logout' }],
    [400, { method: 'GET', url: '/api/orders/abc' }],
    [400, { method: 'GET', url: '/api/orders/%E0%A4%A' }],
    [400, { method: 'POST', url: '/api/orders', headers: json, payload: '{' }],
    [403, { method: 'GET', url: '/api/users/customer' }],
    [403, { method: 'POST', url: '/api/logout', headers: { 'sec-fetch-site': 'cross-site' } }],
    [404, { method: 'GET', url: '/api/nothing' }],
    [404, { method: 'GET', url: '/api/orders/2000000000' }],
    [413, { method: 'POST', url: '/api/orders', headers: json, payload: 'x'.repeat(1_100_000) }],
    [415, { method: 'POST', url: '/api/orders', headers: { 'content-type': 'text/plain' }, payload: 'x' }],
  ];
  for (const [status, options] of requests) {
    const { statusCode, headers } = await testApp.request(customer, options);
    expect({ statusCode, url: options.url, ...headers }).toMatchObject({
      statusCode: status,
      'content-security-policy': expect.stringMatching(/^(?!.*script-src[^;]*unsafe).*frame-ancestors 'none'/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(headers['x-powered-by']).toBeUndefined();
  }
});

test('every GET endpoint answers HEAD with the same status and headers (contract §2)', async () => {
  const missing = routes.flatMap(({ endpoint: { method, path } }) =>
    method === 'GET' && !testApp.app.hasRoute({ method: 'HEAD', url: path }) ? [path] : [],
  );
  expect(missing).toEqual([]);
  for (const url of ['/api/user', '/api/contact', '/api/openapi.json', '/api/distributions/1']) {
    const [read, head] = [await testApp.request(customer, { url }), await testApp.request(customer, { method: 'HEAD', url })];
    expect([url, head.statusCode, head.body]).toEqual([url, read.statusCode, '']);
    expect(head.headers['content-type']).toBe(read.headers['content-type']);
  }
});

test.each<[string, string, string, boolean]>([
  ['a trusted proxy may set it', '1', 'edge-4711:0001', true],
  ['a value that cannot be an id is replaced', '1', 'edge 4711"0001', false],
  ['without a trusted proxy, the client cannot set it', '0', 'edge-4711:0001', false],
])('the request id follows this rule: %s', async (_, hops, given, isKept) => {
  const app = await createApp(readEnv({ TRUST_PROXY: hops }), pino({ level: 'silent' }));
  const { headers } = await app.inject({ method: 'GET', url: '/', headers: { 'x-request-id': given } });
  if (isKept) expect(headers['x-request-id']).toBe(given);
  else expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  await app.close();
});

test('the server logs one line per response, with the route pattern and nothing that the client sent', async () => {
  testApp.logged.length = 0;
  const payload = { email: customer.email, password: 'Secret-Word-1' };
  const answer = await testApp.request(customer, { method: 'POST', url: '/api/login?token=tok-en-1', payload });
  expect(answer.statusCode).toBe(401);
  await testApp.request(customer, { method: 'GET', url: '/api/orders/424242' });
  const cookie = String((await testApp.request(customer, { method: 'POST', url: '/api/logout' })).headers['set-cookie']);
  expect(cookie).toMatch(/^sid=;/);
  const log = testApp.logged.join('');
  expect(testApp.logged.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'answered', method: 'POST', route: '/api/login', status: 401 },
    { msg: 'answered', method: 'GET', route: '/api/orders/:distributionId', status: 404 },
    { msg: 'answered', method: 'POST', route: '/api/logout', status: 204 },
  ]);
  for (const secret of [customer.email, 'Secret-Word-1', 'tok-en-1', '424242', 'sid=']) expect(log).not.toContain(secret);
});
