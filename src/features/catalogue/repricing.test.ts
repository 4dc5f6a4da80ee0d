import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cents, MAX_CENTS } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { MAX_INT } from '../../shared/fields.ts';
import { MAX_PRODUCTS_KEPT } from '../products/contract.ts';
import { readRepricingPreview, type PlannedChangeInput } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;
let fee: Row<'fees'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { unit_price: cents(1000), unit_qty: 5, unit_qty_is_estimate: true });
  wine = await makeProduct(testApp.db, distribution, { unit_price: cents(1250) });
  fee = await makeFee(testApp.db, distribution, { type: 'percent', amount: 1000, sort_order: 1 });
});

async function order(lastName: string, ...lines: [Row<'products'>, number][]) {
  const customer = await makeCustomer(testApp.db, distributor, { lastName });
  return await makeOrder(testApp.db, distribution, customer, lines);
}
const foresee = async (body: PlannedChangeInput) =>
  await (
    await testApp.as(distributor)
  )(readRepricingPreview, { params: { id: distribution.id }, body });
const terms = ({ id, unit_price, unit_qty, unit_qty_is_estimate }: Row<'products'>, changed: object) => ({
  id,
  unit_price,
  unit_qty,
  unit_qty_is_estimate,
  ...changed,
});
const NOBODY = { count: 0, customers: [] };
const NOTHING = { orders: NOBODY, paid: NOBODY, products: { count: 0, names: [] }, units: 0, before: 0, after: 0 };
const lastNames = ({ customers }: { customers: { lastName: string | null }[] }) => customers.map((customer) => customer.lastName);

