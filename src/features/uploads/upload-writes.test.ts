// Tests how the writes of an upload of products are recorded and read.
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { cents } from '../../domain/money.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { transaction, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { lockDistribution } from '../distributions/queries.ts';
import { ProductFields } from '../products/contract.ts';
import { findProducts, saveNewProduct, saveProduct } from '../products/queries.ts';
import { findLastProductUpload } from './queries.ts';
import { builtOnText, UPLOAD_ENDED } from './texts.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;
let id: number;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_price: cents(1000) });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine', unit_price: cents(500) });
  id = (await send('POST', '/product-uploads')).json<{ id: number }>().id;
});

const send = (method: 'POST' | 'PATCH', path: string, payload: object = {}) =>
  testApp.request(distributor, { method, url: `/api/distributions/${distribution.id}${path}`, payload });
const change = (product: Row<'products'>, price: number, uploadId: number) =>
  send('PATCH', `/products/${product.id}`, { unit_price: price, uploadId });
const prices = async () =>
  (
    await testApp.db
      .selectFrom('products')
      .select(['name', 'unit_price'])
      .where('distributionId', '=', distribution.id)
      .orderBy('id')
      .execute()
  ).map(({ name, unit_price }) => [name, unit_price]);
const undo = async () => {
  const { statusCode, body } = await send('POST', `/product-uploads/${id}/undo`);
  return [statusCode, body];
};
const UNDONE = [204, ''];

/** Returns a database that adds to `bytes` how many bytes each statement writes to the write-ahead log, and returns no rows. */
function measuring(bytes: number[]): Db {
  const { isTransaction, begin, poolStats, query } = testApp.db;
  return {
    isTransaction,
    begin,
    poolStats,
    query: async (text, values) => {
      const plan = JSON.stringify(await query(`EXPLAIN (ANALYZE, WAL, FORMAT JSON) ${text}`, values));
      bytes.push([...plan.matchAll(/"WAL Bytes":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0));
      return [];
    },
  };
}
/**
 * Returns the fewest bytes of a statement that writes. After a checkpoint, a statement also writes whole pages, so the others may have written
 * more.
 */
const fewest = (bytes: readonly number[]): number => Math.min(...bytes.filter((count) => count > 0));

test(
  'a write of an upload writes less than 5 kB to the write-ahead log of the database, also after 2,000 other writes (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const by = { userId: distributor.id, tenantId: distributor.id } as Viewer;
    const fields = ProductFields.parse({ name: 'Candles' });
    const add = (db: Db) => saveNewProduct(db, by, distribution.id, { fields, uploadId: id });
    await Promise.all(Array.from({ length: 2000 }, () => add(testApp.db)));
    const changes: number[] = [];
    const additions: number[] = [];
    for (let price = 1001; price <= 1050; price++) {
      const before = (await findProducts(testApp.db, distribution, [brisket.id])).get(brisket.id) ?? brisket;
      await saveProduct(measuring(changes), by, { before, after: { ...before, unit_price: cents(price) }, uploadId: id });
      // The statement that is measured returns no product, so the addition seems to have failed.
      await expect(add(measuring(additions))).rejects.toThrow('Upload');
    }
    expect((await prices())[0]).toEqual(['Brisket', 1050]);
    expect(fewest(changes)).toBeLessThan(5000);
    expect(fewest(additions)).toBeLessThan(5000);
  },
);

test('a change of a product that waits for a lock while its upload ends is refused, so that the undo of the upload reverts all its changes (reliability abuse)', async () => {
  await change(wine, 700, id);
  const viewer = { userId: distributor.id, tenantId: distributor.id } as Viewer;
  const waiting = await transaction(testApp.db, async (db) => {
    await lockDistribution(db, viewer, distribution.id);
    const writes = [change(brisket, 1500, id), send('POST', '/products', { name: 'Candles', uploadId: id })];
    await waitForLockWaiters(testApp.db, writes.length);
    expect((await send('POST', `/product-uploads/${id}/finish`)).statusCode).toBe(204);
    return { writes };
  });
  for (const { statusCode, body } of await Promise.all(waiting.writes)) expect([statusCode, body]).toEqual([409, UPLOAD_ENDED]);
  expect(await undo()).toEqual(UNDONE);
  expect(await prices()).toEqual([
    ['Brisket', 1000],
    ['Wine', 500],
  ]);
});

test('the products of an unfinished upload are compared with its recorded writes by hash, not with each write in turn (reliability abuse)', async () => {
  const [row] = await testApp.db.query<{ text: string }>(
    `SELECT prosrc AS text FROM pg_proc WHERE proname = 'product_upload_changes_v1'`,
    [],
  );
  const plan = await testApp.db.query(`EXPLAIN VERBOSE ${row?.text.replaceAll('upload_id', String(id))}`, []);
  const hashed = JSON.stringify(plan).match(/hashed SubPlan \d+/g);
  expect(new Set(hashed).size).toBe(2);
});

describe('the undo of an upload keeps what a colleague has saved in one of its products while the upload ran', () => {
  const save = (product: Row<'products'>, payload: object) => send('PATCH', `/products/${product.id}`, payload);
  const stored = async (product: Row<'products'>) => (await findProducts(testApp.db, distribution, [product.id])).get(product.id);

  test.each(['finished', 'unfinished'])('before the upload, which is %s, wrote the product (contract §4)', async (state) => {
    expect((await save(brisket, { total_limit: 4 })).statusCode).toBe(200);
    expect((await change(brisket, 1500, id)).statusCode).toBe(200);
    expect((await change(brisket, 1600, id)).statusCode).toBe(200);
    if (state === 'finished') await send('POST', `/product-uploads/${id}/finish`);
    expect(await undo()).toEqual(UNDONE);
    expect(await stored(brisket)).toMatchObject({ unit_price: 1000, total_limit: 4 });
  });

  test('with another upload that began before either of the two wrote (contract §4)', async () => {
    const { id: other } = (await send('POST', '/product-uploads')).json<{ id: number }>();
    expect((await change(brisket, 1500, other)).statusCode).toBe(200);
    expect((await save(brisket, { name: 'Brisket, first cut', uploadId: id })).statusCode).toBe(200);
    expect(await undo()).toEqual(UNDONE);
    expect(await stored(brisket)).toMatchObject({ name: 'Brisket', unit_price: 1500 });
  });

  test('as a new product, which the upload then changed (contract §4)', async () => {
    const candles = (await send('POST', '/products', { name: 'Candles', unit_price: 300 })).json<Row<'products'>>();
    expect((await change(candles, 400, id)).statusCode).toBe(200);
    expect(await findLastProductUpload(testApp.db, distribution)).toBeNull();
    await send('POST', `/product-uploads/${id}/finish`);
    expect(await findLastProductUpload(testApp.db, distribution)).toMatchObject({ id, added: 0, changed: 1 });
    expect(await undo()).toEqual(UNDONE);
    expect(await stored(candles)).toMatchObject({ unit_price: 300 });
  });

  test.each(['changed', 'added'])('between two writes of the %s product, so the undo is refused (contract §4)', async (kind) => {
    const product =
      kind === 'changed' ? brisket : (await send('POST', '/products', { name: 'Candles', uploadId: id })).json<Row<'products'>>();
    await change(product, 1500, id);
    await save(product, { total_limit: 4 });
    expect((await change(product, 1600, id)).statusCode).toBe(200);
    expect(await undo()).toEqual([409, builtOnText(product.name)]);
    expect(await stored(product)).toMatchObject({ unit_price: 1600, total_limit: 4 });
  });
});
