// All other tests run the source code directly. These tests run the build: the server starts, signs a user in, sends mails and stops.
import { expect, test } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const BUILT = join(import.meta.dirname, '../../dist/server');
const ADMIN = { email: 'ann@feastday.test', password: 'Three-Sheep-42' };

const DATA = mkdtempSync(join(tmpdir(), 'feastday-built-'));
/**
 * The test ignores the names of these packages in the build. Either the name is only part of a string, or the package is imported only if
 * it is installed.
 */
const NAMED_ONLY = new Set(['@fastify/send', 'pg-native']);

const running = new Set<ChildProcess>();
// The server gets SIGTERM instead of SIGKILL, so that it also stops its embedded database.
test.afterAll(async () => {
  await Promise.all([...running].map((child) => (child.kill('SIGTERM'), once(child, 'exit'))));
  rmSync(DATA, { recursive: true, force: true });
});

function start(script: string, ready: RegExp) {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const own = { PORT: '0', DATA_DIR: DATA, LOG_LEVEL: 'silent', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const child = spawn(process.execPath, [join(BUILT, script)], {
    cwd: tmpdir(),
    env: { ...inherited, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const ended = once(child, 'exit').then(([status]) => (running.delete(child), status as number | null));
  const said = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => ready.test(line) && said.resolve(line));
  const begun = Promise.race([said.promise, ended.then((status) => Promise.reject(new Error(`${script} ended with ${status}`)))]);
  return { begun, stop: () => (child.kill('SIGTERM'), ended) };
}

test("the built server signs users in, begins to add a passkey, serves pages and the API's document, and sends mails; server and worker end with status 0 (contract §1) @desk", async () => {
  const server = start('start-server.js', /listens on http/);
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await server.begun) ?? [];
  const worker = start('start-worker.js', /sends the mails/);
  await worker.begun;

  const page = await (await fetch(`${url}/auth`)).text();
  expect(page).toContain('<title>Feastday</title>');
  const [script = ''] = /\/assets\/index-[^"]+\.js/.exec(page) ?? [];
  expect((await fetch(url + script)).status).toBe(200);
  for (const path of ['/api/docs/static/swagger-ui.css', '/api/openapi.json', '/metrics'])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);

  const said = (path: string, body: object, cookie = '') =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body: JSON.stringify(body) });
  expect((await said('/api/login', { ...ADMIN, password: 'Four-Sheep-42' })).status).toBe(401);
  const signedIn = await said('/api/login', ADMIN);
  expect(signedIn.status).toBe(200);
  const [cookie] = signedIn.headers.get('set-cookie')?.split(';') ?? [];
  // The library for passkeys is loaded when it is used for the first time.
  expect((await said('/api/user/second-factor/passkeys/start', { password: ADMIN.password }, cookie)).status).toBe(200);
  expect((await said('/api/distributors', { email: 'office@bethel.test' }, cookie)).status).toBe(201);
  const box = join(DATA, 'mail');
  const mails = () => (existsSync(box) ? readdirSync(box).map((file) => readFileSync(join(box, file), 'utf8')) : []);
  await expect.poll(() => mails().filter((mail) => mail.includes('office@bethel.test')).length).toBe(1);

  expect(await worker.stop()).toBe(0);
  expect(await server.stop()).toBe(0);
});

test('every package that the built server imports is a production dependency @desk', () => {
  const scripts = readdirSync(BUILT)
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(BUILT, file), 'utf8'));
  const asked = /(?:^import .*? from ?|\bimport\(|\b__require\()"([^"./][^":]*)"/gm;
  const packageOf = (name: string) => /^@[^/]+\/[^/]+|^[^/]+/.exec(name)?.[0] ?? name;
  const names = new Set(
    scripts.flatMap((text) => [...text.matchAll(asked)].map(([, name = '']) => (isBuiltin(name) ? name : packageOf(name)))),
  );
  expect([...names]).toEqual(expect.arrayContaining(['@node-rs/argon2', '@simplewebauthn/server', 'nodemailer', 'sanitize-html', 'sharp']));
  const { dependencies } = JSON.parse(readFileSync(join(BUILT, '../../package.json'), 'utf8')) as { dependencies: object };
  expect([...names].filter((name) => !isBuiltin(name) && !NAMED_ONLY.has(name) && !Object.hasOwn(dependencies, name))).toEqual([]);
});
