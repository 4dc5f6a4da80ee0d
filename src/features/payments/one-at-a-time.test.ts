// Recording a payment locks the order and reads all its lines, weights and payments.
import { expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { LOCK_WAITERS, waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction } from '../../server/database/db.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { recordPayment } from './contract.ts';

const testApp = setupTestApp();

test('payments of one person are recorded one at a time, and those of others in addition (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const agent = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
  const distribution = await makeDistribution(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution);
  const order = async () => (await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[wine, 2]])).id;
  const [first, second] = [await order(), await order()];
  const other = await makeDistribution(testApp.db, distributor);
  const post = async (by: Person, url: string, payload: object) => (await testApp.request(by, { method: 'POST', url, payload })).statusCode;
  const record = (by: Person, orderId: number) => post(by, pathOf(recordPayment, { orderId }), { amount: 500, paymentMethod: 'Cash' });
  const { calls } = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT FROM orders WHERE "distributionId" = $1 ORDER BY id FOR UPDATE', [distribution.id]);
    const calls = [record(distributor, first), record(distributor, second)];
    await waitForLockWaiters(testApp.db);
    calls.push(record(agent, first));
    await waitForLockWaiters(testApp.db, 2);
    // The other calls of the person do not wait.
    const renamed = { method: 'PATCH', url: `/api/distributions/${other.id}`, payload: { name: 'Purim' } } as const;
    expect(await testApp.request(distributor, renamed)).toMatchObject({ statusCode: 200 });
    expect(await run(testApp.db, LOCK_WAITERS, [])).toHaveLength(2);
    return { calls };
  });
  expect(await Promise.all(calls)).toEqual([201, 201, 201]);
});

test("a payment that names more than 100 of the customer's weights waits in the queue of expensive reads, and one with fewer does not wait (reliability abuse)", async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  const order = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 101]]);
  const pay = async (units: number) => {
    const by = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
    const seenWeights = Object.fromEntries(Array.from({ length: units }, (_, index) => [`${order.lines[0]?.id}-${index}`, 2]));
    const payload = { amount: 100_000, paymentMethod: 'Cash', seenWeights };
    return (await testApp.request(by, { method: 'POST', url: pathOf(recordPayment, { orderId: order.id }), payload })).statusCode;
  };
  const held = Promise.withResolvers<void>();
  const reading = runInQueue({ distributorId: distributor.id, signal: new AbortController().signal }, () => held.promise);
  let isJudged = false;
  const long = pay(101).finally(() => (isJudged = true));
  for (let other = 0; other < 3; other++) expect(await pay(100)).toBe(409);
  expect(isJudged).toBe(false);
  held.resolve();
  await reading;
  expect(await long).toBe(409);
});
