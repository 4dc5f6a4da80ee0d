import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { familyIdsOf, makeDayToRehearse } from '../../../test/data/rehearsal/day-to-rehearse.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { enqueue } from '../../server/mail/outbox.ts';
import { run, runSingle, type Db } from '../../server/database/db.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { deleteFamilies } from '../../server/operations/cleanup.ts';
import type { Distribution } from '../distributions/contract.ts';
import { listProducts } from '../products/contract.ts';
import { readCustomerReport, type CustomerReportRow } from '../reports/contract.ts';
import { startRehearsal } from './contract.ts';
import { deleteRehearsedLines } from './queries.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let original: Row<'distributions'>;
beforeEach(async () => {
  ({ distributor, customer, original } = await makeDayToRehearse(testApp.db));
});

const start = async (): Promise<Distribution> => (await testApp.as(distributor))(startRehearsal, { params: { id: original.id } });
const remove = (id: number) => testApp.request(distributor, { method: 'DELETE', url: `/api/distributions/${id}` });
const send = async (by: Person, url: string, payload?: object) =>
  await testApp.request(by, { method: 'POST', url: `/api/${url}`, ...(payload && { payload }) });
const reportOf = async (id: number): Promise<CustomerReportRow[]> =>
  (await testApp.as(distributor))(readCustomerReport, { params: { id } });
const familyIds = (): Promise<number[]> => familyIdsOf(testApp.db, distributor);

/** Returns, for each table, the number of its rows and a checksum. The tables of sessions and Idempotency-Keys are left out. */
async function contents(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_name NOT IN ('session_store', 'idempotency_keys')`.execute(testApp.db);
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const text = `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '') AS found FROM ${name} t`;
    found[name] = (await sql.raw<{ found: string }>(text).execute(testApp.db)).rows[0]?.found ?? '';
  }
  return found;
}

/** Adds 700 lines to an order of the rehearsal. Each has a weight and 15 audit rows. */
async function addLines(id: number): Promise<void> {
  await sql`WITH p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price)
      SELECT ${distributor.id}, ${id}, 'Product ' || n, 100 FROM generate_series(1, 700) n RETURNING id),
    l AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, ${id}, (SELECT min(id) FROM orders WHERE "distributionId" = ${id}), id, 1, 1 FROM p RETURNING id),
    w AS (INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy") SELECT id, 0, 5, ${distributor.id} FROM l)
    INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy")
      SELECT id, 1, ${distributor.id} FROM l, generate_series(1, 15)`.execute(testApp.db);
}
const rowsOfLines = async (id: number): Promise<number> => {
  const lines = `SELECT id FROM order_products WHERE "distributionId" = $1`;
  const tables = ['actual_quantities', 'actual_quantity_audit', 'order_product_audit'];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table} WHERE "orderProductId" IN (${lines}))`);
  const { rows } = await runSingle<{ rows: number }>(
    testApp.db,
    `SELECT ${counts.join(' + ')} + (SELECT count(*) FROM (${lines}) l) AS rows`,
    [id],
  );
  return rows;
};

const inventedUsers = async () =>
  (await run(testApp.db, `SELECT 1 FROM users WHERE role = 'invented' AND "distributorId" = $1`, [distributor.id])).length;

test('no mail of any kind is queued for an invented family of a rehearsal, whichever statement queues it (contract §8, §14; reliability "rehearsal")', async () => {
  const { id } = await start();
  const [family = 0] = await familyIds();
  const { rows } = await sql<{
    rule: string;
  }>`SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'emails_kind_check'`.execute(testApp.db);
  const kinds = [...(rows[0]?.rule ?? '').matchAll(/'([\w-]+)'/g)].map(([, kind = '']) => kind as Row<'emails'>['kind']);
  expect(kinds.length).toBeGreaterThanOrEqual(10);
  for (const kind of kinds)
    await enqueue(testApp.db, { kind, userId: family, distributorId: distributor.id, subject: 'Hello', html: 'Hello' });
  const [product] = await (await testApp.as(distributor))(listProducts, { params: { id } });
  for (const quantity of [1, 2])
    await send(distributor, 'distributor/order', {
      distributionId: id,
      customerId: family,
      products: [{ productId: product?.id, quantity }],
    });
  const shared = await send(distributor, `distributions/${id}/products/${product?.id}/share`, { units: 1, rule: 'first', notify: true });
  expect(shared.statusCode).toBe(200);
  expect(await testApp.db.selectFrom('emails').select(['kind', 'userId']).where('distributorId', '=', distributor.id).execute()).toEqual(
    [],
  );
  await enqueue(testApp.db, { kind: 'invitation', userId: customer.id, distributorId: distributor.id });
  expect(await testApp.db.selectFrom('emails').select('kind').where('distributorId', '=', distributor.id).execute()).toEqual([
    { kind: 'invitation' },
  ]);
});

