import { expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { changeDistribution } from '../distributions/contract.ts';
import { removeWeight } from './contract.ts';

const testApp = setupTestApp();

test('staff can set a unit back to not weighed; the audit trail records who removed the weight (contract §6)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const agent = await makeAgent(testApp.db, distributor);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const order = await makeOrder(testApp.db, distribution, customer, [
    [await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true }), 3],
    [await makeProduct(testApp.db, distribution), 2],
  ]);
  const line = (index: number): number => order.lines[index]?.id ?? 0;
  const saved = () => testApp.db.selectFrom('actual_quantities').select(['sortOrder', 'actualQuantity']).execute();
  await weigh(testApp.db, order.lines[0], [4.87, 5, null], distributor);
  await weigh(testApp.db, order.lines[0], [null, null, 6], customer);
  const remove = async (by: Person, index: number, orderProductId = line(0), was?: number) => {
    const options = {
      method: 'POST' as const,
      url: removeWeight.path.replace(':orderId', `${order.id}`),
      payload: { orderProductId, index, ...(was === undefined ? {} : { was }) },
    };
    const { statusCode, body } = await testApp.request(by, options);
    return [statusCode, body];
  };
  const overtaken = await remove(agent, 0, line(0), 4.5);
  expect(overtaken[0]).toBe(409);
  expect(overtaken[1]).toMatch(/^Nothing was saved, because another weight was recorded meanwhile: .+ 1\/3 is 4\.87 now\.$/);
  expect(await saved()).toHaveLength(3);
  // A customer cannot keep staff from removing the customer's weight by changing it again and again.
  expect(await remove(agent, 2, line(0), 5.5)).toEqual([200, '{"message":"Set back to not weighed."}']);
  expect(await remove(agent, 0, line(0), 4.87)).toEqual([200, '{"message":"Set back to not weighed."}']);
  // The first removal has removed the weight already, so the second removal writes no audit row.
  expect(await remove(distributor, 0)).toEqual([200, '{"message":"Set back to not weighed."}']);
  expect(await saved()).toEqual([{ sortOrder: 1, actualQuantity: 5 }]);
  expect(await testApp.db.selectFrom('actual_quantity_audit').selectAll().orderBy('id').execute()).toMatchObject([
    { orderProductId: line(0), sortOrder: 2, previousQuantity: 6, actualQuantity: null, updatedBy: agent.id },
    { orderProductId: line(0), sortOrder: 0, previousQuantity: 4.87, actualQuantity: null, updatedBy: agent.id },
  ]);

  expect(await remove(customer, 1)).toEqual([403, 'Your role may not do this.']);
  expect(await remove(await makeDistributor(testApp.db), 1)).toEqual([404, 'Order not found']);
  expect(await remove(agent, 3)).toEqual([400, `${line(0)}-3 is not a unit of this order.`]);
  expect(await remove(agent, 0, line(1))).toEqual([400, `${line(1)}-0 is not a unit of this order.`]);
  expect(await remove(agent, -1)).toEqual([400, 'Sort order must be non-negative']);
  await (
    await testApp.as(distributor)
  )(changeDistribution, { params: { id: distribution.id }, body: { acceptActuals: false } });
  expect(await remove(agent, 1)).toEqual([409, 'This distribution is not accepting actual quantities.']);
  expect(await saved()).toEqual([{ sortOrder: 1, actualQuantity: 5 }]);
});
