import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { linesOf, makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { clearQuantities } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;
beforeEach(async () => {
  await testApp.db.deleteFrom('emails').execute();
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', product_code: 101, unit_qty: 5, unit_qty_is_estimate: true });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
});

const clear = async (body: object, { by = distributor, id = distribution.id } = {}) => {
  const answer = await testApp.request(by, { method: 'POST', url: pathOf(clearQuantities, { id }), payload: body });
  return [answer.statusCode, answer.statusCode === 200 ? answer.json() : answer.body];
};
const mails = () => testApp.db.selectFrom('emails').select(['kind', 'orderId', 'status']).orderBy('orderId').execute();

describe("clearing a product's ordered quantities", () => {
  test('sets the quantities to 0, keeps the requested quantities, deletes the weights, audits each change and mails the customers (spec §2, §7; contract §4, §5)', async () => {
    const [first, second] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
    const one = await makeOrder(testApp.db, distribution, first, [
      [brisket, 2],
      [wine, 3],
    ]);
    const two = await makeOrder(testApp.db, distribution, second, [[brisket, 1]]);
    await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [
      [brisket, 0],
      [wine, 1],
    ]);
    await weigh(testApp.db, one.lines[0], [4.875, 5.1], distributor);
    await testApp.db.updateTable('distributions').set({ orderingOpen: false }).where('id', '=', distribution.id).execute();

    expect(await clear({ productId: brisket.id, product_code: 101 })).toEqual([
      200,
      { message: 'Cleared 3 units of Brisket from 2 orders.' },
    ]);
    const lines = await linesOf(testApp.db, distribution.id);
    expect(lines.map(({ quantity, originalQuantity, audit, by }) => ({ quantity, originalQuantity, audit, by }))).toEqual([
      { quantity: 0, originalQuantity: 2, audit: [0], by: [distributor.id] },
      { quantity: 3, originalQuantity: 3, audit: [], by: [] },
      { quantity: 0, originalQuantity: 1, audit: [0], by: [distributor.id] },
      { quantity: 0, originalQuantity: 0, audit: [], by: [] },
      { quantity: 1, originalQuantity: 1, audit: [], by: [] },
    ]);
    expect(await testApp.db.selectFrom('actual_quantities').selectAll().execute()).toEqual([]);
    const dropped = await testApp.db.selectFrom('actual_quantity_audit').selectAll().orderBy('sortOrder').execute();
    expect(dropped).toMatchObject([
      { orderProductId: one.lines[0]?.id, sortOrder: 0, actualQuantity: null, previousQuantity: 4.875, updatedBy: distributor.id },
      { orderProductId: one.lines[0]?.id, sortOrder: 1, actualQuantity: null, previousQuantity: 5.1, updatedBy: distributor.id },
    ]);
    expect(await mails()).toEqual([one, two].map(({ id }) => ({ kind: 'confirmation', orderId: id, status: 'queued' })));
    const orders = await testApp.db
      .selectFrom('orders')
      .select(['id', 'version'])
      .where('distributionId', '=', distribution.id)
      .orderBy('id')
      .execute();
    expect(orders.map((order) => order.version)).toEqual([2, 2, 1]);
  });

  test('has no effect the second time, and the reply states that the product has no ordered units', async () => {
    await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[wine, 1]]);
    expect(await clear({ productId: wine.id })).toEqual([200, { message: 'Cleared 1 unit of Wine from 1 order.' }]);
    expect(await clear({ productId: wine.id, product_code: null })).toEqual([200, { message: 'This product has no ordered units.' }]);
    expect((await linesOf(testApp.db, distribution.id)).map((line) => line.audit)).toEqual([[0]]);
    expect(await mails()).toHaveLength(1);
  });

  test('leaves a refund due for paid amounts, and a customer can order the product again', async () => {
    const customer = await makeCustomer(testApp.db, distributor);
    const order = await makeOrder(testApp.db, distribution, customer, [[wine, 2]]);
    await pay(testApp.db, distribution, { orderId: order.id, amount: 2000, by: distributor });
    await clear({ productId: wine.id });
    const url = `/api/distributions/${distribution.id}/customer-report`;
    const [row] = (await testApp.request(distributor, { method: 'GET', url })).json();
    expect(row).toMatchObject({ order_quantity_count: 0, orderAmount: 0, balance: -2000 });
    const payload = { distributionId: distribution.id, products: [{ productId: wine.id, quantity: 1 }] };
    const again = await testApp.request(customer, { method: 'POST', url: '/api/orders', payload });
    expect([again.statusCode, again.json().version]).toEqual([200, 3]);
  });

  test('is refused when the product has another product code than the request; a product of another distribution is not found', async () => {
    const elsewhere = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor));
    const foreign = await makeProduct(testApp.db, await makeDistribution(testApp.db, await makeDistributor(testApp.db)));
    expect(await clear({ productId: brisket.id, product_code: 102 })).toEqual([
      409,
      'This product has another product code. Reload to see it.',
    ]);
    expect(await clear({ productId: wine.id, product_code: 0 })).toEqual([409, 'This product has another product code. Reload to see it.']);
    for (const productId of [elsewhere.id, foreign.id, 2_000_000_000])
      expect(await clear({ productId })).toEqual([404, 'Product not found']);
    expect(await clear({ productId: foreign.id }, { id: foreign.distributionId })).toEqual([404, 'Distribution not found']);
    expect((await clear({ productId: wine.id }, { by: await makeCustomer(testApp.db, distributor) }))[0]).toBe(403);
    expect((await clear({}))[0]).toBe(400);
  });
});
