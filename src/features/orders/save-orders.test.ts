// Tests single calls of the SQL function save_orders_v3 with a batch of different orders, such as new and changed ones.
import { beforeEach, describe, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import { run, runSingle, transaction, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeSlot } from '../../../test/data/factories.ts';
import { linesOf, makeOrder, makeOrders, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { nextCatalogueVersion } from '../distributions/queries.ts';
import { findOrderState } from '../order-state/queries.ts';
import { newOrderId, saveOrders, type OrderWrite, type SaveOutcome } from './queries.ts';

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
  const stateQuery = {
    tenantId: distributor.id,
    customerId: person.id,
    distributionId: distribution.id,
    products: [{ productId: brisket.id, quantity }],
    slotIds: [],
  };
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
const outcomesOf = async (db: Db, orders: readonly OrderWrite[]): Promise<SaveOutcome[]> =>
  (await saveOrders(db, orders)).map(({ outcome }) => outcome);
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

  expect(await outcomesOf(testApp.db, batch)).toEqual(['saved', 'saved', 'saved', 'saved']);
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

  expect(await outcomesOf(testApp.db, batch)).toEqual(['outdated', 'key used', 'saved']);
  expect((await linesOf(testApp.db, distribution.id)).map(({ customerId, quantity }) => [customerId, quantity])).toEqual([
    [outdated.id, 7],
    [other.id, 1],
  ]);
  expect(await storedReplies()).toEqual([
    [keyed.id, 'first reply'],
    [other.id, 'reply own'],
  ]);
});

test('of the orders of a batch that compete for the last units of a product, the first ones are saved (contract §12)', async () => {
  await testApp.db.updateTable('products').set({ total_limit: 4 }).where('id', '=', brisket.id).execute();
  const [first, second, third] = [
    await makeCustomer(testApp.db, distributor),
    await makeCustomer(testApp.db, distributor),
    await makeCustomer(testApp.db, distributor),
  ];
  const batch = [await orderOf(third, 2), await orderOf(first, 2), await orderOf(second, 2), await orderOf(third, 1)];
  expect(await outcomesOf(testApp.db, batch)).toEqual(['saved', 'saved', 'outdated', 'outdated']);
});

test("a customer's save is outdated if the order was picked up after the server had validated the save; staff can still change the order, and the customer can order again if it has no units (reliability abuse)", async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  await makeOrder(testApp.db, distribution, customer, [[brisket, 3]]);
  const lowered = await orderOf(customer, 1);
  const pickUp = { pickedUpAt: testApp.time.toISOString(), pickedUpBy: distributor.id };
  await testApp.db.updateTable('orders').set(pickUp).where('customerId', '=', customer.id).execute();
  expect(await outcomesOf(testApp.db, [lowered])).toEqual(['outdated']);
  const byStaff = { ...lowered, item: { ...lowered.item, updatedBy: distributor.id, needsOpenOrdering: false } };
  expect(await outcomesOf(testApp.db, [byStaff])).toEqual(['saved']);
  await testApp.db.updateTable('order_products').set({ quantity: 0 }).where('productId', '=', brisket.id).execute();
  expect(await outcomesOf(testApp.db, [await orderOf(customer, 2)])).toEqual(['saved']);
});

test('a picked-up order without units that gets units loses its mark, with an audit row; a picked-up order with units, or that stays without units, keeps it (contract §5, §14)', async () => {
  const people = [
    await makeCustomer(testApp.db, distributor),
    await makeCustomer(testApp.db, distributor),
    await makeCustomer(testApp.db, distributor),
  ];
  const [again, withUnits, empty] = people as [Person, Person, Person];
  for (const person of [again, empty]) await makeOrder(testApp.db, distribution, person, [[brisket, 0]]);
  await makeOrder(testApp.db, distribution, withUnits, [[brisket, 2]]);
  const pickUp = { pickedUpAt: testApp.time.toISOString(), pickedUpBy: distributor.id };
  await testApp.db.updateTable('orders').set(pickUp).where('distributionId', '=', distribution.id).execute();
  const byStaff = ({ item, ...order }: OrderWrite): OrderWrite => ({ ...order, item: { ...item, updatedBy: distributor.id } });
  const batch = [await orderOf(again, 3), byStaff(await orderOf(withUnits, 1)), byStaff(await orderOf(empty, 0))];
  expect(await outcomesOf(testApp.db, batch)).toEqual(['saved', 'saved', 'saved']);
  const orders = testApp.db.selectFrom('orders').select(['customerId', 'pickedUpBy']).where('distributionId', '=', distribution.id);
  expect(await orders.where('pickedUpAt', 'is not', null).orderBy('customerId').execute()).toEqual([
    { customerId: withUnits.id, pickedUpBy: distributor.id },
    { customerId: empty.id, pickedUpBy: distributor.id },
  ]);
  expect(await orders.where('pickedUpAt', 'is', null).execute()).toEqual([{ customerId: again.id, pickedUpBy: null }]);
  const audit = testApp.db.selectFrom('order_audit').select(['orderId', 'before', 'after', 'updatedBy']);
  expect(await audit.where('distributionId', '=', distribution.id).execute()).toEqual([
    { orderId: batch[0]?.item.id, before: { pickedUp: true }, after: { pickedUp: false }, updatedBy: again.id },
  ]);
});

