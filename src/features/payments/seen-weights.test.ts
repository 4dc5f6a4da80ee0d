// Tests how a payment restores the customer's weights on which its amount is based.
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { cents } from '../../domain/money.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { saveActuals } from '../actuals/contract.ts';
import { recordPayment } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let order: Awaited<ReturnType<typeof makeOrder>>;
/** The order of another customer. */
let foreign: Awaited<ReturnType<typeof makeOrder>>;
let other: Person;
beforeEach(async () => {
  const { db } = testApp;
  distributor = await makeDistributor(db);
  const distribution = await makeDistribution(db, distributor, { acceptActuals: true });
  const product = await makeProduct(db, distribution, { unit_qty: 5, unit_price: cents(1000), unit_qty_is_estimate: true });
  [customer, other] = [await makeCustomer(db, distributor), await makeCustomer(db, distributor)];
  order = await makeOrder(db, distribution, customer, [[product, 3]]);
  foreign = await makeOrder(db, distribution, other, [[product, 1]]);
});

type Order = typeof order;
const keyOf = ({ lines }: Order, unit: number) => `${lines[0]?.id}-${unit}`;
const enter = async (by: Person, { id: orderId, lines }: Order, weights: readonly number[]) => {
  const payload = Object.fromEntries(weights.map((weight, unit) => [`${lines[0]?.id}-${unit}`, weight]));
  expect((await testApp.request(by, { method: 'POST', url: pathOf(saveActuals, { orderId }), payload })).statusCode).toBe(200);
};
const pay = async (amount: number, seenWeights: object, by = distributor) => {
  const payload = { amount, paymentMethod: 'Cash', seenWeights };
  const reply = await testApp.request(by, { method: 'POST', url: pathOf(recordPayment, { orderId: order.id }), payload });
  return [reply.statusCode, reply.statusCode === 201 ? '' : reply.body];
};
const weights = async ({ lines }: Order) =>
  await testApp.db
    .selectFrom('actual_quantities')
    .select(['actualQuantity as weight', 'updatedBy as by'])
    .where('orderProductId', '=', lines[0]?.id ?? 0)
    .orderBy('sortOrder')
    .execute();
const lastAudit = async () =>
  await testApp.db
    .selectFrom('actual_quantity_audit')
    .select(['previousQuantity', 'actualQuantity', 'updatedBy'])
    .orderBy('id', 'desc')
    .executeTakeFirst();

test('a payment above the balance restores the weights on which it is based; they stay weights of the customer, and the audit trail names who recorded the payment (reliability abuse)', async () => {
  await enter(customer, order, [5, 5, 5]);
  await enter(customer, order, [0.51]);
  expect(await pay(15_000, { [keyOf(order, 0)]: 5, [keyOf(order, 1)]: 5, [keyOf(order, 2)]: 5 })).toEqual([201, '']);
  expect(await weights(order)).toEqual([5, 5, 5].map((weight) => ({ weight, by: customer.id })));
  expect(await lastAudit()).toEqual({ previousQuantity: 0.51, actualQuantity: 5, updatedBy: distributor.id });
});

test('a weight is restored even if the customer has changed it many times within a minute (reliability abuse)', async () => {
  await enter(customer, order, [4, 5, 5]);
  for (const weight of [4.1, 5, 0.51]) await enter(customer, order, [weight]);
  expect(await pay(15_000, { [keyOf(order, 0)]: 5 })).toEqual([201, '']);
});

test.each([
  [
    'it is not in the audit trail, and the customer made three changes in different minutes',
    sql`UPDATE actual_quantity_audit SET "updatedAt" = "updatedAt" + id * interval '1 minute'`,
  ],
  ['it is not in the audit trail, and the distribution no longer accepts weights', sql`UPDATE distributions SET "acceptActuals" = false`],
])('a value is not restored if %s (reliability abuse)', async (_, change) => {
  for (const weight of [5.1, 5.2, 5]) await enter(customer, order, [weight, 5, 5]);
  await change.execute(testApp.db);
  const before = await weights(order);
  expect((await pay(15_001, { [keyOf(order, 0)]: 50 }))[0]).toBe(409);
  expect(await weights(order)).toEqual(before);
});

