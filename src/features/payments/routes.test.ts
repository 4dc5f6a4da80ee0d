import { beforeEach, describe, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { readCustomerReport } from '../reports/contract.ts';
import { listPayments } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
/** The order of two wines at $10.00 each, with a fee of $5.00: $25.00 in total. */
let orderId: number;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  await makeFee(testApp.db, distribution, { amount: 500 });
  const wine = await makeProduct(testApp.db, distribution);
  ({ id: orderId } = await makeOrder(testApp.db, distribution, customer, [[wine, 2]]));
});

const CASH = { amount: 1000, paymentMethod: 'Cash', description: null, feeAmount: 0 };
const CARD = { amount: 1000, paymentMethod: 'Credit Card', description: 'Visa 4242', feeAmount: 20 };

async function post(url: string, payload: object, { by = distributor, key }: { by?: Person; key?: string } = {}) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await testApp.request(by, { method: 'POST', url, headers, payload });
  return [answer.statusCode, answer.statusCode < 300 ? answer.json() : answer.body];
}
const send = (payload: object, options?: { by?: Person; key?: string }) => post(`/api/orders/${orderId}/payments`, payload, options);
const reverse = (paymentId: number, payload: object = { description: 'Wrong family' }, options?: { by?: Person; key?: string }) =>
  post(`/api/orders/${orderId}/payments/${paymentId}/reverse`, payload, options);
const list = async () => (await testApp.as(distributor))(listPayments, { params: { id: distribution.id } });
async function balance(): Promise<number | undefined> {
  const rows = await (await testApp.as(distributor))(readCustomerReport, { params: { id: distribution.id } });
  return rows.find((row) => row.customer_id === customer.id)?.balance;
}

