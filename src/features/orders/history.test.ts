import { beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { run, transaction, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { saveActuals } from '../actuals/contract.ts';
import { listHistory } from '../audit/queries.ts';
import { MAX_LINES, placeCustomerOrder, placeOrder, readHistory, type HistoryRow } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;

beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_qty_is_estimate: true, product_code: 1001 });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine', product_code: 1801 });
});

const place = async (by: Person, quantities: readonly (readonly [Row<'products'>, number])[]): Promise<number> => {
  const products = quantities.map(([product, quantity]) => ({ productId: product.id, quantity }));
  const body = { distributionId: distribution.id, products };
  const call = await testApp.as(by);
  const saved =
    by.role === 'customer'
      ? await call(placeOrder, { body })
      : await call(placeCustomerOrder, { body: { ...body, customerId: customer.id } });
  return saved.id;
};
const byKindAndName = (a: HistoryRow, b: HistoryRow) => `${a.kind} ${a.productName}`.localeCompare(`${b.kind} ${b.productName}`);
const history = async (orderId: number, by: Person = agent) => (await testApp.as(by))(readHistory, { params: { orderId } });

test('the history of an order lists each quantity change with person, time and previous value, newest first, and the weights that the change removed', async () => {
  const orderId = await place(customer, [
    [brisket, 2],
    [wine, 1],
  ]);
  const line = await testApp.db.selectFrom('order_products').selectAll().where('productId', '=', brisket.id).executeTakeFirstOrThrow();
  await weigh(testApp.db, line, [1.25, 2.5], distributor);
  await place(distributor, [[brisket, 1]]);
  const rows = await history(orderId);
  // The rows of one save have the same time and therefore no defined sequence, so they are sorted before they are compared.
  const told = [...rows.slice(0, 3).toSorted(byKindAndName), ...rows.slice(3).toSorted(byKindAndName)];
  const plain = {
    key: expect.stringMatching(/^\d+\.[12]\.\d+$/),
    feeName: null,
    before: null,
    after: null,
    uom: null,
    amount: null,
    paymentMethod: null,
    at: expect.stringMatching(/^20.*Z$/),
  };
  const ofBrisket = { ...plain, productName: 'Brisket', productCode: 1001, unit: null };
  const ofWine = { ...plain, productName: 'Wine', productCode: 1801, unit: null };
  const byCustomer = { by: customer.email, byRole: 'customer' };
  const byDistributor = { by: distributor.email, byRole: 'distributor' };
  expect(told).toEqual([
    { ...ofBrisket, ...byDistributor, kind: 'quantity', from: 2, to: 1 },
    { ...ofWine, ...byDistributor, kind: 'quantity', from: 1, to: 0 },
    { ...ofBrisket, ...byDistributor, kind: 'weight', unit: 2, uom: 'lb', from: 2.5, to: null },
    { ...ofBrisket, ...byCustomer, kind: 'quantity', from: 0, to: 2 },
    { ...ofWine, ...byCustomer, kind: 'quantity', from: 0, to: 1 },
  ]);
});

const terms = (unit_price: number) => JSON.stringify({ unit_price, unit_qty: 1, unit_qty_is_estimate: false });
const fee = JSON.stringify({ name: 'Ice', type: 'flat', amount: 500, sort_order: 0 });
const reprice = (values: object) => {
  const row = { distributorId: distributor.id, distributionId: distribution.id, updatedBy: distributor.id, name: 'Wine', ...values };
  return testApp.db
    .insertInto('catalogue_audit')
    .values(row as never)
    .execute();
};
const kinds = async (orderId: number) => (await history(orderId)).map((row) => `${row.kind} ${row.productName ?? row.feeName}`);

test("the history of an order lists the price and fee changes that changed the order's total since it was placed", async () => {
  const other = await makeProduct(testApp.db, distribution, { name: 'Matzah' });
  await reprice({ productId: wine.id, before: terms(1), after: terms(2) });
  const orderId = await place(customer, [[wine, 1]]);
  await reprice({ productId: wine.id, before: terms(1000), after: terms(1200) });
  await reprice({ productId: other.id, name: 'Matzah', before: terms(5), after: terms(6) });
  await reprice({ feeId: 7, name: 'Ice', after: fee });
  expect(await history(orderId)).toMatchObject([
    {
      kind: 'fee',
      feeName: 'Ice',
      productName: null,
      before: null,
      after: { name: 'Ice', type: 'flat', amount: 500 },
      by: distributor.email,
    },
    { kind: 'price', productName: 'Wine', before: { unit_price: 1000 }, after: { unit_price: 1200, unit_qty: 1 }, from: null, to: null },
    { kind: 'quantity', productName: 'Wine', from: 0, to: 1 },
  ]);
});

test('the history of an order omits price changes that were made while the order was empty or did not contain the product', async () => {
  await reprice({ feeId: 6, name: 'Ice', after: fee });
  const orderId = await place(distributor, []);
  await reprice({ feeId: 7, name: 'Ice', after: fee });
  expect(await kinds(orderId)).toEqual([]);

  await place(customer, [[brisket, 1]]);
  await reprice({ productId: wine.id, before: terms(1000), after: terms(1100) });
  await place(customer, [[wine, 1]]);
  await reprice({ productId: brisket.id, name: 'Brisket', before: terms(1), after: terms(2) });
  expect((await kinds(orderId)).toSorted()).toEqual(['quantity Brisket', 'quantity Brisket', 'quantity Wine']);
  await reprice({ productId: wine.id, before: terms(1100), after: terms(1200) });
  expect((await kinds(orderId))[0]).toBe('price Wine');
});

