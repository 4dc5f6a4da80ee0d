// Tests when the server refuses to erase a customer's personal data, because an order is still open or money is due (contract §18).
import { beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { moneyIsDueText, stillOpenText } from './texts.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
});

const request = async (method: 'GET' | 'POST') =>
  await testApp.request(distributor, { method, url: `/api/users/customer/${customer.id}/forget` });
const forget = async () => {
  const { statusCode, body } = await request('POST');
  return [statusCode, body];
};

/** Creates a distribution in which the customer has an order of $20.00. */
async function makeOrdered(
  values: Parameters<typeof makeDistribution>[2],
): Promise<{ distribution: Row<'distributions'>; orderId: number }> {
  const distribution = await makeDistribution(testApp.db, distributor, values);
  const wine = await makeProduct(testApp.db, distribution, { unit_price: cents(2000) });
  return { distribution, orderId: (await makeOrder(testApp.db, distribution, customer, [[wine, 1]])).id };
}

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
