import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { pathOf, type ReplyOf } from '../../shared/endpoint.ts';
import { shareOut } from './contract.ts';
import { CHANGED_SINCE } from './texts.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let chicken: Row<'products'>;
let orders: Awaited<ReturnType<typeof makeOrder>>[];
/** Four families ordered 3, 2, 2 and 1 units of Brisket, and a unit of Chicken each. */
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor, { orderingOpen: false });
  brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  chicken = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  orders = [];
  for (const quantity of [3, 2, 2, 1]) {
    const customer = await makeCustomer(testApp.db, distributor);
    orders.push(
      await makeOrder(testApp.db, distribution, customer, [
        [brisket, quantity],
        [chicken, 1],
      ]),
    );
  }
});

const share = (payload: object) => {
  const url = pathOf(shareOut, { id: distribution.id, productId: brisket.id });
  return testApp.request(distributor, { method: 'POST', url, payload: { rule: 'first', ...payload } });
};
const preview = async (units: number) => (await share({ units, preview: true })).json<ReplyOf<typeof shareOut>>();
const orderId = (place: number): number => orders[place]?.id ?? 0;
const payFor = (place: number, amount = 2000, values: { reversesId?: number } = {}) =>
  pay(testApp.db, distribution, { orderId: orderId(place), amount, by: distributor, ...values });
const pickUp = (place: number) =>
  testApp.db
    .updateTable('orders')
    .set({ pickedUpAt: testApp.time.toISOString(), pickedUpBy: distributor.id })
    .where('id', '=', orderId(place))
    .execute();
const weighBrisket = (place: number, weights: (number | null)[]) => weigh(testApp.db, orders[place]?.lines[0], weights, distributor);

test('the preview of a short delivery counts the lowered orders with payments, with recorded weights of the product and that were picked up, and marks the orders (contract §16)', async () => {
  await weighBrisket(0, [5, 6, 7]);
  await payFor(0);
  await pickUp(0);
  await weighBrisket(1, [5, null]);
  await payFor(1);
  await payFor(1);
  await pickUp(2);
  expect((await preview(0)).lowered).toEqual({ orders: 4, paid: 2, weighed: 2, losingWeights: 2, pickedUp: 2 });
  const { lowered, shares } = await preview(4);
  // The first order gets all its units. The second one keeps its only weighed unit.
  expect(lowered).toEqual({ orders: 3, paid: 1, weighed: 1, losingWeights: 0, pickedUp: 1 });
  expect(shares.map(({ hasPayments, isPickedUp }) => [hasPayments, isPickedUp])).toEqual([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ]);
});

test('the preview of a short delivery counts no payments that were reversed, and no weights of other products (contract §16)', async () => {
  await payFor(0, -2000, { reversesId: await payFor(0) });
  await weigh(testApp.db, orders[0]?.lines[1], [4], distributor);
  const { lowered, shares } = await preview(0);
  expect(lowered).toEqual({ orders: 4, paid: 0, weighed: 0, losingWeights: 0, pickedUp: 0 });
  expect(shares[0]?.hasPayments).toBe(false);
});

describe('applying a preview of a short delivery', () => {
  let paid: number;
  /** The first order gets all its units of the 4. The second one keeps its only weighed unit, and the third one has a payment. */
  const firstPreview = async () => {
    await weighBrisket(1, [5]);
    paid = await payFor(2);
    return await preview(4);
  };
  const apply = async ({ quantitiesHash }: { quantitiesHash: string }) => (await share({ units: 4, quantitiesHash })).statusCode;

  test.each([
    ['was paid', () => payFor(3), { paid: 2 }],
    ['lost its payment', () => payFor(2, -2000, { reversesId: paid }), { paid: 0 }],
    ['was weighed', () => weighBrisket(3, [5]), { weighed: 2, losingWeights: 1 }],
    ['was weighed further', () => weighBrisket(1, [null, 6]), { losingWeights: 1 }],
    ['was picked up', () => pickUp(3), { pickedUp: 1 }],
  ])('is refused when an order that is lowered %s meanwhile; the new preview counts it (contract §16)', async (_, change, counts) => {
    const outdated = await firstPreview();
    await change();
    const refused = await share({ units: 4, quantitiesHash: outdated.quantitiesHash });
    expect([refused.statusCode, refused.body]).toEqual([409, CHANGED_SINCE]);
    const current = await preview(4);
    expect(current.lowered).toEqual({ ...outdated.lowered, ...counts });
    expect(await apply(current)).toBe(200);
  });

  test('is not refused when other orders are paid, weighed and picked up meanwhile, other products are weighed, or more is paid (contract §16)', async () => {
    const shown = await firstPreview();
    await payFor(0);
    await weighBrisket(0, [5, 6, 7]);
    await pickUp(0);
    await weigh(testApp.db, orders[1]?.lines[1], [4], distributor);
    await payFor(2);
    expect(await apply(shown)).toBe(200);
  });
});
