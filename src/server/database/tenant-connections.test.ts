import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction } from './db.ts';
import { asMember, asShared, publicMember, PUBLIC_TENANT } from './tenant-connections.ts';

const testApp = setupTestApp();

/** Returns the id of a tenant that no other test uses, because the pool remembers which tenants were slow. */
let lastId = 0;
const newTenant = (): number => ++lastId;

const leaves: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(leaves.splice(0).map((leave) => leave()));
  vi.useRealTimers();
});

/** Occupies connections for a tenant until the end of the test. */
async function take(tenantId: number, connections: number): Promise<void> {
  for (let each = 0; each < connections; each++) {
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const occupied = asMember({ tenantId, userId: each }, () => transaction(testApp.db, () => (begun.resolve(), over.promise)));
    leaves.push(() => (over.resolve(), occupied));
    await begun.promise;
  }
}
/**
 * Runs a statement for each of these tenants, in this order. Waits for the statement of the last tenant, and returns the tenants whose
 * statements have run by then.
 */
async function servedOf(...tenantIds: number[]): Promise<number[]> {
  const served: number[] = [];
  const statements = tenantIds.map((tenantId) =>
    asMember({ tenantId, userId: tenantId }, () => run(testApp.db, 'SELECT 1', [])).then(() => served.push(tenantId)),
  );
  leaves.push(() => Promise.all(statements));
  await statements.at(-1);
  return served;
}

test('a tenant that occupies no connection gets a connection, however many connections other tenants occupy', async () => {
  const [A, B, C, D, E] = [newTenant(), newTenant(), newTenant(), newTenant(), newTenant()];
  await take(A, 5);
  await take(B, 1);
  expect(await servedOf(A, B, C)).toEqual([C]);
  await take(C, 1);
  await take(D, 1);
  expect(await servedOf(C, E)).toEqual([E]);
});

test('a tenant that occupied a connection for more than a second gets no reserved connection in the next minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const [A, B, C, D] = [newTenant(), newTenant(), newTenant(), newTenant()];
  await take(A, 1);
  vi.advanceTimersByTime(1100);
  await leaves.pop()?.();
  await take(B, 5);
  await take(C, 1);
  expect(await servedOf(A, D)).toEqual([D]);
});

test('a request that waits for its first connection stops waiting when its client disconnects', async () => {
  const tenantId = newTenant();
  await take(tenantId, 5);
  const client = new AbortController();
  const statement = asMember({ tenantId, userId: tenantId, signal: client.signal }, () => run(testApp.db, 'SELECT 1', []));
  client.abort();
  await expect(statement).rejects.toMatchObject({ status: 499 });
});

test('a request that has begun its work, or that also works for other requests, continues when its client disconnects', async () => {
  const client = new AbortController();
  const tenantId = newTenant();
  const member = { tenantId, userId: tenantId, signal: client.signal };
  const first = Promise.withResolvers<void>();
  const occupied = Promise.withResolvers<void>();
  const begun = asMember(member, async () => {
    await run(testApp.db, 'SELECT 1', []);
    first.resolve();
    await occupied.promise;
    return run(testApp.db, 'SELECT 2 AS two', []);
  });
  await first.promise;
  await take(tenantId, 5);
  occupied.resolve();
  const shared = asMember(member, () => asShared(() => run(testApp.db, 'SELECT 3 AS three', [])));
  await pause(10);
  client.abort();
  await leaves.pop()?.();
  expect([await begun, await shared]).toEqual([[{ two: 2 }], [{ three: 3 }]]);
});

test('signed-out clients together occupy at most five connections', async () => {
  await take(PUBLIC_TENANT, 5);
  expect(await servedOf(PUBLIC_TENANT, newTenant())).not.toContain(PUBLIC_TENANT);
});

test('signed-out clients of hundreds of networks of one IPv6 block (/48) delay a client from elsewhere by two connections at most (reliability abuse)', async () => {
  await take(PUBLIC_TENANT, 5);
  const served: string[] = [];
  const from = (address: string, name: string) =>
    asMember(publicMember(address), () => run(testApp.db, 'SELECT 1', [])).then(() => served.push(name));
  const all = Array.from({ length: 200 }, (_, n) => from(`2001:db8:48:${(n * 256).toString(16)}::1`, 'flood'));
  all.push(from('2001:db8:49::1', 'family'));
  await leaves.pop()?.();
  await Promise.all(all);
  expect(served.slice(0, 3)).toContain('family');
});

