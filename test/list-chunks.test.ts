// Lists of people and estimates are read in chunks, so that clients that read slowly do not fill the memory of the server (reliability,
// "abuse").
import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import type { Row } from '../src/server/database/schema.ts';
import { runInQueue } from '../src/server/queues/expensive-queue.ts';
import { makeDistribution, makeDistributor } from './data/factories.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();
const MANY = 2100;

interface Tenant {
  readonly distributor: Person;
  readonly distribution: Row<'distributions'>;
}
let small: Tenant;
let large: Tenant;
beforeAll(async () => {
  small = await makeTenant(3);
  large = await makeTenant(MANY);
});

/**
 * Creates a tenant with customers and with products that are sold by weight. Sorting them by name gives the reverse order of sorting them
 * by id.
 */
async function makeTenant(rows: number): Promise<Tenant> {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  await sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
      SELECT 'family' || n || '-' || ${rows}::int || '@mail.test', 'customer', ${distributor.id} FROM generate_series(1, ${rows}::int) n RETURNING id)
    INSERT INTO contacts ("userId", "lastName") SELECT id, 'Name' || 10000000 - id FROM u`.execute(testApp.db);
  await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price, unit_qty, uom, unit_qty_is_estimate)
    SELECT ${distributor.id}, ${distribution.id}, 'Product ' || 10000 - n, 100, 1, 'lb', true FROM generate_series(1, ${rows}::int) n`.execute(
    testApp.db,
  );
  await sql`INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity)
    SELECT ${distributor.id}, ${distribution.id}, (SELECT min(id) FROM products WHERE "distributionId" = ${distribution.id}), id, 1
    FROM users WHERE "distributorId" = ${distributor.id} ORDER BY id`.execute(testApp.db);
  return { distributor, distribution };
}

async function read({ distributor, distribution }: Tenant, path: string) {
  const before = testApp.db.poolStats().statements;
  const answer = await testApp.request(distributor, { method: 'GET', url: path.replace(':id', String(distribution.id)) });
  expect(answer.statusCode).toBe(200);
  const rows = answer.json<{ userId?: number; customerId?: number; lastName?: string; name?: string }[]>();
  return { rows, statements: testApp.db.poolStats().statements - before };
}

const LISTS = [
  ['/api/users/customer', 'lastName'],
  ['/api/unused-customers', null],
  ['/api/distributions/:id/contacts-with-has-order', 'lastName'],
  ['/api/distributions/:id/estimates', 'name'],
  ['/api/distributions/:id/waiting', 'customerId'],
] as const;

test.each(LISTS)('the list %s is complete and sorted, and is read in chunks of 500 rows (reliability abuse)', async (path, sortedBy) => {
  const [few, many] = [await read(small, path), await read(large, path)];
  expect([few.rows.length, many.rows.length]).toEqual([3, MANY]);
  expect(many.statements - few.statements).toBe(Math.ceil(MANY / 500) - 1);
  const keys = many.rows.map((row) => (sortedBy === null ? -(row.userId ?? 0) : (row[sortedBy] ?? '')));
  expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
});

test(
  'a HEAD request for a long list reads only the first two chunks of rows, even if its client stays connected (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const origin = await testApp.app.listen({ port: 0, host: '127.0.0.1' });
    const head = async ({ distributor, distribution }: Tenant, path: string) => {
      const cookie = await testApp.cookieOf(distributor);
      const before = testApp.db.poolStats().statements;
      const url = `${origin}${path.replace(':id', String(distribution.id))}`;
      const { status, headers } = await fetch(url, { method: 'HEAD', headers: { cookie } });
      await pause(500);
      const sent = ['content-type', 'content-length', 'content-encoding'].map((name) => headers.get(name));
      return { reply: [path, status, ...sent], statements: testApp.db.poolStats().statements - before };
    };
    for (const [path] of LISTS) {
      const [few, many] = [await head(small, path), await head(large, path)];
      const expected = [path, 200, 'application/json; charset=utf-8', null, null];
      expect([few.reply, many.reply]).toEqual([expected, expected]);
      expect(many.statements - few.statements, path).toBeLessThanOrEqual(1);
    }
  },
);

test(
  'long lists wait in the queue of expensive reads, and short lists of people do not (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const running = Promise.withResolvers<void>();
    const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
    let finished = 0;
    const long = LISTS.map(async ([path]) => {
      await read(large, path);
      finished++;
    });
    for (const [path] of LISTS.filter(([path]) => !path.endsWith('estimates'))) expect((await read(small, path)).rows).toHaveLength(3);
    await pause(200);
    expect(finished).toBe(0);
    running.resolve();
    await Promise.all([other, ...long]);
  },
);

test('a list of few people among many customers waits in the queue of expensive reads (reliability abuse)', async () => {
  const tenant = await makeTenant(600);
  await testApp.db
    .updateTable('users')
    .set({ lastLoginAt: testApp.time.toISOString(), disabledAt: testApp.time.toISOString() })
    .where('distributorId', '=', tenant.distributor.id)
    .execute();
  const running = Promise.withResolvers<void>();
  const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
  let finished = 0;
  const lists = ['/api/unused-customers', '/api/distributions/:id/contacts-with-has-order'].map(async (path) => {
    const { rows } = await read(tenant, path);
    finished++;
    return rows;
  });
  await pause(200);
  expect(finished).toBe(0);
  running.resolve();
  expect(await Promise.all(lists)).toEqual([[], []]);
  await other;
});

test.each(['payments', 'customer-report', 'counter-orders', 'actuals-report'])(
  'a short page of the list %s waits in the queue of expensive reads before it searches its rows (reliability abuse)',
  async (list) => {
    await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', large.distribution.id).execute();
    const running = Promise.withResolvers<void>();
    const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
    const before = testApp.db.poolStats().statements;
    const reading = testApp.request(large.distributor, {
      method: 'GET',
      url: `/api/distributions/${large.distribution.id}/${list}?limit=1`,
    });
    await pause(200);
    // Two statements open and find the session, and another one finds the distribution.
    expect(testApp.db.poolStats().statements - before).toBe(3);
    running.resolve();
    expect((await reading).statusCode).toBe(200);
    await other;
  },
);
