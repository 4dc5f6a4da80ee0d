// Recording or reversing a payment locks the order and reads all its lines, weights and payments.
import { expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { LOCK_WAITERS, waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { makeOrder, pay } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction } from '../../server/database/db.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { recordPayment, reversePayment } from './contract.ts';

const testApp = setupTestApp();

test('payments and reversals of one person run one at a time, and those of others in addition (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const agent = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
  const distribution = await makeDistribution(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution);
  const order = async () => (await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[wine, 2]])).id;
  const [first, second, third] = [await order(), await order(), await order()];
  const paid = await pay(testApp.db, distribution, { orderId: third, amount: 500, by: distributor });
  const post = async (by: Person, url: string, payload: object) => (await testApp.request(by, { method: 'POST', url, payload })).statusCode;
  const record = (by: Person, orderId: number) => post(by, pathOf(recordPayment, { orderId }), { amount: 500, paymentMethod: 'Cash' });
  const { calls } = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT FROM orders WHERE "distributionId" = $1 ORDER BY id FOR UPDATE', [distribution.id]);
    const reverse = post(distributor, pathOf(reversePayment, { orderId: third, paymentId: paid }), { description: 'Wrong family' });
    const calls = [record(distributor, first), record(distributor, second), reverse];
    await waitForLockWaiters(testApp.db);
    calls.push(record(agent, first));
    await waitForLockWaiters(testApp.db, 2);
    expect(await testApp.request(distributor, { method: 'GET', url: '/api/user' })).toMatchObject({ statusCode: 200 });
    expect(await run(testApp.db, LOCK_WAITERS, [])).toHaveLength(2);
    return { calls };
  });
  expect(await Promise.all(calls)).toEqual([201, 201, 201, 201]);
});
