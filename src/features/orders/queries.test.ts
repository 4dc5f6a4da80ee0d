import { beforeEach, expect, test } from 'vitest';
import type { Row } from '../../server/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/factories.ts';
import { linesOf, makeOrder, weigh } from '../../../test/order-rows.ts';
import { testWorld, type Person } from '../../../test/world.ts';
import { placeOrder } from './contract.ts';
import { findOrderState, findOwnOrder, saveOrder } from './queries.ts';

const world = testWorld();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;

beforeEach(async () => {
  distributor = await makeDistributor(world.db);
  customer = await makeCustomer(world.db, distributor);
  distribution = await makeDistribution(world.db, distributor);
  brisket = await makeProduct(world.db, distribution, { unit_qty_is_estimate: true });
  wine = await makeProduct(world.db, distribution);
});

async function place(...quantities: [product: Row<'products'>, quantity: number][]): Promise<void> {
  const products = quantities.map(([product, quantity]) => ({ productId: product.id, quantity }));
  await (
    await world.as(customer)
  )(placeOrder, { body: { distributionId: distribution.id, products } });
}

test('every change of a quantity leaves one audit row with who, and an unchanged line none (contract §5)', async () => {
  await place([brisket, 1], [wine, 4]);
  await place([brisket, 2], [wine, 4]);
  await place([wine, 4]);
  await place([wine, 6]);
  const line = { customerId: customer.id };
  expect(await linesOf(world.db, distribution.id)).toEqual([
    { ...line, productId: brisket.id, quantity: 0, originalQuantity: 0, audit: [1, 2, 0], by: Array(3).fill(customer.id) },
    { ...line, productId: wine.id, quantity: 6, originalQuantity: 6, audit: [4, 6], by: Array(2).fill(customer.id) },
  ]);
});

test('originalQuantity is what the customer last asked for, also when staff set the quantity in between', async () => {
  await place([wine, 4]);
  await world.db.updateTable('order_products').set({ quantity: 1 }).where('productId', '=', wine.id).execute();
  expect(await linesOf(world.db, distribution.id)).toMatchObject([{ quantity: 1, originalQuantity: 4 }]);
  await place([wine, 3]);
  expect(await linesOf(world.db, distribution.id)).toMatchObject([{ quantity: 3, originalQuantity: 3, audit: [4, 3] }]);
});

test('asking for what staff had set changes only what was asked for: no audit row', async () => {
  const { lines } = await makeOrder(world.db, distribution, customer, [[wine, 4]]);
  await world.db
    .updateTable('order_products')
    .set({ quantity: 2 })
    .where('id', '=', lines[0]?.id ?? 0)
    .execute();
  await place([wine, 2]);
  expect(await linesOf(world.db, distribution.id)).toMatchObject([{ quantity: 2, originalQuantity: 2, audit: [] }]);
});

test('lowering a quantity drops the weights of the units that are gone, and only those (contract §6)', async () => {
  const { lines } = await makeOrder(world.db, distribution, customer, [
    [brisket, 3],
    [wine, 1],
  ]);
  await weigh(world.db, lines[0], [1.25, 2.5, 3.125], distributor);
  await place([brisket, 2], [wine, 1]);
  const kept = await world.db.selectFrom('actual_quantities').select(['sortOrder', 'actualQuantity']).orderBy('sortOrder').execute();
  expect(kept).toEqual([
    { sortOrder: 0, actualQuantity: 1.25 },
    { sortOrder: 1, actualQuantity: 2.5 },
  ]);
  await place([wine, 2]);
  expect(await world.db.selectFrom('actual_quantities').select('id').execute()).toEqual([]);
});

test('what was judged on a state that has passed is not written', async () => {
  const viewer = { userId: customer.id, email: '', role: 'customer' as const, distributorId: distributor.id, tenantId: distributor.id };
  const asked = { tenantId: distributor.id, customerId: customer.id, distributionId: distribution.id, productIds: [wine.id] };
  const save = async () => {
    const state = await findOrderState(world.db, asked);
    if (!state) throw new Error('the distribution is there');
    const lines = [{ productId: wine.id, quantity: 1, originalQuantity: 1 }];
    return () =>
      saveOrder(world.db, { distributionId: distribution.id, customerId: customer.id, by: viewer, state, lines, changed: [wine.id] });
  };
  const [beforeCatalogue, beforeClosing, open] = [
    await save(),
    await save(),
    world.db.updateTable('distributions').where('id', '=', distribution.id),
  ];
  await open.set({ catalogueVersion: 2 }).execute();
  expect(await beforeCatalogue()).toBeNull();
  const afterCatalogue = await save();
  await open.set({ orderingOpen: false }).execute();
  expect(await afterCatalogue()).toBeNull();
  expect(await beforeClosing()).toBeNull();
  expect(await findOwnOrder(world.db, viewer, distribution.id)).toBeNull();
});

test('an order is looked for in its own tenant only', async () => {
  await place([wine, 1]);
  const asked = { customerId: customer.id, distributionId: distribution.id, productIds: [wine.id] };
  expect(await findOrderState(world.db, { ...asked, tenantId: (await makeDistributor(world.db)).id })).toBeNull();
});
