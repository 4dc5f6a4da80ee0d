import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feastday-moving-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ADMIN = { ADMIN_EMAIL: 'ann@example.org', ADMIN_PASSWORD: 'Three-Sheep-42' };

function started(file: string, house: string, ...args: string[]) {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const env = { ...inherited, LOG_LEVEL: 'silent', PORT: '0', BACKUP_HOURS: '0', DATA_DIR: join(folder, house), INIT_CWD: folder };
  const isServer = file === 'start-server.ts';
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], { env: { ...env, ...(isServer ? ADMIN : {}) } });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (said.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said.err += text.toString()));
  const ended = once(child, 'exit').then(([status]) => ({ status: status as number | null, ...said }));
  return { child, said, ended };
}
const backup = (house: string, ...args: string[]) => started('start-backup.ts', house, ...args).ended;
const restore = (house: string, ...args: string[]) => started('start-restore.ts', house, ...args).ended;

async function serving(house: string) {
  const { child, said, ended } = started('start-server.ts', house);
  while (!said.out.includes('listens')) await pause(10);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    expect((await ended).status).toBe(0);
  };
  return { url: /http:\/\/127\.0\.0\.1:\d+/.exec(said.out)?.[0] ?? '', stop };
}

function askToSignIn(url: string): Promise<Response> {
  const body = JSON.stringify({ email: 'ann@example.org', password: 'Three-Sheep-42' });
  return fetch(`${url}/api/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
const signIn = async (url: string): Promise<number> => (await askToSignIn(url)).status;

async function toldOfBackups(url: string): Promise<unknown> {
  const cookie = (await askToSignIn(url)).headers.get('set-cookie')?.split(';')[0] ?? '';
  return await (await fetch(`${url}/api/backup`, { headers: { cookie } })).json();
}

test(
  'npm run backup while the server runs, and npm run restore into another database, preserve all people (contract §1)',
  { tags: ['long'] },
  async () => {
    const house = await serving('old');
    expect(await signIn(house.url)).toBe(200);
    expect(await backup('old')).toMatchObject({
      status: 0,
      err: '',
      out: expect.stringMatching(/: \d+ rows of \d+ tables in \d+ bytes\n$/),
    });
    // The application reports the manual backup to the admin, although automatic backups are turned off in this test.
    const told = { finishedAt: expect.any(String), bytes: expect.any(Number), kept: 1, everyHours: 0, error: null };
    expect(await toldOfBackups(house.url)).toMatchObject(told);
    const drill = await started('start-restore-drill.ts', 'old').ended;
    expect(drill).toMatchObject({
      status: 0,
      err: '',
      out: expect.stringMatching(/: restored into a database of its own, \d+ rows and 4 sums equal/),
    });
    expect(await toldOfBackups(house.url)).toMatchObject({ drillRows: expect.any(Number), drillError: null });
    const [name] = await readdir(join(folder, 'old/backups'));
    expect(name).toMatch(/^feastday-\d{4}-\d\d-\d\dT\d{6}Z\.sql\.gz$/);
    // The command resolves a relative path against the folder in which npm was called. If the path is a folder, the backup gets the default
    // file name in that folder.
    expect(await backup('old', 'elsewhere/mine.sql.gz')).toMatchObject({ status: 0 });
    expect(await backup('old', 'elsewhere')).toMatchObject({ status: 0 });
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([expect.stringMatching(/^feastday-.*Z\.sql\.gz$/), 'mine.sql.gz']);
    expect((await stat(join(folder, 'old/backups'))).mode & 0o777).toBe(0o700);

    const running = 'Feastday is running on this database, end it first: nothing was restored.\n';
    expect(await restore('old', 'elsewhere/mine.sql.gz')).toEqual({ status: 1, out: '', err: running });
    await house.stop();
    expect(await restore('old', 'elsewhere/mine.sql.gz')).toMatchObject({
      status: 1,
      err: 'The database is not empty: nothing was restored.\n',
    });

    expect(await restore('new', `old/backups/${name}`)).toMatchObject({
      status: 0,
      err: '',
      out: expect.stringContaining('signs in again'),
    });
    const moved = await serving('new');
    expect(await signIn(moved.url)).toBe(200);
    await moved.stop();
  },
);

test(
  'npm run backup and npm run restore report a missing database or file in one line, and create nothing',
  { tags: ['long'] },
  async () => {
    const none = `There is no database in ${folder}/none: set DATA_DIR or DATABASE_URL to the one to back up.\n`;
    expect(await backup('none')).toEqual({ status: 1, out: '', err: none });
    expect(await restore('none')).toEqual({
      status: 1,
      out: '',
      err: expect.stringMatching(/^Which backup\? Example: npm run restore -- .*\n$/),
    });
    expect(await readdir(folder)).not.toContain('none');
  },
);
