// While a call holds the lock of a product, everybody who orders the product waits. These tests check which calls take this lock.
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { LOCK_WAITERS, waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { MAX_WAITING } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let customer: Person;
/** Nothing is left of these products. */
let brisket: Row<'products'>;
let wine: Row<'products'>;
let matzah: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  customer = await makeCustomer(testApp.db, distributor);
  const limited = (name: string) => makeProduct(testApp.db, distribution, { name, total_limit: 2, max_order_qty: 9 });
  [brisket, wine, matzah] = [await limited('Brisket'), await limited('Wine'), await limited('Matzah')];
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [
    [brisket, 2],
    [wine, 2],
    [matzah, 2],
  ]);
});

type Answer = readonly [status: number, body: string];
async function send(person: Person, { url, ...options }: InjectOptions & { readonly url: string }): Promise<Answer> {
  const { statusCode, body } = await testApp.request(person, { ...options, url: `/api/distributions/${distribution.id}/waiting${url}` });
  return [statusCode, statusCode < 400 ? '' : body];
}
const join = (person: Person, { id: productId }: Pick<Row<'products'>, 'id'>, quantity = 1, key?: string) =>
  send(person, { method: 'POST', url: '', payload: { productId, quantity }, headers: key === undefined ? {} : { 'idempotency-key': key } });
const leave = (person: Person, { id }: Pick<Row<'products'>, 'id'>) => send(person, { method: 'DELETE', url: `/${id}` });

/** Runs `work` while another transaction holds the locks of all products of the distribution. A call that waits for a lock gets 503. */
const whileLocked = <Result>(work: (db: Db) => Promise<Result>): Promise<Result> =>
  transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM products WHERE "distributionId" = $1 ORDER BY id FOR NO KEY UPDATE', [distribution.id]);
    return await work(db);
  });

describe('a call about a waiting list', () => {
  test('that is refused does not lock the product, so that people who order the product do not wait for it (reliability abuse)', async () => {
    const plenty = await makeProduct(testApp.db, distribution, { name: 'Honey', total_limit: 5 });
    const unlimited = await makeProduct(testApp.db, distribution, { name: 'Salt' });
    expect(await join(customer, wine)).toEqual([201, '']);
    await whileLocked(async () => {
      expect(await join(customer, plenty, 2)).toEqual([409, '5 left of Honey: they can be ordered now.']);
      expect(await join(customer, plenty, 2, 'key-1')).toEqual([409, '5 left of Honey: they can be ordered now.']);
      expect(await join(customer, unlimited)).toEqual([409, 'Salt has no limit: it can be ordered now.']);
      expect(await join(customer, brisket, 3)).toEqual([409, 'Brisket: only 2 can be ordered in all, by everybody together.']);
      expect(await join(customer, brisket, 10)).toEqual([400, 'Brisket: at most 9 can be ordered.']);
      expect(await join(customer, wine)).toEqual([409, 'You are on the waiting list for Wine already.']);
      expect(await leave(customer, brisket)).toEqual([404, 'Entry of the waiting list not found']);
    });
    await sql`WITH p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price, total_limit)
        SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100, 1 FROM generate_series(2, ${MAX_WAITING}::int) n RETURNING *)
      INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity)
      SELECT "distributorId", "distributionId", id, ${customer.id}, 1 FROM p`.execute(testApp.db);
    await whileLocked(async () => {
      const sentence = 'You are on 100 waiting lists of this distribution. Leave one of them first.';
      expect(await join(customer, brisket)).toEqual([409, sentence]);
      await testApp.db.updateTable('distributions').set({ orderingOpen: false }).where('id', '=', distribution.id).execute();
      expect(await join(customer, brisket)).toEqual([409, 'Ordering is closed']);
    });
  });

  test('is validated again after it has waited for the lock of the product', async () => {
    const { joined } = await whileLocked(async (db) => {
      const joined = join(customer, brisket);
      await waitForLockWaiters(testApp.db);
      await run(db, 'UPDATE products SET total_limit = 5 WHERE id = $1', [brisket.id]);
      return { joined };
    });
    expect(await joined).toEqual([409, '3 left of Brisket: they can be ordered now.']);
  });

  test('with an Idempotency-Key gets its first reply again, although the call would now be refused', async () => {
    expect(await join(customer, brisket, 1, 'key-3')).toEqual([201, '']);
    expect(await join(customer, brisket, 1, 'key-3')).toEqual([201, '']);
    expect(await join(customer, brisket, 1, 'key-4')).toEqual([409, 'You are on the waiting list for Brisket already.']);
    expect(await leave(customer, brisket)).toEqual([204, '']);
    expect(await join(customer, brisket, 1, 'key-4')).toEqual([409, 'You are on the waiting list for Brisket already.']);
  });

  test('waits until no other such call of the customer is running, so that a customer waits for only one lock at a time (reliability abuse)', async () => {
    const other = await makeCustomer(testApp.db, distributor);
    expect(await join(customer, wine)).toEqual([201, '']);
    const { calls } = await whileLocked(async () => {
      const calls = [join(customer, brisket), join(customer, matzah, 1, 'key-2'), leave(customer, wine)];
      await waitForLockWaiters(testApp.db);
      calls.push(join(other, brisket));
      await waitForLockWaiters(testApp.db, 2);
      expect((await testApp.request(customer, { method: 'GET', url: '/api/orders' })).statusCode).toBe(200);
      expect(await run(testApp.db, LOCK_WAITERS, [])).toHaveLength(2);
      return { calls };
    });
    expect((await Promise.all(calls)).map(([status]) => status)).toEqual([201, 201, 204, 201]);
  });
});