describe('the preview of a change to prices or fees (contract §4)', () => {
  test('does not count the units left of limited products (reliability abuse)', async () => {
    const limited = await makeProduct(testApp.db, distribution, { total_limit: 5 });
    await order('Abramov', [limited, 2]);
    const statements = vi.spyOn(testApp.db, 'query');
    const preview = await foresee({ products: [terms(limited, { unit_price: 1100 })] });
    const texts = statements.mock.calls.map(([text]) => text);
    statements.mockRestore();
    expect(preview.units).toBe(2);
    expect(texts.filter((text) => text.includes('units_left'))).toEqual([]);
  });

  test('counts the orders that a new price affects and those with payments, and states the new amounts to the cent, based on recorded weights', async () => {
    const abramov = await order('Abramov', [brisket, 2], [wine, 1]);
    await weigh(testApp.db, abramov.lines[0], [4.001], distributor);
    await pay(testApp.db, distribution, { orderId: abramov.id, amount: 100, by: distributor });
    await order('Cohen', [brisket, 1]);
    await order('Adler', [wine, 3]);
    await order('Levi', [brisket, 0]);
    // The first order before the change: 4.001 × $10.00 = $40.01, plus $50.00 and $12.50, plus 10% = $112.76. After it: 4.001 × $11.00 =
    // $44.01, plus $55.00 and $12.50, plus 10% = $122.66. The second order before the change: $50.00 plus 10% = $55.00. After it: $55.00
    // plus 10% = $60.50.
    const { orders, paid, ...sums } = await foresee({ products: [terms(brisket, { unit_price: 1100 }), terms(wine, {})] });
    expect(sums).toEqual({ products: { count: 1, names: [brisket.name] }, units: 3, before: 11_276 + 5500, after: 12_266 + 6050 });
    expect([orders.count, lastNames(orders)]).toEqual([2, ['Abramov', 'Cohen']]);
    expect(paid).toEqual({ count: 1, customers: [{ firstName: 'Rivka', lastName: 'Abramov', email: orders.customers[0]?.email }] });
  });

  test('accepts all products that a distribution can have in one call, with the longest numbers', async () => {
    await order('Abramov', [brisket, 1]);
    const others = Array.from({ length: MAX_PRODUCTS_KEPT - 1 }, (_, index) => ({
      id: MAX_INT - index,
      unit_price: MAX_CENTS,
      unit_qty: 1,
      unit_qty_is_estimate: false,
    }));
    const { orders } = await foresee({ products: [terms(brisket, { unit_price: 1100 }), ...others] });
    expect(orders.count).toBe(1);
  });

  test('also covers a new fee, a deleted fee and a product whose ordered quantities are cleared', async () => {
    await order('Abramov', [brisket, 1], [wine, 1]);
    await order('Cohen', [wine, 2]);
    await order('Levi');
    // With the existing fee of 10%, the orders of $62.50 and $25.00 have the totals $68.75 and $27.50. The new flat fee is charged after
    // the existing fee, and adds $5.00 to each total.
    expect(await foresee({ newFees: [{ name: 'Bags', type: 'flat', amount: 500, sort_order: 1 }] })).toMatchObject({
      orders: { count: 2 },
      before: 9625,
      after: 10_625,
    });
    expect(await foresee({ deletedFees: [fee.id] })).toMatchObject({ orders: { count: 2 }, before: 9625, after: 8750 });
    expect(await foresee({ cleared: [wine.id] })).toMatchObject({ orders: { count: 2 }, units: 3, before: 9625, after: 5500 });
    expect((await testApp.db.selectFrom('catalogue_audit').selectAll().execute()).length).toBe(0);
  });

  test('does not count a reversed payment, and names the first five of many orders', async () => {
    for (const name of ['G', 'F', 'E', 'D', 'C', 'B', 'A']) {
      const { id: orderId } = await order(name, [wine, 1]);
      const id = await pay(testApp.db, distribution, { orderId, amount: 100, by: distributor });
      if (name > 'B') await pay(testApp.db, distribution, { orderId, amount: -100, by: distributor, reversesId: id });
    }
    const { orders, paid } = await foresee({ products: [terms(wine, { unit_qty: 2 })] });
    expect([orders.count, lastNames(orders)]).toEqual([7, ['A', 'B', 'C', 'D', 'E']]);
    expect([paid.count, lastNames(paid)]).toEqual([2, ['A', 'B']]);
  });

  test('names the first five changed products that are ordered, with the part of the description that distinguishes products of the same name', async () => {
    const others: Row<'products'>[] = [];
    for (const [code, description] of ['Round', 'Braided', 'Sweet', 'Plain', 'Whole grain', 'Spelt'].entries())
      others.push(await makeProduct(testApp.db, distribution, { name: 'Challah', description, product_code: code + 1 }));
    await order('Abramov', [wine, 0], ...others.map((product): [Row<'products'>, number] => [product, 1]));
    const dearer = (products: readonly Row<'products'>[]) => products.map((product) => terms(product, { unit_price: 1 }));
    const names = ['Challah, Round', 'Challah, Braided', 'Challah, Sweet', 'Challah, Plain', 'Challah, Whole grain'];
    expect((await foresee({ products: dearer([wine, ...others]) })).products).toEqual({ count: 6, names });
    expect((await foresee({ products: dearer([wine, ...others.slice(5)]) })).products).toEqual({ count: 1, names: ['Challah, Spelt'] });
  });

  test('is empty when the change alters the cost of no order', async () => {
    await order('Abramov', [brisket, 1]);
    const elsewhere = await makeProduct(testApp.db, await makeDistribution(testApp.db, await makeDistributor(testApp.db)));
    expect(await foresee({})).toEqual(NOTHING);
    expect(await foresee({ products: [terms(brisket, {}), terms(wine, { unit_price: 1 }), terms(elsewhere, { unit_price: 1 })] })).toEqual(
      NOTHING,
    );
    expect(await foresee({ cleared: [elsewhere.id, wine.id] })).toEqual(NOTHING);
  });

  test.each([
    [{ products: [{ id: 1 }] }, 'Unit price must be a whole number of cents'],
    [{ products: [{ id: 1, unit_price: -1, unit_qty: 1, unit_qty_is_estimate: false }] }, 'Unit price must be positive'],
    [
      { products: [{ id: 1, unit_price: 1_000_000_000, unit_qty: 2, unit_qty_is_estimate: false }] },
      'Unit price times quantity is too large',
    ],
    [{ newFees: [{ name: 'x', type: 'percent', amount: 10_001 }] }, 'A percent fee is at most 100%'],
    [{ cleared: 'all' }, 'cleared must be a list.'],
  ])('refuses the request body %j', async (payload, sentence) => {
    const { statusCode, body } = await testApp.request(distributor, {
      method: 'POST',
      url: `/api/distributions/${distribution.id}/repricing`,
      payload,
    });
    expect([statusCode, body]).toEqual([400, sentence]);
  });

  test('is available only to the distributor of the orders', async () => {
    const status = async (by: Person) =>
      (await testApp.request(by, { method: 'POST', url: `/api/distributions/${distribution.id}/repricing`, payload: {} })).statusCode;
    expect([await status(await makeDistributor(testApp.db)), await status(await makeAgent(testApp.db, distributor))]).toEqual([404, 403]);
  });
});
