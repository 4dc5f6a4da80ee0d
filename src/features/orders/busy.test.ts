import { expect, test, vi } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { busy } from '../../server/errors.ts';
import { placeOrder } from './contract.ts';

vi.mock('./queries.ts', async (original) => ({
  ...(await original<typeof import('./queries.ts')>()),
  saveOrder: () => Promise.reject(busy()),
}));

const testApp = setupTestApp();

test('when the database cannot save an order with an idempotency key in time, the server replies that it is busy, and starts no second transaction', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor);
  const product = await makeProduct(testApp.db, distribution);
  const answer = await testApp.request(customer, {
    method: placeOrder.method,
    url: placeOrder.path,
    headers: { 'idempotency-key': 'busy-1' },
    payload: { distributionId: distribution.id, products: [{ productId: product.id, quantity: 1 }] },
  });
  expect([answer.statusCode, answer.headers['retry-after'], answer.body]).toEqual([503, '2', busy().message]);
  expect(await testApp.db.selectFrom('orders').selectAll().execute()).toEqual([]);
});
