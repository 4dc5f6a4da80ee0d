// Recording weights locks the order, and changes of the distribution wait for it. Recording many weights also keeps the database busy.
import { expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { LOCK_WAITERS, waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction } from '../../server/database/db.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { removeWeight, saveActuals } from './contract.ts';

const testApp = setupTestApp();

test('weights of one person are recorded one call at a time, and those of others in addition (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  const { id, lines } = await makeOrder(testApp.db, distribution, customer, [[brisket, 1]]);
  const line = lines[0]?.id ?? 0;
  const post = async (by: Person, url: string, payload: object) => (await testApp.request(by, { method: 'POST', url, payload })).statusCode;
  const weigh = (by: Person) => post(by, pathOf(saveActuals, { orderId: id }), { [`${line}-0`]: 2 });
  const { calls } = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT FROM orders WHERE id = $1 FOR UPDATE', [id]);
    const calls = [weigh(customer), weigh(customer)];
    await waitForLockWaiters(testApp.db);
    calls.push(weigh(distributor));
    await waitForLockWaiters(testApp.db, 2);
    calls.push(post(distributor, pathOf(removeWeight, { orderId: id }), { orderProductId: line, index: 0 }));
    // The other calls of the person do not wait.
    expect(await post(distributor, '/api/distributions', { name: 'Purim', date: '2030-03-01' })).toBe(201);
    expect(await run(testApp.db, LOCK_WAITERS, [])).toHaveLength(2);
    return { calls };
  });
  expect(await Promise.all(calls)).toEqual([200, 200, 200, 200]);
});

test('a call with more than 100 weights waits in the queue of expensive reads, and calls with fewer do not wait (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  const weigh = async (by: Person, units: number) => {
    const { id, lines } = await makeOrder(testApp.db, distribution, by, [[brisket, units]]);
    const payload = Object.fromEntries(Array.from({ length: units }, (_, index) => [`${lines[0]?.id}-${index}`, 2]));
    return (await testApp.request(by, { method: 'POST', url: pathOf(saveActuals, { orderId: id }), payload })).statusCode;
  };
  const held = Promise.withResolvers<void>();
  const place = { distributorId: distributor.id, customerId: customer.id, signal: new AbortController().signal };
  const reading = runInQueue(place, () => held.promise);
  let isWeighed = false;
  const long = weigh(customer, 101).finally(() => (isWeighed = true));
  for (let other = 0; other < 3; other++) expect(await weigh(await makeCustomer(testApp.db, distributor), 100)).toBe(200);
  expect(isWeighed).toBe(false);
  held.resolve();
  await reading;
  expect(await long).toBe(200);
});
