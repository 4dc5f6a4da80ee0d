import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectTo, emptyDatabase, emptyFolder, endAll, inPieces, textOf } from '../../../test/database/backups.ts';
import { tableChecksums, tableNames } from '../../../test/database/table-contents.ts';
import { decompressed } from './read-backup.ts';
import { restore } from './restore.ts';
import { writeBackup } from './write-backup.ts';
import { migrate } from '../database/migrate.ts';

const NOW = new Date('2027-04-01T12:00:00Z');
const MIGRATIONS = fileURLToPath(new URL('../../../db/migrations', import.meta.url));
const PEOPLE = `INSERT INTO users (email, role) SELECT 'shop' || n || '@test.example', 'distributor' FROM generate_series(1, 200) n;
  INSERT INTO users (email, role, "distributorId") SELECT 'guest' || id || '@test.example', 'customer', id FROM users;
  INSERT INTO contacts ("userId", "firstName") SELECT id, email FROM users WHERE role = 'customer'`;

async function migrated(folder?: string): Promise<pg.Client> {
  const client = await emptyDatabase();
  const pool = new pg.Pool({ ...inject('postgres').connection, database: client.database });
  await migrate(pool, folder);
  await pool.end();
  return client;
}

async function backupOf(client: pg.Client, folder?: string): Promise<string> {
  const path = join(await emptyFolder(), 'backup.sql.gz');
  await writeBackup({ client, now: NOW, ...(folder === undefined ? {} : { folder }) }, path);
  return await textOf(path);
}

let text: string;
let empty: pg.Client;
beforeAll(async () => {
  const client = await migrated();
  await client.query(PEOPLE);
  text = await backupOf(client);
  empty = await emptyDatabase();
});
afterAll(endAll);

/** Expects that the restore fails with this message and leaves the database unchanged. */
async function expectRefused(client: pg.Client, source: AsyncIterable<Buffer>, sentence: RegExp | string): Promise<void> {
  const before = await tableChecksums(client);
  await expect(restore({ client }, source)).rejects.toThrow(sentence);
  expect(await tableChecksums(await connectTo(client.database ?? ''))).toEqual(before);
}

