// Tests that a customer who saves again and again can add only a limited number of audit rows (reliability: growth).
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { saveActuals } from '../actuals/contract.ts';
import { placeCustomerOrder, placeOrder } from '../orders/contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
});

async function save(by: Person, quantity: number): Promise<void> {
  const body = { distributionId: distribution.id, products: [{ productId: brisket.id, quantity }] };
  const call = await testApp.as(by);
  if (by.role === 'customer') await call(placeOrder, { body });
  else await call(placeCustomerOrder, { body: { ...body, customerId: customer.id } });
}
const quantityRows = async () => {
  const rows = await testApp.db
    .selectFrom('order_product_audit as a')
    .innerJoin('order_products as l', 'l.id', 'a.orderProductId')
    .select(['a.id', 'a.quantity', 'a.updatedBy', 'a.updatedAt'])
    .where('l.productId', '=', brisket.id)
    .orderBy('a.id')
    .execute();
  return rows;
};
const quantities = async () => (await quantityRows()).map(({ quantity, updatedBy }) => [quantity, updatedBy]);
const weightRows = async (line: number, sortOrder: number) =>
  await testApp.db
    .selectFrom('actual_quantity_audit')
    .select(['previousQuantity as from', 'actualQuantity as to'])
    .where('orderProductId', '=', line)
    .where('sortOrder', '=', sortOrder)
    .orderBy('id')
    .execute();
const orderOf = async () =>
  await testApp.db
    .selectFrom('order_products')
    .select(['orderId as id', 'id as line'])
    .where('productId', '=', brisket.id)
    .executeTakeFirstOrThrow();
const aMinuteLater = () => sql`UPDATE order_product_audit SET "updatedAt" = "updatedAt" - interval '1 minute'`.execute(testApp.db);

test('from the fourth change of an order line by one customer within a minute, the server overwrites the newest audit row instead of adding another', async () => {
  for (const quantity of [1, 2, 3]) await save(customer, quantity);
  const before = await quantityRows();
  for (const quantity of [4, 5, 6, 7]) await save(customer, quantity);
  expect(await quantities()).toEqual([1, 2, 7].map((quantity) => [quantity, customer.id]));
  const after = await quantityRows();
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(Date.parse(after[2]?.updatedAt ?? '')).toBeGreaterThan(Date.parse(before[2]?.updatedAt ?? ''));
});

test('the server adds an audit row for a change by another person or in a later minute', async () => {
  const agent = await makeAgent(testApp.db, distributor);
  for (const quantity of [1, 2, 3, 4]) await save(customer, quantity);
  for (const quantity of [5, 6]) await save(agent, quantity);
  await save(customer, 7);
  await save(customer, 8);
  expect(await quantities()).toEqual([
    ...[1, 2, 4].map((quantity) => [quantity, customer.id]),
    ...[5, 6].map((quantity) => [quantity, agent.id]),
    ...[7, 8].map((quantity) => [quantity, customer.id]),
  ]);
  await aMinuteLater();
  await save(customer, 9);
  expect((await quantities()).slice(-2)).toEqual([8, 9].map((quantity) => [quantity, customer.id]));
});

test('the server adds an audit row for every change of a quantity or weight by staff (contract §5, §6)', async () => {
  const all = [1, 2, 3, 4, 5, 6];
  for (const quantity of all) await save(distributor, quantity);
  expect(await quantities()).toEqual(all.map((quantity) => [quantity, distributor.id]));
  const { id, line } = await orderOf();
  const call = await testApp.as(distributor);
  for (const weight of all) await call(saveActuals, { params: { orderId: id }, body: { [`${line}-0`]: weight } });
  expect(await weightRows(line, 0)).toEqual(all.map((to) => ({ from: to === 1 ? null : to - 1, to })));
});

test('the server never overwrites the audit row with the quantity or weight that a payment was based on (contract §5, §6)', async () => {
  for (const quantity of [1, 2, 3, 4]) await save(customer, quantity);
  const { id, line } = await orderOf();
  const weigh = async (weight: number) =>
    await (
      await testApp.as(customer)
    )(saveActuals, { params: { orderId: id }, body: { [`${line}-3`]: weight } });
  for (const weight of [6, 7, 8, 9]) await weigh(weight);
  await pay(testApp.db, distribution, { orderId: id, amount: 100, by: distributor });
  for (const quantity of [3, 2, 1]) await save(customer, quantity);
  expect((await quantities()).map(([quantity]) => quantity)).toEqual([1, 2, 4, 1]);
  expect(await weightRows(line, 3)).toEqual([
    { from: null, to: 6 },
    { from: 6, to: 7 },
    { from: 7, to: 9 },
    { from: 9, to: null },
  ]);
});

