import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { PICKED_UP } from '../orders/texts.ts';
import type { WaitingEntry } from './contract.ts';
import { passOnExpiredHolds } from './queries.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let holder: Person;
let first: Person;
let second: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', total_limit: 5, product_code: 7 });
  [holder, first, second] = [
    await makeCustomer(testApp.db, distributor),
    await makeCustomer(testApp.db, distributor, { firstName: 'Anna', lastName: 'Berg' }),
    await makeCustomer(testApp.db, distributor),
  ];
});

type Sent = [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object];
async function send(person: Person, [method, path, payload]: Sent): Promise<[number, unknown]> {
  const answer = await testApp.request(person, { method, url: `/api${path}`, ...(payload ? { payload } : {}) });
  return [answer.statusCode, answer.statusCode === 200 || answer.statusCode === 201 ? answer.json() : answer.body];
}
const path = () => `/distributions/${distribution.id}/waiting`;
const order = async (person: Person, quantity: number) => {
  const [status, answer] = await send(person, [
    'POST',
    '/orders',
    { distributionId: distribution.id, products: [{ productId: brisket.id, quantity }] },
  ]);
  return status < 300 ? status : [status, answer];
};
const join = (person: Person, quantity: number) => send(person, ['POST', path(), { productId: brisket.id, quantity }]);
const leave = (person: Person) => send(person, ['DELETE', `${path()}/${brisket.id}`]);
const entriesFor = async (person: Person) => (await send(person, ['GET', path()]))[1] as WaitingEntry[];
/** Returns the requested quantity and the held units of each entry, in the sequence of the list. */
const held = async () => (await entriesFor(distributor)).map(({ quantity, heldQuantity }) => [quantity, heldQuantity]);
const leftFor = async (person: Person) => {
  const [, products] = await send(person, ['GET', `/distributions/${distribution.id}/products`]);
  return (products as { left: number }[])[0]?.left;
};
const expireHolds = () => sql`UPDATE waiting_list SET "heldUntil" = now() WHERE "heldUntil" IS NOT NULL`.execute(testApp.db);
const mails = async () =>
  (
    await testApp.db
      .selectFrom('emails')
      .select('userId')
      .where('kind', '=', 'hold')
      .where('distributorId', '=', distributor.id)
      .orderBy('userId')
      .execute()
  ).map(({ userId }) => userId);

/** Returns the due times of the mails that tell `first` about units on hold. */
const due = async () =>
  (
    await testApp.db
      .selectFrom('emails')
      .select('nextAttemptAt')
      .where('kind', '=', 'hold')
      .where('userId', '=', first.id)
      .orderBy('id')
      .execute()
  ).map(({ nextAttemptAt }) => Date.parse(nextAttemptAt));
const deliver = () => sql`UPDATE emails SET status = 'sent', attempts = 1 WHERE kind = 'hold' AND status = 'queued'`.execute(testApp.db);

