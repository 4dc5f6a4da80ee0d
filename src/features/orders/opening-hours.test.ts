// Tests when customers cannot order: before opensAt and after closesAt, by the database's clock (contract §11), and after the pick-up.
import { beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { transaction } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { linesOf } from '../../../test/data/order-rows.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { placeCustomerOrder, placeOrder } from './contract.ts';
import { withQueryBuilder } from '../../../test/database/test-db.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let product: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  product = await makeProduct(testApp.db, distribution);
});

const fromNow = (seconds: number) => sql<string>`clock_timestamp() + make_interval(secs => ${seconds})`;
const setHours = (hours: { opensAt?: number; closesAt?: number }) =>
  testApp.db
    .updateTable('distributions')
    .set(Object.fromEntries(Object.entries(hours).map(([name, seconds]) => [name, fromNow(seconds)])))
    .where('id', '=', distribution.id)
    .execute();

async function order(person: Person, quantity = 1): Promise<[number, string]> {
  const payload = { distributionId: distribution.id, products: [{ productId: product.id, quantity }] };
  const answer = await testApp.request(person, { method: 'POST', url: placeOrder.path, payload });
  return [answer.statusCode, answer.statusCode < 300 ? '' : answer.body];
}
async function orderByStaff(quantity: number): Promise<number> {
  const payload = { customerId: customer.id, distributionId: distribution.id, products: [{ productId: product.id, quantity }] };
  return (await testApp.request(distributor, { method: 'POST', url: placeCustomerOrder.path, payload })).statusCode;
}

test('before opensAt, orders of customers are refused, and orders that staff place are accepted (contract §11)', async () => {
  await setHours({ opensAt: 3600 });
  expect(await order(customer)).toEqual([409, 'Ordering has not opened yet']);
  expect(await orderByStaff(2)).toBe(201);
  await setHours({ opensAt: -1 });
  expect(await order(customer)).toEqual([200, '']);
});

test('after closesAt, orders of customers are refused, and orders that staff place are accepted (contract §11)', async () => {
  await setHours({ closesAt: 3600 });
  expect(await order(customer)).toEqual([201, '']);
  await setHours({ closesAt: 0 });
  expect(await order(customer, 2)).toEqual([409, 'Ordering is closed']);
  expect(await orderByStaff(3)).toBe(200);
  expect(await linesOf(testApp.db, distribution.id)).toMatchObject([{ quantity: 3 }]);
});

test.each(['distribution', 'order'])(
  'an order that waits for the lock of the %s until closesAt has passed is not written (contract §11)',
  async (locked) => {
    await order(customer);
    // Ordering closes in three seconds, so that the order reaches the lock before closesAt even on a slow machine.
    await setHours({ closesAt: 3 });
    const table = locked === 'order' ? sql`orders WHERE "customerId" = ${customer.id}` : sql`distributions WHERE id = ${distribution.id}`;
    const { late } = await transaction(testApp.db, async (db) => {
      await sql`SELECT FROM ${table} FOR UPDATE`.execute(withQueryBuilder(db));
      const late = order(customer, 5);
      await waitForLockWaiters(testApp.db);
      await sql`SELECT pg_sleep_until("closesAt") FROM distributions WHERE id = ${distribution.id}`.execute(testApp.db);
      return { late };
    });
    expect(await late).toEqual([409, 'Ordering is closed']);
    expect(await linesOf(testApp.db, distribution.id)).toMatchObject([{ quantity: 1, audit: [1] }]);
  },
);

test('no order is written after closesAt, even when that time passes while forty customers save orders continuously (contract §11)', async () => {
  const people = await Promise.all(Array.from({ length: 40 }, () => makeCustomer(testApp.db, distributor)));
  await setHours({ closesAt: 0.4 });
  const saved = new Map<number, number>();
  const saving = people.map(async (person) => {
    for (let quantity = 1; quantity <= 200; quantity++) {
      const [status] = await order(person, quantity);
      if (status === 409) return;
      saved.set(person.id, quantity);
    }
  });
  await Promise.all(saving);
  const late = await sql<{ count: number }>`SELECT count(*) FROM order_product_audit a JOIN order_products l ON l.id = a."orderProductId"
    JOIN distributions d ON d.id = l."distributionId" WHERE d.id = ${distribution.id} AND a."updatedAt" >= d."closesAt"`.execute(
    testApp.db,
  );
  expect(late.rows).toEqual([{ count: 0 }]);
  const stored = (await linesOf(testApp.db, distribution.id)).map(({ customerId, quantity }) => [customerId, quantity]);
  expect(new Map(stored as [number, number][])).toEqual(saved);
});

test('a customer cannot change an order that has been picked up, so that its balance stays right; staff can (reliability abuse)', async () => {
  await order(customer, 4);
  const { id } = await testApp.db.selectFrom('orders').select('id').where('customerId', '=', customer.id).executeTakeFirstOrThrow();
  const setPickedUp = (pickedUp: boolean) =>
    testApp.request(distributor, { method: 'POST', url: `/api/orders/${id}/picked-up`, payload: { pickedUp } });
  await setPickedUp(true);
  expect(await order(customer, 1)).toEqual([409, 'This order has been picked up. Only the distributor can still change it.']);
  expect(await orderByStaff(3)).toBe(200);
  await setPickedUp(false);
  expect(await order(customer, 1)).toEqual([200, '']);
  await setPickedUp(true);
  expect(await orderByStaff(0)).toBe(200);
  expect(await order(customer, 2)).toEqual([200, '']);
});