test('an order of staff exceeds only the limits that staff have confirmed, also if another limit is reached just before the save (contract §12)', async () => {
  await testApp.db.updateTable('products').set({ total_limit: 4 }).where('id', '=', brisket.id).execute();
  const wine = await makeProduct(testApp.db, distribution, { total_limit: 1 });
  const order = await orderOf(await makeCustomer(testApp.db, distributor), 5);
  const lines = [...order.item.lines, { productId: wine.id, quantity: 1, originalQuantity: 1, isAudited: true }];
  const confirmed = { ...order, item: { ...order.item, needsOpenOrdering: false, beyondLimits: [brisket.id], lines } };
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[wine, 1]]);
  expect(await outcomesOf(testApp.db, [confirmed])).toEqual(['outdated']);
  const both = { ...confirmed, item: { ...confirmed.item, beyondLimits: [brisket.id, wine.id] } };
  expect(await outcomesOf(testApp.db, [both])).toEqual(['saved']);
});

test('an order is outdated after one of its products was withdrawn, or the distribution got pick-up times (contract §16)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  const before = await orderOf(customer, 1);
  await testApp.db.updateTable('products').set({ notOffered: true }).where('id', '=', brisket.id).execute();
  await nextCatalogueVersion(testApp.db, distribution.id);
  expect(await outcomesOf(testApp.db, [before])).toEqual(['outdated']);
  const withoutSlot = await orderOf(customer, 1);
  await makeSlot(testApp.db, distribution);
  expect(await outcomesOf(testApp.db, [withoutSlot])).toEqual(['outdated']);
  const { item } = withoutSlot;
  expect(await outcomesOf(testApp.db, [{ ...withoutSlot, item: { ...item, needsOpenOrdering: false } }])).toEqual(['saved']);
});

test('a new version of the catalogue makes an order outdated only if one of its products has changed (contract §5)', async () => {
  const [first, second] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  const [order, orderOfSecond] = [await orderOf(first, 1), await orderOf(second, 1)];
  await nextCatalogueVersion(testApp.db, distribution.id);
  expect(await outcomesOf(testApp.db, [order])).toEqual(['saved']);

  const price = cents(brisket.unit_price + 1);
  await testApp.db.updateTable('products').set({ unit_price: price }).where('id', '=', brisket.id).execute();
  await nextCatalogueVersion(testApp.db, distribution.id);
  expect(await outcomesOf(testApp.db, [orderOfSecond])).toEqual(['outdated']);
  expect(await outcomesOf(testApp.db, [await orderOf(second, 1)])).toEqual(['saved']);
});

