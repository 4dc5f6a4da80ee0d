// The distributor removes a product from all orders while customers save their orders (reliability R6). The result must be the same as if
// the requests had run one after the other.
import { expect, test } from 'vitest';
import { clearQuantities } from '../src/features/products/contract.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { linesOf, makeOrder, weigh } from './data/order-rows.ts';
import { iterations } from './setup/iterations.ts';
import { setupTestApp } from './test-app.ts';

const testApp = setupTestApp();
const ROUNDS = iterations(20, 50);

test(`${ROUNDS} times, ten customers save while their product is cleared: no save is refused or stored only in part, and no unit is lost`, async () => {
  const distributor = await makeDistributor(testApp.db);
  const call = await testApp.as(distributor);
  const crowd = await Promise.all(Array.from({ length: 10 }, () => makeCustomer(testApp.db, distributor)));
  const people = crowd.toSorted((a, b) => a.id - b.id);
  const sums = { kept: 0, cleared: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const distribution = await makeDistribution(testApp.db, distributor);
    const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_qty_is_estimate: true });
    const wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
    // Half of the customers already have an order, with a weight for the first unit, and change it. The other half place their first order.
    for (const person of people.slice(5)) {
      const { lines } = await makeOrder(testApp.db, distribution, person, [[brisket, 2]]);
      await weigh(testApp.db, lines[0], [4.5], distributor);
    }
    const save = (customer: (typeof people)[number]) =>
      testApp.request(customer, {
        method: 'POST',
        url: '/api/orders',
        payload: { distributionId: distribution.id, products: [brisket, wine].map(({ id }) => ({ productId: id, quantity: 3 })) },
      });
    const clear = () => call(clearQuantities, { params: { id: distribution.id }, body: { productId: brisket.id } });
    // In odd rounds, the distributor's request is sent as soon as one of the customers' saves is done. In even rounds, it is sent before
    // all saves.
    const early = round % 2 ? people.map(save) : [];
    await Promise.race(early.length > 0 ? early : [null]);
    const clearing = clear();
    const [{ message }, ...answers] = await Promise.all([clearing, ...(round % 2 ? early : people.map(save))]);
    expect(answers.map((answer) => answer.statusCode)).toEqual(people.map((_, index) => (index < 5 ? 201 : 200)));

    const lines = await linesOf(testApp.db, distribution.id);
    const briskets = lines.filter((line) => line.productId === brisket.id);
    let units = 0;
    for (const [index, { quantity, originalQuantity, audit }] of briskets.entries()) {
      // Three histories are possible: the order was saved and then cleared, it was cleared and then saved, or it was saved when there was
      // nothing to clear.
      const possible = index < 5 ? ['3', '3,0'] : ['3', '3,0', '0,3'];
      expect(possible).toContain(audit.join());
      expect([quantity, originalQuantity]).toEqual([audit.at(-1), 3]);
      units += audit.join() === '3,0' ? 3 : audit.join() === '0,3' ? 2 : 0;
      sums[quantity === 0 ? 'cleared' : 'kept'] += 1;
    }
    const orders = briskets.filter((line) => line.audit.includes(0)).length;
    const said =
      orders === 0
        ? 'This product has no ordered units.'
        : `Cleared ${units} ${units === 1 ? 'unit' : 'units'} of Brisket from ${orders} ${orders === 1 ? 'order' : 'orders'}.`;
    expect(message).toBe(said);
    expect(lines.filter((line) => line.productId === wine.id).map((line) => line.quantity)).toEqual(people.map(() => 3));

    // The clearing deletes the weights of the removed units. So only orders from which the product was never removed may still have a
    // weight.
    const weights = await testApp.db
      .selectFrom('actual_quantities as w')
      .innerJoin('order_products as l', 'l.id', 'w.orderProductId')
      .innerJoin('orders as o', 'o.id', 'l.orderId')
      .where('o.distributionId', '=', distribution.id)
      .select('o.customerId')
      .execute();
    const never = briskets.filter((line, index) => index >= 5 && !line.audit.includes(0)).map((line) => line.customerId);
    expect(weights.map((weight) => weight.customerId).toSorted((a, b) => a - b)).toEqual(never);
  }
  // Both outcomes must occur: some saves come before the clearing, and some after it. Otherwise the test would prove nothing about
  // concurrency.
  expect([sums.kept > 0, sums.cleared > 0]).toEqual([true, true]);
});