test('the customers of a tenant who wait for connections delay its staff by two connections at most (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customers = await Promise.all(Array.from({ length: 8 }, () => makeCustomer(testApp.db, distributor)));
  await take(distributor.id, 5);
  const served: string[] = [];
  const read = (by: Person, name: string) =>
    testApp.request(by, { method: 'GET', url: '/api/distributions' }).then(({ statusCode }) => served.push(`${name} ${statusCode}`));
  const waiting = customers.map((customer) => read(customer, 'customer'));
  await pause(300);
  waiting.push(read(distributor, 'staff'));
  await pause(300);
  await leaves.pop()?.();
  await Promise.all(waiting);
  expect(served.slice(0, 3)).toContain('staff 200');
  expect(served).toHaveLength(9);
});

test('hundreds of customers who use connections all the time do not delay a customer of the same tenant who uses few (reliability abuse)', async () => {
  const tenantId = newTenant();
  const served: string[] = [];
  const use = (userId: number, name: string) =>
    asMember({ tenantId, userId, group: 'customers' }, () => run(testApp.db, 'SELECT 1', [])).then(() => served.push(name));
  const flood = () => Array.from({ length: 200 }, (_, n) => use(1000 + n, 'flood'));
  await take(tenantId, 4);
  await Promise.all(flood());
  await take(tenantId, 1);
  served.length = 0;
  const waiting = [...flood(), use(999, 'family')];
  await leaves.pop()?.();
  await Promise.all(waiting);
  expect(served.indexOf('family')).toBeLessThan(3);
});

test(
  'customers whose statements take long do not delay a customer of the same tenant who runs more statements, but short ones (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const tenantId = newTenant();
    const served: string[] = [];
    const use = (userId: number, name: string, seconds: number) =>
      asMember({ tenantId, userId, group: 'customers' }, () => run(testApp.db, 'SELECT pg_sleep($1)', [seconds])).then(() =>
        served.push(name),
      );
    const flood = (seconds: number) => Array.from({ length: 10 }, (_, n) => use(1000 + n, 'flood', seconds));
    await take(tenantId, 4);
    // On a busy machine, short statements take long too, so these take much longer.
    await Promise.all(flood(0.4));
    for (let each = 0; each < 2; each++) await use(999, 'family', 0);
    await take(tenantId, 1);
    served.length = 0;
    const waiting = [...flood(0), use(999, 'family', 0)];
    await leaves.pop()?.();
    await Promise.all(waiting);
    expect(served.indexOf('family')).toBeLessThan(3);
  },
);

test('a shared job does not wait for the turn of the busy person whose request started it (reliability abuse)', async () => {
  const tenantId = newTenant();
  const served: string[] = [];
  const as = <Result>(userId: number, job: () => Promise<Result>) => asMember({ tenantId, userId, group: 'customers' }, job);
  await as(1, () => run(testApp.db, 'SELECT pg_sleep(0.2)', []));
  await take(tenantId, 5);
  const use = (userId: number) => as(userId, () => run(testApp.db, 'SELECT 1', [])).then(() => served.push('own'));
  const waiting = Array.from({ length: 50 }, (_, n) => use(1000 + n));
  waiting.push(as(1, () => asShared(() => run(testApp.db, 'SELECT 1', []))).then(() => served.push('shared')));
  await leaves.pop()?.();
  await Promise.all(waiting);
  expect(served.indexOf('shared')).toBeLessThan(3);
});

test('after a slow sign-in, further sign-ins still get a connection while tenants occupy six connections', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  await take(PUBLIC_TENANT, 1);
  vi.advanceTimersByTime(1100);
  await leaves.pop()?.();
  await take(newTenant(), 5);
  await take(newTenant(), 1);
  expect(await servedOf(PUBLIC_TENANT)).toEqual([PUBLIC_TENANT]);
});
