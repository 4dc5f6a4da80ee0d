import { execFileSync } from 'node:child_process';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectTo, emptyDatabase, emptyFolder, endAll, textOf } from '../../../test/database/backups.ts';
import { tableChecksums, tableNames } from '../../../test/database/table-contents.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { placeOrder } from '../../features/orders/contract.ts';
import { restore } from './restore.ts';
import { decompressed } from './read-backup.ts';
import { backupNameAt, writeBackup } from './write-backup.ts';
import { run } from '../database/db.ts';
import { openSession } from '../auth/session.ts';

const testApp = setupTestApp();
const NOW = new Date('2027-04-01T12:00:00Z');
const AWKWARD = `It's "so": a\\b\\.\\N\\n\tand\r\n\\.\nthen ünïcödé 🥖 שלום, {1} $1 -- ; ${'\u0001'}`;

let distributor: Person;
let customer: Person;
beforeAll(async () => {
  const { db } = testApp;
  distributor = await makeDistributor(db);
  customer = await makeCustomer(db, distributor, { firstName: AWKWARD, lastName: '\\N', address: '\\.', city: '' });
  const distribution = await makeDistribution(db, distributor);
  const product = await makeProduct(db, distribution, { description: AWKWARD, unit_qty_is_estimate: true, uom: null, product_code: 7 });
  const order = await makeOrder(db, distribution, customer, [[product, 3]]);
  await weigh(db, order.lines[0], [99999.999, 0.001, null], customer);
  const amount = 1_000_000_000;
  const by = distributor;
  const reversesId = await pay(db, distribution, { orderId: order.id, amount, by });
  await pay(db, distribution, { orderId: order.id, amount: -amount, by, reversesId });
  const image = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
  await db.insertInto('product_images').values({ distributorId: by.id, product_code: 7, image, hash: 'x', updatedBy: by.id }).execute();
  const place = { distributorId: by.id, distributionId: distribution.id };
  const after = JSON.stringify({ name: AWKWARD, unit_price: 1, list: [null, 1.5, true] });
  const audit = { ...place, productId: product.id, name: AWKWARD, after, updatedBy: by.id, updatedAt: '2027-01-01T23:59:59.123456-08:00' };
  await db.insertInto('catalogue_audit').values(audit).execute();
  await openSession(db, customer, undefined, { now: testApp.time, rules: { customerIdleDays: 7, secure: false } });
});
afterEach(endAll);

const source = async (): Promise<{ client: pg.Client; now: Date }> => {
  const [found] = await run<{ name: string }>(testApp.db, 'SELECT current_database() AS name', []);
  return { client: await connectTo(found?.name ?? ''), now: NOW };
};

async function backedUp(): Promise<string> {
  const path = join(await emptyFolder(), backupNameAt(NOW));
  await writeBackup(await source(), path);
  return path;
}

const moved = async (path: string): Promise<pg.Client> => {
  const client = await emptyDatabase();
  await restore({ client }, decompressed(path));
  return client;
};

test('a backup is a consistent snapshot while customers order: every order is complete, with its audit rows and confirmation', async () => {
  const { db } = testApp;
  const shop = await makeDistribution(db, distributor);
  const [meat, fish] = [await makeProduct(db, shop), await makeProduct(db, shop)];
  const people = await Promise.all(Array.from({ length: 6 }, () => makeCustomer(db, distributor)));
  let isOver = false;
  let saved = 0;
  const order = async (person: Person): Promise<void> => {
    const call = await testApp.as(person);
    for (let pieces = 1; !isOver; pieces = (pieces % 9) + 1) {
      // Every order has two lines, whose quantities always add up to ten units.
      const products = [
        { productId: meat.id, quantity: pieces },
        { productId: fish.id, quantity: 10 - pieces },
      ];
      await call(placeOrder, { body: { distributionId: shop.id, products } });
      saved += 1;
    }
  };
  const ordering = people.map(order);
  const paths: string[] = [];
  const counts: number[] = [];
  try {
    for (let round = 0; round < 2; round++) {
      const before = saved;
      paths.push(await backedUp());
      counts.push(saved - before);
    }
  } finally {
    isOver = true;
    await Promise.all(ordering);
  }
  expect(Math.min(...counts)).toBeGreaterThan(0);
  for (const path of paths) {
    const target = await moved(path);
    const { rows } = await target.query<{ torn: string }>(
      `SELECT count(*) FILTER (WHERE lines <> 2 OR pieces <> 10 OR audited <> pieces) AS torn FROM (
        SELECT o.id, count(*) AS lines, sum(l.quantity) AS pieces,
          sum((SELECT a.quantity FROM order_product_audit a WHERE a."orderProductId" = l.id ORDER BY a.id DESC LIMIT 1)) AS audited
        FROM orders o LEFT JOIN order_products l ON l."orderId" = o.id WHERE o."distributionId" = $1 GROUP BY o.id) each`,
      [shop.id],
    );
    expect(rows).toEqual([{ torn: '0' }]);
    const mails = await target.query('SELECT 1 FROM orders WHERE id NOT IN (SELECT "orderId" FROM emails) AND "distributionId" = $1', [
      shop.id,
    ]);
    expect(mails.rowCount).toBe(0);
  }
});