test("the history of an order lists a change that waited for another transaction as newer than that transaction's change", async () => {
  const { id, lines } = await makeOrder(testApp.db, distribution, customer, [[brisket, 1]]);
  const line = lines[0]?.id ?? 0;
  await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
  const call = await testApp.as(agent);
  const weighing = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT FROM distributions WHERE id = $1 FOR UPDATE', [distribution.id]);
    const saving = call(saveActuals, { params: { orderId: id }, body: { [`${line}-0`]: 1 } });
    await waitForLockWaiters(testApp.db);
    await testApp.db.insertInto('order_product_audit').values({ orderProductId: line, quantity: 1, updatedBy: customer.id }).execute();
    return [saving];
  });
  await Promise.all(weighing);
  expect(await kinds(id)).toEqual(['weight Brisket', 'quantity Brisket']);
});

test('the history of an order shows staff the payments of that order, and no payments of other orders', async () => {
  const orderId = await place(customer, [[wine, 2]]);
  const other = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[wine, 1]]);
  await pay(testApp.db, distribution, { orderId, amount: 700, by: distributor });
  await pay(testApp.db, distribution, { orderId: other.id, amount: 100, by: distributor });
  for (const viewer of [agent, distributor]) {
    const [payment, quantity, ...more] = await history(orderId, viewer);
    expect(payment).toMatchObject({ kind: 'payment', amount: 700, paymentMethod: 'Cash', by: distributor.email, from: null, to: null });
    expect([quantity?.kind, more]).toEqual(['quantity', []]);
  }
});

test('the history of an order is read in pages, newest first, of five hundred rows or the requested number', async () => {
  const { id, lines } = await makeOrder(testApp.db, distribution, customer, [[wine, 1]]);
  const rows = Array.from({ length: 600 }, (_, quantity) => ({
    orderProductId: lines[0]?.id ?? 0,
    quantity,
    updatedBy: agent.id,
    updatedAt: new Date(Date.UTC(2027, 3, 1) + quantity * 1000).toISOString(),
  }));
  await testApp.db.insertInto('order_product_audit').values(rows).execute();
  const told = await history(id);
  expect([told.length, told[0], told.at(-1)]).toMatchObject([500, { from: 598, to: 599 }, { from: 99, to: 100 }]);
  const call = await testApp.as(agent);
  const all: HistoryRow[] = [];
  for (let after = ''; all.length < 1000; after = all.at(-1)?.key ?? '') {
    const part = await call(readHistory, { params: { orderId: id }, query: { limit: '250', after } });
    if (part.length === 0) break;
    all.push(...part);
  }
  // The history does not contain the creation of the order, because the test inserted the order without an audit row.
  expect(all.map((row) => row.to)).toEqual(Array.from({ length: 600 }, (_, index) => 599 - index));
  expect(new Set(all.map((row) => row.key)).size).toBe(600);
  const url = `/api/orders/${id}/history`;
  for (const query of ['?after=x', '?limit=0', '?limit=1001']) {
    expect((await testApp.request(agent, { url: url + query })).statusCode, query).toBe(400);
  }
});

test("the history of another distributor's order is not found, and customers are refused", async () => {
  const orderId = await place(customer, [[wine, 1]]);
  await expect(history(orderId, await makeDistributor(testApp.db))).rejects.toMatchObject({ status: 404, text: 'Order not found' });
  await expect(history(orderId, customer)).rejects.toMatchObject({ status: 403 });
});

interface PlanNode {
  readonly Plans?: readonly PlanNode[];
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
}

/** Returns how many rows the nodes of an executed plan have read, including those that a condition excluded. */
function rowsRead(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const below = (node.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0);
  return below + (node['Actual Rows'] + removed) * node['Actual Loops'];
}

test(
  'PostgreSQL reads each row a few times for the history of an order with 5,000 lines and 10,000 changes of prices and fees (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const { id } = await makeOrder(testApp.db, distribution, customer, []);
    await sql`WITH added AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price)
      SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100 FROM generate_series(1, ${MAX_LINES}::int) n RETURNING id),
    lines AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, ${distribution.id}, ${id}, id, 1, 1 FROM added RETURNING id)
    INSERT INTO order_product_audit ("orderProductId", quantity, "updatedAt", "updatedBy")
      SELECT id, 1, now() - interval '2 days', ${customer.id}::int FROM lines`.execute(testApp.db);
    // The fees changed before the order was placed, so the history does not contain these changes.
    await sql`INSERT INTO catalogue_audit ("distributorId", "distributionId", "productId", "feeId", name, before, after, "updatedAt", "updatedBy")
    SELECT ${distributor.id}::int, ${distribution.id}::int, id, NULL, name, to_jsonb(products), to_jsonb(products), now(), ${distributor.id}::int
      FROM products WHERE "distributionId" = ${distribution.id}
    UNION ALL SELECT ${distributor.id}, ${distribution.id}, NULL, n, 'Fee', '{"amount": 100}', '{"amount": 200}', now() - interval '3 days', ${distributor.id}
      FROM generate_series(1, 5000) n`.execute(testApp.db);
    await sql`ANALYZE`.execute(testApp.db);
    const { isTransaction, begin, poolStats, query } = testApp.db;
    const read: number[] = [];
    const explained: Db = {
      isTransaction,
      begin,
      poolStats,
      query: async (text, values) => {
        const plans = await run<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          testApp.db,
          `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
          values ?? [],
        );
        read.push(...plans.map((plan) => rowsRead(plan['QUERY PLAN'][0].Plan)));
        return await query(text, values);
      },
    };
    const source = { distributorId: distributor.id, id, signal: new AbortController().signal };
    expect((await listHistory(explained, source, { limit: 1 }))[0]?.kind).toBe('price');
    expect(Math.max(...read)).toBeLessThan(60 * MAX_LINES);
  },
);