describe('a payment', () => {
  test('is returned as recorded, and lowers the balance by the amount of the payment without the card fee (spec §1, §3, §7; contract §2, §7)', async () => {
    const [status, payment] = await send({ ...CARD, description: ' Visa 4242 ' });
    expect(status).toBe(201);
    expect(payment).toEqual({
      id: expect.any(Number),
      orderId,
      ...CARD,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      createdBy: distributor.id,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedBy: distributor.id,
      reversesId: null,
    });
    expect(await balance()).toBe(1500);
  });

  test('is accepted without optional fields', async () => {
    const [status, payment] = await send({ amount: 1, paymentMethod: 'Cash' });
    expect([status, payment.description, payment.feeAmount]).toEqual([201, null, 0]);
  });

  test('may be the whole balance, after which no further payment is accepted', async () => {
    expect((await send({ ...CASH, amount: 2500 }))[0]).toBe(201);
    expect(await balance()).toBe(0);
    expect(await send({ ...CASH, amount: 1 })).toEqual([409, 'The payment is above the balance: $0.00.']);
  });

  test.each([
    [{ ...CASH, amount: 0 }, 'Payment amount must be at least $0.01'],
    [{ ...CASH, amount: -100 }, 'Payment amount must be at least $0.01'],
    [{ ...CARD, feeAmount: -1 }, 'Fee percentage must be non-negative'],
    [{ ...CASH, feeAmount: 1 }, 'Only a Credit Card payment carries a fee.'],
    [{ ...CARD, paymentMethod: 'Check' }, 'Only a Credit Card payment carries a fee.'],
    [{ ...CARD, feeAmount: 1001 }, 'The fee is at most as much as the payment.'],
    [{ ...CARD, description: '  ' }, 'A description is required unless the method is Cash.'],
    [{ ...CASH, paymentMethod: 'Other' }, 'A description is required unless the method is Cash.'],
    [{ ...CARD, description: 'x'.repeat(501) }, 'Description is longer than 500 characters'],
    [{ ...CASH, amount: 1_000_000_001 }, 'Payment amount is too large'],
  ])('with the values %j is refused: %s (spec §5; contract §7)', async (payment, sentence) => {
    expect(await send(payment)).toEqual([400, sentence]);
    expect(await list()).toEqual([]);
  });

  test.each([{ amount: 10.5 }, { amount: '1000' }, { amount: undefined }, { paymentMethod: 'Barter' }, { paymentMethod: undefined }])(
    'with the invalid values %j is refused',
    async (fault) => {
      expect((await send({ ...CASH, ...fault }))[0]).toBe(400);
    },
  );

  test('is refused when it exceeds the balance, even by one cent (contract §7)', async () => {
    expect(await send({ ...CASH, amount: 2501 })).toEqual([409, 'The payment is above the balance: $25.00.']);
    expect((await send({ ...CASH, amount: 2500 }))[0]).toBe(201);
  });

  test('is refused while a weight is missing, and then accepted up to the total by weight (contract §7)', async () => {
    const beef = await makeProduct(testApp.db, distribution, { unit_price: cents(1500), unit_qty: 2, unit_qty_is_estimate: true });
    const other = await makeCustomer(testApp.db, distributor);
    const { id, lines } = await makeOrder(testApp.db, distribution, other, [[beef, 2]]);
    orderId = id;
    await weigh(testApp.db, lines[0], [1.001], distributor);
    expect(await send({ ...CASH, amount: 1 })).toEqual([409, 'Are all the weights entered?']);
    await testApp.db
      .insertInto('actual_quantities')
      .values({ orderProductId: lines[0]?.id ?? 0, sortOrder: 1, actualQuantity: 0, updatedBy: distributor.id })
      .execute();
    // One unit of 1.001 lb at $15.00 costs $15.015, rounded to $15.02. The other unit, with the weight 0, was not delivered. The fee is
    // $5.00.
    expect(await send({ ...CASH, amount: 2003 })).toEqual([409, 'The payment is above the balance: $20.02.']);
    expect((await send({ ...CASH, amount: 2002 }))[0]).toBe(201);
  });

  test('is refused for an order without quantities or with a refund due', async () => {
    await testApp.db.updateTable('order_products').set({ quantity: 0 }).where('orderId', '=', orderId).execute();
    expect(await send({ ...CASH, amount: 1 })).toEqual([409, 'The payment is above the balance: $0.00.']);
    await pay(testApp.db, distribution, { orderId, amount: 310, by: distributor });
    expect(await send({ ...CASH, amount: 1 })).toEqual([409, 'The payment is above the balance: Refund due $3.10.']);
  });

  test('is recorded once, with the same reply, when it is sent twice under one idempotency key (contract §2)', async () => {
    const first = await send(CASH, { key: 'pay-1' });
    expect(await send(CASH, { key: 'pay-1' })).toEqual(first);
    expect(await send({ ...CASH, amount: 1001 }, { key: 'pay-1' })).toEqual([409, 'This Idempotency-Key was used for another request.']);
    expect([(await list()).length, await balance()]).toEqual([1, 1500]);
  });

  test('can be recorded only by the order’s own distributor', async () => {
    const missing = [404, 'Order not found'];
    expect(await send(CASH, { by: await makeDistributor(testApp.db) })).toEqual(missing);
    for (const by of [await makeAgent(testApp.db, distributor), customer]) expect((await send(CASH, { by }))[0]).toBe(403);
    expect(await list()).toEqual([]);
  });
});

