// Tests products of one distribution that are added and changed concurrently, as an import does.
import { beforeEach, expect, test } from 'vitest';
import { run, transaction } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { addProduct, changeProduct } from './contract.ts';
import { saveProduct } from './queries.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
});
const catalogueVersion = async () =>
  (await testApp.db.selectFrom('distributions').select('catalogueVersion').where('id', '=', distribution.id).executeTakeFirstOrThrow())
    .catalogueVersion;

test('products added concurrently are written in a few batches, each of which raises the catalogue version; each request returns its own product', async () => {
  const call = await testApp.as(distributor);
  const before = await catalogueVersion();
  const names = Array.from({ length: 20 }, (_, index) => `Pie ${index}`);
  const added = await Promise.all(names.map((name) => call(addProduct, { params: { id: distribution.id }, body: { name } })));
  expect(added.map(({ name }) => name)).toEqual(names);
  expect(new Set(added.map(({ id }) => id)).size).toBe(20);
  const steps = (await catalogueVersion()) - before;
  expect(steps).toBeGreaterThan(0);
  expect(steps).toBeLessThan(10);
});

test('several concurrent changes of one product are all saved, and each raises the catalogue version', async () => {
  const { id: productId } = await makeProduct(testApp.db, distribution, { name: 'Wine', uom: 'case' });
  const call = await testApp.as(distributor);
  const before = await catalogueVersion();
  const params = { id: distribution.id, productId };
  const changes = [{ name: 'Red wine' }, { uom: null }, { max_order_qty: 7 }, { product_group: 'Drinks' }, { product_code: 12 }];
  await Promise.all(changes.map((body) => call(changeProduct, { params, body })));
  const product = await testApp.db.selectFrom('products').selectAll().where('id', '=', productId).executeTakeFirstOrThrow();
  expect(product).toMatchObject({ name: 'Red wine', uom: null, max_order_qty: 7, product_group: 'Drinks', product_code: 12 });
  expect((await catalogueVersion()) - before).toBeGreaterThanOrEqual(changes.length);
});

const viewer = () =>
  ({
    userId: distributor.id,
    email: distributor.email,
    role: 'distributor',
    distributorId: null,
    tenantId: distributor.id,
    mayTakePayments: false,
    mustAddSecondFactor: false,
    hasJoined: false,
    signedInAt: '2027-04-01T12:00:00.000Z',
  }) as const;

test('a change that is based on outdated values of a product is not saved, and the catalogue version stays the same', async () => {
  const read = await makeProduct(testApp.db, distribution, { name: 'Wine' });
  const call = await testApp.as(distributor);
  await call(changeProduct, { params: { id: distribution.id, productId: read.id }, body: { uom: 'case' } });
  const before = await catalogueVersion();
  expect(await saveProduct(testApp.db, viewer(), { before: read, after: { ...read, name: 'Red wine' }, uploadId: undefined })).toBeNull();
  expect(await catalogueVersion()).toBe(before);
});

test('a server of an earlier version can change a product although the table has columns that the earlier version does not know', async () => {
  const read = await makeProduct(testApp.db, distribution, { name: 'Wine' });
  const rollback = new Error('rollback');
  const changed = transaction(testApp.db, async (db) => {
    await run(db, `ALTER TABLE products ADD COLUMN later text NOT NULL DEFAULT 'x'`, []);
    expect(await saveProduct(db, viewer(), { before: read, after: { ...read, name: 'Red wine' }, uploadId: undefined })).toMatchObject({
      name: 'Red wine',
    });
    throw rollback;
  });
  await expect(changed).rejects.toBe(rollback);
});