describe('a batch of orders with pick-up times (contract §16)', () => {
  /** Returns the data to save for an order that gets or keeps this pick-up time. */
  async function slotOrderOf(person: Person, quantity: number, slot: Row<'slots'>): Promise<OrderWrite> {
    const { item, ...order } = await orderOf(person, quantity);
    const details = { note: null, slotId: slot.id, before: {}, after: {} };
    return { ...order, item: { ...item, slotId: slot.id, details } };
  }
  /** Inserts an order with this pick-up time, and returns its customer. */
  async function makeBooking(slot: Row<'slots'>, quantity = 1): Promise<Person> {
    const person = await makeCustomer(testApp.db, distributor);
    const { id } = await makeOrder(testApp.db, distribution, person, [[brisket, quantity]]);
    await testApp.db.updateTable('orders').set({ slotId: slot.id }).where('id', '=', id).execute();
    return person;
  }

  test('counts the orders that newly get a pick-up time, and those that have it and at least one unit', async () => {
    const [morning, noon] = [await makeSlot(testApp.db, distribution, { capacity: 4 }), await makeSlot(testApp.db, distribution)];
    const kept = await makeBooking(morning);
    const [raised, moved] = [await makeBooking(morning, 0), await makeBooking(noon)];
    await makeBooking(morning, 0);
    const [first, last] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
    const orders = await Promise.all([kept, raised, moved, first].map((person) => slotOrderOf(person, 2, morning)));
    expect(await outcomesOf(testApp.db, orders)).toEqual(['saved', 'saved', 'saved', 'saved']);
    expect(await outcomesOf(testApp.db, [await slotOrderOf(last, 2, morning)])).toEqual(['outdated']);
    expect(await outcomesOf(testApp.db, [await slotOrderOf(kept, 3, morning)])).toEqual(['saved']);
    expect(await outcomesOf(testApp.db, [await slotOrderOf(kept, 3, noon)])).toEqual(['saved']);
    const two = [await slotOrderOf(last, 2, morning), await slotOrderOf(await makeCustomer(testApp.db, distributor), 2, morning)];
    expect((await outcomesOf(testApp.db, two)).toSorted()).toEqual(['outdated', 'saved']);
  });

  test('does not lock the pick-up times that its orders already have, so that it waits for no other batch (reliability abuse)', async () => {
    const slot = await makeSlot(testApp.db, distribution);
    const order = await slotOrderOf(await makeBooking(slot), 2, slot);
    await transaction(testApp.db, async (db) => {
      await run(db, 'SELECT FROM slots WHERE id = $1 FOR NO KEY UPDATE', [slot.id]);
      expect(await outcomesOf(testApp.db, [order])).toEqual(['saved']);
    });
  });

  const READ = `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'order_products'`;
  const readLines = async (db: Db): Promise<number> => (await runSingle<{ rows: number }>(db, READ, [])).rows;

  test.each([
    ['with many places left', 1000, 'saved'],
    ['that is full', 5, 'outdated'],
  ])('reads the lines of few of the 300 orders of a pick-up time %s (reliability abuse)', async (_, capacity, outcome) => {
    const slot = await makeSlot(testApp.db, distribution, { capacity });
    await makeOrders(testApp.db, distribution, { count: 300, productIds: [brisket.id], slotId: slot.id });
    const order = await slotOrderOf(await makeCustomer(testApp.db, distributor), 1, slot);
    await run(testApp.db, 'VACUUM ANALYZE orders, order_products', []);
    await transaction(testApp.db, async (db) => {
      // Small tables would be read as a whole.
      for (const text of ['DISCARD PLANS', 'SET LOCAL enable_seqscan = off', 'SET LOCAL enable_bitmapscan = off']) await run(db, text, []);
      const before = await readLines(db);
      expect(await outcomesOf(db, [order])).toEqual([outcome]);
      expect((await readLines(db)) - before).toBeLessThan(20);
      await run(db, 'DISCARD PLANS', []);
    });
  });

  test('does not read the orders of a full pick-up time again when a request with a used idempotency key is repeated (reliability abuse)', async () => {
    const [free, full] = [await makeSlot(testApp.db, distribution), await makeSlot(testApp.db, distribution, { capacity: 300 })];
    await makeOrders(testApp.db, distribution, { count: 300, productIds: [brisket.id], slotId: full.id });
    const person = await makeCustomer(testApp.db, distributor);
    const record = { key: 'used', bodyHash: 'hash', createdAt: testApp.time, status: 200, reply: '' };
    const orderFor = async (slot: Row<'slots'>): Promise<OrderWrite> => {
      const { item, ...order } = await slotOrderOf(person, 1, slot);
      return { ...order, item: { ...item, ...record } };
    };
    expect(await outcomesOf(testApp.db, [await orderFor(free)])).toEqual(['saved']);
    const again = await orderFor(full);
    await transaction(testApp.db, async (db) => {
      const before = await readLines(db);
      expect(await outcomesOf(db, [again])).toEqual(['key used']);
      expect((await readLines(db)) - before).toBeLessThan(20);
    });
  });
});