describe('a reversal', () => {
  test('is a separate row with negative amounts, and raises the balance again (contract §7)', async () => {
    const [, payment] = await send(CARD);
    const [status, reversal] = await reverse(payment.id);
    expect(status).toBe(201);
    expect(reversal).toMatchObject({
      ...CARD,
      orderId,
      amount: -1000,
      feeAmount: -20,
      description: 'Wrong family',
      reversesId: payment.id,
    });
    expect(await balance()).toBe(2500);
    expect((await send({ ...CASH, amount: 2500 }))[0]).toBe(201);
  });

  test('is written once per payment, and cannot be reversed itself (contract §7)', async () => {
    const [, payment] = await send(CASH);
    const [, reversal] = await reverse(payment.id);
    expect(await reverse(payment.id)).toEqual([409, 'This payment is reversed already.']);
    expect(await reverse(reversal.id)).toEqual([409, 'A reversal cannot be reversed.']);
    expect(await list()).toHaveLength(2);
  });

  test('requested five times at once is recorded once', async () => {
    const [, payment] = await send(CASH);
    const answers = await Promise.all(Array.from({ length: 5 }, () => reverse(payment.id)));
    expect(answers.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
    expect(await balance()).toBe(2500);
  });

  test('sent twice with one idempotency key is recorded once, with the same reply', async () => {
    const [, payment] = await send(CASH);
    const first = await reverse(payment.id, undefined, { key: 'back-1' });
    expect(first[0]).toBe(201);
    expect(await reverse(payment.id, undefined, { key: 'back-1' })).toEqual(first);
  });

  test.each([{}, { description: '' }, { description: ' ' }, { description: null }])(
    'without a reason is refused, with the body %j',
    async (payload) => {
      const [, payment] = await send(CASH);
      expect(await reverse(payment.id, payload)).toEqual([400, 'Description is required']);
    },
  );

  test('of a payment of another distributor or order, or an unknown one, is not found', async () => {
    const [, payment] = await send(CASH);
    expect(await reverse(payment.id, undefined, { by: await makeDistributor(testApp.db) })).toEqual([404, 'Order not found']);
    expect(await reverse(payment.id + 1000)).toEqual([404, 'Payment not found']);
    const { id } = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), []);
    orderId = id;
    expect(await reverse(payment.id)).toEqual([404, 'Payment not found']);
  });
});

test('the list has every payment with its payer, newest first, and marks the reversed ones (spec §3, §7; contract §9)', async () => {
  const nameless = await makeCustomer(testApp.db, distributor, { firstName: '', lastName: '' });
  const wine = await makeProduct(testApp.db, distribution);
  const { id: other } = await makeOrder(testApp.db, distribution, nameless, [[wine, 1]]);
  const [, card] = await send(CARD);
  const [, reversal] = await reverse(card.id);
  orderId = other;
  const [, cash] = await send(CASH);
  const elsewhere = await makeDistribution(testApp.db, distributor);
  const { id: foreign } = await makeOrder(testApp.db, elsewhere, customer, []);
  await pay(testApp.db, elsewhere, { orderId: foreign, amount: 1, by: distributor });

  const rivka = { contacts: { firstName: 'Rivka', lastName: 'Abramov' }, users: { email: customer.email } };
  const listed = ({ id, orderId: of, amount, feeAmount, paymentMethod, description, createdAt, reversesId }: typeof card) => {
    return { id, orderId: of, amount, feeAmount, paymentMethod, description, createdAt, reversesId };
  };
  expect(await list()).toEqual([
    { payments: { ...listed(cash), isReversed: false }, contacts: { firstName: null, lastName: null }, users: { email: nameless.email } },
    { payments: { ...listed(reversal), isReversed: false }, ...rivka },
    { payments: { ...listed(card), isReversed: true }, ...rivka },
  ]);
});

describe('an agent who works in a distribution', () => {
  test('records payments only while the distributor allows this, and never reverses a payment (contract §14)', async () => {
    const agent = await makeAgent(testApp.db, distributor);
    expect(await send(CASH, { by: agent })).toEqual([403, 'Your distributor does not let you take payments.']);
    const allow = async (mayTakePayments: boolean) =>
      await testApp.request(distributor, { method: 'PATCH', url: `/api/users/agent/${agent.id}`, payload: { mayTakePayments } });
    await allow(true);
    const [status, payment] = await send(CASH, { by: agent, key: 'till-1' });
    expect([status, payment.createdBy]).toEqual([201, agent.id]);
    expect(await reverse(payment.id, undefined, { by: agent })).toEqual([403, 'Your role may not do this.']);
    await allow(false);
    // The distributor has just withdrawn the agent's permission to take payments, so even a repetition of the first request with its
    // Idempotency-Key is refused.
    expect(await send(CASH, { by: agent, key: 'till-1' })).toEqual([403, 'Your distributor does not let you take payments.']);
    expect(await list()).toHaveLength(1);
  });
});
