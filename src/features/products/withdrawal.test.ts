import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { listProducts } from './contract.ts';

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
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket' });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
});

const path = (product = brisket) => `/api/distributions/${distribution.id}/products/${product.id}`;
const remove = (by = distributor, product = brisket) => testApp.request(by, { method: 'DELETE', url: path(product) });
const offer = (notOffered: boolean, by = distributor) =>
  testApp.request(by, { method: 'POST', url: `${path()}/offer`, payload: { notOffered } });
const listed = async (by = distributor) => (await testApp.as(by))(listProducts, { params: { id: distribution.id } });
const place = (quantities: readonly [product: Row<'products'>, quantity: number][], by = customer) =>
  testApp.request(by, {
    method: 'POST',
    url: by === customer ? '/api/orders' : '/api/distributor/order',
    payload: {
      distributionId: distribution.id,
      ...(by !== customer && { customerId: customer.id }),
      products: quantities.map(([{ id }, quantity]) => ({ productId: id, quantity })),
    },
  });
const waitFor = (product: Row<'products'>) =>
  testApp.db
    .insertInto('waiting_list')
    .values({ distributorId: distributor.id, distributionId: distribution.id, productId: product.id, customerId: customer.id, quantity: 2 })
    .execute();
const waiting = () => testApp.db.selectFrom('waiting_list').select('id').where('distributionId', '=', distribution.id).execute();

describe('a product that was never ordered', () => {
  test('is deleted, and customers no longer see it', async () => {
    await waitFor(brisket);
    expect((await listed(customer)).map(({ name }) => name)).toEqual(['Brisket', 'Wine']);
    expect((await remove()).statusCode).toBe(204);
    expect((await listed(customer)).map(({ name }) => name)).toEqual(['Wine']);
    expect((await remove()).statusCode).toBe(404);
    expect(await waiting()).toEqual([]);
  });

  test('can be deleted by its distributor only', async () => {
    expect((await remove(await makeAgent(testApp.db, distributor))).statusCode).toBe(403);
    expect((await remove(customer)).statusCode).toBe(403);
    expect((await remove(await makeDistributor(testApp.db))).statusCode).toBe(404);
    const elsewhere = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor));
    expect((await remove(distributor, elsewhere)).statusCode).toBe(404);
    expect(await listed()).toHaveLength(2);
  });
});

describe('a product that was ordered', () => {
  test('cannot be deleted, even when its ordered quantities are all 0', async () => {
    await makeOrder(testApp.db, distribution, customer, [[brisket, 0]]);
    const refused = await remove();
    expect([refused.statusCode, refused.body]).toEqual([
      409,
      'This product was ordered, so it cannot be deleted. It can be offered no more.',
    ]);
    expect(await listed()).toHaveLength(2);
  });

  test('keeps its waiting list unchanged when its deletion is refused (reliability abuse)', async () => {
    await makeOrder(testApp.db, distribution, customer, [[brisket, 1]]);
    await waitFor(brisket);
    expect((await remove()).statusCode).toBe(409);
    // A row that was deleted and restored names the transaction that deleted it in the system column xmax.
    const { rows } = await sql<{ xmax: string }>`SELECT xmax::text FROM waiting_list WHERE "productId" = ${brisket.id}`.execute(testApp.db);
    expect(rows).toEqual([{ xmax: '0' }]);
  });

  test('can be withdrawn: existing orders keep it, and nobody can order more of it', async () => {
    await place([
      [brisket, 2],
      [wine, 1],
    ]);
    await waitFor(brisket);
    expect((await offer(true)).statusCode).toBe(204);
    expect((await listed(customer)).map(({ name, notOffered }) => [name, notOffered])).toEqual([
      ['Brisket', true],
      ['Wine', undefined],
    ]);
    expect(await waiting()).toEqual([]);
    for (const by of [customer, distributor]) {
      const refused = await place([[brisket, 3]], by);
      expect([refused.statusCode, refused.body]).toEqual([409, 'Brisket is not offered any more.']);
      expect(
        (
          await place(
            [
              [brisket, 2],
              [wine, by === customer ? 2 : 3],
            ],
            by,
          )
        ).statusCode,
      ).toBe(200);
    }
    expect((await place([[brisket, 1]])).statusCode).toBe(200);
    expect((await place([[wine, 1]])).statusCode).toBe(200);
    expect((await place([[brisket, 1]])).statusCode).toBe(409);
  });

  test('can be offered again after it was withdrawn', async () => {
    await offer(true);
    expect((await place([[brisket, 1]])).statusCode).toBe(409);
    await offer(false);
    expect((await listed(customer)).every((product) => !('notOffered' in product))).toBe(true);
    expect((await place([[brisket, 1]])).statusCode).toBe(201);
  });

  test('can be withdrawn by its distributor only, and is then left out of copies of the distribution (contract §13)', async () => {
    expect((await offer(true, await makeAgent(testApp.db, distributor))).statusCode).toBe(403);
    expect((await offer(true, await makeDistributor(testApp.db))).statusCode).toBe(404);
    expect((await listed()).some((product) => product.notOffered)).toBe(false);
    await offer(true);
    const payload = { name: 'Next year', date: '2028-04-15', estimates: 'same' };
    const copied = await testApp.request(distributor, { method: 'POST', url: `/api/distributions/${distribution.id}/copy`, payload });
    const products = await (await testApp.as(distributor))(listProducts, { params: { id: copied.json<{ id: number }>().id } });
    expect(products.map(({ name }) => name)).toEqual(['Wine']);
  });
});
