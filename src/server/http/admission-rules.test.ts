import { pino } from 'pino';
import { expect, test } from 'vitest';
import { rememberSession } from '../auth/recent-sessions.ts';
import { readEnv } from '../operations/env.ts';
import { admissionOf, type Admission } from './admission-rules.ts';
import { createApp } from './app.ts';

test.each([
  ['GET', '/assets/some.js', 0, ['files of 127.0.0.1']],
  ['GET', '/tinymce/tinymce.min.js', 0, ['files of 127.0.0.1']],
  ['GET', '/assets/some.js', 20_000, ['long bodies of 127.0.0.1', 'long bodies of all networks']],
  ['POST', '/assets/some.js', 20_000, ['long bodies of 127.0.0.1', 'long bodies of all networks']],
  ['POST', '/assets/some.js', 10, ['requests of 127.0.0.1']],
] as const)(
  'only reads of files have the limits of files: %s %s with a body of %i bytes counts in the groups %j (reliability abuse)',
  async (method, url, length, keys) => {
    const env = readEnv({});
    const app = await createApp(env, pino({ level: 'silent' }));
    let found: string[] = [];
    app.addHook('onRequest', async (request) => {
      found = admissionOf(env, request).groups.map(({ key }) => key);
    });
    await app.inject({ method, url, headers: { 'content-type': 'text/plain' }, payload: 'x'.repeat(length) });
    expect(found).toEqual(keys);
    await app.close();
  },
);

test('the pages, the calls without their session cookie and the sign-ins of a network have queues of their own, so that other calls do not delay them (reliability abuse)', async () => {
  const env = readEnv({});
  const app = await createApp(env, pino({ level: 'silent' }));
  const found: string[] = [];
  app.addHook('onRequest', async (request) => void found.push(admissionOf(env, request).groups[0].key));
  app.get('/', () => 'page');
  app.get('/api/user', { config: { needsSession: true } }, () => 'user');
  for (const url of ['/api/login', '/api/login/second-factor', '/api/reset-password/request'])
    app.post(url, { config: { needsSession: false } }, () => 'done');
  for (const url of ['/', '/auth', '/api/user', '/api/unknown']) await app.inject({ url });
  for (const url of ['/api/login', '/api/login/second-factor', '/api/reset-password/request', '/auth'])
    await app.inject({ method: 'POST', url, payload: {} });
  // A session gives no further sign-ins.
  rememberSession('of-customer', { userId: 5, role: 'customer', tenantId: 2 });
  await app.inject({ method: 'POST', url: '/api/login', payload: {}, headers: { cookie: 'sid=of-customer' } });
  const kinds = ['pages', 'pages', 'calls without a session', 'requests', 'sign-ins', 'sign-ins', 'requests', 'requests', 'sign-ins'];
  expect(found).toEqual(kinds.map((kind) => `${kind} of 127.0.0.1`));
  await app.close();
});

test('the customers of a tenant are one group that takes turns with others, its staff are another one, and so are all signed-out clients (reliability abuse)', async () => {
  const env = { ...readEnv({}), trustProxy: 1 };
  const app = await createApp(env, pino({ level: 'silent' }));
  const turns: Admission['turn'][] = [];
  app.addHook('onRequest', async (request) => void turns.push(admissionOf(env, request).turn));
  const get = (headers: Record<string, string>) => app.inject({ url: '/api/any', headers });
  rememberSession('of-customer', { userId: 5, role: 'customer', tenantId: 2 });
  rememberSession('of-agent', { userId: 6, role: 'agent', tenantId: 2 });
  for (const cookie of ['sid=of-customer', 'sid=of-agent']) await get({ cookie });
  for (const address of ['203.0.113.7', '2001:db8:48:1::1', '2001:db8:48:2::1']) await get({ 'x-forwarded-for': address });
  expect(turns).toEqual([
    { group: 'customers of 2', key: 'user 5' },
    { group: 'staff of 2', key: 'user 6' },
    { group: 'requests of', key: '203.0.113.7' },
    { group: 'requests of', key: expect.stringContaining('2001:db8:48:') },
    turns[3],
  ]);
  await app.close();
});

test('long bodies for calls without a session have the limits of the network, also if the server knows the session of the client (reliability abuse)', async () => {
  const env = readEnv({});
  const app = await createApp(env, pino({ level: 'silent' }));
  rememberSession('of-customer', { userId: 5, role: 'customer', tenantId: 2 });
  const found: string[] = [];
  app.addHook('onRequest', async (request) => void found.push(admissionOf(env, request).groups[0].key));
  app.post('/public', { config: { needsSession: false } }, () => 'done');
  app.post('/own', { config: { needsSession: true } }, () => 'done');
  const send = (url: string, length: number) =>
    app.inject({ method: 'POST', url, headers: { cookie: 'sid=of-customer' }, payload: { text: 'x'.repeat(length) } });
  for (const url of ['/public', '/unknown', '/own']) for (const length of [10, 20_000]) await send(url, length);
  expect(found).toEqual(['user 5', 'long bodies of 127.0.0.1', 'user 5', 'long bodies of 127.0.0.1', 'user 5', 'user 5']);
  await app.close();
});
