// Tests changes of many products in one call, as the editable table of products sends them.
import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { MAX_PRODUCTS } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_price: cents(1000), unit_qty: 5, total_limit: 40 });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine', unit_price: cents(900) });
});

type Change = { id: number; before: object; after: object };
async function change(...products: Change[]) {
  const url = `/api/distributions/${distribution.id}/products`;
  const answer = await testApp.request(distributor, { method: 'PATCH', url, payload: { products } });
  return [answer.statusCode, answer.statusCode === 200 ? answer.json() : answer.body];
}
const products = () =>
  testApp.db
    .selectFrom('products')
    .select(['name', 'unit_price', 'total_limit'])
    .where('distributionId', '=', distribution.id)
    .orderBy('id')
    .execute();
const repriced = (product: Row<'products'>, unit_price: number): Change => ({
  id: product.id,
  before: { unit_price: product.unit_price },
  after: { unit_price },
});
const MEANWHILE = 'Brisket was changed by somebody else meanwhile. Nothing is saved.';

describe('a request that changes many products', () => {
  test('saves the given fields of each, and returns the products in the order of the request', async () => {
    const [status, saved] = await change(repriced(wine, 950), {
      id: brisket.id,
      before: { name: 'Brisket', total_limit: 40 },
      after: { name: 'Brisket, first cut', total_limit: null },
    });
    expect([status, saved]).toMatchObject([
      200,
      [
        { id: wine.id, name: 'Wine', unit_price: 950, price: 950, left: null },
        { id: brisket.id, name: 'Brisket, first cut', unit_price: 1000, price: 5000, left: null },
      ],
    ]);
    expect(await products()).toEqual([
      { name: 'Brisket, first cut', unit_price: 1000, total_limit: null },
      { name: 'Wine', unit_price: 950, total_limit: null },
    ]);
  });

  test('saves nothing when one value has changed since the client read it, and names the product', async () => {
    const before = await products();
    expect(await change(repriced(wine, 950), { ...repriced(brisket, 1100), before: { unit_price: 999 } })).toEqual([409, MEANWHILE]);
    expect(await products()).toEqual(before);
  });

  test('keeps both changes when two users change different fields of one product', async () => {
    await change({ id: brisket.id, before: { name: 'Brisket' }, after: { name: 'Flat brisket' } });
    expect((await change(repriced(brisket, 1100)))[0]).toBe(200);
    expect(await products()).toMatchObject([{ name: 'Flat brisket', unit_price: 1100 }, { name: 'Wine' }]);
  });

  test('when two users change the same field at the same time, is saved for one and refused for the other', async () => {
    const answers = await Promise.all([1100, 1200, 1300, 1400].map((price) => change(repriced(wine, 950), repriced(brisket, price))));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([status, text]) => status === 409 && text === MEANWHILE)).toHaveLength(3);
    const winner = answers.findIndex(([status]) => status === 200);
    expect(await products()).toMatchObject([{ unit_price: [1100, 1200, 1300, 1400][winner] }, { unit_price: 950 }]);
  });

  test('can be repeated when its reply was lost', async () => {
    expect((await change(repriced(brisket, 1100)))[0]).toBe(200);
    expect(await change(repriced(brisket, 1100))).toMatchObject([200, [{ unit_price: 1100 }]]);
  });

  test('is recorded in the audit trail for each product whose orders get another price', async () => {
    await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 1]]);
    await change(repriced(brisket, 1100), repriced(wine, 950));
    const trail = await testApp.db
      .selectFrom('catalogue_audit')
      .select(['name', 'updatedBy'])
      .where('distributionId', '=', distribution.id)
      .execute();
    expect(trail).toEqual([{ name: 'Brisket', updatedBy: distributor.id }]);
  });
});

describe('a request that changes many products is refused, and nothing is saved,', () => {
  test.each<[string, () => Change[], string]>([
    ['without a product', () => [], 'There must be at least one product'],
    ['with a product twice', () => [repriced(wine, 950), repriced(wine, 960)], 'A product is in the list twice.'],
    ['with an invalid value', () => [repriced(wine, 950), repriced(brisket, -1)], 'Unit price must be positive'],
    [
      'with a field whose previous value is missing',
      () => [{ id: wine.id, before: {}, after: { name: 'Red wine' } }],
      '`before` must have the fields of `after`.',
    ],
    [
      'with a price that is too large together with the stored quantity',
      () => [repriced(wine, 950), repriced(brisket, 1_000_000_000)],
      'Unit price times quantity is too large',
    ],
  ])('when it is sent %s', async (_, changes, reason) => {
    const before = await products();
    expect(await change(...changes())).toEqual([400, reason]);
    expect(await products()).toEqual(before);
  });

  test('when it is sent with a product of another distribution, or with a deleted product', async () => {
    const other = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor), { name: 'Pie', unit_price: cents(900) });
    const before = await products();
    expect(await change(repriced(wine, 950), repriced(other, 1000))).toEqual([404, 'Product not found']);
    expect(await products()).toEqual(before);
  });

  test(`when it is sent with more than ${MAX_PRODUCTS} products`, async () => {
    const many = Array.from({ length: MAX_PRODUCTS + 1 }, (_, index) => ({ ...repriced(wine, 950), id: index + 1 }));
    expect(await change(...many)).toEqual([400, `At most ${MAX_PRODUCTS} products at once`]);
  });
});

test('a change of more than 20 products waits in the queue of expensive reads, and one of fewer does not wait (reliability abuse)', async () => {
  const many = [];
  for (let n = 0; n < 21; n++) many.push(repriced(await makeProduct(testApp.db, distribution, { unit_price: cents(900) }), 950));
  const held = Promise.withResolvers<void>();
  const reading = runInQueue({ distributorId: distributor.id, signal: new AbortController().signal }, () => held.promise);
  let isDone = false;
  const long = change(...many).finally(() => (isDone = true));
  for (const price of [1, 2, 3]) {
    const fewer = many.slice(1).map(({ id }) => ({ id, before: { max_order_qty: price - 1 }, after: { max_order_qty: price } }));
    expect((await change(...fewer))[0]).toBe(200);
  }
  expect(isDone).toBe(false);
  held.resolve();
  await reading;
  expect((await long)[0]).toBe(200);
});
