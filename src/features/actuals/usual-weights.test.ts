import { expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { readOrderForActuals } from './contract.ts';

const testApp = setupTestApp();

test('staff get the usual weights of each product with at least eight recorded weights; customers get none (contract §14)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const agent = await makeAgent(testApp.db, distributor);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty: 5, unit_qty_is_estimate: true });
  const { id: orderId } = await makeOrder(testApp.db, distribution, customer, [[brisket, 1]]);
  const usualFor = async (by: Person) => {
    const { products } = await (await testApp.as(by))(readOrderForActuals, { params: { orderId } });
    return products[0]?.usual;
  };
  const others = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 8]]);
  await weigh(testApp.db, others.lines[0], [4, 4, 4, 4, 4, 4, 4], agent);
  expect(await usualFor(agent)).toBeUndefined();
  await weigh(testApp.db, others.lines[0], [null, null, null, null, null, null, null, 4], agent);
  expect([await usualFor(agent), await usualFor(distributor), await usualFor(customer)]).toEqual([
    { from: 3.401, to: 4.599 },
    { from: 3.401, to: 4.599 },
    undefined,
  ]);
});

test("customers' weights that staff have not confirmed do not change which weights are usual (reliability abuse)", async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty: 5, unit_qty_is_estimate: true });
  const order = await makeOrder(testApp.db, distribution, customer, [[brisket, 28]]);
  await weigh(
    testApp.db,
    order.lines[0],
    Array.from({ length: 8 }, () => 4),
    distributor,
  );
  await weigh(testApp.db, order.lines[0], [...Array.from({ length: 8 }, () => null), ...Array.from({ length: 20 }, () => 50)], customer);
  const { products } = await (await testApp.as(distributor))(readOrderForActuals, { params: { orderId: order.id } });
  expect(products[0]?.usual).toEqual({ from: 3.401, to: 4.599 });
});
