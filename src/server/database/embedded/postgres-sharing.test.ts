import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  ask,
  emptyFolder,
  endAll,
  leavingServer,
  madeFolder,
  owner,
  removeAll,
  start,
} from '../../../../test/embedded-postgres/servers.ts';
import { iterations } from '../../../../test/setup/iterations.ts';
import { sampleOf } from '../../../../test/setup/sampling.ts';
import { killServer, postmasterOf, postmastersOn } from '../../../../test/embedded-postgres/processes.ts';
import { makeSocketDir, readPostmaster } from './data-directory.ts';
import { findNative } from './native-binaries.ts';

/** In each round, the next process starts this many milliseconds after the previous process begins to stop. */
const MILLISECONDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

afterEach(endAll);
afterAll(removeAll);

describe('several processes on one data folder', () => {
  test(
    'start only one PostgreSQL server, even if three of them start at once on an empty folder (contract §1)',
    { tags: ['long'] },
    async () => {
      const folder = emptyFolder();
      const three = [owner(folder), owner(folder), owner(folder)];
      await Promise.all(three.map((one) => one.heard('ready')));
      expect(postmastersOn(folder)).toHaveLength(1);
      for (const one of three) one.send('count');
      expect(await Promise.all(three.map((one) => one.heard('owners')))).toEqual([3, 3, 3]);
      expect(readdirSync(dirname(folder)).toSorted()).toEqual(['data', 'data.password']);
      for (const one of three) one.send('stop');
      await Promise.all(three.map((one) => one.heard('stopped')));
      expect(postmastersOn(folder)).toEqual([]);
    },
  );

  test('keep the server running when the process that started it ends; the last process stops it', { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    const first = owner(folder);
    await first.heard('ready');
    const second = owner(folder, { env: { ...process.env, TMPDIR: dirname(folder) } });
    await second.heard('ready');
    const [postmaster] = postmastersOn(folder);
    first.send('stop');
    await first.heard('stopped');
    expect(postmastersOn(folder)).toEqual([postmaster]);
    second.send('count');
    expect(await second.heard('owners')).toBe(2);
    second.send('stop');
    await second.heard('stopped');
    expect(postmastersOn(folder)).toEqual([]);
  });

  test('stop the server although one of the processes was killed', { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    const killed = owner(folder);
    await killed.heard('ready');
    const postgres = await start(folder);
    await killed.kill();
    const presences = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = 'feastday presence'`;
    while ((await ask(postgres, presences))?.['open'] !== 1) await pause(5);
    await postgres.stop();
    expect(postmastersOn(folder)).toEqual([]);
  });

  test('stop the server when all of them end at the same time', { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    for (let round = 0; round < iterations(3, 8); round++) {
      const all = await Promise.all([start(folder), start(folder), start(folder)]);
      await Promise.all(all.map((one) => one.stop()));
      expect(postmastersOn(folder)).toEqual([]);
    }
  });

  test(
    'leave no server behind when the server that one of them launched starts only after the server of another process',
    { tags: ['long'] },
    async () => {
      const folder = await madeFolder();
      const native = join(dirname(folder), 'native');
      mkdirSync(native);
      for (const name of readdirSync(findNative())) symlinkSync(join(findNative(), name), join(native, name));
      rmSync(join(native, 'bin'));
      mkdirSync(join(native, 'bin'));
      const waitThenStart = `#!/bin/sh\nsleep 2\nexec ${join(findNative(), 'bin/postgres')} "$@"\n`;
      writeFileSync(join(native, 'bin/postgres'), waitThenStart, { mode: 0o755 });
      // The first start sets the password of the database. A later start need not set it, so it launches the server at once.
      await (await start(folder)).stop();
      const late = start(folder, { native });
      while (postmastersOn(folder).length === 0) await pause(5);
      const postgres = await start(folder);
      await Promise.all([postgres.stop(), (await late).stop()]);
      expect(postmastersOn(folder)).toEqual([]);
    },
  );

  test('give a running server to a process that starts while the last other process ends', { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    let current = await start(folder);
    for (const wait of sampleOf(MILLISECONDS, 4)) {
      const leaving = current.stop();
      await pause(wait);
      current = await start(folder);
      await leaving;
      expect(await ask(current, 'SELECT 1 AS one')).toEqual({ one: 1 });
    }
    await current.stop();
    expect(postmastersOn(folder)).toEqual([]);
  });

  test('start a new server when the old server stops before the first query of a new process', { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    const leaving = spawn(process.execPath, [leavingServer, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(leaving.stdout, 'data');
    const postgres = await start(folder);
    expect(leaving.exitCode).toBe(0);
    expect(await ask(postgres, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await postgres.stop();
  });

  test('create the socket folder again whenever a process that ends removes it', async () => {
    const folder = await madeFolder();
    const socketDir = await makeSocketDir(folder, { wrap: [] });
    let made = 0;
    let removed = 0;
    const goesOn = (): boolean => removed < 50 && made < 5000;
    // The variable is incremented in a separate statement after the await. The expression `x += await …` would read `x` before it waits,
    // and lose concurrent increments.
    const make = async (): Promise<void> => {
      while (goesOn()) {
        await makeSocketDir(folder, { wrap: [] });
        made += 1;
      }
    };
    const remove = async (): Promise<void> => {
      while (goesOn()) {
        const gone = await rmdir(socketDir).then(
          () => true,
          () => false,
        );
        if (gone) removed += 1;
      }
    };
    await Promise.all([make(), remove(), make(), remove()]);
    expect(removed).toBeGreaterThan(49);
    await rmdir(socketDir).catch(() => undefined);
  });
});

describe('after kill -9', () => {
  test(
    'if only the application was killed, its next start uses the PostgreSQL server that is still running',
    { tags: ['long'] },
    async () => {
      const folder = await madeFolder();
      const killed = owner(folder);
      await killed.heard('ready');
      const postmaster = postmasterOf(folder);
      await killed.kill();
      const lines: string[] = [];
      const next = await start(folder, { log: (line) => void lines.push(line) });
      expect(lines[0]).toMatch(/^PostgreSQL joined on /);
      expect(postmastersOn(folder)).toEqual([postmaster]);
      await next.stop();
      expect(postmastersOn(folder)).toEqual([]);
    },
  );

  test('if everything was killed during writes, no acknowledged row is lost, and the next start works', { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    for (let round = 0; round < 3; round++) {
      const writer = owner(folder);
      await writer.heard('ready');
      writer.send('write');
      while (writer.written.length < 100) await pause(5);
      killServer(folder);
      await writer.kill();
      const next = await start(folder, { fsync: true });
      const found = await ask(
        next,
        `SELECT array_agg(number) AS numbers, bool_and(double = number * 2) AS whole FROM rows WHERE owner = ${writer.process.pid}`,
      );
      expect(found?.['whole']).toBe(true);
      const numbers = new Set(found?.['numbers'] as number[]);
      expect(writer.written.filter((number) => !numbers.has(number))).toEqual([]);
      await next.stop();
    }
  });

  test('if only the PostgreSQL server was killed, the application starts it again at the same socket', { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    const lines: string[] = [];
    const postgres = await start(folder, { log: (line) => void lines.push(line.replace(/ on .*/, '')) });
    killServer(folder);
    while (lines.length < 3) await pause(10);
    expect(lines).toEqual(['PostgreSQL started', 'PostgreSQL', 'PostgreSQL started']);
    expect(await ask(postgres, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await postgres.stop();
    expect(postmastersOn(folder)).toEqual([]);
  });

  test('another program that has got the process id of the dead server is not mistaken for the server', { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    const one = owner(folder);
    await one.heard('ready');
    killServer(folder);
    await one.kill();
    const { socketDir } = (await readPostmaster(folder)) ?? { socketDir: '' };
    for (const file of [join(folder, 'postmaster.pid'), join(socketDir, '.s.PGSQL.5432.lock')]) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.ppid)));
    }
    const next = await start(folder);
    expect(postmastersOn(folder)).toHaveLength(1);
    await next.stop();
  });

  test("a copy of a running server's folder is a separate database", { tags: ['long'] }, async () => {
    const folder = await madeFolder();
    const original = await start(folder);
    await ask(original, `CREATE TABLE note AS SELECT 'original' AS text`);
    await ask(original, 'CHECKPOINT');
    const copy = emptyFolder();
    cpSync(folder, copy, { recursive: true });
    const copied = await start(copy);
    expect(copied.connection.host).not.toBe(original.connection.host);
    await ask(copied, `UPDATE note SET text = 'copy'`);
    expect(await ask(original, 'SELECT text FROM note')).toEqual({ text: 'original' });
    await Promise.all([original.stop(), copied.stop()]);
  });
});
