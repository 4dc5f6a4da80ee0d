import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type pg from 'pg';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { asHttpError } from '../http/error-reply.ts';
import { openDb, run, transaction, type Db } from './db.ts';
import { withQueryBuilder } from '../../../test/database/test-db.ts';

const testApp = setupTestApp();
afterEach(() => vi.useRealTimers());
const failing = (code: string) => Object.assign(new Error(code), { code });
const countUsers = async (): Promise<number> =>
  (await run<{ count: number }>(testApp.db, 'SELECT count(*) FROM users', []))[0]?.count ?? -1;

test('the database layer rolls back a failed transaction completely (contract §2)', async () => {
  const before = await countUsers();
  await expect(
    transaction(testApp.db, async (db) => {
      await makeDistributor(withQueryBuilder(db));
      throw failing('23514');
    }),
  ).rejects.toThrow('23514');
  expect(await countUsers()).toBe(before);
});

test.each(['40001', '40P01'])('the database layer retries a transaction from the start on SQLSTATE %s', async (code) => {
  const before = await countUsers();
  let attempts = 0;
  await transaction(testApp.db, async (db) => {
    await makeDistributor(withQueryBuilder(db));
    if ((attempts += 1) < 3) throw failing(code);
  });
  expect([attempts, await countUsers()]).toEqual([3, before + 1]);
});

test('the database layer stops retrying a transaction after several attempts, and throws the last error', async () => {
  let attempts = 0;
  await expect(
    transaction(testApp.db, async () => {
      attempts += 1;
      throw failing('40001');
    }),
  ).rejects.toThrow('40001');
  expect(attempts).toBe(6);
});

test('the database layer does not retry a transaction after an error that a retry cannot fix', async () => {
  let attempts = 0;
  await expect(
    transaction(testApp.db, async () => {
      attempts += 1;
      throw failing('23505');
    }),
  ).rejects.toThrow('23505');
  expect(attempts).toBe(1);
});

test('the database layer completes both of two transactions that deadlock, by retrying one', async () => {
  const [a, b] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
  const lock = (first: number, second: number) =>
    transaction(testApp.db, async (db) => {
      for (const id of [first, second]) {
        await run(db, 'UPDATE users SET "loginAttempts" = "loginAttempts" + 1 WHERE id = $1', [id]);
        await run(db, 'SELECT pg_sleep(0.05)', []);
      }
    });
  await Promise.all([lock(a.id, b.id), lock(b.id, a.id)]);
  const rows = await testApp.db.selectFrom('users').select('loginAttempts').where('id', 'in', [a.id, b.id]).execute();
  expect(rows).toEqual([{ loginAttempts: 2 }, { loginAttempts: 2 }]);
});

test('the database layer runs a nested transaction as part of the outer one', async () => {
  const before = await countUsers();
  await expect(
    transaction(testApp.db, async (db) => {
      await transaction(db, (db) => makeDistributor(withQueryBuilder(db)));
      throw failing('outer');
    }),
  ).rejects.toThrow('outer');
  expect(await countUsers()).toBe(before);
});

test('the database layer returns dates as stored, times in UTC, counts and weights as numbers, and throws for a number that JavaScript cannot represent (contract §2)', async () => {
  const [row] = await run(
    testApp.db,
    `SELECT '2027-03-14'::date AS date, '2027-03-14 02:30:00-05'::timestamptz AS time, 9007199254740991::bigint AS count, 1.001::numeric AS weight`,
    [],
  );
  expect(row).toEqual({ date: '2027-03-14', time: '2027-03-14T07:30:00.000Z', count: 9_007_199_254_740_991, weight: 1.001 });
  await expect(run(testApp.db, 'SELECT 9007199254740993::bigint', [])).rejects.toThrow('9007199254740993 is beyond the safe integers');
});

test('when a connection is lost, only its own transaction fails, and the next transaction succeeds', async () => {
  const lost = transaction(testApp.db, async (db) => {
    const [own] = await run<{ pid: number }>(db, 'SELECT pg_backend_pid() AS pid', []);
    await run(testApp.db, 'SELECT pg_terminate_backend($1)', [own?.pid]);
    while ((await run(testApp.db, 'SELECT 1 FROM pg_stat_activity WHERE pid = $1', [own?.pid])).length > 0);
    await run(db, 'SELECT 1', []);
  });
  const error = await lost.catch((thrown: unknown) => thrown);
  expect(asHttpError(error).status).toBe(503);
  for (let time = 0; time < 12; time++) expect(await run(testApp.db, 'SELECT 1 AS one', [])).toEqual([{ one: 1 }]);
});

test('the database layer can still read a table, also in transactions, after the table got a new column while statements on the table were prepared', async () => {
  await run(testApp.db, 'CREATE TABLE growing (id int)', []);
  const read = () => run(testApp.db, 'SELECT * FROM growing', []);
  const readInTransaction = () => transaction(testApp.db, (db) => run(db, 'SELECT * FROM growing', []));
  const readByAll = () => Promise.all([...Array(20).keys()].map((time) => (time % 2 === 0 ? read() : readInTransaction())));
  await readByAll();
  await run(testApp.db, 'ALTER TABLE growing ADD COLUMN name text', []);
  expect(await readInTransaction()).toEqual([]);
  await run(testApp.db, 'ALTER TABLE growing ADD COLUMN place text', []);
  expect((await readByAll()).flat()).toEqual([]);
  await run(testApp.db, 'DROP TABLE growing', []);
});

