// Tests what happens when a customer's personal data is erased while the customer joins a waiting list, or while an order of the customer
// is being saved.
import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { run, transaction } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { lockProduct } from '../waiting/queries.ts';
import { eraseCustomer, lockCustomerAndOrders, prepareForgetting } from './queries.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let open: Row<'distributions'>;
let wine: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  open = await makeDistribution(testApp.db, distributor);
  wine = await makeProduct(testApp.db, open, { name: 'Wine', total_limit: 2 });
});

let keys = 0;
const send = async (by: Person, method: 'GET' | 'POST', url: string, payload?: object) =>
  await testApp.request(by, { method, url, ...(payload ? { payload, headers: { 'idempotency-key': `key-${(keys += 1)}` } } : {}) });
const forget = () => send(distributor, 'POST', `/api/users/customer/${customer.id}/forget`, {});

describe('a customer on a waiting list', () => {
  let next: Person;
  beforeEach(async () => {
    next = await makeCustomer(testApp.db, distributor);
    const holder = await makeCustomer(testApp.db, distributor);
    await placeOrder(holder, 2);
    for (const person of [customer, next])
      await send(person, 'POST', `/api/distributions/${open.id}/waiting`, { productId: wine.id, quantity: 2 });
    await placeOrder(holder, 1);
  });
  const placeOrder = (person: Person, quantity: number) =>
    send(person, 'POST', '/api/orders', { distributionId: open.id, products: [{ productId: wine.id, quantity }] });
  const held = async () => {
    const answer = await send(distributor, 'GET', `/api/distributions/${open.id}/waiting`);
    return answer.json<{ customerId: number; heldQuantity: number }[]>().map((entry) => [entry.customerId, entry.heldQuantity]);
  };

  test('is removed from the list when the distributor forgets the customer; the next customer gets the held units and a mail (contract §12, §18)', async () => {
    expect(await held()).toEqual([
      [customer.id, 1],
      [next.id, 0],
    ]);
    expect((await forget()).statusCode).toBe(204);
    expect(await held()).toEqual([[next.id, 1]]);
    const mails = testApp.db.selectFrom('emails').select('userId').where('kind', '=', 'hold').where('status', '=', 'queued');
    expect(await mails.where('userId', '=', next.id).execute()).toHaveLength(1);
  });

  test('can be forgotten while the product is being changed, without a deadlock (contract §12, §18)', async () => {
    const forgetting = await transaction(testApp.db, async (db) => {
      await lockProduct(db, open, wine.id);
      const started = forget();
      await waitForLockWaiters(testApp.db);
      // When a mail is queued, its foreign key takes this lock on the row of the recipient. A change of the product queues a mail when it
      // puts units on hold for a waiting customer, and must get this lock without waiting.
      await run(db, 'SELECT FROM users WHERE id = $1 FOR KEY SHARE NOWAIT', [customer.id]);
      return { started };
    });
    expect((await forgetting.started).statusCode).toBe(204);
  });

  test('who joins the list while being forgotten is not on the list afterwards (contract §12, §18)', async () => {
    const beer = await makeProduct(testApp.db, open, { name: 'Beer', total_limit: 1 });
    await send(next, 'POST', '/api/orders', { distributionId: open.id, products: [{ productId: beer.id, quantity: 1 }] });
    const joining = await whileForgetting(() =>
      send(customer, 'POST', `/api/distributions/${open.id}/waiting`, { productId: beer.id, quantity: 1 }),
    );
    expect(joining.statusCode).toBe(401);
    expect(await held()).toEqual([[next.id, 1]]);
  });
});

/**
 * Erases the customer's personal data in a transaction. `act` starts while the transaction is open, and waits until it ends. Returns the
 * result of `act`.
 */
async function whileForgetting(act: () => ReturnType<typeof send>): ReturnType<typeof send> {
  const viewer = { tenantId: distributor.id } as Viewer;
  const request = { viewer, params: { userId: customer.id }, signal: new AbortController().signal, countRows: () => undefined };
  const checked = await prepareForgetting({ db: testApp.db, ...request });
  const { acting } = await transaction(testApp.db, async (db) => {
    const erased = await lockCustomerAndOrders(db, viewer, customer.id);
    const acting = act();
    await waitForLockWaiters(testApp.db);
    await eraseCustomer(db, viewer, erased, { now: testApp.time, checked });
    return { acting };
  });
  return await acting;
}

test('the first order of a customer is not written when the customer is forgotten while the order is being saved (contract §18)', async () => {
  const body = { distributionId: open.id, products: [{ productId: wine.id, quantity: 1 }] };
  const ordering = await whileForgetting(() => send(customer, 'POST', '/api/orders', body));
  expect(ordering.statusCode).toBe(401);
  const staff = await send(distributor, 'POST', '/api/distributor/order', { customerId: customer.id, ...body });
  expect([staff.statusCode, staff.body]).toEqual([404, 'Customer not found']);
  const orders = testApp.db.selectFrom('orders').select('id').where('distributionId', '=', open.id);
  expect(await orders.execute()).toEqual([]);
  const keys = testApp.db.selectFrom('idempotency_keys').select('key').where('userId', '=', customer.id);
  expect(await keys.execute()).toEqual([]);
});
