import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ask, emptyFolder, endAll, madeFolder, openPlace, owner, removeAll, start } from '../../../../test/embedded-postgres/servers.ts';
import { killServer, postmastersOn } from '../../../../test/embedded-postgres/processes.ts';
import { readPostmaster } from './data-directory.ts';
import type { EmbeddedPostgres } from './postgres.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

afterEach(endAll);
afterAll(removeAll);

type Connection = Omit<EmbeddedPostgres['connection'], 'password'> & { password?: string };

/** Returns the error of an attempt to connect, or null when the attempt succeeds. */
async function refusalOf(connection: Connection, password?: string): Promise<string | null> {
  const { password: _, ...rest } = connection;
  const client = new pg.Client(password === undefined ? rest : { ...rest, password });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function expectSecured(postgres: EmbeddedPostgres): Promise<void> {
  expect(await refusalOf(postgres.connection)).toMatch(/client password must be a string/);
  expect(await refusalOf(postgres.connection, 'feastday')).toMatch(/password authentication failed/);
  expect(await refusalOf({ ...postgres.connection, user: 'postgres' }, 'postgres')).toMatch(/password authentication failed/);
  expect(await refusalOf(postgres.connection, postgres.connection.password)).toBeNull();
  expect(await ask(postgres, `SELECT array_agg(DISTINCT auth_method) AS methods FROM pg_hba_file_rules`)).toEqual({
    methods: ['scram-sha-256'],
  });
  expect(await ask(postgres, `SELECT rolpassword LIKE 'SCRAM-SHA-256$%' AS scram FROM pg_authid WHERE rolcanlogin`)).toEqual({
    scram: true,
  });
}

let older: string | undefined;

/**
 * Creates a database folder as earlier versions left it: with rows, without a secret, and open to every local process. It copies a prepared
 * folder, because starting and stopping a server takes most of a second.
 */
async function olderFolder(): Promise<string> {
  older ??= await makeOlderFolder();
  const folder = emptyFolder();
  cpSync(older, folder, { recursive: true });
  return folder;
}

async function makeOlderFolder(): Promise<string> {
  const folder = await madeFolder();
  const postgres = await start(folder);
  await ask(postgres, `CREATE TABLE note AS SELECT number FROM generate_series(1, 1000) AS number`);
  await ask(postgres, 'ALTER ROLE feastday PASSWORD NULL');
  await postgres.stop();
  writeFileSync(join(folder, 'pg_hba.conf'), 'local all all trust\nhost all all 127.0.0.1/32 trust\n');
  rmSync(`${folder}.password`, { force: true });
  return folder;
}

const NOTES = 'SELECT count(*)::int AS count FROM note';

describe('the password of the embedded database', () => {
  test('is required from every process, and its file is readable by its owner only', async () => {
    const folder = emptyFolder();
    const postgres = await start(folder);
    await expectSecured(postgres);
    const file = `${folder}.password`;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(postgres.connection.password);
    expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).not.toContain(postgres.connection.password);
    await postgres.stop();
  });

  test(
    'is set at the next start for a data folder of an earlier version without a password, and the rows stay',
    { tags: ['long'] },
    async () => {
      const folder = await olderFolder();
      const postgres = await start(folder);
      await expectSecured(postgres);
      expect(await ask(postgres, NOTES)).toEqual({ count: 1000 });
      await postgres.stop();
    },
  );

  test('is set for a data folder without a password after its server was killed and has recovered', { tags: ['long'] }, async () => {
    const folder = await olderFolder();
    const killed = owner(folder);
    await killed.heard('ready');
    killServer(folder);
    await killed.kill();
    writeFileSync(join(folder, 'pg_hba.conf'), 'local all all trust\n');
    const postgres = await start(folder);
    await expectSecured(postgres);
    expect(await ask(postgres, NOTES)).toEqual({ count: 1000 });
    await postgres.stop();
  });

  test(
    'is set once when four processes start together on a data folder without a password, and they share one server',
    { tags: ['long'] },
    async () => {
      const folder = await olderFolder();
      const all = await Promise.all([start(folder), start(folder), start(folder), start(folder)]);
      expect(postmastersOn(folder)).toHaveLength(1);
      expect(new Set(all.map((one) => one.connection.password)).size).toBe(1);
      for (const one of all) expect(await ask(one, NOTES)).toEqual({ count: 1000 });
      await Promise.all(all.map((one) => one.stop()));
    },
  );

  test('is set again for a data folder that was copied without its password file, and the rows stay', { tags: ['long'] }, async () => {
    const folder = await olderFolder();
    const original = await start(folder);
    await original.stop();
    const copy = emptyFolder();
    cpSync(folder, copy, { recursive: true });
    const copied = await start(copy);
    expect(copied.connection.password).not.toBe(original.connection.password);
    await expectSecured(copied);
    expect(await ask(copied, NOTES)).toEqual({ count: 1000 });
    await copied.stop();
  });

  test('is in a file whose mode becomes 600 again when other users have access to it', { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    await (await start(folder)).stop();
    chmodSync(`${folder}.password`, 0o644);
    const postgres = await start(folder);
    expect(statSync(`${folder}.password`).mode & 0o777).toBe(0o600);
    await postgres.stop();
  });

  test(
    'is refused with one message when its file does not match the running server, and is set at the next start after that server has stopped',
    { tags: ['long'] },
    async () => {
      const folder = await olderFolder();
      const postgres = await start(folder);
      rmSync(`${folder}.password`);
      await expect(start(folder)).rejects.toThrow(
        `data.password is not the password of the PostgreSQL that runs on ${folder}: end all processes of Feastday, and start again`,
      );
      await postgres.stop();
      const later = await start(folder);
      await expectSecured(later);
      expect(await ask(later, NOTES)).toEqual({ count: 1000 });
      await later.stop();
    },
  );

  test('is refused with one message when its file has other content', async () => {
    const folder = await madeFolder();
    writeFileSync(`${folder}.password`, '');
    await expect(start(folder)).rejects.toThrow('data.password does not hold the password of the embedded PostgreSQL: remove the file');
  });

  test("is set in PostgreSQL's single-user mode, which readPostmaster recognizes by the negative process id in postmaster.pid", async () => {
    const folder = await madeFolder();
    writeFileSync(join(folder, 'postmaster.pid'), `-4711\n${folder}\n1767225600\n5432\n\n\n`);
    expect(await readPostmaster(folder)).toEqual({ pid: 4711, home: folder, socketDir: '', status: 'single' });
  });
});