test('a weight that the customer recorded is restored even if the distribution no longer accepts weights (reliability abuse)', async () => {
  await enter(customer, order, [5, 5, 5]);
  await enter(customer, order, [0.51]);
  await testApp.db.updateTable('distributions').set({ acceptActuals: false }).execute();
  expect(await pay(15_000, { [keyOf(order, 0)]: 5 })).toEqual([201, '']);
});

test('a payment does not replace a weight that staff recorded with an earlier weight of the customer (reliability abuse)', async () => {
  await enter(customer, order, [5, 4, 5]);
  await enter(await makeAgent(testApp.db, distributor), order, [4.4]);
  const before = await weights(order);
  expect((await pay(14_000, { [keyOf(order, 0)]: 5 }))[0]).toBe(409);
  expect(await weights(order)).toEqual(before);
});

test('a payment does not restore weights of other orders (reliability abuse)', async () => {
  await enter(customer, order, [5, 5, 5]);
  await enter(customer, order, [0.51]);
  await enter(other, foreign, [5]);
  await enter(other, foreign, [3]);
  const before = await weights(foreign);
  expect(await pay(15_000, { [keyOf(order, 0)]: 5, [keyOf(foreign, 0)]: 5 })).toEqual([201, '']);
  expect(await weights(foreign)).toEqual(before);
});

test.each([
  ['a value that the customer has not recorded', () => ({ [keyOf(order, 0)]: 50 })],
  ['an id of a line above the range of the database', () => ({ '999999999999999-0': 5 })],
  ['a number of a unit above the range of the database', () => ({ [`${order.lines[0]?.id}-99999999999`]: 5 })],
])('a payment above the balance is refused with 409 and changes nothing if it names %s (reliability abuse)', async (_, seen) => {
  await enter(customer, order, [5, 5, 5]);
  const before = await weights(order);
  expect((await pay(15_001, seen()))[0]).toBe(409);
  expect(await weights(order)).toEqual(before);
});

test('a payment that is not above the balance restores no weights', async () => {
  await enter(customer, order, [0.51, 5, 5]);
  await enter(customer, order, [5]);
  expect(await pay(10_510, { [keyOf(order, 0)]: 0.51 })).toEqual([201, '']);
  expect((await weights(order))[0]).toEqual({ weight: 5, by: customer.id });
});

test.each([-1, 5.0001])('a payment with the seen weight %d is refused with 400', async (weight) => {
  await enter(customer, order, [5, 5, 5]);
  expect((await pay(15_001, { [keyOf(order, 0)]: weight }))[0]).toBe(400);
  expect((await weights(order))[0]).toEqual({ weight: 5, by: customer.id });
});

test('a payment that is refused restores no weights', async () => {
  await enter(customer, order, [5, 5, 5]);
  await enter(customer, order, [0.51]);
  const before = await weights(order);
  expect((await pay(15_001, { [keyOf(order, 0)]: 5 }))[0]).toBe(409);
  expect(await weights(order)).toEqual(before);
});

test('the reply to a refused payment names the balance with the recorded weights, not with those that the payment names (reliability abuse)', async () => {
  await enter(customer, order, [5, 5, 5]);
  await enter(customer, order, [9, 9, 9]);
  expect(await pay(27_000, {})).toEqual([201, '']);
  const refused = await pay(15_000, {});
  expect(refused).toEqual([409, expect.stringContaining('$0.00')]);
  expect(await pay(15_000, { [keyOf(order, 0)]: 5, [keyOf(order, 1)]: 5, [keyOf(order, 2)]: 5 })).toEqual(refused);
});
