import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { HOUR } from '../../domain/durations.ts';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { MAX_UPLOADS, MAX_WRITES } from './queries.ts';
import { TOO_LATE } from './texts.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_price: cents(1000), total_limit: 40 });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
});

const path = () => `/api/distributions/${distribution.id}`;
const post = (url: string, payload?: object, by = distributor) =>
  testApp.request(by, { method: 'POST', url: path() + url, ...(payload && { payload }) });
const change = (product: Row<'products'>, payload: object) =>
  testApp.request(distributor, { method: 'PATCH', url: `${path()}/products/${product.id}`, payload });
const undo = async (id: number, by = distributor) => {
  const answer = await post(`/product-uploads/${id}/undo`, undefined, by);
  return [answer.statusCode, answer.body];
};
const last = async (by = distributor) => (await testApp.request(by, { method: 'GET', url: `${path()}/product-uploads` })).json();
const products = () =>
  testApp.db
    .selectFrom('products')
    .select(['name', 'unit_price', 'total_limit'])
    .where('distributionId', '=', distribution.id)
    .orderBy('id')
    .execute();
const UNDONE = [204, ''];

/** Uploads a change of Brisket's name and price, and a new product, Candles. Returns the id of the upload. */
async function upload(): Promise<number> {
  const { id } = (await post('/product-uploads')).json<{ id: number }>();
  await change(brisket, { name: 'Brisket, first cut', unit_price: 1500, total_limit: null });
  await post('/products', { name: 'Candles' });
  expect((await post(`/product-uploads/${id}/finish`)).statusCode).toBe(204);
  return id;
}