/** Simulates a system where root cannot create a namespace because the program `unshare` is missing. */
function withoutUnshare(place: string): { PATH: string } {
  const bin = join(place, 'bin');
  mkdirSync(bin);
  symlinkSync(execFileSync('which', ['chown'], { encoding: 'utf8' }).trim(), join(bin, 'chown'));
  return { PATH: bin };
}

const asNobody = (script: string, ...args: string[]) => spawnSync('sh', ['-c', script, 'sh', ...args], { uid: NOBODY, gid: NOBODY });

describe('when root cannot create a user namespace', () => {
  test(
    'the database server runs as its own account, and a process of the account "nobody" cannot access its socket, password and files',
    { tags: ['long'], skip: !isRoot },
    async () => {
      const place = openPlace();
      const folder = emptyFolder(place);
      execFileSync('chmod', ['755', dirname(folder)]);
      const one = owner(folder, { env: withoutUnshare(place) });
      await one.heard('ready');
      const host = await one.heard<string>('host');
      const account = statSync(folder).uid;
      expect([0, NOBODY]).not.toContain(account);
      expect(statSync(`${folder}.password`)).toMatchObject({ uid: 0, mode: 0o100600 });
      for (const path of [folder, host, `${folder}.password`]) expect(asNobody('test -r "$1"', path).status, path).toBe(1);
      expect(asNobody('kill -0 "$1"', String(postmastersOn(folder)[0])).status).not.toBe(0);
      one.send('stop');
      await one.heard('stopped');
      expect(postmastersOn(folder)).toEqual([]);
    },
  );

  test.runIf(isRoot)(
    'a data folder that an earlier version ran as the account "nobody" is given to the database account, with its rows',
    { tags: ['long'] },
    async () => {
      const place = openPlace();
      const folder = emptyFolder(place);
      execFileSync('chmod', ['755', dirname(folder)]);
      cpSync(await olderFolder(), folder, { recursive: true });
      execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
      const postgres = await start(folder);
      expect([0, NOBODY]).not.toContain(statSync(folder).uid);
      expect(statSync(join(folder, 'PG_VERSION')).uid).toBe(statSync(folder).uid);
      await expectSecured(postgres);
      expect(await ask(postgres, NOTES)).toEqual({ count: 1000 });
      await postgres.stop();
    },
  );
});
