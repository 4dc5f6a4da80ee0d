// Sends several payments of an order at the same time, and payments at the same time as changes of the order's balance (contract §7).
import { beforeAll, describe, expect, test } from 'vitest';
import { cents } from '../src/domain/money.ts';
import { listPayments } from '../src/features/payments/contract.ts';
import { run, transaction, type Db } from '../src/server/database/db.ts';
import type { Row } from '../src/server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { makeOrder, pay as recordPayment, weigh } from './data/order-rows.ts';
import { waitForLockWaiters } from './database/lock-waits.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
/** A product that is sold by weight. A unit weighs about two pounds, and a pound costs $10.00. */
let beef: Row<'products'>;
beforeAll(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  beef = await makeProduct(testApp.db, distribution, { unit_qty: 2, unit_qty_is_estimate: true });
});

/** Creates an order of one unit that weighs two pounds and therefore costs $20.00. */
async function newOrder() {
  const { id, lines } = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[beef, 1]]);
  await weigh(testApp.db, lines[0], [2], distributor);
  return { id, lineId: lines[0]?.id ?? 0 };
}

const pay = (orderId: number, amount: number, key?: string) =>
  testApp.request(distributor, {
    method: 'POST',
    url: `/api/orders/${orderId}/payments`,
    headers: key === undefined ? {} : { 'idempotency-key': key },
    payload: { amount, paymentMethod: 'Cash', description: null, feeAmount: 0 },
  });
async function paidFor(orderId: number): Promise<number> {
  const rows = await testApp.db.selectFrom('payments').select('amount').where('orderId', '=', orderId).execute();
  return rows.reduce((total, row) => total + row.amount, 0);
}
const statuses = (answers: readonly { statusCode: number }[]) => answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b);

test('of two concurrent payments of the whole balance, one is accepted and the other is refused with the remaining balance, in each of fifty attempts (contract §7)', async () => {
  for (let round = 0; round < 50; round++) {
    const { id } = await newOrder();
    // In odd rounds, the two requests have different idempotency keys, like two windows of the application. In even rounds, they have no
    // key.
    const keys = round % 2 ? [`a-${round}`, `b-${round}`] : [undefined, undefined];
    const answers = await Promise.all(keys.map((key) => pay(id, 2000, key)));
    expect(statuses(answers)).toEqual([201, 409]);
    expect(answers.find((answer) => answer.statusCode === 409)?.body).toBe('The payment is above the balance: $0.00.');
    expect(await paidFor(id)).toBe(2000);
  }
});

test('of eight concurrent payments of half the balance, two are accepted (contract §7)', async () => {
  const { id } = await newOrder();
  const answers = await Promise.all(Array.from({ length: 8 }, () => pay(id, 1000)));
  expect(statuses(answers)).toEqual([201, 201, 409, 409, 409, 409, 409, 409]);
  expect(await paidFor(id)).toBe(2000);
});

test('twenty identical requests with one idempotency key record one payment', async () => {
  const { id } = await newOrder();
  const answers = await Promise.all(Array.from({ length: 20 }, () => pay(id, 500, 'pressed')));
  expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
  expect(answers[0]?.statusCode).toBe(201);
  expect(await paidFor(id)).toBe(500);
});

describe('a payment waits for a concurrent change of its order, and is then checked against the changed order', () => {
  async function paidDuring(orderId: number, change: (db: Db) => Promise<unknown>) {
    const paying = await transaction(testApp.db, async (db) => {
      await change(db);
      const answer = pay(orderId, 2000);
      await waitForLockWaiters(testApp.db);
      return [answer];
    });
    const [answer] = await Promise.all(paying);
    return [answer?.statusCode, answer?.body];
  }

  test('with a lower weight', async () => {
    const { id, lineId } = await newOrder();
    const answer = await paidDuring(id, async (db) => {
      await run(db, 'SELECT FROM orders WHERE id = $1 FOR UPDATE', [id]);
      await run(db, 'UPDATE actual_quantities SET "actualQuantity" = 1.5 WHERE "orderProductId" = $1', [lineId]);
    });
    expect(answer).toEqual([409, 'The payment is above the balance: $15.00.']);
  });

  test('with one more unit, not yet weighed', async () => {
    const { id, lineId } = await newOrder();
    const answer = await paidDuring(id, async (db) => {
      await run(db, 'UPDATE orders SET version = version + 1 WHERE id = $1', [id]);
      await run(db, 'UPDATE order_products SET quantity = 2 WHERE id = $1', [lineId]);
    });
    expect(answer).toEqual([409, 'Are all the weights entered?']);
  });

  test('with a lower price', async () => {
    const { id } = await newOrder();
    const answer = await paidDuring(id, async (db) => {
      await run(db, 'UPDATE distributions SET "catalogueVersion" = "catalogueVersion" + 1 WHERE id = $1', [distribution.id]);
      await run(db, 'UPDATE products SET unit_price = 900 WHERE id = $1', [beef.id]);
    });
    expect(answer).toEqual([409, 'The payment is above the balance: $18.00.']);
    await testApp.db
      .updateTable('products')
      .set({ unit_price: cents(1000) })
      .where('id', '=', beef.id)
      .execute();
  });
});

