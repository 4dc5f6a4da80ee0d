import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../bench/environment/free-port.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feastday-demo-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the demo on a free port, signs its users in, and returns what the tests check: the output and the data of these users. */
async function seen() {
  const port = await freePort();
  // The demo must ignore this DATABASE_URL, because demo data must never be written into a real database.
  const place = {
    DATA_DIR: folder,
    PORT: String(port),
    PUBLIC_URL: 'http://demo.example:3000',
    DATABASE_URL: 'postgres://never@127.0.0.1:1/none',
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start-demo.ts')], { env: { ...process.env, ...place } });
  const ended = once(child, 'exit');
  let said = '';
  for await (const text of child.stdout) if ((said += String(text)).includes('Ctrl-C')) break;

  const call = async (path: string, init: RequestInit = {}) => await fetch(`http://127.0.0.1:${port}${path}`, init);
  const signIn = async (email: string): Promise<Response> =>
    await call('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'Holiday2027' }),
    });
  const emails = [...said.matchAll(/^ {2}(\w+) +(\S+@\S+)$/gm)].map(([, role, email = '']) => [role, email] as const);
  const roles = [];
  for (const [role, email] of emails) roles.push([role, ((await (await signIn(email)).json()) as { role: string }).role]);
  const cookie = (await signIn('office@bethel.test')).headers.get('set-cookie')?.split(';')[0] ?? '';
  const distributions = (await (await call('/api/distributions', { headers: { cookie } })).json()) as { name: string }[];
  child.kill('SIGTERM');
  return { said, roles, names: distributions.map(({ name }) => name), status: (await ended)[0] as number };
}

test('the demo prints its URL and a sign-in for each role, and creates its data only once (contract §1)', async () => {
  const first = await seen();
  for (const line of ['Feastday is ready: http://demo.example:3000', 'Sign in with the password Holiday2027 as'])
    expect(first.said).toContain(line);
  expect(first.roles).toEqual(['admin', 'distributor', 'agent', 'customer'].map((role) => [role, role]));
  expect([first.names.length, first.status]).toEqual([4, 0]);
  expect(await seen()).toEqual(first);
});