describe('a restore is refused, and nothing is changed,', () => {
  test('when the database has rows', async () => {
    const client = await migrated();
    await client.query(`INSERT INTO users (email, role) VALUES ('only@test.example', 'admin')`);
    await expectRefused(client, inPieces(text, 65_536), 'The database is not empty: nothing was restored.');
  });

  test('when the database has other tables of the same names', async () => {
    const client = await emptyDatabase();
    await client.query('CREATE TABLE users (id int)');
    await expectRefused(client, inPieces(text, 65_536), 'The database is not empty: nothing was restored.');
    await client.query('ROLLBACK; CREATE TABLE migrations (name text)');
    await expectRefused(client, inPieces(text, 65_536), 'The database is not empty: nothing was restored.');
  });

  test('while the application uses the database', async () => {
    const client = await migrated();
    const server = new pg.Client({ ...inject('postgres').connection, database: client.database, application_name: 'feastday' });
    await server.connect();
    const sentence = 'Feastday is running on this database, end it first: nothing was restored.';
    await expectRefused(client, inPieces(text, 65_536), sentence);
    await server.end();
  });

  test('when the backup was made by a newer version', async () => {
    const newer = text.replace(/^(-- Migrations: .*)$/m, '$1, 9999_from_tomorrow.sql');
    const sentence = 'The backup is of a newer version of Feastday (9999_from_tomorrow.sql), update this one first: nothing was restored.';
    await expectRefused(empty, inPieces(newer, 65_536), sentence);
  });

  test.each([
    [
      'the first line',
      (whole: string) => whole.replace('format 1', 'format 2'),
      /^The file is no backup of Feastday that this version can read: /,
    ],
    ['a letter of a row', (whole: string) => whole.replace('guest7@', 'guesd7@'), 'The backup is damaged: nothing was restored.'],
    [
      'a row',
      (whole: string) => whole.replace(/^\d+\tshop9@.*\n/m, ''),
      /^The restore failed \(.*foreign key.*\): nothing was restored\.$/,
    ],
    [
      'the columns of a row',
      (whole: string) => whole.replace('\tshop9@', '\t7\tshop9@'),
      /^The restore failed \(.*\): nothing was restored\.$/,
    ],
    [
      'a whole table',
      (whole: string) => whole.replace(/^COPY "contacts"[^]*?^\\\.\n/m, ''),
      'The backup is damaged: nothing was restored.',
    ],
    [
      'the name of a table',
      (whole: string) => whole.replace('COPY "contacts"', 'COPY "pg_authid"'),
      /^The backup holds another table "pg_authid" /,
    ],
    ['a checksum', (whole: string) => whole.replace(/^-- "fees" 0 \w/m, '-- "fees" 0 0'), 'The backup is damaged: nothing was restored.'],
    [
      'the last line',
      (whole: string) => whole.replace('-- End of the backup\n', ''),
      'The backup ends in the middle: nothing was restored.',
    ],
    ['all after the schema', (whole: string) => whole.slice(0, whole.indexOf('-- Rows')), 'The backup is damaged: nothing was restored.'],
    ['all after a row', (whole: string) => whole.slice(0, whole.indexOf('shop9@')), 'The backup ends in the middle: nothing was restored.'],
  ])('when %s of the file was altered', async (_, change, sentence) => {
    const changed = change(text);
    expect(changed).not.toBe(text);
    await expectRefused(empty, inPieces(changed, 65_536), sentence);
  });

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100), 'The backup ends in the middle: nothing was restored.'],
    ['something else', () => Buffer.from('id,name\n1,Brisket\n'), /is damaged, or no backup of Feastday: nothing was restored\.$/],
    ['empty', () => Buffer.alloc(0), /^The (backup|file) .*: nothing was restored\.$/],
    ['changed', (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 5000 ? byte ^ 1 : byte))), /: nothing was restored\.$/],
  ])('when the compressed file is %s', async (_, change, sentence) => {
    const path = join(await emptyFolder(), 'backup.sql.gz');
    await writeFile(path, change(gzipSync(text)));
    await expectRefused(empty, decompressed(path), sentence);
  });

  test('when the file does not exist', async () => {
    await expectRefused(empty, decompressed('/nowhere.sql.gz'), /^\/nowhere\.sql\.gz cannot be read \(.*\): nothing was restored\.$/);
  });
});

test('a restore that loses its connection to the database leaves nothing behind, and the next restore succeeds', async () => {
  const client = await emptyDatabase();
  const other = await connectTo(client.database ?? '');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  async function* losing(): AsyncGenerator<Buffer> {
    let given = 0;
    for await (const piece of inPieces(text, 4096)) {
      if ((given += piece.length) > text.length / 2) await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      yield piece;
    }
  }
  await expect(restore({ client }, losing())).rejects.toThrow(/^The restore failed \(.*\): nothing was restored\.$/);
  while ((await other.query(`SELECT FROM pg_stat_activity WHERE pid = $1`, [rows[0]?.pid])).rowCount !== 0) await pause(5);
  expect(await tableNames(other)).toEqual([]);
  expect((await restore({ client: other }, inPieces(text, 65_536))).rows).toBeGreaterThan(600);
});

test('a backup file that is read in chunks of any size gives the same result', { tags: ['long'] }, async () => {
  const [whole, small] = [await emptyDatabase(), await emptyDatabase()];
  await restore({ client: whole }, inPieces(text, text.length * 2));
  await restore({ client: small }, inPieces(text, 61));
  expect(await tableChecksums(small)).toEqual(await tableChecksums(whole));
});

/**
 * Waits until the restore has locked the tables. The position in the file would not show this, because the restore reads the file ahead.
 */