const databaseOf = async (db: Db): Promise<string> =>
  (await run<{ name: string }>(db, 'SELECT current_database() AS name', []))[0]?.name ?? '';

test('the database layer keeps the prepared statements of a connection even when the planning of one statement always fails', async () => {
  // The test stops the clock, because a statement is excluded from preparing only if it fails twice within a second.
  vi.useFakeTimers({ toFake: ['performance'] });
  // The module is loaded again, because it limits the number of statement names, and other tests in this process have already used some of
  // these names.
  vi.resetModules();
  const { openDb, run } = await import('./db.ts');
  // This test uses its own connection, because prepared statements belong to a connection.
  const { db, close } = openDb({ ...inject('postgres').connection, database: await databaseOf(testApp.db), max: 1 }, () => undefined);
  const NEVER = `DO $$ BEGIN RAISE EXCEPTION 'never' USING ERRCODE = '0A000'; END $$`;
  const OTHER = `SELECT 'prepared once' AS other`;
  for (let time = 0; time < 20; time++) {
    await expect(run(db, NEVER, [])).rejects.toThrow('never');
    await run(db, OTHER, []);
  }
  const [prepared] = await run<{ times: number }>(db, 'SELECT count(*) AS times FROM pg_prepared_statements WHERE statement = $1', [OTHER]);
  expect(prepared?.times).toBe(1);
  await close();
});

test('the database layer rejects a write on a read-only standby with 503 and connects to the next server', async () => {
  const connection = { ...inject('postgres').connection, database: await databaseOf(testApp.db), max: 1 };
  const { db, close } = openDb(connection, () => undefined);
  const WRITE = 'CREATE TABLE written (id int)';
  const becomeStandby = () => run(db, 'SET default_transaction_read_only = on', []);
  for (const write of [() => run(db, WRITE, []), () => transaction(db, (db) => run(db, WRITE, []))]) {
    await becomeStandby();
    const error = await write().catch((thrown: unknown) => thrown);
    expect(asHttpError(error).status).toBe(503);
    expect(await write()).toEqual([]);
    await run(db, 'DROP TABLE written', []);
  }
  await close();
});

const MAX_SILENCE = 60_000;

/** Returns the error of a statement for which the database server has been silent for `MAX_SILENCE`. */
async function errorAfterSilence(ask: () => Promise<unknown>): Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const error = ask().catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(MAX_SILENCE);
  vi.useRealTimers();
  return await error;
}

/** Connects to the database through a TCP relay. `silence` makes the relay's open connections stop responding. */
async function relayed(settings: pg.PoolConfig) {
  const { host = 'localhost', port = 5432 } = inject('postgres').connection;
  const [clients, silent] = [new Set<Socket>(), new WeakSet<Socket>()];
  const relay = createServer((client) => {
    clients.add(client);
    const server: Socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    client.on('data', (said) => silent.has(client) || server.write(said)).on('close', () => server.destroy());
    server.on('data', (said) => silent.has(client) || client.write(said)).on('close', () => client.destroy());
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const there = { host: '127.0.0.1', port: (relay.address() as AddressInfo).port, query_timeout: MAX_SILENCE, ...settings };
  const { db, close } = openDb({ ...inject('postgres').connection, ...there, database: await databaseOf(testApp.db) }, () => undefined);
  const silence = (): void => {
    for (const client of clients) silent.add(client);
  };
  const end = async (): Promise<void> => {
    await close();
    relay.close();
  };
  return { db, silence, end };
}

test('the database layer disconnects from a server that stops responding, also in transactions, and connects to the next one', async () => {
  const { db, silence, end } = await relayed({ max: 1 });
  for (const ask of [() => run(db, 'SELECT 1 AS one', []), () => transaction(db, (db) => run(db, 'SELECT 1 AS one', []))]) {
    expect(await ask()).toEqual([{ one: 1 }]);
    silence();
    expect(asHttpError(await errorAfterSilence(ask)).status).toBe(503);
    expect(await ask()).toEqual([{ one: 1 }]);
  }
  await end();
});

test('the database layer does not make later callers wait for a server that is known to be unresponsive', async () => {
  const { db, silence, end } = await relayed({ max: 4 });
  const ask = () => run(db, 'SELECT pg_sleep(0.05)', []);
  const four = () => Promise.all([ask(), ask(), ask(), ask()]);
  await four();
  silence();
  expect(await errorAfterSilence(ask)).toMatchObject({ message: 'Query read timeout' });
  await four();
  await four();
  expect(db.poolStats()).toMatchObject({ failures: 1, total: 4 });
  await end();
});

test('the database layer closes every connection at the end, even when only raw statements were used', async () => {
  const { db, pool, close } = openDb({ ...inject('postgres').connection, database: await databaseOf(testApp.db) }, () => undefined);
  await run(db, 'SELECT 1', []);
  await close();
  expect([pool.ended, pool.totalCount]).toEqual([true, 0]);
});