describe('an upload of products', () => {
  test('can be undone: added products are deleted, and changed products get their previous values', async () => {
    const before = await products();
    const id = await upload();
    expect(await last()).toMatchObject({ id, added: 1, changed: 1 });
    expect(await products()).toHaveLength(3);
    expect(await undo(id)).toEqual(UNDONE);
    expect(await products()).toEqual(before);
    expect(await last()).toBeNull();
    expect(await undo(id)).toEqual([409, TOO_LATE]);
  });

  test('can be undone although other products were ordered; the audit trail records the price changes', async () => {
    await makeOrder(testApp.db, distribution, customer, [
      [brisket, 1],
      [wine, 1],
    ]);
    expect(await undo(await upload())).toEqual(UNDONE);
    const trail = await testApp.db
      .selectFrom('catalogue_audit')
      .select(['name', 'updatedBy'])
      .where('distributionId', '=', distribution.id)
      .execute();
    expect(trail).toEqual([
      { name: 'Brisket, first cut', updatedBy: distributor.id },
      { name: 'Brisket', updatedBy: distributor.id },
    ]);
  });

  test('can be undone after a preview, which changes nothing and counts the orders that the undo re-prices and those of them with payments (contract §4)', async () => {
    const { id: orderId } = await makeOrder(testApp.db, distribution, customer, [[brisket, 2]]);
    const id = await upload();
    await pay(testApp.db, distribution, { orderId, amount: 3000, by: distributor });
    const preview = (by = distributor) => post(`/product-uploads/${id}/repricing`, undefined, by);
    const previewed = await preview();
    expect([previewed.statusCode, previewed.json()]).toMatchObject([
      200,
      { orders: { count: 1 }, paid: { count: 1 }, products: { names: ['Brisket, first cut'] }, units: 2, before: 3000, after: 2000 },
    ]);
    expect((await products())[0]).toMatchObject({ unit_price: 1500 });
    expect((await post(`/product-uploads/${id + 1000}/repricing`)).statusCode).toBe(404);
    expect((await preview(await makeDistributor(testApp.db))).statusCode).toBe(404);
    expect((await preview(await makeAgent(testApp.db, distributor))).statusCode).toBe(403);
    expect(await undo(id)).toEqual(UNDONE);
  });

  test('has a preview of its undo even if the page was closed before the upload ended (contract §4)', async () => {
    await makeOrder(testApp.db, distribution, customer, [[brisket, 2]]);
    const { id } = (await post('/product-uploads')).json<{ id: number }>();
    await change(brisket, { unit_price: 1500, uploadId: id });
    await post('/products', { name: 'Candles', uploadId: id });
    const previewed = await post(`/product-uploads/${id}/repricing`);
    expect(previewed.json()).toMatchObject({ orders: { count: 1 }, paid: { count: 0 }, before: 3000, after: 2000 });
  });

  test('can be undone even if later uploads changed nothing', async () => {
    const id = await upload();
    for (let one = 0; one < 4; one++) {
      const { id: unchanged } = (await post('/product-uploads')).json<{ id: number }>();
      if (one % 2 === 0) await post(`/product-uploads/${unchanged}/finish`);
    }
    expect(await undo(id)).toEqual(UNDONE);
  });

  test('that is running is not deleted while colleagues begin and write other uploads, and can then be undone', async () => {
    const before = await products();
    const begin = async () => (await post('/product-uploads')).json<{ id: number }>().id;
    const id = await begin();
    const others = await Promise.all(Array.from({ length: MAX_UPLOADS - 1 }, begin));
    expect((await change(brisket, { unit_price: 1500, uploadId: id })).statusCode).toBe(200);
    for (const other of others) {
      await post('/products', { name: 'Candles', uploadId: other });
      expect((await change(wine, { unit_price: 700 + other, uploadId: id })).statusCode).toBe(200);
      await begin();
    }
    expect((await post(`/product-uploads/${id}/finish`)).statusCode).toBe(204);
    expect(await undo(id)).toEqual(UNDONE);
    expect((await products()).slice(0, 2)).toEqual(before);
  });

  test('is undone with a limited wait for locks, because customers who save orders wait for the distribution that the undo has locked', async () => {
    const id = await upload();
    await sql`ALTER TABLE product_uploads ADD CONSTRAINT limited_wait CHECK ("undoneAt" IS NULL OR current_setting('lock_timeout') = '1s') NOT VALID`.execute(
      testApp.db,
    );
    try {
      expect(await undo(id)).toEqual(UNDONE);
    } finally {
      await sql`ALTER TABLE product_uploads DROP CONSTRAINT limited_wait`.execute(testApp.db);
    }
  });

  test('whose page was closed before the end can be undone a minute later, and then accepts no more rows', async () => {
    const before = await products();
    const { id } = (await post('/product-uploads')).json<{ id: number }>();
    await change(brisket, { unit_price: 1500, uploadId: id });
    await Promise.all(['Candles', 'Matches'].map((name) => post('/products', { name, uploadId: id })));
    expect(await last()).toBeNull();
    await sql`UPDATE product_uploads SET "writtenAt" = now() - interval '2 minutes' WHERE id = ${id}`.execute(testApp.db);
    expect(await last()).toMatchObject({ id, added: 2, changed: 1 });
    expect(await undo(id)).toEqual(UNDONE);
    expect(await products()).toEqual(before);
    const late = await post('/products', { name: 'Salt', uploadId: id });
    expect([late.statusCode, late.body]).toEqual([409, 'This upload has ended. Start another one.']);
    expect((await change(wine, { name: 'Red wine', uploadId: id })).statusCode).toBe(409);
    expect((await post('/products', { name: 'Salt', uploadId: id + 1000 })).statusCode).toBe(404);
    expect(await products()).toEqual(before);
  });

  test('does not change, when it is undone, what a colleague has changed or added while the upload ran', async () => {
    const { id } = (await post('/product-uploads')).json<{ id: number }>();
    await change(brisket, { unit_price: 1500, uploadId: id });
    await change(wine, { unit_price: 700 });
    await post('/products', { name: 'Candles' });
    await post(`/product-uploads/${id}/finish`);
    expect(await last()).toMatchObject({ id, added: 0, changed: 1 });
    expect(await undo(id)).toEqual(UNDONE);
    expect((await products()).map(({ name, unit_price }) => [name, unit_price])).toEqual([
      ['Brisket', 1000],
      ['Wine', 700],
      ['Candles', 0],
    ]);
  });

  test('cannot be undone when it changed nothing', async () => {
    const { id } = (await post('/product-uploads')).json<{ id: number }>();
    expect(await undo(id)).toEqual([409, TOO_LATE]);
    await post(`/product-uploads/${id}/finish`);
    expect(await last()).toBeNull();
  });

  test('records at most 20,000 writes of products, and accepts none after a day (reliability growth)', async () => {
    const { id } = (await post('/product-uploads')).json<{ id: number }>();
    const write = async () => [
      (await change(brisket, { name: `Brisket ${id}`, uploadId: id })).statusCode,
      (await post('/products', { name: 'Candles', uploadId: id })).statusCode,
    ];
    const store = (writes: number, startedAt: Date) =>
      sql`UPDATE product_uploads SET "startedAt" = ${startedAt}, writes = ${writes} WHERE id = ${id}`.execute(testApp.db);
    await store(MAX_WRITES - 2, new Date());
    expect(await write()).toEqual([200, 201]);
    expect(await write()).toEqual([409, 409]);
    await store(1, new Date(Date.now() - 25 * HOUR));
    expect(await write()).toEqual([409, 409]);
  });
});