describe('the backup file', () => {
  test('is readable by its owner only, and a second one does not overwrite it', async () => {
    const path = await backedUp();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(path).toMatch(/\/feastday-2027-04-01T120000Z\.sql\.gz$/);
    const { mtimeMs } = await stat(path);
    await expect(writeBackup(await source(), path)).rejects.toThrow(`${path} is there already: nothing was written.`);
    expect((await stat(path)).mtimeMs).toBe(mtimeMs);
  });

  test('is not left behind when the connection to the database is lost', async () => {
    const folder = await emptyFolder();
    const { client, now } = await source();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const other = (await source()).client;
    // Locks a table, so that the backup waits for it. The test then interrupts the connection of the waiting backup.
    await other.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const writing = writeBackup({ client, now }, join(folder, 'backup.sql.gz'));
    const refused = expect(writing).rejects.toThrow(/^There is no new backup in .*backup\.sql\.gz: .+\.$/);
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'`;
    while ((await other.query(cut, [rows[0]?.pid])).rowCount === 0);
    await refused;
    await other.query('ROLLBACK');
    expect(await readdir(folder)).toEqual([]);
  });

  test('is not made when its folder cannot be written to', async () => {
    await expect(writeBackup(await source(), '/dev/null/backup.sql.gz')).rejects.toThrow(/^There is no new backup in .*: .+\.$/);
  });
});

test('no backup is made of a database that belongs to another program or to a newer version', async () => {
  const folder = await emptyFolder();
  const now = NOW;
  const client = await emptyDatabase();
  const path = join(folder, 'none.sql.gz');
  await expect(writeBackup({ client, now }, path)).rejects.toThrow(
    'The database holds nothing of Feastday yet: there is nothing to back up.',
  );
  await client.query(
    `CREATE TABLE migrations (name text, "appliedAt" timestamptz); INSERT INTO migrations VALUES ('9999_from_tomorrow.sql', now())`,
  );
  await expect(writeBackup({ client, now }, path)).rejects.toThrow(
    'The database is of a newer version of Feastday (9999_from_tomorrow.sql): back it up with that version.',
  );
  expect(await readdir(folder)).toEqual([]);
});

test('an incomplete backup file whose process was killed is deleted by a later backup', async () => {
  const folder = await emptyFolder();
  const [old, young] = ['feastday-old.sql.gz.1.part', 'feastday-young.sql.gz.2.part'];
  for (const name of [old, young, 'other.part']) await writeFile(join(folder, name), '');
  await utimes(join(folder, old), 0, 0);
  await writeBackup({ ...(await source()), now: new Date() }, join(folder, 'new.sql.gz'));
  expect((await readdir(folder)).toSorted()).toEqual([young, 'new.sql.gz', 'other.part'].toSorted());
});