describe('the waiting list (contract §12)', () => {
  test('can be joined when too few units are left, is listed in order, and can be left', async () => {
    await order(holder, 5);
    const [status, entry] = await join(first, 2);
    const own = {
      productId: brisket.id,
      productName: 'Brisket',
      productCode: 7,
      quantity: 2,
      heldQuantity: 0,
      heldUntil: null,
      createdAt: expect.any(String),
      customerId: first.id,
      customer: null,
    };
    expect([status, entry]).toEqual([201, own]);
    expect(await join(first, 1)).toEqual([409, 'You are on the waiting list for Brisket already.']);
    await join(second, 1);
    expect(await entriesFor(first)).toEqual([own]);
    expect(await entriesFor(distributor)).toMatchObject([
      { ...own, customer: { id: first.id, email: first.email, firstName: 'Anna', lastName: 'Berg' } },
      { quantity: 1, customer: { id: second.id } },
    ]);
    expect(await leave(first)).toEqual([204, '']);
    expect(await leave(first)).toEqual([404, 'Entry of the waiting list not found']);
    expect(await held()).toEqual([[1, 0]]);
  });

  test('cannot be joined for units that can be ordered, for more units than the maximum or the limit allows, or when ordering is closed', async () => {
    expect(await join(first, 2)).toEqual([409, '5 left of Brisket: they can be ordered now.']);
    await testApp.db.updateTable('products').set({ max_order_qty: 3 }).where('id', '=', brisket.id).execute();
    expect(await join(first, 6)).toEqual([400, 'Brisket: at most 3 can be ordered.']);
    await testApp.db.updateTable('products').set({ max_order_qty: 100 }).where('id', '=', brisket.id).execute();
    expect(await order(first, 2)).toBe(201);
    expect(await join(first, 4)).toEqual([409, 'Brisket: only 5 can be ordered in all, by everybody together.']);
    expect((await join(second, 6))[0]).toBe(409);
    expect((await join(second, 5))[0]).toBe(201);
    const wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
    expect(await send(first, ['POST', path(), { productId: wine.id, quantity: 1 }])).toEqual([
      409,
      'Wine has no limit: it can be ordered now.',
    ]);
    const elsewhere = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor));
    expect(await send(first, ['POST', path(), { productId: elsewhere.id, quantity: 1 }])).toEqual([
      400,
      `Product ${elsewhere.id} is not in this distribution.`,
    ]);
    await testApp.db.updateTable('distributions').set({ orderingOpen: false }).where('id', '=', distribution.id).execute();
    expect(await join(first, 1)).toEqual([409, 'Ordering is closed']);
  });

  test('refuses a customer whose order was picked up, because this customer could not order the held units (reliability abuse)', async () => {
    await order(holder, 4);
    await order(first, 1);
    const pickUp = { pickedUpAt: new Date().toISOString(), pickedUpBy: distributor.id };
    await testApp.db.updateTable('orders').set(pickUp).where('customerId', '=', first.id).execute();
    expect(await join(first, 1)).toEqual([409, PICKED_UP]);
    await testApp.db.updateTable('order_products').set({ quantity: 0 }).where('productId', '=', brisket.id).execute();
    await order(holder, 5);
    expect((await join(first, 1))[0]).toBe(201);
  });

  test('receives all freed units, which are held for the waiting customers first come, first served', async () => {
    await order(holder, 5);
    await join(first, 2);
    await join(second, 2);
    expect(await order(holder, 2)).toBe(200);
    expect(await held()).toEqual([
      [2, 2],
      [2, 1],
    ]);
    expect(await mails()).toEqual([first.id, second.id]);
    const [entry] = await entriesFor(first);
    expect(Date.parse(entry?.heldUntil ?? '') - Date.now()).toBeGreaterThan(11.9 * 3_600_000);
    expect(Date.parse(entry?.heldUntil ?? '') - Date.now()).toBeLessThan(12.1 * 3_600_000);
    expect(await order(holder, 3)).toEqual([409, 'None left of Brisket.']);
    expect([await leftFor(first), await leftFor(second), await leftFor(distributor)]).toEqual([2, 1, 0]);
    expect(await order(second, 2)).toEqual([409, 'Only 1 left of Brisket.']);
    expect(await order(second, 1)).toBe(201);
    expect(await held()).toEqual([
      [2, 2],
      [1, 0],
    ]);
    expect(await order(first, 2)).toBe(201);
    expect(await held()).toEqual([[1, 0]]);
  });

  test('receives the units that are freed by a higher limit, by clearing a product and by a customer who leaves the list', async () => {
    await order(holder, 5);
    await join(first, 2);
    await join(second, 5);
    await send(distributor, ['PATCH', `/distributions/${distribution.id}/products/${brisket.id}`, { total_limit: 6 }]);
    expect(await held()).toEqual([
      [2, 1],
      [5, 0],
    ]);
    await leave(first);
    expect(await held()).toEqual([[5, 1]]);
    await send(distributor, ['POST', `/distributions/${distribution.id}/clear-product-quantities`, { productId: brisket.id }]);
    expect(await held()).toEqual([[5, 5]]);
    await send(distributor, ['PATCH', `/distributions/${distribution.id}/products/${brisket.id}`, { total_limit: 4 }]);
    expect(await held()).toEqual([[5, 4]]);
  });

  test('receives all requested units when the limit is removed; a customer who orders the units is removed from the list', async () => {
    const limitTo = (total_limit: number | null) =>
      send(distributor, ['PATCH', `/distributions/${distribution.id}/products/${brisket.id}`, { total_limit }]);
    await order(holder, 5);
    await join(first, 2);
    await join(second, 3);
    await limitTo(null);
    expect(await held()).toEqual([
      [2, 2],
      [3, 3],
    ]);
    expect(await mails()).toEqual([first.id, second.id]);
    expect(await order(holder, 9)).toBe(200);
    expect(await order(first, 4)).toBe(201);
    expect(await order(second, 1)).toBe(201);
    expect(await held()).toEqual([[2, 2]]);
    // After the limit is raised, only units that the customer has not ordered yet are held.
    await limitTo(17);
    expect(await leftFor(holder)).toBe(1);
  });

  test('passes held units that are not ordered in time to the next customer; a job sends that customer a mail', async () => {
    await order(holder, 5);
    await join(first, 2);
    await join(second, 1);
    await order(holder, 3);
    await expireHolds();
    // The expired hold is ignored even before the background job for expired holds runs. The next customer on the list can already order
    // the units, and nobody else can.
    expect(await order(holder, 5)).toEqual([409, 'Only 1 left of Brisket.']);
    expect(await order(first, 2)).toEqual([409, 'Only 1 left of Brisket.']);
    await passOnExpiredHolds(testApp.db);
    expect(await held()).toEqual([[1, 1]]);
    expect(await mails()).toEqual([first.id, second.id]);
    expect(await order(second, 1)).toBe(201);
    expect(await order(first, 1)).toBe(201);
    expect(await join(holder, 2)).toMatchObject([201, { heldQuantity: 0 }]);
  });

  test('holds no units after ordering closes', async () => {
    await order(holder, 5);
    await join(first, 2);
    const closesAt = new Date(Date.now() + 3_600_000).toISOString();
    await testApp.db.updateTable('distributions').set({ closesAt }).where('id', '=', distribution.id).execute();
    await order(holder, 4);
    expect(await entriesFor(first)).toMatchObject([{ heldQuantity: 1, heldUntil: closesAt }]);
    await testApp.db.updateTable('distributions').set({ closesAt: null, orderingOpen: false }).where('id', '=', distribution.id).execute();
    expect(await entriesFor(first)).toMatchObject([{ heldQuantity: 0, heldUntil: null }]);
    expect(await leftFor(distributor)).toBe(1);
  });

  test('no longer holds units for a customer after staff have ordered these units for the customer', async () => {
    await order(holder, 5);
    await join(first, 2);
    await order(holder, 3);
    const body = { customerId: first.id, distributionId: distribution.id, products: [{ productId: brisket.id, quantity: 2 }] };
    expect((await send(distributor, ['POST', '/distributor/order', body]))[0]).toBe(201);
    expect(await held()).toEqual([]);
  });

  test('mails a customer at most every 15 minutes, however often the customer leaves and joins the list (contract §12; reliability R44)', async () => {
    expect(await order(holder, 4)).toBe(201);
    for (let round = 0; round < 3; round++) {
      expect((await join(first, 2))[0]).toBe(201);
      await deliver();
      expect((await leave(first))[0]).toBe(204);
    }
    const times = await due();
    const pauses = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 60_000);
    expect(pauses).toEqual([15, 15]);
    await join(first, 2);
    await leave(first);
    await join(first, 2);
    expect(await due()).toHaveLength(4);
  });

  test('mails a customer before the hold ends: shortly before ordering closes, the pauses between two mails become shorter (contract §12)', async () => {
    expect(await order(holder, 4)).toBe(201);
    const closesAt = new Date(Date.now() + 16 * 60_000).toISOString();
    await testApp.db.updateTable('distributions').set({ closesAt }).where('id', '=', distribution.id).execute();
    for (let round = 0; round < 5; round++) {
      expect((await join(first, 2))[0]).toBe(201);
      await deliver();
      expect((await leave(first))[0]).toBe(204);
    }
    const left = (await due()).map((time) => Math.round((Date.parse(closesAt) - time) / 60_000));
    expect(left).toEqual([16, 8, 4, 2, 1]);
  });

  test('sends one mail when more units are freed before the queued mail is sent', async () => {
    await order(holder, 5);
    await join(first, 3);
    await order(holder, 4);
    await order(holder, 3);
    expect(await held()).toEqual([[3, 2]]);
    expect(await mails()).toEqual([first.id]);
  });

  test('sends another mail, 15 minutes later, about units that are held while the mail server is accepting the first mail (contract §12)', async () => {
    await order(holder, 5);
    await join(first, 3);
    await order(holder, 4);
    const leasedUntil = sql<string>`now() + interval '1 minute'`;
    await testApp.db.updateTable('emails').set({ leasedUntil }).where('kind', '=', 'hold').execute();
    await order(holder, 3);
    await order(holder, 2);
    const [sending, next, ...others] = await due();
    expect([(next ?? 0) - (sending ?? 0), others]).toEqual([15 * 60_000, []]);
  });
});
