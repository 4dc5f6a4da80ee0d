// One distributor with many slow changes does not occupy the connections to the database that others need (reliability, "abuse").
import { beforeAll, expect, test } from 'vitest';
import { transaction, type Db } from '../src/server/database/db.ts';
import type { Row } from '../src/server/database/schema.ts';
import { waitForLockWaiters } from './database/lock-waits.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { setupTestApp, type Person } from './test-app.ts';

const world = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let product: Row<'products'>;
beforeAll(async () => {
  distributor = await makeDistributor(world.db);
  distribution = await makeDistribution(world.db, distributor);
  product = await makeProduct(world.db, distribution);
});

/** Runs `work` while the distribution is locked, as it is during a slow change. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await transaction(world.db, async (db: Db) => {
    await db.selectFrom('distributions').select('id').where('id', '=', distribution.id).forUpdate().execute();
    await work();
  });
}

const change = (name: string) => ({ method: 'PATCH' as const, url: `/api/distributions/${distribution.id}`, payload: { name } });
const price = (unit_price: number) => ({
  method: 'PATCH' as const,
  url: `/api/distributions/${distribution.id}/products/${product.id}`,
  payload: { unit_price },
});

test('thirty changes of one distributor that wait for a lock leave connections for other tenants, and are saved afterwards', async () => {
  const other = await makeCustomer(world.db, await makeDistributor(world.db));
  const changes: Promise<{ statusCode: number }>[] = [];
  await whileLocked(async () => {
    for (let each = 0; each < 15; each++)
      changes.push(world.request(distributor, change(`Purim ${each}`)), world.request(distributor, price(100 + each)));
    await waitForLockWaiters(world.db, 5);
    const began = performance.now();
    for (const url of ['/api/distributions', '/api/contact', '/api/orders'])
      expect((await world.request(other, { method: 'GET', url })).statusCode).toBeLessThan(500);
    expect(performance.now() - began).toBeLessThan(3000);
  });
  expect((await Promise.all(changes)).map(({ statusCode }) => statusCode)).toEqual(changes.map(() => 200));
});