async function untilItHoldsTables(pool: pg.Pool): Promise<void> {
  const held = `SELECT FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND mode = 'AccessExclusiveLock' AND granted`;
  while ((await pool.query(held)).rowCount === 0) await pause(5);
}

test.each([
  ['was only started once', migrated, '-- Migrations', () => Promise.resolve()],
  ['is new', emptyDatabase, 'guest190@', untilItHoldsTables],
])(
  'a backup can be restored into a database that %s; a server that starts during the restore waits until its end',
  { tags: ['long'] },
  async (...given) => {
    const [, make, when, isDue] = given;
    const client = await make();
    const pool = new pg.Pool({ ...inject('postgres').connection, database: client.database });
    const servers: Promise<string[]>[] = [];
    async function* whileOneStarts(): AsyncGenerator<Buffer> {
      let given = 0;
      for await (const piece of inPieces(text, 4096)) {
        if (servers.length === 0 && (given += piece.length) > text.indexOf(when)) {
          await isDue(pool);
          servers.push(migrate(pool));
        }
        yield piece;
      }
    }
    await restore({ client }, whileOneStarts());
    expect(await Promise.all(servers)).toEqual([[]]);
    await pool.end();
    expect((await client.query(`SELECT FROM users`)).rowCount).toBe(400);
  },
);

test('restoring a backup of an older version migrates the database', async () => {
  const folder = await emptyFolder();
  await mkdir(join(folder, 'old'));
  for (const name of ['0001_the_tables_of_the_specification.sql', '0002_people_and_mail.sql']) {
    await cp(join(MIGRATIONS, name), join(folder, 'old', name));
  }
  await cp(MIGRATIONS, join(folder, 'new'), { recursive: true });
  await writeFile(join(folder, 'new', '9000_more.sql'), `ALTER TABLE users ADD COLUMN greeting text NOT NULL DEFAULT 'Shalom';`);
  const old = await migrated(join(folder, 'old'));
  await old.query(PEOPLE);
  const client = await emptyDatabase();
  const backup = await backupOf(old, join(folder, 'old'));
  const { applied } = await restore({ client, folder: join(folder, 'new') }, inPieces(backup, 65_536));
  expect(applied.at(0)).toBe('0003_the_distribution_day.sql');
  expect(applied.at(-1)).toBe('9000_more.sql');
  expect((await client.query(`SELECT FROM users WHERE greeting = 'Shalom'`)).rowCount).toBe(400);
  expect((await client.query('SELECT FROM payments WHERE "reversesId" IS NOT NULL')).rowCount).toBe(0);
  const pool = new pg.Pool({ ...inject('postgres').connection, database: client.database });
  expect(await migrate(pool, join(folder, 'new'))).toEqual([]);
  await pool.end();
});

test('a mail that was queued at the time of the backup is not sent after a restore, because it may have been sent since (contract §8)', async () => {
  const source = await migrated();
  await source.query(`INSERT INTO emails ("from", "to", subject, html, status, success, "leasedUntil", response)
    SELECT '', status || '@test.example', '', '', status, status = 'sent', now(), 'As it was'
    FROM unnest(ARRAY['queued', 'sending', 'sent', 'failed', 'unknown', 'suppressed']) status`);
  const client = await emptyDatabase();
  await restore({ client }, inPieces(await backupOf(source), 65_536));
  const { rows } = await client.query<object>('SELECT "to", status, response LIKE \'As %\' AS same FROM emails ORDER BY id');
  expect(rows).toEqual([
    { to: 'queued@test.example', status: 'unknown', same: false },
    { to: 'sending@test.example', status: 'unknown', same: false },
    { to: 'sent@test.example', status: 'sent', same: true },
    { to: 'failed@test.example', status: 'failed', same: true },
    { to: 'unknown@test.example', status: 'unknown', same: true },
    { to: 'suppressed@test.example', status: 'suppressed', same: true },
  ]);
});