test('undoing an upload gives the catalogue no version for each changed product, because customers would wait for seconds (reliability abuse)', async () => {
  const versions = async () => {
    const { rows } = await sql<{
      version: number;
    }>`SELECT "catalogueVersion" AS version FROM distributions WHERE id = ${distribution.id}`.execute(testApp.db);
    return rows[0]?.version ?? 0;
  };
  const newVersions = async (changed: readonly Row<'products'>[]) => {
    const { id } = (await post('/product-uploads')).json<{ id: number }>();
    for (const product of changed) await change(product, { unit_price: 1500, uploadId: id });
    const before = await versions();
    expect(await undo(id)).toEqual(UNDONE);
    return (await versions()) - before;
  };
  expect(await newVersions([brisket, wine])).toBe(await newVersions([brisket]));
});

describe('an upload of products is not undone, and nothing changes', () => {
  const ORDERED = 'was changed or ordered since the upload, so the upload cannot be undone.';

  test('when a colleague has changed one of its products while it ran', async () => {
    const { id } = (await post('/product-uploads')).json<{ id: number }>();
    await change(brisket, { unit_price: 1500, uploadId: id });
    await change(brisket, { unit_price: 1600 });
    await post(`/product-uploads/${id}/finish`);
    expect(await undo(id)).toEqual([409, `Brisket ${ORDERED}`]);
    expect((await products())[0]).toMatchObject({ unit_price: 1600 });
  });

  test('when one of its products has been changed since the upload', async () => {
    const id = await upload();
    await change(brisket, { max_order_qty: 3 });
    const before = await products();
    expect(await undo(id)).toEqual([409, `Brisket, first cut ${ORDERED}`]);
    expect(await products()).toEqual(before);
  });

  test.each(['Brisket, first cut', 'Candles'])('when the product "%s" has been ordered since the upload', async (name) => {
    const id = await upload();
    const product = await testApp.db
      .selectFrom('products')
      .select('id')
      .where('distributionId', '=', distribution.id)
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    const payload = { distributionId: distribution.id, products: [{ productId: product.id, quantity: 1 }] };
    expect((await testApp.request(customer, { method: 'POST', url: '/api/orders', payload })).statusCode).toBe(201);
    const before = await products();
    expect(await undo(id)).toEqual([409, `${name} ${ORDERED}`]);
    expect(await products()).toEqual(before);
  });

  test('when more than 24 hours have passed', async () => {
    const id = await upload();
    await sql`UPDATE product_uploads SET "startedAt" = now() - interval '25 hours' WHERE id = ${id}`.execute(testApp.db);
    expect(await last()).toBeNull();
    expect(await undo(id)).toEqual([409, TOO_LATE]);
    await post('/product-uploads');
    expect(await undo(id)).toEqual([404, 'Upload not found']);
  });

  test('when another distributor, an agent or a customer requests it', async () => {
    const id = await upload();
    expect((await undo(id, await makeAgent(testApp.db, distributor)))[0]).toBe(403);
    expect((await undo(id, customer))[0]).toBe(403);
    expect((await undo(id, await makeDistributor(testApp.db)))[0]).toBe(404);
    distribution = await makeDistribution(testApp.db, distributor);
    expect(await undo(id)).toEqual([404, 'Upload not found']);
  });
});
