// Distributors with many slow changes do not occupy the connections to the database that others need (reliability, "abuse").
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { transaction } from '../src/server/database/db.ts';
import type { Row } from '../src/server/database/schema.ts';
import { waitForLockWaiters } from './database/lock-waits.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { setupTestApp, type Person } from './test-app.ts';
import { withQueryBuilder } from './database/test-db.ts';

const testApp = setupTestApp();

interface Tenant {
  readonly distributor: Person;
  readonly distribution: Row<'distributions'>;
  readonly product: Row<'products'>;
}
async function makeTenant(): Promise<Tenant> {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  return { distributor, distribution, product: await makeProduct(testApp.db, distribution) };
}
let tenants: Tenant[];
beforeAll(async () => {
  tenants = await Promise.all(Array.from({ length: 3 }, makeTenant));
});

/** Runs `work` while the distributions are locked, as they are during slow changes. */
async function whileLocked(locked: readonly Tenant[], work: () => Promise<void>): Promise<void> {
  const ids = locked.map(({ distribution }) => distribution.id);
  await transaction(testApp.db, async (db) => {
    await withQueryBuilder(db).selectFrom('distributions').select('id').where('id', 'in', ids).forUpdate().execute();
    await work();
  });
}

/** Sends ten changes of a tenant that need the lock of its distribution. */
const change = ({ distributor, distribution, product }: Tenant) =>
  Array.from({ length: 5 }, (_, each) => [
    testApp.request(distributor, { method: 'PATCH', url: `/api/distributions/${distribution.id}`, payload: { name: `Purim ${each}` } }),
    testApp.request(distributor, {
      method: 'PATCH',
      url: `/api/distributions/${distribution.id}/products/${product.id}`,
      payload: { unit_price: 100 + each },
    }),
  ]).flat();

test.each([
  ['one distributor', 1, 5],
  ['three distributors', 3, 6],
])(
  'while changes of %s wait for a lock, ten of each, other tenants still get connections; afterwards the changes are saved',
  async (_, count, waiters) => {
    const hostile = tenants.slice(0, count);
    // This tenant is new, and was therefore not slow in the last minute. The pool reserves connections for such tenants.
    const other = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
    const changes: Promise<{ statusCode: number }>[] = [];
    await whileLocked(hostile, async () => {
      for (const tenant of hostile) changes.push(...change(tenant));
      await waitForLockWaiters(testApp.db, waiters);
      // While the lock is held, a request without a connection would end with 503.
      for (const url of ['/api/distributions', '/api/contact', '/api/orders'])
        expect((await testApp.request(other, { method: 'GET', url })).statusCode).toBeLessThan(500);
    });
    expect((await Promise.all(changes)).map(({ statusCode }) => statusCode)).toEqual(changes.map(() => 200));
  },
);

test('while a list that is sent in parts waits for the database, its reads occupy at most five connections, and other tenants still get connections', async () => {
  const distributor = await makeDistributor(testApp.db);
  for (let customer = 0; customer < 3; customer++) await makeCustomer(testApp.db, distributor);
  const other = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  const reads: Promise<{ statusCode: number }>[] = [];
  await transaction(testApp.db, async (db) => {
    await sql`LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE`.execute(withQueryBuilder(db));
    for (let read = 0; read < 9; read++) reads.push(testApp.request(distributor, { method: 'GET', url: '/api/users/customer' }));
    await waitForLockWaiters(testApp.db, 5);
    for (const url of ['/api/distributions', '/api/orders'])
      expect((await testApp.request(other, { method: 'GET', url })).statusCode).toBe(200);
    const { rows } = await sql<{ waiting: number }>`SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(withQueryBuilder(db));
    expect(rows).toEqual([{ waiting: 5 }]);
  });
  expect((await Promise.all(reads)).map(({ statusCode }) => statusCode)).toEqual(reads.map(() => 200));
});

const clear = ({ distributor, distribution, product }: Tenant, key?: string) =>
  testApp.request(distributor, {
    method: 'POST',
    url: `/api/distributions/${distribution.id}/clear-product-quantities`,
    payload: { productId: product.id },
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  });

test('while the expensive calls of a distributor wait for its connections, which its slow changes occupy, another distributor can add customers (reliability abuse)', async () => {
  const hostile = await makeTenant();
  const other = await makeDistributor(testApp.db);
  const ended: string[] = [];
  const waiting: Promise<unknown>[] = [];
  await whileLocked([hostile], async () => {
    waiting.push(...change(hostile));
    await waitForLockWaiters(testApp.db, 5);
    waiting.push(...[clear(hostile), clear(hostile)].map((call) => call.then(() => ended.push('hostile'))));
    await pause(300);
    const payload = { users: [{ email: 'new@other.example', firstName: 'A', lastName: 'B' }], replyTo: other.email, invite: 'later' };
    ended.push(`other ${(await testApp.request(other, { method: 'POST', url: '/api/users/customer', payload })).statusCode}`);
  });
  await Promise.all(waiting);
  expect(ended).toEqual(['other 201', 'hostile', 'hostile']);
});

test.each([
  ['an Idempotency-Key', 'a-key'],
  ['no Idempotency-Key', undefined],
])(
  'an expensive call with %s waits only briefly for a lock of its distributor, and is then refused as busy (reliability abuse)',
  async (_, key) => {
    const tenant = await makeTenant();
    const statusOf = async () => (await clear(tenant, key)).statusCode;
    await whileLocked([tenant], async () => expect(await Promise.race([statusOf(), pause(4000)])).toBe(503));
    expect(await statusOf()).toBe(200);
  },
);
