import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  ask,
  emptyFolder,
  endAll,
  madeFolder,
  openPlace,
  owner,
  ownerScript,
  removeAll,
  start,
} from '../../../../test/embedded-postgres/servers.ts';
import { postmastersOn } from '../../../../test/embedded-postgres/processes.ts';
import { findNative } from './native-binaries.ts';

const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const canBeNobody = isRoot && spawnSync(process.execPath, ['-e', `fs.accessSync(${JSON.stringify(ownerScript)})`], NOBODY).status === 0;

afterEach(endAll);
afterAll(removeAll);

describe('one process on a data folder', () => {
  test('creates a database in an empty folder, stops it, and finds its rows at the next start (contract §1)', async () => {
    const folder = emptyFolder();
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const first = await start(folder, { fsync: true, log });
    await ask(first, `CREATE TABLE note AS SELECT 'kept' AS text`);
    await first.stop();
    expect(postmastersOn(folder)).toEqual([]);
    expect(existsSync(first.connection.host)).toBe(false);

    const later = await start(folder, { fsync: true, log });
    expect(await ask(later, 'SELECT text FROM note')).toEqual({ text: 'kept' });
    await later.stop();
    await later.stop();
    expect(lines.map((line) => line.replace(/ on .*/, ''))).toEqual(['PostgreSQL started', 'PostgreSQL started']);
    expect(readdirSync(dirname(folder)).toSorted()).toEqual(['data', 'data.password']);
  });

  test('syncs every commit to the disk, listens on a Unix socket only, and supports Unicode', { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    const postgres = await start(folder, { fsync: true });
    const names = [
      'fsync',
      'synchronous_commit',
      'listen_addresses',
      'max_connections',
      'random_page_cost',
      'io_method',
      'server_encoding',
    ];
    expect(await ask(postgres, `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`)).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      listen_addresses: '',
      max_connections: '100',
      random_page_cost: '1.1',
      io_method: 'sync',
      server_encoding: 'UTF8',
    });
    expect(await ask(postgres, `SELECT lower('ÉÀŽ') AS lower, 'É' ILIKE 'é' AS alike`)).toEqual({ lower: 'éàž', alike: true });
    const socketDir = lstatSync(postgres.connection.host);
    expect(socketDir.mode & 0o777).toBe(0o700);
    expect(socketDir.uid).toBe(process.getuid?.());
    await postgres.stop();
  });

  test("lets another client copy the application's database while the server runs", async () => {
    const postgres = await start(await madeFolder());
    const client = new pg.Client({ ...postgres.connection, database: 'template1' });
    await client.connect();
    await client.query('CREATE DATABASE copy TEMPLATE feastday');
    await client.end();
    expect(await ask({ ...postgres, connection: { ...postgres.connection, database: 'copy' } }, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await postgres.stop();
  });

  test('refuses a data folder that has files but no database, says so, and changes nothing in the folder', { tags: ['long'] }, async () => {
    const folder = emptyFolder();
    mkdirSync(folder);
    writeFileSync(join(folder, 'letter.txt'), 'Dear all');
    await expect(start(folder)).rejects.toThrow('data holds files but no database: give DATA_DIR a folder of its own');
    expect(readdirSync(folder)).toEqual(['letter.txt']);
    expect(readdirSync(dirname(folder))).toEqual(['data']);
  });

  test('replaces the incomplete database that remains when its creation was killed', { tags: ['long'] }, async () => {
    const folder = emptyFolder();
    const dead = spawnSync('true').pid;
    mkdirSync(`${folder}.init-${dead}-abcdef`);
    mkdirSync(`${folder}.init-${process.pid}-abcdef`);
    await (await start(folder)).stop();
    expect(readdirSync(dirname(folder)).toSorted()).toEqual(['data', `data.init-${process.pid}-abcdef`, 'data.password']);
  });

  test("creates the links to PostgreSQL's libraries when these links are missing", { tags: ['long'] }, async () => {
    const native = join(dirname(emptyFolder()), 'native');
    cpSync(findNative(), native, { recursive: true, verbatimSymlinks: true });
    const links = readdirSync(join(native, 'lib')).filter((name) => lstatSync(join(native, 'lib', name)).isSymbolicLink());
    expect(links.length).toBeGreaterThan(10);
    for (const name of links) unlinkSync(join(native, 'lib', name));
    const postgres = await start(emptyFolder(), { native });
    expect(await ask(postgres, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await postgres.stop();
  });

  test('names DATABASE_URL in its error on a machine without the PostgreSQL package', async () => {
    const { arch } = process;
    Object.defineProperty(process, 'arch', { value: 'mips' });
    try {
      await expect(start(emptyFolder())).rejects.toThrow(
        `The embedded PostgreSQL cannot run here (no package for ${process.platform}-mips): set DATABASE_URL to a PostgreSQL 15 or newer. ` +
          'Example: DATABASE_URL=postgres://user:password@localhost:5432/feastday',
      );
    } finally {
      Object.defineProperty(process, 'arch', { value: arch });
    }
  });

  test('also names WSL in its error on Windows', async () => {
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      await expect(start(emptyFolder())).rejects.toThrow(
        /^The embedded PostgreSQL cannot run here \(not made for win32-\w+\): run Feastday in WSL, or set DATABASE_URL to a PostgreSQL 15 or newer\. /,
      );
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });

  test('refuses a socket folder that others can access', async () => {
    const folder = await madeFolder();
    const postgres = await start(folder);
    execFileSync('chmod', ['755', postgres.connection.host]);
    await expect(start(folder)).rejects.toThrow('is open to others');
    execFileSync('chmod', ['700', postgres.connection.host]);
    await postgres.stop();
  });
});

describe('operating system accounts', () => {
  test.runIf(isRoot)(
    "root can run the database in a home folder that only root can read, even when the database's files still belong to root",
    { tags: ['long'] },
    async () => {
      const folder = emptyFolder();
      expect(statSync(dirname(folder)).mode & 0o777).toBe(0o700);
      const postgres = await start(folder);
      expect(statSync(folder).uid).toBe(0);
      await postgres.stop();
    },
  );

  test.runIf(canBeNobody)(
    'an ordinary user can run the database in a private home folder; root can then use and start it without changing the owner',
    { tags: ['long'] },
    async () => {
      const folder = emptyFolder(openPlace());
      execFileSync('chown', ['65534:65534', dirname(folder)]);
      const ordinary = owner(folder, NOBODY);
      await ordinary.heard('ready');
      const root = await start(folder);
      ordinary.send('stop');
      await ordinary.heard('stopped');
      expect(await ask(root, 'SELECT count(*)::int AS rows FROM rows')).toEqual({ rows: 1 });
      await root.stop();
      await (await start(folder)).stop();
      expect(statSync(join(folder, 'PG_VERSION')).uid).toBe(65_534);
    },
  );
});