test('the server counts the changes within a minute separately for each order line', async () => {
  const wine = await makeProduct(testApp.db, distribution);
  const call = await testApp.as(customer);
  for (const quantity of [1, 2, 3, 4, 5]) {
    const products = [
      { productId: brisket.id, quantity },
      { productId: wine.id, quantity: quantity < 5 ? 1 : 2 },
    ];
    await call(placeOrder, { body: { distributionId: distribution.id, products } });
  }
  expect((await quantities()).map(([quantity]) => quantity)).toEqual([1, 2, 5]);
  const ofWine = testApp.db.selectFrom('order_product_audit as a').innerJoin('order_products as l', 'l.id', 'a.orderProductId');
  expect(await ofWine.select('a.quantity').where('l.productId', '=', wine.id).orderBy('a.id').execute()).toEqual([
    { quantity: 1 },
    { quantity: 2 },
  ]);
});

test("from the fourth change of a unit's weight within a minute, the server overwrites the newest audit row but keeps the previous value in that row", async () => {
  const { id, lines } = await makeOrder(testApp.db, distribution, customer, [[brisket, 2]]);
  const line = lines[0]?.id ?? 0;
  const call = await testApp.as(customer);
  for (const weight of [1, 2, 3, 4, 5])
    await call(saveActuals, { params: { orderId: id }, body: { [`${line}-0`]: weight, [`${line}-1`]: 1 } });
  expect(await weightRows(line, 0)).toEqual([
    { from: null, to: 1 },
    { from: 1, to: 2 },
    { from: 2, to: 5 },
  ]);
  expect(await weightRows(line, 1)).toEqual([{ from: null, to: 1 }]);
});

test('from the fourth change of a group order, a contact or a note by one person within a minute, the server extends the newest audit row instead of adding another (reliability growth)', async () => {
  const patch = async (url: string, payload: object) =>
    expect((await testApp.request(distributor, { method: 'PATCH', url, payload })).statusCode).toBe(200);
  const order = async (note: string) => {
    const body = { distributionId: distribution.id, products: [{ productId: brisket.id, quantity: 1 }], note };
    await (
      await testApp.as(customer)
    )(placeOrder, { body });
  };
  const termsIn = async (table: 'distribution_audit' | 'contact_audit' | 'order_audit') =>
    (await testApp.db.selectFrom(table).selectAll().where('distributorId', '=', distributor.id).orderBy('id').execute()).map(
      ({ before, after }) => [before, after],
    );
  for (const nth of ['1', '2', '3', '4', '5']) {
    await patch(`/api/distributions/${distribution.id}`, { groupOrder: [nth] });
    await patch(`/api/users/customer/${customer.id}`, nth === '5' ? { city: '5' } : { phone: nth });
    await order(nth);
  }
  // The change of `name` gets a row of its own, and so does the change of `groupOrder` after it.
  await patch(`/api/distributions/${distribution.id}`, { name: 'Sukkot' });
  await patch(`/api/distributions/${distribution.id}`, { groupOrder: null });
  const name = distribution.name;
  expect(await termsIn('distribution_audit')).toEqual([
    [{ groupOrder: null }, { groupOrder: ['1'] }],
    [{ groupOrder: ['1'] }, { groupOrder: ['2'] }],
    [{ groupOrder: ['2'] }, { groupOrder: ['5'] }],
    [{ name }, { name: 'Sukkot' }],
    [{ groupOrder: ['5'] }, { groupOrder: null }],
  ]);
  const contacts = await termsIn('contact_audit');
  expect(contacts).toHaveLength(3);
  expect(contacts.at(-1)).toEqual([
    { phone: '2', city: expect.any(String) },
    { phone: '4', city: '5' },
  ]);
  expect(await termsIn('order_audit')).toMatchObject([
    [{ note: null }, { note: '1' }],
    [{ note: '1' }, { note: '2' }],
    [{ note: '2' }, { note: '5' }],
  ]);
});
