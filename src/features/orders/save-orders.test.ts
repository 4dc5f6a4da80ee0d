// Tests single calls of the SQL function save_orders_v2 with a batch of different orders, such as new and changed ones.
import { beforeEach, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeSlot } from '../../../test/data/factories.ts';
import { linesOf, makeOrder, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { nextCatalogueVersion } from '../distributions/queries.ts';
import { findOrderState, newOrderId, saveOrders, type OrderWrite } from './queries.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
});

/**
 * Returns the data to save for an order with this quantity. It contains the current state of the order, with which the server has validated
 * it.
 */
async function orderOf(person: Person, quantity: number, key?: string): Promise<OrderWrite> {
  const stateQuery = { tenantId: distributor.id, customerId: person.id, distributionId: distribution.id, productIds: [brisket.id] };
  const state = await findOrderState(testApp.db, stateQuery);
  if (!state) throw new Error('The distribution is missing.');
  const { version, products: judgedBy, catalogueVersion } = state;
  const id = state.orderId ?? (await newOrderId(testApp.db));
  const lines = [{ productId: brisket.id, quantity, originalQuantity: quantity, isAudited: true }];
  const item = {
    id,
    customerId: person.id,
    version: version + 1,
    updatedBy: person.id,
    needsOpenOrdering: true,
    judgedBy,
    catalogueVersion,
    lines,
  };
  const record = { key: key ?? '', bodyHash: 'hash', createdAt: testApp.time, status: 200, reply: `reply ${key}` };
  return { distributionId: distribution.id, item: key === undefined ? item : { ...item, ...record } };
}
const storedReplies = async () => {
  const stored = testApp.db.selectFrom('idempotency_keys as k').innerJoin('users as u', 'u.id', 'k.userId');
  const rows = await stored.select(['k.userId', 'k.reply']).where('u.distributorId', '=', distributor.id).orderBy('k.userId').execute();
  return rows.map(({ userId, reply }) => [userId, reply]);
};

test('one batch saves new, raised and lowered orders, with and without idempotency keys, in one transaction', async () => {
  const people: Person[] = [];
  for (let n = 0; n < 4; n++) people.push(await makeCustomer(testApp.db, distributor));
  const [first, second, third, fourth] = people as [Person, Person, Person, Person];
  const { lines } = await makeOrder(testApp.db, distribution, third, [[brisket, 3]]);
  await makeOrder(testApp.db, distribution, fourth, [[brisket, 3]]);
  await weigh(testApp.db, lines[0], [1.5, 2.5, 3.5], distributor);
  const batch = [await orderOf(fourth, 4), await orderOf(third, 1, 'lowered'), await orderOf(second, 2, 'new'), await orderOf(first, 1)];

  expect(await saveOrders(testApp.db, batch)).toEqual(['saved', 'saved', 'saved', 'saved']);
  expect((await linesOf(testApp.db, distribution.id)).map(({ customerId, quantity }) => [customerId, quantity])).toEqual([
    [first.id, 1],
    [second.id, 2],
    [third.id, 1],
    [fourth.id, 4],
  ]);
  const weights = testApp.db
    .selectFrom('actual_quantities')
    .select('actualQuantity')
    .where('orderProductId', '=', lines[0]?.id ?? 0);
  expect(await weights.execute()).toEqual([{ actualQuantity: 1.5 }]);
  expect(await storedReplies()).toEqual([
    [second.id, 'reply new'],
    [third.id, 'reply lowered'],
  ]);
});

test('a batch leaves the idempotency key of an outdated order unused, does not save an order whose key is already used, and keeps the stored reply of that key', async () => {
  const [outdated, keyed, other] = [
    await makeCustomer(testApp.db, distributor),
    await makeCustomer(testApp.db, distributor),
    await makeCustomer(testApp.db, distributor),
  ];
  const used = {
    userId: keyed.id,
    key: 'used',
    bodyHash: 'hash',
    status: 201,
    reply: 'first reply',
    createdAt: testApp.time.toISOString(),
  };
  await testApp.db.insertInto('idempotency_keys').values(used).execute();
  const batch = [await orderOf(outdated, 1, 'released'), await orderOf(keyed, 1, 'used'), await orderOf(other, 1, 'own')];
  await makeOrder(testApp.db, distribution, outdated, [[brisket, 7]]);

  expect(await saveOrders(testApp.db, batch)).toEqual(['outdated', 'key used', 'saved']);
  expect((await linesOf(testApp.db, distribution.id)).map(({ customerId, quantity }) => [customerId, quantity])).toEqual([
    [outdated.id, 7],
    [other.id, 1],
  ]);
  expect(await storedReplies()).toEqual([
    [keyed.id, 'first reply'],
    [other.id, 'reply own'],
  ]);
});

test('an order is outdated after one of its products was withdrawn, or the distribution got pick-up times (contract §16)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  const before = await orderOf(customer, 1);
  await testApp.db.updateTable('products').set({ notOffered: true }).where('id', '=', brisket.id).execute();
  await nextCatalogueVersion(testApp.db, distribution.id);
  expect(await saveOrders(testApp.db, [before])).toEqual(['outdated']);
  const withoutSlot = await orderOf(customer, 1);
  await makeSlot(testApp.db, distribution);
  expect(await saveOrders(testApp.db, [withoutSlot])).toEqual(['outdated']);
  const { item } = withoutSlot;
  expect(await saveOrders(testApp.db, [{ ...withoutSlot, item: { ...item, needsOpenOrdering: false } }])).toEqual(['saved']);
});

test('a new version of the catalogue makes an order outdated only if one of its products has changed (contract §5)', async () => {
  const [first, second] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  const [order, orderOfSecond] = [await orderOf(first, 1), await orderOf(second, 1)];
  await nextCatalogueVersion(testApp.db, distribution.id);
  expect(await saveOrders(testApp.db, [order])).toEqual(['saved']);

  const price = cents(brisket.unit_price + 1);
  await testApp.db.updateTable('products').set({ unit_price: price }).where('id', '=', brisket.id).execute();
  await nextCatalogueVersion(testApp.db, distribution.id);
  expect(await saveOrders(testApp.db, [orderOfSecond])).toEqual(['outdated']);
  expect(await saveOrders(testApp.db, [await orderOf(second, 1)])).toEqual(['saved']);
});
