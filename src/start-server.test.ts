import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feastday-start-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const START = join(import.meta.dirname, 'start-server.ts');

function started(environment: NodeJS.ProcessEnv) {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [START], { env: { ...inherited, LOG_LEVEL: 'silent', DATA_DIR: folder, ...environment } });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (said.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said.err += text.toString()));
  const ended = once(child, 'exit').then(([status]) => status as number | null);
  return { child, said, ended };
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
};

test.each([
  [{ PORT: 'abc' }, /^PORT must be a whole number .* Example: PORT=3000\n$/],
  [{ PUBLIC_URL: 'orders' }, /^PUBLIC_URL .* Example: PUBLIC_URL=https:/],
  [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, /^DATABASE_URL names a database that does not answer\. Example: /],
  [{ HOST: 'a..b' }, /^HOST a\.\.b is no address of this machine\. Example: HOST=127\.0\.0\.1\n$/],
  [{ DATA_DIR: START }, /^DATA_DIR \S+ cannot be a folder\. Example: DATA_DIR=data\n$/],
])(
  'an invalid environment variable, as in %j, ends the start of the server with an error message of one line (contract §1)',
  { tags: ['long'] },
  async (environment, line) => {
    const { said, ended } = started({ PORT: '0', ...environment });
    expect(await ended).toBe(1);
    expect(said.err).toMatch(line);
    expect(said.err.trim().split('\n')).toHaveLength(1);
  },
);

test(
  'a DATABASE_URL at which no PostgreSQL answers ends the start of the server with an error message of one line (contract §1)',
  { tags: ['long'] },
  async () => {
    const other = createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))).listen(
      0,
      '127.0.0.1',
    );
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { said, ended } = started({ PORT: '0', DATABASE_URL: `postgres://ann:pass@127.0.0.1:${port}/feastday` });
    expect(await ended).toBe(1);
    expect(said.err).toMatch(/^DATABASE_URL names a database that does not answer\. Example: .*\n$/);
    other.close();
  },
);

test('a port that is in use ends the start of the server with one line, and leaves no process running', { tags: ['long'] }, async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { said, ended } = started({ PORT: String(port) });
  expect(await ended).toBe(1);
  expect(said.err).toBe(`PORT ${port} is taken by another program. Example: PORT=${port + 1}\n`);
  other.close();
  // The failed start must also have stopped its embedded database. Otherwise, the next start could not use the same data folder.
  const next = started({ PORT: '0' });
  await until(() => next.said.out.includes('listens'));
  next.child.kill('SIGTERM');
  expect(await next.ended).toBe(0);
});

test('SIGTERM during the start of the server ends the process with status 0 (contract §1)', { tags: ['long'] }, async () => {
  const { child, said, ended } = started({ PORT: '0', LOG_LEVEL: 'info' });
  // The server logs this line when the database runs. It has not yet migrated the database, and does not listen yet.
  await until(() => said.out.includes('PostgreSQL'));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('without an admin, the server logs how to create one; with ADMIN_EMAIL it creates one; requests during a shutdown get a response (contract §1)', async () => {
  const PLACE = { LOG_LEVEL: 'info', PORT: '0' };
  const MISSING = 'There is no admin yet: set ADMIN_EMAIL and ADMIN_PASSWORD and start again to create one.';
  const SOURCE =
    'SOURCE_URL is not set: if you have changed this copy, set it to its source, which you must offer to everybody who uses it (AGPL, section 13).';
  const plain = started({ ...PLACE, PUBLIC_URL: 'https://orders.example.org' });
  await until(() => plain.said.out.includes('listens'));
  expect(plain.said.out).toContain(MISSING);
  expect(plain.said.out).toContain(SOURCE);
  plain.child.kill('SIGTERM');
  expect(await plain.ended).toBe(0);

  const admin = { ADMIN_EMAIL: ' Ann@Example.org', ADMIN_PASSWORD: 'Three-Sheep-42' };
  const { child, said, ended } = started({ ...PLACE, ...admin });
  await until(() => said.out.includes('listens'));
  expect(said.out).not.toContain(MISSING);
  expect(said.out).not.toContain(SOURCE);
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said.out) ?? [];
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'ann@example.org', password: 'Three-Sheep-42' });
  const signedIn = await fetch(`${url}/api/login`, { method: 'POST', headers, body });
  expect(await signedIn.json()).toMatchObject({ email: 'ann@example.org', role: 'admin', distributorId: null });

  // When the server asks for the rest of the body with status 100, it has begun to handle this request.
  const underWay = request(`${url}/api/login`, {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length, expect: '100-continue' },
  });
  underWay.flushHeaders();
  await once(underWay, 'continue');
  child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 200));
  const answered = once(underWay, 'response');
  underWay.end(body);
  const [answer] = (await answered) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(200);
  expect(await ended).toBe(0);
});

/**
 * Sends one request after another until the server refuses new connections, and reuses open connections where possible. Returns an error
 * code for a request that the server accepted but did not answer. ECONNRESET on a new connection is not an error: the kernel had accepted
 * the connection, but the server never saw it.
 */
async function askOn(url: string, agent: Agent): Promise<string[]> {
  for (;;) {
    const [status, code] = await new Promise<[number, string]>((resolve) => {
      const asked = request(`${url}/api/health`, { agent }, (answer) =>
        answer.resume().on('end', () => resolve([answer.statusCode ?? 0, ''])),
      );
      asked.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
        resolve([0, code === 'ECONNRESET' && !asked.reusedSocket ? 'ECONNREFUSED' : code]);
      });
      asked.end();
    });
    if (status !== 200) return code === 'ECONNREFUSED' ? [] : [`${status} ${code}`];
  }
}

test(
  'each accepted request gets a response while twenty clients with keep-alive connections send requests during a shutdown (contract §1)',
  { tags: ['long'] },
  async () => {
    const { child, said, ended } = started({ PORT: '0' });
    await until(() => said.out.includes('listens'));
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said.out) ?? [];
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const asking = Array.from({ length: 20 }, () => askOn(url, agent));
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGTERM');
    expect((await Promise.all(asking)).flat()).toEqual([]);
    expect(await ended).toBe(0);
  },
);
