// Tests when an upload of products is checked before it is undone, and what the undo does if something happens after the check.
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { withQueryBuilder, type TestDb } from '../../../test/database/test-db.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { cents } from '../../domain/money.ts';
import { run, transaction } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { nextCatalogueVersion } from '../distributions/queries.ts';
import { builtOnText } from './texts.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;
let id: number;
/** Begins an upload that changes the price of the brisket. */
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_price: cents(1000) });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
  id = (await send('POST', '/product-uploads')).json<{ id: number }>().id;
  await setPrice(1500, id);
});

const send = (method: 'POST' | 'PATCH', path: string, payload: object = {}) =>
  testApp.request(distributor, { method, url: `/api/distributions/${distribution.id}${path}`, payload });
const setPrice = (price: number, uploadId?: number) =>
  send('PATCH', `/products/${brisket.id}`, { unit_price: price, ...(uploadId !== undefined && { uploadId }) });
const finish = () => send('POST', `/product-uploads/${id}/finish`);
const undo = async () => {
  const { statusCode, body } = await send('POST', `/product-uploads/${id}/undo`);
  return [statusCode, body];
};
const REFUSED = [409, builtOnText('Brisket')];
const UNDONE = [204, ''];
const priceOf = async ({ id: productId }: Row<'products'>) =>
  (await testApp.db.selectFrom('products').select('unit_price').where('id', '=', productId).executeTakeFirstOrThrow()).unit_price;

test.each(['finished', 'unfinished'])(
  'an undo of an upload that is %s locks and writes nothing when it is refused, because a rollback would not remove what was written (reliability abuse)',
  async (state) => {
    if (state === 'finished') await finish();
    await setPrice(1600);
    // PostgreSQL stores the transactions that wrote and that locked a row in its xmin and xmax.
    const text = sql`SELECT u.xmin::text || ' ' || u.xmax::text AS upload, d.xmin::text || ' ' || d.xmax::text AS distribution
      FROM product_uploads u JOIN distributions d ON d.id = u."distributionId" WHERE u.id = ${id}`;
    const { rows: before } = await text.execute(testApp.db);
    expect(await undo()).toEqual(REFUSED);
    expect((await text.execute(testApp.db)).rows).toEqual(before);
  },
);

/** Requests the undo, and saves a change after the upload was checked and before it is undone. */
async function undoAndSave(save: (db: TestDb) => Promise<unknown>): Promise<unknown[]> {
  const { undoing } = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT FROM distributions WHERE id = $1 FOR UPDATE', [distribution.id]);
    const undoing = undo();
    await waitForLockWaiters(testApp.db);
    await save(withQueryBuilder(db));
    return { undoing };
  });
  return await undoing;
}

/** Creates an order of the product, as if the customer had placed it just now. */
async function order(db: TestDb, product: Row<'products'>): Promise<void> {
  const { lines } = await makeOrder(db, distribution, customer, [[product, 1]]);
  await run(db, 'INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy") VALUES ($1, 1, $2)', [
    lines[0]?.id,
    customer.id,
  ]);
}

test.each<[string, (db: TestDb) => Promise<unknown>]>([
  ['ordered', (db) => order(db, brisket)],
  [
    'changed',
    async (db) => {
      await run(db, 'UPDATE products SET unit_price = 1600 WHERE id = $1', [brisket.id]);
      await nextCatalogueVersion(db, distribution.id);
    },
  ],
])('an upload is not undone if one of its products is %s after the upload was checked (contract §4)', async (_, save) => {
  await finish();
  expect(await undoAndSave(save)).toEqual(REFUSED);
  expect(await priceOf(brisket)).not.toBe(1000);
});

test.each(['finished', 'unfinished'])(
  'an upload that is %s is undone although another product is ordered after the upload was checked',
  async (state) => {
    if (state === 'finished') await finish();
    expect(await undoAndSave((db) => order(db, wine))).toEqual(UNDONE);
    expect(await priceOf(brisket)).toBe(1000);
  },
);
