import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { listFees } from '../fees/contract.ts';
import { listProducts } from '../products/contract.ts';
import { readEstimates } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let original: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  original = await makeDistribution(testApp.db, distributor, { name: 'Passover 2026', groupOrder: ['Wine', 'Beef'] });
});

const estimate = (values: Partial<Row<'products'>> = {}) =>
  makeProduct(testApp.db, original, { unit_qty: 5, unit_qty_is_estimate: true, ...values });

/** Creates an order with one unit of the product for each weight, and records the weights. */
async function weighed(product: Row<'products'>, weights: readonly (number | null)[]): Promise<void> {
  const order = await makeOrder(testApp.db, original, await makeCustomer(testApp.db, distributor), [[product, weights.length]]);
  await weigh(testApp.db, order.lines[0], weights, distributor);
}

const copy = (payload: object, by = distributor, key?: string) =>
  testApp.request(by, {
    method: 'POST',
    url: `/api/distributions/${original.id}/copy`,
    payload: { name: 'Passover 2027', date: '2027-04-21', estimates: 'same', ...payload },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const productsOf = async (id: number) => (await testApp.as(distributor))(listProducts, { params: { id } });
const feesOf = async (id: number) => (await testApp.as(distributor))(listFees, { params: { id } });
const estimates = async (by = distributor) => (await testApp.as(by))(readEstimates, { params: { id: original.id } });
const countDistributions = async () => (await testApp.db.selectFrom('distributions').select('id').execute()).length;

describe('the list of estimates', () => {
  test('contains for each product sold by weight: the estimate, the mean, the spread, the number of weights and the proposed estimate (contract §13)', async () => {
    const brisket = await estimate({ name: 'Brisket', product_code: 101, unit_qty: 5 });
    const turkey = await estimate({ name: 'Turkey', product_code: 102, unit_qty: 12, uom: null });
    await estimate({ name: 'Veal', product_code: 103 });
    await makeProduct(testApp.db, original, { name: 'Candles' });
    await weighed(brisket, [5.5, 6.25, null, 6.001]);
    await weighed(brisket, [5.75, 6.5]);
    await weighed(turkey, [11, 13]);
    expect(await estimates()).toEqual([
      {
        productId: brisket.id,
        product_code: 101,
        name: 'Brisket',
        product_group: 'Beef',
        uom: 'lb',
        estimate: 5,
        mean: 6,
        spread: 0.395,
        weighed: 5,
        proposed: 6,
      },
      expect.objectContaining({ productId: turkey.id, uom: null, estimate: 12, mean: 12, spread: 1.414, weighed: 2, proposed: null }),
      expect.objectContaining({ name: 'Veal', mean: null, spread: null, weighed: 0, proposed: null }),
    ]);
  });

  test('does not count units that were not delivered (contract §6, §13)', async () => {
    const brisket = await estimate();
    await weighed(brisket, [8, 8, 8, 8, 0]);
    expect(await estimates()).toMatchObject([{ weighed: 4, mean: 8, proposed: null }]);
    await weighed(brisket, [8]);
    expect(await estimates()).toMatchObject([{ weighed: 5, mean: 8, proposed: 8 }]);
  });

  test('can be read by the distributor only; another distributor gets the status 404 (contract §2, §13)', async () => {
    const url = `/api/distributions/${original.id}/estimates`;
    const statusFor = async (by: Person) => (await testApp.request(by, { method: 'GET', url })).statusCode;
    expect(await statusFor(await makeAgent(testApp.db, distributor))).toBe(403);
    expect(await statusFor(customer)).toBe(403);
    expect(await statusFor(await makeDistributor(testApp.db))).toBe(404);
  });
});

describe('a copy of a distribution', () => {
  test('is an unpublished draft that is open for ordering, with the products, limits, fees and group order of the original (contract §13)', async () => {
    const limited = { total_limit: 40, max_order_qty: 3, product_code: 7, description: 'First cut', unit_price: cents(1299) };
    await estimate({ name: 'Brisket', ...limited });
    await makeProduct(testApp.db, original, { name: 'Merlot', product_group: 'Wine', uom: null });
    await makeFee(testApp.db, original, { name: 'Delivery', sort_order: 2 });
    await makeFee(testApp.db, original, { name: 'Card', type: 'percent', amount: 250, sort_order: 1 });
    const answer = await copy({});
    expect(answer.statusCode).toBe(201);
    const made = answer.json<Row<'distributions'>>();
    expect(made).toMatchObject({
      distributorId: distributor.id,
      name: 'Passover 2027',
      date: '2027-04-21',
      published: false,
      acceptActuals: false,
      orderingOpen: true,
      groupOrder: ['Wine', 'Beef'],
    });
    const columns = [
      ...(['name', 'description', 'unit_price', 'unit_qty', 'uom', 'unit_qty_is_estimate'] as const),
      ...(['max_order_qty', 'total_limit', 'product_group', 'product_code'] as const),
    ];
    const contentOf = (id: number) =>
      testApp.db.selectFrom('products').select(columns).where('distributionId', '=', id).orderBy('id').execute();
    const content = await contentOf(made.id);
    expect(content).toEqual(await contentOf(original.id));
    expect(content).toMatchObject([
      { name: 'Brisket', ...limited, unit_qty: 5 },
      { name: 'Merlot', total_limit: null },
    ]);
    expect((await feesOf(made.id)).map(({ name, type, amount, sort_order }) => [name, type, amount, sort_order])).toEqual([
      ['Card', 'percent', 250, 1],
      ['Delivery', 'flat', 500, 2],
    ]);
  });

  test('is refused for a rehearsal, whose families and weights are invented', async () => {
    original = await makeDistribution(testApp.db, distributor, {
      name: 'Rehearsal',
      rehearsal: true,
      published: false,
      orderingOpen: false,
    });
    const before = await countDistributions();
    const answer = await copy({});
    expect([answer.statusCode, answer.body]).toEqual([409, 'This is a rehearsal. Copy the real distribution.']);
    expect(await countDistributions()).toBe(before);
  });

  test('contains no opening or closing time, orders, weights, payments, mails or pick-up times of the original (contract §13)', async () => {
    const times = { opensAt: '2026-03-01T12:00:00Z', closesAt: '2026-03-20T12:00:00Z', remindHours: 24 };
    await testApp.db
      .updateTable('distributions')
      .set({ ...times, acceptActuals: true, orderingOpen: false })
      .where('id', '=', original.id)
      .execute();
    const place = { distributorId: distributor.id, distributionId: original.id };
    await testApp.db
      .insertInto('slots')
      .values({ ...place, label: 'Morning', startsAt: '2026-04-01T12:00:00Z', capacity: 5 })
      .execute();
    const product = await estimate();
    const order = await makeOrder(testApp.db, original, customer, [[product, 2]]);
    await weigh(testApp.db, order.lines[0], [4, 6], distributor);
    await pay(testApp.db, original, { orderId: order.id, amount: 500, by: distributor });
    const { id } = (await copy({ estimates: 'measured' })).json<{ id: number }>();
    const made = await testApp.db.selectFrom('distributions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(made).toMatchObject({
      opensAt: null,
      closesAt: null,
      remindHours: null,
      orderingOpen: true,
      acceptActuals: false,
      published: false,
    });
    for (const table of ['orders', 'order_products', 'payments', 'slots', 'waiting_list'] as const) {
      const rows = await testApp.db.selectFrom(table).select('id').where('distributionId', '=', id).execute();
      expect(rows, table).toEqual([]);
    }
    expect(await testApp.db.selectFrom('emails').select('id').execute()).toEqual([]);
  });

  test('with measured estimates waits in the queue of expensive reads before it reads weights, because summing many weights keeps the database busy (reliability abuse)', async () => {
    const running = Promise.withResolvers<void>();
    const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
    let isDone = false;
    const copying = copy({ estimates: 'measured' }).finally(() => (isDone = true));
    await pause(200);
    expect(isDone).toBe(false);
    running.resolve();
    await other;
    expect((await copying).statusCode).toBe(201);
  });

  test('gets the measured estimate of a product with at least five weighed units, unless the distributor keeps the old estimate (contract §13)', async () => {
    const [brisket, turkey, veal, lamb] = [await estimate(), await estimate({ unit_qty: 12 }), await estimate(), await estimate()];
    const candles = await makeProduct(testApp.db, original, { unit_qty: 24 });
    await weighed(brisket, [6.5, 6.5, 6.5, 6.5, 6.5]);
    await weighed(turkey, [9, 9, 9, 9, 9]);
    await weighed(veal, [9, 9, 9, 9]);
    await weighed(lamb, [0.2, 0.2, 0.3, 0.2, 0.2]);
    const { id } = (await copy({ estimates: 'measured', keep: [turkey.id] })).json<{ id: number }>();
    const copied = await productsOf(id);
    expect(copied.toSorted((a, b) => a.id - b.id).map((product) => [product.name, product.unit_qty, product.price])).toEqual([
      [brisket.name, 7, 7000],
      [turkey.name, 12, 12_000],
      [veal.name, 5, 5000],
      [lamb.name, 1, 1000],
      [candles.name, 24, 24_000],
    ]);
    const same = (await copy({})).json<{ id: number }>();
    expect((await productsOf(same.id)).map((product) => product.unit_qty).toSorted((a, b) => a - b)).toEqual([5, 5, 5, 12, 24]);
    expect((await productsOf(original.id)).find((product) => product.id === brisket.id)?.unit_qty).toBe(5);
  });

  test.each([
    [{ name: '  ' }, 400],
    [{ date: '2027-02-30' }, 400],
    [{ estimates: 'guessed' }, 400],
    [{ estimates: undefined }, 400],
    [{ keep: ['1'] }, 400],
    [{ keep: [2_000_000_000] }, 404],
  ])('with the values %j is refused, and nothing is copied (contract §2, §13)', async (body, status) => {
    const before = await countDistributions();
    expect((await copy(body)).statusCode).toBe(status);
    expect(await countDistributions()).toBe(before);
  });

  test('can be made only by the distributor of the original; a product whose estimate is kept must be in the original (contract §2, §13)', async () => {
    const other = await makeDistributor(testApp.db);
    const foreign = await makeProduct(testApp.db, await makeDistribution(testApp.db, other));
    expect((await copy({}, other)).statusCode).toBe(404);
    expect((await copy({}, customer)).statusCode).toBe(403);
    expect((await copy({}, await makeAgent(testApp.db, distributor))).statusCode).toBe(403);
    const refused = await copy({ keep: [foreign.id] });
    expect([refused.statusCode, refused.body]).toEqual([404, 'Product not found']);
  });

  test('is made once per idempotency key (contract §2, §13)', async () => {
    await estimate();
    const before = await countDistributions();
    const first = await copy({}, distributor, 'copy-1');
    const again = await copy({}, distributor, 'copy-1');
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect((await copy({ name: 'Another' }, distributor, 'copy-1')).statusCode).toBe(409);
    expect(await countDistributions()).toBe(before + 1);
  });

  test('is recorded in the audit trail as a new distribution (contract §4, §13)', async () => {
    const { id } = (await copy({})).json<{ id: number }>();
    const rows = await testApp.db.selectFrom('distribution_audit').selectAll().where('distributionId', '=', id).execute();
    expect(rows).toMatchObject([{ before: null, after: { name: 'Passover 2027', orderingOpen: true }, updatedBy: distributor.id }]);
  });

  test('of 3,000 products with weights takes less than 2 s (contract §13)', async () => {
    const place = { distributorId: distributor.id, distributionId: original.id };
    const rows = Array.from({ length: 3000 }, (_, index) => ({
      ...place,
      name: `Product ${index}`,
      unit_price: cents(1000),
      unit_qty: 5,
      unit_qty_is_estimate: index % 2 === 0,
      product_code: index,
    }));
    const products = await testApp.db.insertInto('products').values(rows).returningAll().execute();
    await weighed(
      products[0] ?? (await estimate()),
      Array.from({ length: 60 }, () => 7),
    );
    const begun = performance.now();
    const { id } = (await copy({ estimates: 'measured' })).json<{ id: number }>();
    expect(performance.now() - begun).toBeLessThan(2000);
    const copied = await productsOf(id);
    expect([copied.length, copied[0]?.unit_qty, copied[2]?.unit_qty]).toEqual([3000, 7, 5]);
  });
});
