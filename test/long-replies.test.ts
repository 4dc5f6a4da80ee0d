// A list that is usually short is read with one statement. When it is long, its first rows are read at once, and the others wait in the
// queue of expensive reads (reliability, "abuse").
import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { MAX_CHANGES } from '../src/features/catalogue/contract.ts';
import { MAX_DISTRIBUTIONS } from '../src/features/distributions/contract.ts';
import { MAX_PICTURES } from '../src/features/products/contract.ts';
import type { Row } from '../src/server/database/schema.ts';
import { runInQueue } from '../src/server/queues/expensive-queue.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();

interface Tenant {
  readonly distributor: Person;
  readonly customer: Person;
  readonly distribution: Row<'distributions'>;
}
let small: Tenant;
let large: Tenant;
beforeAll(async () => {
  small = await makeTenant(20);
  large = await makeTenant(6000);
});

/** Creates a tenant whose lists have `rows` rows each, but at most as many as are allowed. */
async function makeTenant(rows: number): Promise<Tenant> {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor);
  const product = await makeProduct(testApp.db, distribution);
  // Several distributions have the same date.
  await sql`INSERT INTO distributions ("distributorId", name, date, published)
    SELECT ${distributor.id}, 'Year ' || n, '2027-01-01'::date + n * 7 % 100, true
    FROM generate_series(2, ${Math.min(rows, MAX_DISTRIBUTIONS)}::int) n`.execute(testApp.db);
  await sql`INSERT INTO product_images ("distributorId", product_code, image, hash, "updatedBy")
    SELECT ${distributor.id}, n, 'x', md5(n::text), ${distributor.id} FROM generate_series(1, ${Math.min(rows, MAX_PICTURES)}::int) n`.execute(
    testApp.db,
  );
  await sql`INSERT INTO emails ("from", kind, "to", "userId", "distributorId", "replyTo", subject, html, status)
    SELECT 'feastday@mail.test', 'bulk', 'family@mail.test', ${customer.id}, ${distributor.id}, ${distributor.email}, 'Mail ' || n, '', 'sent'
    FROM generate_series(1, ${rows}::int) n`.execute(testApp.db);
  await sql`INSERT INTO catalogue_audit ("distributorId", "distributionId", "productId", name, before, after, "updatedBy")
    SELECT ${distributor.id}, ${distribution.id}, ${product.id}, 'Wine', terms, terms, ${distributor.id}
    FROM generate_series(1, ${rows}::int), jsonb_build_object('unit_price', 100, 'unit_qty', 1, 'unit_qty_is_estimate', false) terms`.execute(
    testApp.db,
  );
  return { distributor, customer, distribution };
}

type Listed = Readonly<Record<string, unknown>>;
async function read({ distributor, customer, distribution }: Tenant, path: string) {
  const by = path === '/api/emails' || path.includes('changes') ? distributor : customer;
  const before = testApp.db.poolStats().statements;
  const reply = await testApp.request(by, { method: 'GET', url: path.replace(':id', String(distribution.id)) });
  expect(reply.statusCode, reply.body.slice(0, 200)).toBe(200);
  return { rows: reply.json<Listed[]>(), statements: testApp.db.poolStats().statements - before };
}

const newestFirst = (a: Listed, b: Listed): number =>
  String(b['date']).localeCompare(String(a['date'])) || Number(b['id']) - Number(a['id']);
const byIdDescending = (a: Listed, b: Listed): number => Number(b['id']) - Number(a['id']);

const LISTS = [
  ['/api/distributions', MAX_DISTRIBUTIONS, newestFirst],
  ['/api/emails', 1000, byIdDescending],
  ['/api/distributions/:id/catalogue-changes', MAX_CHANGES, byIdDescending],
  ['/api/distributions/:id/catalogue-changes?limit=700', 700, byIdDescending],
] as const;

test.each(LISTS)(
  'the list %s waits in the queue of expensive reads only when it is long; it is complete and sorted (reliability abuse)',
  async (path, most, order) => {
    const running = Promise.withResolvers<void>();
    const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
    let isDone = false;
    const waiting = read(large, path).finally(() => (isDone = true));
    expect((await read(small, path)).rows).toHaveLength(20);
    await pause(300);
    expect(isDone).toBe(false);
    running.resolve();
    await other;
    const { rows } = await waiting;
    expect(rows).toHaveLength(most);
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(most);
    expect(rows).toEqual(rows.toSorted(order));
  },
);

test.each(LISTS)('the list %s takes one statement when it is short (reliability abuse)', async (path) => {
  // Two statements open and find the session. Another one checks access to the distribution if the path contains its id.
  expect((await read(small, path)).statements).toBe(path.includes(':id') ? 4 : 3);
});

test(
  'concurrent reads of the list of pictures share a few statements, and the list is complete and sorted (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const requests = Array.from({ length: 20 }, () => read(large, '/api/product-images'));
    const before = testApp.db.poolStats().statements;
    const lists = await Promise.all(requests);
    // Two statements open and find the session of each request.
    expect(testApp.db.poolStats().statements - before).toBeLessThan(2 * requests.length + 6);
    for (const { rows } of lists)
      expect(rows.map((row) => row['product_code'])).toEqual(Array.from({ length: MAX_PICTURES }, (_, n) => n + 1));
  },
);

test('a repeated read of the list of pictures neither reads nor serializes it again, until a picture changes (reliability abuse)', async () => {
  const list = async () => (await read(large, '/api/product-images')).rows.length;
  await list();
  const statements = vi.spyOn(testApp.db, 'query');
  const reads = () => statements.mock.calls.filter(([text]) => text.startsWith('SELECT product_code, hash')).length;
  expect([await list(), reads()]).toEqual([MAX_PICTURES, 0]);
  await testApp.db
    .deleteFrom('product_images')
    .where('distributorId', '=', large.distributor.id)
    .where('product_code', '=', MAX_PICTURES)
    .execute();
  expect([await list(), reads()]).toEqual([MAX_PICTURES - 1, 1]);
  statements.mockRestore();
});

test('of many distributions with very long group orders, the list has only the group orders of the newest of each fifty (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  await sql`INSERT INTO distributions ("distributorId", name, date, published, "groupOrder")
    SELECT ${distributor.id}, 'Year ' || n, '2027-01-01'::date + n, true, ARRAY(SELECT rpad('Group ' || g, 100, 'x') FROM generate_series(1, 50) g)
    FROM generate_series(1, 100) n`.execute(testApp.db);
  const { rows } = await read({ ...small, distributor, customer: distributor }, '/api/distributions');
  // Each group order takes about 5,200 bytes, and the values of fifty distributions may take 55,000 together.
  expect(rows.map(({ groupOrder }) => groupOrder !== null)).toEqual(rows.map((_, place) => place % 50 < 10));
});