describe('deleting a rehearsal (contract §14)', () => {
  test('leaves no row of the rehearsal in any table, even after a day of work in it (reliability "rehearsal")', async () => {
    await deleteFamilies(testApp.db);
    const before = await contents();
    const { id } = await start();
    const [product] = await (await testApp.as(distributor))(listProducts, { params: { id } });
    const [family = 0] = (await familyIds()).toReversed();
    const { id: tillId } = (await send(distributor, 'tills', { distributionId: id, float: 0 })).json<{ id: number }>();
    const weighed = (await reportOf(id)).find((row) => row.has_all_actuals && row.balance > 0);
    const payment = { amount: weighed?.balance, paymentMethod: 'Check', description: '7', feeAmount: 0 };
    const paid = (await send(distributor, `orders/${weighed?.order_id}/payments`, payment)).json<{ id: number }>();
    await send(distributor, `orders/${weighed?.order_id}/payments/${paid.id}/reverse`, { description: 'Wrong family' });
    await send(distributor, `tills/${tillId}/close`, { counted: { cash: 0, check: 0, card: 0, other: 0 } });
    await send(distributor, 'distributor/order', {
      distributionId: id,
      customerId: family,
      products: [{ productId: product?.id, quantity: 3 }],
      note: 'At the side door',
    });
    await testApp.request(distributor, {
      method: 'PATCH',
      url: `/api/distributions/${id}/products/${product?.id}`,
      payload: { name: 'Rib', unit_price: 999 },
    });
    await send(distributor, `distributions/${id}/fees`, { name: 'Ice', type: 'flat', amount: 100 });
    const upload = await send(distributor, `distributions/${id}/product-uploads`);
    expect(upload.statusCode).toBeLessThan(300);
    const during = await contents();
    const filled = Object.keys(before).filter((table) => during[table] !== before[table]);
    expect(filled.toSorted()).toEqual([
      'actual_quantities',
      'actual_quantity_audit',
      'catalogue_audit',
      'contacts',
      'distribution_audit',
      'distributions',
      'fees',
      'order_audit',
      'order_product_audit',
      'order_products',
      'orders',
      'payments',
      'product_uploads',
      'products',
      'slots',
      'tills',
      'users',
    ]);
    expect((await remove(id)).statusCode).toBe(204);
    expect((await testApp.request(distributor, { method: 'GET', url: `/api/distributions/${id}` })).statusCode).toBe(404);
    await deleteFamilies(testApp.db);
    expect(await contents()).toEqual(before);
  });

  test('allows a new rehearsal with 40 invented families at once; the cleanup job does not delete these families', async () => {
    await remove((await start()).id);
    const { id } = await start();
    expect(await reportOf(id)).toHaveLength(40);
    await deleteFamilies(testApp.db);
    expect(await reportOf(id)).toHaveLength(40);
    expect(await familyIds()).toHaveLength(40);
  });

  test(
    'lets the next rehearsal reuse the invented families, so that their number does not grow; a cleanup whose time is over stops after one family (reliability growth)',
    { tags: ['long'] },
    async () => {
      await deleteFamilies(testApp.db);
      for (let times = 0; times < 3; times++) await remove((await start()).id);
      expect(await inventedUsers()).toBe(40);
      const { id } = await start();
      expect(await inventedUsers()).toBe(40);
      expect(new Set((await reportOf(id)).map((row) => row.customer_id)).size).toBe(40);
      await remove(id);
      await deleteFamilies(testApp.db, 0);
      expect(await inventedUsers()).toBe(39);
      await remove((await start()).id);
      expect(await inventedUsers()).toBe(40);
      await deleteFamilies(testApp.db);
      expect(await inventedUsers()).toBe(0);
    },
  );

  test('deletes the lines with their weights and audit rows in short transactions (reliability abuse)', { tags: ['long'] }, async () => {
    const { id } = await start();
    await addLines(id);
    const left = [await rowsOfLines(id)];
    const by = { userId: distributor.id, tenantId: distributor.id, role: 'distributor' } as Viewer;
    // After each transaction, the rows are counted that other connections see.
    const begin: Db['begin'] = async (statement, work) => {
      const result = await testApp.db.begin(statement, work);
      left.push(await rowsOfLines(id));
      return result;
    };
    await deleteRehearsedLines(Object.assign(Object.create(testApp.db) as Db, { begin }), by, id, new AbortController().signal);
    expect(left.at(-1)).toBe(0);
    expect(left[0]).toBeGreaterThan(700 * 17);
    expect(Math.max(...left.slice(1).map((rows, index) => (left[index] ?? 0) - rows))).toBeLessThan(6500);
  });

  test(
    'continues after a deletion that was interrupted: the rehearsal then has no more lines and can be deleted (reliability abuse)',
    { tags: ['long'] },
    async () => {
      const { id } = await start();
      await addLines(id);
      // The families are removed in the last transaction, which fails.
      await sql`ALTER TABLE users ADD CONSTRAINT no_removal CHECK (role <> 'invented' OR "removedAt" IS NULL) NOT VALID`.execute(
        testApp.db,
      );
      try {
        expect((await remove(id)).statusCode).toBe(500);
      } finally {
        await sql`ALTER TABLE users DROP CONSTRAINT no_removal`.execute(testApp.db);
      }
      expect(await rowsOfLines(id)).toBe(0);
      expect((await remove(id)).statusCode).toBe(204);
    },
  );

  test('never affects a real distribution: the tills of the real distribution stay, and no real distribution can become a rehearsal (reliability "rehearsal")', async () => {
    const { id } = await start();
    const till = await testApp.db
      .insertInto('tills')
      .values({ distributorId: distributor.id, distributionId: original.id, userId: distributor.id, float: 0 as never })
      .returning('id')
      .executeTakeFirstOrThrow();
    await expect(sql`DELETE FROM tills WHERE id = ${till.id}`.execute(testApp.db)).rejects.toThrow('never edited');
    for (const [place, flag] of [
      [original.id, true],
      [id, false],
    ])
      await expect(sql`UPDATE distributions SET rehearsal = ${flag} WHERE id = ${place}`.execute(testApp.db)).rejects.toThrow(
        'stays a rehearsal or none',
      );
    const before = await reportOf(original.id);
    await remove(id);
    expect(await reportOf(original.id)).toEqual(before);
    expect((await remove(original.id)).statusCode).toBe(409);
  });
});