test('the payment that was written last is listed first, whichever request started first (contract §9)', async () => {
  const { id } = await newOrder();
  const [early] = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT FROM distributions WHERE id = $1 FOR UPDATE', [distribution.id]);
    const paying = pay(id, 500);
    await waitForLockWaiters(testApp.db);
    await recordPayment(testApp.db, distribution, { orderId: id, amount: 700, by: distributor });
    return [paying];
  });
  expect((await early).statusCode).toBe(201);
  const listed = await (await testApp.as(distributor))(listPayments, { params: { id: distribution.id } });
  expect(listed.flatMap(({ payments }) => (payments.orderId === id ? [payments.amount] : []))).toEqual([500, 700]);
});

test('of a concurrent payment and weight, the weight is always saved; the payment is refused only if it exceeds the new balance', async () => {
  for (let round = 0; round < 50; round++) {
    const { id, lineId } = await newOrder();
    const url = `/api/order-product-quantities/${id}`;
    const [paid, weighed] = await Promise.all([
      pay(id, 2000),
      testApp.request(distributor, { method: 'POST', url, payload: { [`${lineId}-0`]: 1.5 } }),
    ]);
    expect(weighed.statusCode).toBe(200);
    // Either the payment was recorded before the new weight was saved, or it came after the weight and was refused.
    if (paid.statusCode === 201) expect(await paidFor(id)).toBe(2000);
    else expect([paid.statusCode, paid.body, await paidFor(id)]).toEqual([409, 'The payment is above the balance: $15.00.', 0]);
  }
});

test('when two stations weigh, pay and hand over one order at once, each accepted request is recorded once and the others are refused with a reason (contract §14)', async () => {
  const agent = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
  for (let round = 0; round < 20; round++) {
    const { id, lines } = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[beef, 1]]);
    const unit = `${lines[0]?.id}-0`;
    const post = (by: Person, url: string, payload: object) => testApp.request(by, { method: 'POST', url, payload });
    /**
     * Simulates a station of the pick-up counter. The station weighs the unit, for which it knows no weight yet, takes the payment for this
     * weight, and hands the order over.
     */
    const serve = async (by: Person, weight: number, amount: number) => {
      const weighed = await post(by, `/api/order-product-quantities/${id}`, { [unit]: weight, [`${unit}-was`]: null });
      const paid = await post(by, `/api/orders/${id}/payments`, { amount, paymentMethod: 'Cash' });
      const marked = await post(by, `/api/orders/${id}/picked-up`, { pickedUp: true });
      return { weight, amount, weighed, paid, marked };
    };
    const stations = await Promise.all([serve(distributor, 2, 2000), serve(agent, 1.9, 1900)]);

    expect(stations.map(({ marked }) => marked.statusCode)).toEqual([204, 204]);
    const [first, second] = stations.toSorted((a, b) => a.weighed.statusCode - b.weighed.statusCode);
    expect([first?.weighed.statusCode, second?.weighed.statusCode]).toEqual([200, 409]);
    expect(second?.weighed.body).toContain(`is ${first?.weight} now`);
    const weights = await testApp.db
      .selectFrom('actual_quantities')
      .select('actualQuantity')
      .where('orderProductId', '=', lines[0]?.id ?? 0)
      .execute();
    expect(weights.map(({ actualQuantity }) => Number(actualQuantity))).toEqual([first?.weight]);

    const accepted = stations.filter(({ paid }) => paid.statusCode === 201);
    const refused = stations.filter(({ paid }) => paid.statusCode !== 201);
    expect([accepted.length, refused.length]).toEqual([1, 1]);
    expect(await paidFor(id)).toBe(accepted[0]?.amount);
    expect([refused[0]?.paid.statusCode, refused[0]?.paid.body]).toEqual([
      409,
      expect.stringMatching(/^The payment is above the balance: \$(0|1|19)\.00\.$/),
    ]);
    const trail = await testApp.db.selectFrom('order_audit').select('orderId').where('orderId', '=', id).execute();
    expect(trail).toHaveLength(1);
  }
});