test('two transactions that queue mails about held units to the same customers lock the queued mails in the same sequence, so that they cannot deadlock', async () => {
  const other = await makeCustomer(testApp.db, distributor);
  const held = { distributorId: distributor.id, distributionId: distribution.id, productId: brisket.id, quantity: 1, heldQuantity: 1 };
  const entries = [customer, other].map(({ id }) => ({ ...held, customerId: id, heldUntil: '2099-04-02T00:00:00Z' }));
  await testApp.db.insertInto('waiting_list').values(entries).execute();
  const queue = (db: Db, people: readonly Person[]) => run(db, 'SELECT queue_hold_mails_v1($1)', [people.map(({ id }) => id)]);
  for (const person of [other, customer]) await queue(testApp.db, [person]);
  // The mail that was queued first is the last one by customer, by the time at which it is due, and by the time of its last change.
  await run(testApp.db, `UPDATE emails SET "nextAttemptAt" = now() + interval '5 minutes' WHERE "userId" = $1`, [other.id]);
  const { both } = await transaction(testApp.db, async (db) => {
    await queue(db, [other]);
    const both = queue(testApp.db, [customer, other]);
    await waitForLockWaiters(testApp.db);
    await queue(db, [customer]);
    return { both };
  });
  await both;
});

test('a customer who joins a waiting list while the order is being marked as picked up leaves the list again (contract §12, §14; reliability abuse)', async () => {
  const { id: orderId } = await makeOrder(testApp.db, distribution, customer, [[await makeProduct(testApp.db, distribution), 1]]);
  const place = { distributorId: distributor.id, distributionId: distribution.id, productId: brisket.id, customerId: customer.id };
  const { calls } = await transaction(testApp.db, async (db) => {
    // The call has been validated when it waits for this entry.
    await run(
      db,
      `INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity) VALUES ($1, $2, $3, $4, 1)`,
      Object.values(place),
    );
    const joined = join(customer, brisket);
    await waitForLockWaiters(testApp.db);
    const mark = { method: 'POST', url: `/api/orders/${orderId}/picked-up`, payload: { pickedUp: true } } as const;
    const marked = testApp.request(distributor, mark);
    await waitForLockWaiters(testApp.db, 2);
    await run(db, 'DELETE FROM waiting_list WHERE "customerId" = $1', [customer.id]);
    return { calls: [joined.then(([status]) => status), marked.then(({ statusCode }) => statusCode)] };
  });
  expect(await Promise.all(calls)).toEqual([201, 204]);
  expect(await testApp.db.selectFrom('waiting_list').select('id').where('customerId', '=', customer.id).execute()).toEqual([]);
  expect(await join(customer, wine)).toEqual([409, 'This order has been picked up. Only the distributor can still change it.']);
});