describe('a database restored from a backup', () => {
  beforeAll(async () => {
    // Another test covers the restore of queued mails.
    await testApp.db.updateTable('emails').set({ status: 'sent' }).execute();
    // The test data has a thousand orders of four lines. A third of the lines have weights, and every second order has a payment.
    await run(
      testApp.db,
      `WITH people AS (INSERT INTO users (email, role, "distributorId") SELECT 'drill' || n || '@test.example', 'customer', $1
          FROM generate_series(1, 1000) n RETURNING id),
        day AS (INSERT INTO distributions ("distributorId", name, date) VALUES ($1, 'Drill', '2027-09-10') RETURNING id),
        goods AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price) SELECT $1, day.id, 'Good ' || n, n * 100
          FROM day, generate_series(1, 4) n RETURNING id),
        placed AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy") SELECT $1, day.id, people.id, people.id
          FROM day, people RETURNING id, "distributionId", "customerId"),
        lines AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
          SELECT $1, "distributionId", placed.id, goods.id, 1 + goods.id % 5, 1 FROM placed, goods RETURNING id),
        weights AS (INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
          SELECT id, 0, id % 1000 / 8.0, $1 FROM lines WHERE id % 3 = 0)
      INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdBy", "updatedBy")
        SELECT $1, "distributionId", id, id, 'Cash', $1, $1 FROM placed WHERE id % 2 = 0`,
      [distributor.id],
    );
  });

  test('equals the original byte for byte, apart from the sessions, with a thousand orders (contract §1)', { tags: ['long'] }, async () => {
    const { client } = await source();
    const target = await moved(await backedUp());
    const [before, after] = [await tableChecksums(client), await tableChecksums(target)];
    expect(Number.parseInt(before['orders'] ?? '', 10)).toBeGreaterThan(1000);
    expect(Number.parseInt(before['session_store'] ?? '', 10)).toBeGreaterThan(0);
    expect(after).toEqual({ ...before, session_store: '0 ' });
    const own = 'SELECT "firstName", "lastName", address, city FROM contacts WHERE "userId" = $1';
    const { rows } = await target.query<object>(own, [customer.id]);
    expect(rows).toEqual([{ firstName: AWKWARD, lastName: '\\N', address: '\\.', city: '' }]);
  });

  test('has every table', async () => {
    const blocks = (await textOf(await backedUp())).matchAll(/^COPY "(\w+)"/gm);
    expect([...blocks].map(([, name]) => name).toSorted()).toEqual((await tableNames((await source()).client)).toSorted());
  });

  test('never gives a new row the id of a deleted row', { tags: ['long'] }, async () => {
    const { client } = await source();
    // The last fee is deleted. After the restore, its id must not be used again.
    await client.query(`INSERT INTO fees ("distributorId", "distributionId", name, type, amount)
      SELECT "distributorId", id, 'Gone', 'flat', 1 FROM distributions LIMIT 1`);
    await client.query('DELETE FROM fees');
    const path = await backedUp();
    const target = await moved(path);
    const again = join(await emptyFolder(), 'again.sql.gz');
    await writeBackup({ client: target, now: NOW }, again);
    // A backup of the unchanged restored database must equal the first backup.
    expect(await textOf(again)).toBe(await textOf(path));
    const INSERT = `INSERT INTO users (email, role) VALUES ('next@test.example', 'admin') RETURNING id`;
    const ids = await Promise.all([client, target].map(async (each) => (await each.query<{ id: number }>(INSERT)).rows[0]?.id));
    expect(ids[1]).toBe(ids[0]);
    await client.query(`DELETE FROM users WHERE email = 'next@test.example'`);
  });

  // Only the test with psql needs psql; the application's own restore does not. Without psql that test is skipped.
  const psql = ((): boolean => {
    try {
      return execFileSync('psql', ['--version'], { encoding: 'utf8' }).startsWith('psql');
    } catch {
      return false;
    }
  })();
  test.runIf(psql)('can also be loaded with psql', { tags: ['long'] }, async () => {
    const text = await textOf(await backedUp());
    const target = await emptyDatabase();
    const { host, port, user } = inject('postgres').connection;
    const args = ['-q', '-h', String(host), '-p', String(port), '-U', String(user), '-d', target.database ?? ''];
    execFileSync('psql', args, { input: text, env: { ...process.env, PGPASSWORD: target.password ?? '' } });
    const { client } = await source();
    expect(await tableChecksums(target)).toEqual({ ...(await tableChecksums(client)), session_store: '0 ' });
  });
});
