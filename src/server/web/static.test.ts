import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../http/app.ts';
import { readEnv } from '../operations/env.ts';
import { serveClient } from './static.ts';

let folder: string;
let app: FastifyInstance;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<html lang="en"><title>Feastday</title></html>');
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  await writeFile(join(folder, 'assets/index-abc.js'), 'export {}');
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, '.vite/manifest.json'), '{}');
  await writeFile(join(folder, 'assets/index-abc.js.br'), 'compressed');
  await writeFile(join(folder, 'assets/long.js'), 'x'.repeat(5000));
  app = await createApp(readEnv({}), pino({ level: 'silent' }));
  await serveClient(app, folder);
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await app.inject({ method: 'GET', url, headers });
  return [answer.statusCode, answer.headers['cache-control'], answer.body];
};
const TEXT = '<html lang="en"><title>Feastday</title></html>';
const PAGE = [200, 'private, no-cache', TEXT];

test('every client route gets the HTML page, and browsers revalidate it each time', async () => {
  for (const url of ['/', '/auth', '/customer/order/5', '/no/such/page', '/auth?email=a@b.example', '/%2e%2e/%2e%2e/etc/passwd']) {
    expect([url, ...(await get(url))]).toEqual([url, ...PAGE]);
  }
});

test('HEAD answers like GET without a body, for client routes, files and unknown paths (contract §2)', async () => {
  for (const url of [
    '/',
    '/auth',
    '/customer/order/5',
    '/no/such/page',
    '/assets/index-abc.js',
    '/favicon.svg',
    '/api/nothing',
    '/backup.sql',
  ]) {
    const [read, head] = [await app.inject({ url }), await app.inject({ method: 'HEAD', url })];
    const { date: _, 'x-request-id': _id, ...headers } = read.headers;
    expect([url, head.statusCode, head.body]).toEqual([url, read.statusCode, '']);
    expect(head.headers).toMatchObject(headers);
  }
});

test('files with a hash in their name are cached permanently, and other files for an hour', async () => {
  expect(await get('/assets/index-abc.js')).toEqual([200, 'public, max-age=31536000, immutable', 'export {}']);
  expect(await get('/favicon.svg')).toEqual([200, 'public, max-age=3600', '<svg/>']);
});

test('a client that accepts the compression gets the file that was compressed at build time', async () => {
  const answer = await app.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': 'br' } });
  expect([answer.body, answer.headers['content-encoding'], answer.headers['content-type']]).toEqual([
    'compressed',
    'br',
    'application/javascript; charset=utf-8',
  ]);
  expect([answer.headers['cache-control'], answer.headers['vary']]).toEqual(['public, max-age=31536000, immutable', 'accept-encoding']);
  expect((await get('/assets/index-abc.js', { 'accept-encoding': 'gzip' }))[2]).toBe('export {}');
});

test.each(['/assets/../favicon.svg', '/none/..//assets/index-abc.js', '/assets/%2e%2e/favicon.svg', '/assets/none/%2e./index-abc.js'])(
  'the server does not resolve the dots in the path %s, because that takes long for a long path (reliability abuse)',
  async (path) => {
    const { port } = app.server.address() as AddressInfo;
    // Unlike `inject` and `fetch`, this function sends the path unchanged.
    const [response] = (await once(request({ host: '127.0.0.1', port, path, agent: false }).end(), 'response')) as [IncomingMessage];
    response.resume();
    expect([response.statusCode, response.headers['content-type']]).not.toEqual([200, expect.stringMatching(/svg|javascript/)]);
  },
);

test('a file without a compressed copy is sent as it is, because compressing it for each request would take too long (reliability abuse)', async () => {
  const { headers, body } = await app.inject({ url: '/assets/long.js', headers: { 'accept-encoding': 'br, gzip' } });
  expect([headers['content-encoding'], headers['content-length'], body.length]).toEqual([undefined, '5000', 5000]);
});

test.each(['/api/nothing', '/assets/index-old.js', '/favicon.ico?x=1', '/backup.sql', '/backup.7zip', '/distributor/distribution/3~'])(
  'the path %s is not a client route',
  async (url) => {
    expect((await get(url))[0]).toBe(404);
  },
);

test('the manifest of the build is not served, because it lists the files of all screens', async () => {
  for (const url of ['/.vite/manifest.json', '/%2evite/manifest.json', '/assets/../.vite/manifest.json'])
    expect([url, (await get(url))[0]]).toEqual([url, 404]);
});

test('a client route with an id that is not a number is still a client route (spec §2)', async () => {
  expect((await get('/distributor/distribution/1.5'))[0]).toBe(200);
});

test('a browser that opens an unknown path gets the HTML page with status 404 (spec §2)', async () => {
  expect(await get('/backup.sql', { accept: 'text/html,*/*;q=0.8' })).toEqual([404, 'private, no-cache', TEXT]);
});

test.each([
  ['feastday_theme=dark', '<html data-theme="dark" lang="en">'],
  ['sid=x; feastday_theme=light', '<html data-theme="light" lang="en">'],
  ['feastday_theme=system', '<html lang="en">'],
  ['feastday_theme="><script>', '<html lang="en">'],
])('the HTML page has the colors that the user chose, as the cookie %s states', async (chosen, tag) => {
  for (const [url, accept] of [
    ['/auth', '*/*'],
    ['/backup.sql', 'text/html'],
  ] as const) {
    expect((await get(url, { cookie: chosen, accept }))[2]).toBe(TEXT.replace('<html lang="en">', tag));
  }
});

test('only GET and HEAD requests to a client route get the HTML page', async () => {
  expect((await app.inject({ method: 'POST', url: '/customer' })).statusCode).toBe(404);
});

test('when the client is not built, only the API responds', async () => {
  const bare = Fastify();
  await serveClient(bare, join(folder, 'missing'));
  expect((await bare.inject({ method: 'GET', url: '/' })).statusCode).toBe(404);
  await bare.close();
});

test("in the HTML page, the preload tags are at the start of the head, and the script that requests the page's data is between the loading shell and the stylesheet", async () => {
  const own = await mkdtemp(join(tmpdir(), 'client-'));
  await writeFile(join(own, 'index.html'), '<head><title>F</title></head><body><div></div><link rel="stylesheet" href="/a.css"></body>');
  const hinted = Fastify();
  await hinted.register(cookie);
  await serveClient(hinted, own, async () => ({ first: '<first>', scripts: '<scripts>', reader: '<reader>' }));
  const { body } = await hinted.inject({ url: '/customer' });
  expect(body).toBe('<head><first><title>F</title><scripts></head><body><div></div><reader><link rel="stylesheet" href="/a.css"></body>');
  await hinted.close();
  await rm(own, { recursive: true });
});
