// Tests when the server refuses to erase a customer's personal data, because an order is still open or money is due (contract §18).
import { beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { withQueryBuilder, type TestDb } from '../../../test/database/test-db.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { cents } from '../../domain/money.ts';
import { run, transaction } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { nextCatalogueVersion } from '../distributions/queries.ts';
import { CHANGED_MEANWHILE, moneyIsDueText, stillOpenText } from './texts.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
});

const request = async (method: 'GET' | 'POST', headers: Record<string, string> = {}) =>
  await testApp.request(distributor, { method, url: `/api/users/customer/${customer.id}/forget`, headers });
const forget = async (headers?: Record<string, string>) => {
  const { statusCode, body } = await request('POST', headers);
  return [statusCode, body];
};

interface Ordered {
  readonly distribution: Row<'distributions'>;
  readonly orderId: number;
  readonly lines: Row<'order_products'>[];
}
/** Creates a distribution in which the customer has an order of $20.00. */
async function makeOrdered(values: Parameters<typeof makeDistribution>[2]): Promise<Ordered> {
  const distribution = await makeDistribution(testApp.db, distributor, values);
  const wine = await makeProduct(testApp.db, distribution, { unit_price: cents(2000) });
  const { id, lines } = await makeOrder(testApp.db, distribution, customer, [[wine, 1]]);
  return { distribution, orderId: id, lines };
}

const joinWaitingList = (db: TestDb, { distributorId, id }: Row<'distributions'>, productId: number) =>
  db.insertInto('waiting_list').values({ distributorId, distributionId: id, productId, customerId: customer.id, quantity: 1 }).execute();

test.each([
  ['money is due', 1500],
  ['money is due back', 2500],
])('a customer cannot be forgotten while %s (contract §18)', async (_, amount) => {
  const settled = await makeOrdered({ orderingOpen: false });
  await pay(testApp.db, settled.distribution, { orderId: settled.orderId, amount: 2000, by: distributor });
  const { distribution, orderId } = await makeOrdered({ orderingOpen: false, name: 'Purim' });
  await pay(testApp.db, distribution, { orderId, amount, by: distributor });
  const refusal = moneyIsDueText(['Purim']);
  expect(await forget()).toEqual([409, refusal]);
  expect((await request('GET')).json()).toMatchObject({ refusal });
  expect(await testApp.db.selectFrom('contacts').select('firstName').where('userId', '=', customer.id).execute()).toEqual([
    { firstName: 'Rivka' },
  ]);
});

test('a customer cannot be forgotten while ordering is open in a distribution in which the customer has an order (contract §11, §18)', async () => {
  const [passover, shavuot] = [await makeOrdered({ name: 'Passover' }), await makeOrdered({ name: 'Shavuot', date: '2027-06-10' })];
  await makeDistribution(testApp.db, distributor);
  for (const { distribution, orderId } of [passover, shavuot])
    await pay(testApp.db, distribution, { orderId, amount: 2000, by: distributor });
  expect(await forget()).toEqual([409, stillOpenText(['Passover', 'Shavuot'])]);
  const change = (id: number, values: object) => testApp.db.updateTable('distributions').set(values).where('id', '=', id).execute();
  await change(shavuot.distribution.id, { orderingOpen: false });
  expect(await forget()).toEqual([
    409,
    'This customer has an order in Passover, where ordering is still open. Close ordering there first, then forget the customer.',
  ]);
  await change(passover.distribution.id, { closesAt: new Date(Date.now() - 1000).toISOString() });
  expect(await forget()).toEqual([204, '']);
});

test.each<[string, (db: TestDb, order: Ordered) => Promise<unknown>]>([
  ['a payment is saved', (db, { distribution, orderId }) => pay(db, distribution, { orderId, amount: 500, by: distributor })],
  ['a weight is saved', (db, { lines }) => weigh(db, lines[0], [3], distributor)],
  ['the order is changed', (db, { orderId }) => run(db, 'UPDATE orders SET version = version + 1 WHERE id = $1', [orderId])],
  ['the customer joins a waiting list', (db, { distribution, lines }) => joinWaitingList(db, distribution, lines[0]?.productId ?? 0)],
  ['the contact is changed', (db) => run(db, `UPDATE contacts SET phone = '555-7719' WHERE "userId" = $1`, [customer.id])],
  [
    'a price is changed',
    async (db, { distribution }) => {
      await run(db, 'UPDATE products SET unit_price = 2500 WHERE "distributionId" = $1', [distribution.id]);
      await nextCatalogueVersion(db, distribution.id);
    },
  ],
])('a customer is not forgotten if %s after the balances were checked (contract §18)', async (_, change) => {
  const ordered = await makeOrdered({ orderingOpen: false });
  const { distribution, orderId } = ordered;
  await pay(testApp.db, distribution, { orderId, amount: 2000, by: distributor });
  const { forgetting } = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT FROM orders WHERE id = $1 FOR UPDATE', [orderId]);
    const forgetting = forget({ 'idempotency-key': 'forget' });
    await waitForLockWaiters(testApp.db);
    await change(withQueryBuilder(db), ordered);
    return { forgetting };
  });
  expect(await forgetting).toEqual([503, CHANGED_MEANWHILE]);
  expect(await testApp.db.selectFrom('users').select('removedAt').where('id', '=', customer.id).execute()).toEqual([{ removedAt: null }]);
  // When the same request is sent again, the new balances decide whether it is refused.
  const due = (await request('GET')).json<{ refusal: string | null }>().refusal;
  expect(await forget({ 'idempotency-key': 'forget' })).toEqual(due === null ? [204, ''] : [409, due]);
});

test('a customer who cannot be forgotten keeps the places on waiting lists (contract §12, §18)', async () => {
  const { distribution, lines } = await makeOrdered({ orderingOpen: false, name: 'Purim' });
  await joinWaitingList(testApp.db, distribution, lines[0]?.productId ?? 0);
  expect(await forget()).toEqual([409, moneyIsDueText(['Purim'])]);
  expect(await testApp.db.selectFrom('waiting_list').select('customerId').execute()).toEqual([{ customerId: customer.id }]);
});

test('a request to forget a customer whose balances are being checked does not delay the imports of other distributors (reliability abuse)', async () => {
  await makeOrdered({ orderingOpen: false, name: 'Purim' });
  const other = await makeDistributor(testApp.db);
  const { forgetting } = await transaction(testApp.db, async (db) => {
    await run(db, 'LOCK TABLE payments', []);
    const forgetting = forget();
    await waitForLockWaiters(testApp.db);
    const payload = { users: [{ email: 'family@mail.test' }], replyTo: other.email, invite: 'later' };
    expect((await testApp.request(other, { method: 'POST', url: '/api/users/customer', payload })).statusCode).toBe(201);
    return { forgetting };
  });
  expect(await forgetting).toEqual([409, moneyIsDueText(['Purim'])]);
});
