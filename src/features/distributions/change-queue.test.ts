// Tests that a change of a distribution waits for the calls before it, and that later calls wait for the change.
import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { saveActuals } from '../actuals/contract.ts';
import { recordPayment } from '../payments/contract.ts';
import { setPickedUp } from '../pick-up/contract.ts';
import { addProduct, changeProduct } from '../products/contract.ts';
import { joinWaiting } from '../waiting/contract.ts';
import { queueReminders } from '../reminders/queries.ts';
import { changeDistribution } from './contract.ts';

const testApp = setupTestApp();

interface Order {
  readonly customer: Person;
  readonly id: number;
  readonly unit: string;
}
let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;
let first: Order;
let second: Order;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true, unit_qty: 2 });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine', total_limit: 1 });
  const newOrder = async (product: Row<'products'>): Promise<Order> => {
    const customer = await makeCustomer(testApp.db, distributor);
    const { id, lines } = await makeOrder(testApp.db, distribution, customer, [[product, 1]]);
    return { customer, id, unit: `${lines[0]?.id}-0` };
  };
  [first, second] = [await newOrder(brisket), await newOrder(brisket)];
  await newOrder(wine);
});

const send = async (by: Person, method: 'POST' | 'PATCH', url: string, payload: object): Promise<number> =>
  (await testApp.request(by, { method, url, payload })).statusCode;
const weigh = ({ customer, id, unit }: Order) => send(customer, 'POST', pathOf(saveActuals, { orderId: id }), { [unit]: 2 });
const change = ({ id }: Pick<Row<'distributions'>, 'id'>, body: object) =>
  send(distributor, 'PATCH', pathOf(changeDistribution, { id }), body);
const rename = ({ id } = distribution) => change({ id }, { name: 'Purim' });
const refuseWeights = () => change(distribution, { acceptActuals: false });
const add = ({ id } = distribution) => send(distributor, 'POST', pathOf(addProduct, { id }), { name: 'Honey', unit_price: 500 });
const reprice = () =>
  send(distributor, 'PATCH', pathOf(changeProduct, { id: distribution.id, productId: brisket.id }), { unit_price: 900 });

/**
 * Starts the weighing of the first order while its row is locked, then `changing` and then `later`, each when the calls before it wait for a
 * lock. Then unlocks the row and returns the statuses of the three replies.
 */
async function inSequence<Result>(changing: () => Promise<Result>, later: () => Promise<number>) {
  const { calls } = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT FROM orders WHERE id = $1 FOR UPDATE', [first.id]);
    const weighed = weigh(first);
    await waitForLockWaiters(testApp.db);
    const changed = changing();
    await waitForLockWaiters(testApp.db, 2);
    const followed = later();
    await waitForLockWaiters(testApp.db, 3);
    return { calls: [weighed, changed, followed] as const };
  });
  return await Promise.all(calls);
}

describe('a change of a distribution waits only for the calls that began before it, however many customers record weights', () => {
  test('weights that a customer sent before the distributor stopped accepting them are saved, and weights sent after that are refused (reliability abuse)', async () => {
    expect(await inSequence(refuseWeights, () => weigh(second))).toEqual([200, 200, 409]);
  });

  test.each([
    ['price', reprice, 200],
    ['new product', add, 201],
  ])('also if it is a %s (reliability abuse)', async (_, changing, status) => {
    expect(
      await inSequence(
        () => changing(),
        () => weigh(second),
      ),
    ).toEqual([200, status, 200]);
  });

  test.each([
    [
      'payments',
      () => send(distributor, 'POST', pathOf(recordPayment, { orderId: second.id }), { amount: 100, paymentMethod: 'Cash' }),
      409,
    ],
    ['pick-ups', () => send(distributor, 'POST', pathOf(setPickedUp, { orderId: second.id }), { pickedUp: true }), 204],
    [
      'entries of waiting lists',
      () => send(second.customer, 'POST', pathOf(joinWaiting, { id: distribution.id }), { productId: wine.id, quantity: 1 }),
      201,
    ],
  ])('also if the calls after it are %s (reliability abuse)', async (_, later, status) => {
    expect(await inSequence(() => rename(), later)).toEqual([200, 200, status]);
  });

  test('also if it stores that the reminders have been queued (reliability abuse)', async () => {
    const { id } = distribution;
    await run(testApp.db, `UPDATE distributions SET "closesAt" = now() + interval '1 hour', "remindHours" = 2 WHERE id = $1`, [id]);
    expect(
      await inSequence(
        () => queueReminders(testApp.db, testApp.time),
        () => weigh(second),
      ),
    ).toEqual([200, undefined, 200]);
  });
});

test(
  'changes of a distribution whose row stays locked are refused with 503 after five seconds, so that they do not occupy connections for long (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const [second, third] = [await makeDistribution(testApp.db, distributor), await makeDistribution(testApp.db, distributor)];
    const changes = () => Promise.all([reprice(), rename(second), add(third)]);
    await transaction(testApp.db, async (db) => {
      await run(db, 'SELECT FROM distributions WHERE "distributorId" = $1 FOR SHARE', [distributor.id]);
      expect(await changes()).toEqual([503, 503, 503]);
    });
    expect(await changes()).toEqual([200, 200, 201]);
  },
);
