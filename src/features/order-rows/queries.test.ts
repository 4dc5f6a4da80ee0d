import { expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { run, runSingle } from '../../server/database/db.ts';
import { ROWS_OF_ORDER } from './queries.ts';

const testApp = setupTestApp();

test('the rows of an order are its lines, or half its units if that is more, and its payments (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution);
  const order = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[wine, 8]]);
  const payments = `INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdBy", "updatedBy")
    SELECT $1, $2, $3, 1, 'Cash', $1, $1 FROM generate_series(1, 3)`;
  await run(testApp.db, payments, [distributor.id, distribution.id, order.id]);
  expect(await runSingle(testApp.db, `SELECT (${ROWS_OF_ORDER})::int AS rows FROM orders c WHERE id = $1`, [order.id])).toEqual({
    rows: 7,
  });
});
