import { beforeEach, describe, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { addFee, deleteFee } from '../fees/contract.ts';
import { changeProduct } from '../products/contract.ts';
import { readCustomerReport } from '../reports/contract.ts';
import { listCatalogueChanges } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_price: cents(1699), unit_qty: 5 });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
});

const order = async (...lines: [Row<'products'>, number][]) =>
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), lines);
const changes = async () => await (await testApp.as(distributor))(listCatalogueChanges, { params: { id: distribution.id } });
const change = async (product: Row<'products'>, body: object) => {
  const call = await testApp.as(distributor);
  return await call(changeProduct, { params: { id: distribution.id, productId: product.id }, body });
};

describe('the history of changes that re-price orders (contract §4)', () => {
  test('lists changes of a price, a unit quantity and an estimate flag with the previous value, person and time, newest first', async () => {
    await order([brisket, 1]);
    await change(brisket, { unit_price: 1799 });
    await change(brisket, { unit_qty: 6 });
    await change(brisket, { unit_qty_is_estimate: true, name: 'Brisket, first cut' });
    const made = await changes();
    expect(made.map(({ name, before, after, email, productId, feeId }) => ({ name, before, after, email, productId, feeId }))).toEqual(
      [
        {
          name: 'Brisket, first cut',
          before: { unit_price: 1799, unit_qty: 6, unit_qty_is_estimate: false },
          after: { unit_price: 1799, unit_qty: 6, unit_qty_is_estimate: true },
        },
        {
          name: 'Brisket',
          before: { unit_price: 1799, unit_qty: 5, unit_qty_is_estimate: false },
          after: { unit_price: 1799, unit_qty: 6, unit_qty_is_estimate: false },
        },
        {
          name: 'Brisket',
          before: { unit_price: 1699, unit_qty: 5, unit_qty_is_estimate: false },
          after: { unit_price: 1799, unit_qty: 5, unit_qty_is_estimate: false },
        },
      ].map((row) => ({ ...row, email: distributor.email, productId: brisket.id, feeId: null })),
    );
    for (const { updatedAt } of made) expect(updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("omits changes that affect nobody's cost: another name, the same price, a product that nobody ordered", async () => {
    await order([brisket, 1], [wine, 0]);
    await change(brisket, { name: 'Brisket, lean', description: 'First cut', max_order_qty: 3, product_code: 7, uom: 'kg' });
    await change(brisket, { unit_price: 1699, unit_qty: 5, unit_qty_is_estimate: false });
    await change(wine, { unit_price: 99, unit_qty: 2, unit_qty_is_estimate: true });
    expect(await changes()).toEqual([]);
  });

  test('omits refused changes', async () => {
    await order([brisket, 1]);
    await expect(change(brisket, { unit_price: 1_000_000_000 })).rejects.toMatchObject({ status: 400 });
    expect(await changes()).toEqual([]);
  });

  test('contains at most the newest 500 changes', async () => {
    const row = { distributorId: distributor.id, distributionId: distribution.id, feeId: 1, updatedBy: distributor.id };
    const terms = JSON.stringify({ name: 'Delivery', type: 'flat', amount: 500, sort_order: 0 });
    const rows = Array.from({ length: 501 }, (_, n) => ({ ...row, name: `Fee ${n}`, before: null, after: terms }));
    await testApp.db
      .insertInto('catalogue_audit')
      .values(rows as never)
      .execute();
    const told = await changes();
    expect([told.length, told[0]?.name, told.at(-1)?.name]).toEqual([500, 'Fee 500', 'Fee 1']);
  });

  test('records an added and a deleted fee once there are orders', async () => {
    const call = await testApp.as(distributor);
    const params = { id: distribution.id };
    await call(addFee, { params, body: { name: 'Early', type: 'flat', amount: 100 } });
    expect(await changes()).toEqual([]);
    await order([wine, 1]);
    const { id: feeId } = await call(addFee, { params, body: { name: 'Delivery', type: 'percent', amount: 250, sort_order: 2 } });
    await call(deleteFee, { params: { ...params, feeId } });
    const terms = { name: 'Delivery', type: 'percent', amount: 250, sort_order: 2 };
    const fee = { name: 'Delivery', feeId, productId: null, email: distributor.email };
    expect(await changes()).toMatchObject([
      { ...fee, before: terms, after: null },
      { ...fee, before: null, after: terms },
    ]);
  });
});

test('while a product is not sold by weight, orders ignore its recorded weights; when it is sold by weight again, orders use them again', async () => {
  const estimate = await makeProduct(testApp.db, distribution, { unit_price: cents(1000), unit_qty: 5, unit_qty_is_estimate: true });
  const { lines } = await order([estimate, 1]);
  await weigh(testApp.db, lines[0], [4.5], distributor);
  const row = async () => {
    const report = await (await testApp.as(distributor))(readCustomerReport, { params: { id: distribution.id } });
    return report.map(({ orderAmount, expected_count, has_all_actuals }) => [orderAmount, expected_count, has_all_actuals]);
  };
  expect(await row()).toEqual([[4500, 1, true]]);
  await change(estimate, { unit_qty_is_estimate: false });
  expect(await row()).toEqual([[5000, 0, true]]);
  await change(estimate, { unit_qty_is_estimate: true });
  expect(await row()).toEqual([[4500, 1, true]]);
});

test('only the distributor can read the history of price changes: 404 for another distributor, 403 for an agent, 401 without a session', async () => {
  await order([wine, 1]);
  await makeFee(testApp.db, distribution);
  const url = `/api/distributions/${distribution.id}/catalogue-changes`;
  const status = async (by: Person | null) => (await testApp.request(by, { method: 'GET', url })).statusCode;
  expect(await status(await makeDistributor(testApp.db))).toBe(404);
  expect(await status(await makeAgent(testApp.db, distributor))).toBe(403);
  expect(await status(null)).toBe(401);
});
