import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { run } from './db.ts';
import { admitTenant, asMember, asShared } from './tenant-connections.ts';

const world = setupTestApp();

const leaves: (() => void)[] = [];
afterEach(() => {
  for (const leave of leaves.splice(0)) leave();
});

/** Takes connections for a tenant until the end of the test. */
const take = async (tenantId: number, connections: number): Promise<void> => {
  for (let each = 0; each < connections; each++) leaves.push(await asMember({ tenantId, userId: tenantId }, () => admitTenant()));
};
/** Whether a statement of the tenant runs within a short time. */
const isServed = (tenantId: number): Promise<boolean> =>
  Promise.race([asMember({ tenantId, userId: tenantId }, () => run(world.db, 'SELECT 1', [])).then(() => true), pause(200, false)]);

test('a tenant that occupies no connection gets one, however many connections other tenants occupy', async () => {
  await take(1, 5);
  await take(2, 1);
  expect([await isServed(1), await isServed(2), await isServed(3)]).toEqual([false, false, true]);
  await take(3, 1);
  await take(4, 1);
  expect([await isServed(3), await isServed(5)]).toEqual([false, true]);
});

test('a tenant that occupied a connection for more than a second does not get a reserved one in the next minute', async () => {
  await take(6, 1);
  await pause(1100);
  leaves.pop()?.();
  await take(7, 5);
  await take(8, 1);
  expect([await isServed(6), await isServed(9)]).toEqual([false, true]);
});

test('a request that waits for its first connection stops waiting when its client disconnects', async () => {
  await take(10, 5);
  const client = new AbortController();
  const statement = asMember({ tenantId: 10, userId: 10, signal: client.signal }, () => run(world.db, 'SELECT 1', []));
  client.abort();
  await expect(statement).rejects.toMatchObject({ status: 499 });
});

test('a request that has begun its work, or that also works for other requests, continues when its client disconnects', async () => {
  const client = new AbortController();
  const member = { tenantId: 11, userId: 11, signal: client.signal };
  const first = Promise.withResolvers<void>();
  const occupied = Promise.withResolvers<void>();
  const begun = asMember(member, async () => {
    await run(world.db, 'SELECT 1', []);
    first.resolve();
    await occupied.promise;
    return run(world.db, 'SELECT 2 AS two', []);
  });
  await first.promise;
  await take(11, 5);
  occupied.resolve();
  const shared = asMember(member, () => asShared(() => run(world.db, 'SELECT 3 AS three', [])));
  await pause(10);
  client.abort();
  leaves.pop()?.();
  expect([await begun, await shared]).toEqual([[{ two: 2 }], [{ three: 3 }]]);
});
