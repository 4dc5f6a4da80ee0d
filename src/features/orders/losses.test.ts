import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { linesOf, makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { LOSSES_CHANGED } from './edit-order/texts.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let order: Awaited<ReturnType<typeof makeOrder>>;

beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { unit_qty: 2, unit_qty_is_estimate: true, product_code: 1001 });
  order = await makeOrder(testApp.db, distribution, customer, [[brisket, 3]]);
});

const NONE = { weights: [], refund: 0 };
const REFUSED = [409, LOSSES_CHANGED];

/** Saves the order with this quantity of briskets. Returns the status, and the message of a refusal. */
async function save(quantity: number, more: object = {}, headers: Record<string, string> = {}): Promise<unknown[]> {
  const payload = { customerId: customer.id, distributionId: distribution.id, products: [{ productId: brisket.id, quantity }], ...more };
  const answer = await testApp.request(distributor, { method: 'POST', url: '/api/distributor/order', payload, headers });
  return answer.statusCode === 200 ? [200] : [answer.statusCode, answer.body];
}
const weights = (...of: (number | null)[]) => weigh(testApp.db, order.lines[0], of, distributor);
const payment = (amount: number) => pay(testApp.db, distribution, { orderId: order.id, amount, by: distributor });
const third = (weight: number) => [{ orderProductId: order.lines[0]?.id, sortOrder: 2, actualQuantity: weight }];
const quantity = async () => (await linesOf(testApp.db, distribution.id)).map((line) => line.quantity);

describe('a save by staff that lowers an order and contains what it would lose', () => {
  test.each([
    ['a unit that it removes was weighed', () => weights(null, null, 1.5), () => ({ ...NONE, weights: third(1.5) })],
    ['the order was paid', () => payment(6000), () => ({ ...NONE, refund: 2000 })],
  ])('is refused when %s meanwhile, and saved when it contains this (contract §6, §7)', async (_, change, losses) => {
    await change();
    expect(await save(2, { losses: NONE }, { 'idempotency-key': 'outdated' })).toEqual(REFUSED);
    expect(await save(2, { losses: NONE })).toEqual(REFUSED);
    expect(await quantity()).toEqual([3]);
    expect(await save(2, { losses: losses() })).toEqual([200]);
    expect(await quantity()).toEqual([2]);
  });

  test('is not refused when only remaining units were weighed and less was paid than the order then costs, with fees (contract §6, §7)', async () => {
    await makeFee(testApp.db, distribution, { amount: 500 });
    await weights(2.5, 2);
    await payment(5000);
    expect(await save(2, { losses: NONE })).toEqual([200]);
  });

  test('counts the price of products that it adds', async () => {
    const wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
    await payment(6000);
    const products = [
      { productId: brisket.id, quantity: 2 },
      { productId: wine.id, quantity: 1 },
    ];
    expect(await save(0, { products, losses: { ...NONE, refund: 2000 } })).toEqual(REFUSED);
    expect(await save(0, { products, losses: { ...NONE, refund: 1000 } })).toEqual([200]);
  });

  test.each([
    ['raises the order', () => save(4, { losses: NONE })],
    ['changes only the note', () => save(3, { note: 'Ring twice', losses: NONE })],
    ['does not contain what it loses', () => save(2)],
  ])('is not refused when it %s', async (_, change) => {
    await weights(2, 2, 1.5);
    await payment(9000);
    expect(await change()).toEqual([200]);
  });

  test.each([
    [
      'weighed',
      (db: Db) =>
        run(db, 'INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy") VALUES ($1, 2, 1.5, $2)', [
          order.lines[0]?.id,
          distributor.id,
        ]),
    ],
    [
      'paid',
      (db: Db) =>
        run(
          db,
          `INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdBy", "updatedBy") VALUES ($2, $3, $1, 6000, 'Cash', $2, $2)`,
          [order.id, distributor.id, distribution.id],
        ),
    ],
  ])('is refused when the order is %s while the save waits for its lock (contract §6, §7; reliability abuse)', async (_, change) => {
    const saves = await transaction(testApp.db, async (db) => {
      await run(db, 'SELECT FROM orders WHERE id = $1 FOR UPDATE', [order.id]);
      const saves = [save(2, { losses: NONE }, { 'idempotency-key': 'waiting' })];
      await waitForLockWaiters(testApp.db);
      await change(db);
      return saves;
    });
    expect(await Promise.all(saves)).toEqual([REFUSED]);
    expect(await quantity()).toEqual([3]);
  });
});
