// One person who saves again and again adds a bounded number of audit rows (reliability growth).
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { saveActuals } from '../actuals/contract.ts';
import { placeCustomerOrder, placeOrder } from '../orders/contract.ts';

const world = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(world.db);
  customer = await makeCustomer(world.db, distributor);
  distribution = await makeDistribution(world.db, distributor, { acceptActuals: true });
  brisket = await makeProduct(world.db, distribution, { unit_qty_is_estimate: true });
});

async function save(by: Person, quantity: number): Promise<void> {
  const body = { distributionId: distribution.id, products: [{ productId: brisket.id, quantity }] };
  const call = await world.as(by);
  if (by.role === 'customer') await call(placeOrder, { body });
  else await call(placeCustomerOrder, { body: { ...body, customerId: customer.id } });
}
const quantityRows = async () => {
  const rows = await world.db
    .selectFrom('order_product_audit as a')
    .innerJoin('order_products as l', 'l.id', 'a.orderProductId')
    .select(['a.id', 'a.quantity', 'a.updatedBy', 'a.updatedAt'])
    .where('l.productId', '=', brisket.id)
    .orderBy('a.id')
    .execute();
  return rows;
};
const quantities = async () => (await quantityRows()).map(({ quantity, updatedBy }) => [quantity, updatedBy]);
const aMinuteLater = () => sql`UPDATE order_product_audit SET "updatedAt" = "updatedAt" - interval '1 minute'`.execute(world.db);

test('from the fourth change of a line by one person within a minute, the newest row gets the last value and keeps its time', async () => {
  for (const quantity of [1, 2, 3]) await save(customer, quantity);
  const before = await quantityRows();
  for (const quantity of [4, 5, 6, 7]) await save(customer, quantity);
  expect(await quantities()).toEqual([1, 2, 7].map((quantity) => [quantity, customer.id]));
  expect((await quantityRows()).map(({ id, updatedAt }) => [id, updatedAt])).toEqual(before.map(({ id, updatedAt }) => [id, updatedAt]));
});

test('another person and a later minute get rows of their own', async () => {
  const agent = await makeAgent(world.db, distributor);
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

test('each line of an order is judged on its own', async () => {
  const wine = await makeProduct(world.db, distribution);
  const call = await world.as(customer);
  for (const quantity of [1, 2, 3, 4, 5]) {
    const products = [
      { productId: brisket.id, quantity },
      { productId: wine.id, quantity: quantity < 5 ? 1 : 2 },
    ];
    await call(placeOrder, { body: { distributionId: distribution.id, products } });
  }
  expect((await quantities()).map(([quantity]) => quantity)).toEqual([1, 2, 5]);
  const ofWine = world.db.selectFrom('order_product_audit as a').innerJoin('order_products as l', 'l.id', 'a.orderProductId');
  expect(await ofWine.select('a.quantity').where('l.productId', '=', wine.id).orderBy('a.id').execute()).toEqual([
    { quantity: 1 },
    { quantity: 2 },
  ]);
});

test('the weights of a unit are bounded alike, and the row keeps the value before', async () => {
  const { id, lines } = await makeOrder(world.db, distribution, customer, [[brisket, 2]]);
  const line = lines[0]?.id ?? 0;
  const call = await world.as(customer);
  for (const weight of [1, 2, 3, 4, 5])
    await call(saveActuals, { params: { orderId: id }, body: { [`${line}-0`]: weight, [`${line}-1`]: 1 } });
  const rows = await world.db
    .selectFrom('actual_quantity_audit')
    .select(['sortOrder', 'previousQuantity as from', 'actualQuantity as to'])
    .where('orderProductId', '=', line)
    .orderBy('id')
    .execute();
  expect(rows.filter(({ sortOrder }) => sortOrder === 0)).toEqual([
    { sortOrder: 0, from: null, to: 1 },
    { sortOrder: 0, from: 1, to: 2 },
    { sortOrder: 0, from: 2, to: 5 },
  ]);
  expect(rows.filter(({ sortOrder }) => sortOrder === 1)).toEqual([{ sortOrder: 1, from: null, to: 1 }]);
});
