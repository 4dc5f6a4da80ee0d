import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { run, transaction } from '../../server/database/db.ts';
import { migrationsIn } from '../../server/database/migrate.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeSlot } from '../../../test/data/factories.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { MAX_INT } from '../../shared/fields.ts';
import { MAX_SLOTS } from './contract.ts';

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

type Sent = [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object];
async function send(person: Person, [method, path, payload]: Sent): Promise<[number, unknown]> {
  const answer = await testApp.request(person, { method, url: `/api${path}`, ...(payload ? { payload } : {}) });
  return [answer.statusCode, answer.headers['content-type']?.toString().includes('json') ? answer.json() : answer.body];
}
const slotsPath = () => `/distributions/${distribution.id}/slots`;
const order = (person: Person, fields: object, quantity = 1) =>
  send(person, ['POST', '/orders', { distributionId: distribution.id, products: [{ productId: product.id, quantity }], ...fields }]);
const orderByStaff = (fields: object, quantity = 1) =>
  send(distributor, [
    'POST',
    '/distributor/order',
    { customerId: customer.id, distributionId: distribution.id, products: [{ productId: product.id, quantity }], ...fields },
  ]);

test('the pick-up times of different distributions of one distributor are counted one after the other (reliability abuse)', async () => {
  const distributions = [distribution, ...(await Promise.all(Array.from({ length: 5 }, () => makeDistribution(testApp.db, distributor))))];
  const { query } = testApp.db;
  let [running, most] = [0, 0];
  const counting = vi.spyOn(testApp.db, 'query').mockImplementation(async (text, values) => {
    const isCount = text.includes('AS taken');
    if (isCount) most = Math.max(most, ++running);
    const result = await query.call(testApp.db, text, values);
    if (isCount) running--;
    return result;
  });
  const replies = await Promise.all(distributions.map(({ id }) => send(customer, ['GET', `/distributions/${id}/slots`])));
  counting.mockRestore();
  expect(replies).toEqual(distributions.map(() => [200, []]));
  expect(most).toBe(1);
});

describe('pick-up times (contract §16)', () => {
  test('can be added, deleted, and listed by their start with the number of their orders', async () => {
    const [status, later] = await send(distributor, [
      'POST',
      slotsPath(),
      { label: ' Noon ', startsAt: '2027-04-14T12:00:00-04:00', capacity: 2 },
    ]);
    expect([status, later]).toEqual([
      201,
      { id: expect.any(Number), label: 'Noon', startsAt: '2027-04-14T16:00:00.000Z', capacity: 2, taken: 0 },
    ]);
    const earlier = await makeSlot(testApp.db, distribution, { label: 'Morning', startsAt: '2027-04-14T13:00:00Z' });
    await order(customer, { slotId: earlier.id });
    const { distributorId: _, distributionId: __, ...shown } = earlier;
    expect(await send(customer, ['GET', slotsPath()])).toEqual([200, [{ ...shown, taken: 1 }, later]]);
    expect(await send(distributor, ['DELETE', `${slotsPath()}/${(later as { id: number }).id}`])).toEqual([204, '']);
    expect(await send(customer, ['GET', slotsPath()])).toEqual([200, [{ ...shown, taken: 1 }]]);
  });

  test.each([
    [{ label: '' }, 'Label is required'],
    [{ capacity: 0 }, 'Capacity must be at least 1'],
    [{ capacity: 1_000_001 }, 'Capacity is too large'],
    [{ startsAt: '2027-04-14' }, 'startsAt must be a time such as 2027-04-01T20:00:00Z'],
  ])('with the values %j are refused with the message: %s', async (fault, sentence) => {
    const fields = { label: 'Noon', startsAt: '2027-04-14T16:00:00Z', capacity: 2, ...fault };
    expect(await send(distributor, ['POST', slotsPath(), fields])).toEqual([400, sentence]);
  });

  test('are limited to 200 per distribution', async () => {
    const place = { distributorId: distributor.id, distributionId: distribution.id };
    const slot = { ...place, label: 'x', startsAt: '2027-04-14T13:00:00Z', capacity: 1 };
    await testApp.db.insertInto('slots').values(Array(MAX_SLOTS).fill(slot)).execute();
    const [status, sentence] = await send(distributor, ['POST', slotsPath(), { label: 'Noon', startsAt: slot.startsAt, capacity: 2 }]);
    expect([status, sentence]).toEqual([400, 'A distribution has at most 200 pick-up times.']);
  });

  test('can be added without reading any order, because thousands of orders may have pick-up times (reliability abuse)', async () => {
    await transaction(testApp.db, async (db) => {
      await run(db, 'LOCK TABLE orders, order_products IN ACCESS EXCLUSIVE MODE', []);
      const [status] = await send(distributor, ['POST', slotsPath(), { label: 'Noon', startsAt: '2027-04-14T16:00:00Z', capacity: 2 }]);
      expect(status).toBe(201);
    });
  });

  test('can be changed only after the number of their orders was counted in the queue of expensive reads (reliability abuse)', async () => {
    const slot = await makeSlot(testApp.db, distribution, { label: 'Noon' });
    await order(customer, { slotId: slot.id });
    const running = Promise.withResolvers<void>();
    const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
    let isDone = false;
    const changing = send(distributor, ['PATCH', `${slotsPath()}/${slot.id}`, { label: 'Friday' }]).finally(() => (isDone = true));
    await pause(300);
    expect(isDone).toBe(false);
    running.resolve();
    await other;
    expect(await changing).toEqual([200, expect.objectContaining({ label: 'Friday', taken: 1 })]);
  });

  test('can be changed even when orders have chosen them; all these orders keep the pick-up time, even if the new capacity is smaller than the number of orders', async () => {
    const slot = await makeSlot(testApp.db, distribution, { capacity: 2 });
    const other = await makeCustomer(testApp.db, distributor);
    for (const person of [customer, other]) await order(person, { slotId: slot.id });
    const path = `${slotsPath()}/${slot.id}`;
    const changed = { id: slot.id, label: 'Friday', startsAt: '2027-04-16T16:00:00.000Z', capacity: 2, taken: 2 };
    expect(await send(distributor, ['PATCH', path, { label: ' Friday ', startsAt: '2027-04-16T12:00:00-04:00' }])).toEqual([200, changed]);
    expect(await send(distributor, ['PATCH', path, { capacity: 1 }])).toEqual([200, { ...changed, capacity: 1 }]);
    expect(await send(customer, ['GET', slotsPath()])).toEqual([200, [{ ...changed, capacity: 1 }]]);
    expect((await order(customer, { slotId: slot.id }, 2))[0]).toBe(200);
    expect(await send(distributor, ['PATCH', path, { capacity: 0 }])).toEqual([400, 'Capacity must be at least 1']);
    expect(await send(distributor, ['PATCH', `${slotsPath()}/${MAX_INT}`, { capacity: 1 }])).toEqual([404, 'Pick-up time not found']);
    const elsewhere = await makeSlot(testApp.db, await makeDistribution(testApp.db, await makeDistributor(testApp.db)));
    expect((await send(distributor, ['PATCH', `${slotsPath()}/${elsewhere.id}`, { capacity: 1 }]))[0]).toBe(404);
  });

  test('with orders cannot be deleted; an order whose quantities are all 0 does not count', async () => {
    const slot = await makeSlot(testApp.db, distribution);
    await order(customer, { slotId: slot.id });
    expect(await send(distributor, ['DELETE', `${slotsPath()}/${slot.id}`])).toEqual([
      409,
      'Orders have this pick-up time, so it cannot be deleted.',
    ]);
    // A server of the previous version leaves an order its pick-up time when all quantities become 0.
    await run(testApp.db, 'UPDATE order_products SET quantity = 0 WHERE "productId" = $1', [product.id]);
    expect(await send(distributor, ['DELETE', `${slotsPath()}/${slot.id}`])).toEqual([204, '']);
    expect(await send(distributor, ['DELETE', `${slotsPath()}/${slot.id}`])).toEqual([404, 'Pick-up time not found']);
  });
});

describe('the pick-up time of an order (contract §16)', () => {
  test('is refused when it is deleted while the order waits to be saved', async () => {
    const slot = await makeSlot(testApp.db, distribution);
    const { ordering } = await transaction(testApp.db, async (db) => {
      await run(db, 'SELECT FROM distributions WHERE id = $1 FOR NO KEY UPDATE', [distribution.id]);
      const ordering = orderByStaff({ slotId: slot.id });
      await waitForLockWaiters(testApp.db);
      await run(db, 'DELETE FROM slots WHERE id = $1', [slot.id]);
      return { ordering };
    });
    expect(await ordering).toEqual([400, 'This pick-up time is not in this distribution.']);
  });

  test('is neither required nor returned when the distribution has no pick-up times', async () => {
    const [status, placed] = await order(customer, {});
    expect([status, Object.keys(placed as object)]).toEqual([201, ['id', 'distributionId', 'products', 'version']]);
  });

  test('may stay missing in an order that was placed before the distribution got pick-up times, while the customer only lowers quantities or changes the note (contract §12)', async () => {
    expect((await order(customer, {}, 3))[0]).toBe(201);
    const full = await makeSlot(testApp.db, distribution, { capacity: 1 });
    expect((await order(await makeCustomer(testApp.db, distributor), { slotId: full.id }))[0]).toBe(201);
    expect(await order(customer, {}, 2)).toMatchObject([200, { version: 2 }]);
    expect((await order(customer, { note: 'No bones' }, 2))[0]).toBe(200);
    expect(await order(customer, {}, 3)).toEqual([400, 'Choose a pick-up time.']);
    expect(await order(customer, { slotId: full.id }, 1)).toEqual([409, 'This pick-up time is full.']);
  });

  test('must be chosen by customers if the distribution has pick-up times, stays when a request omits it, and is in every reply', async () => {
    const [morning, noon] = [await makeSlot(testApp.db, distribution), await makeSlot(testApp.db, distribution)];
    expect(await order(customer, {})).toEqual([400, 'Choose a pick-up time.']);
    expect(await order(customer, { slotId: morning.id })).toMatchObject([201, { slotId: morning.id, version: 1 }]);
    expect(await order(customer, {}, 2)).toMatchObject([200, { slotId: morning.id, version: 2 }]);
    expect(await order(customer, { slotId: noon.id }, 2)).toMatchObject([200, { slotId: noon.id, version: 3 }]);
    expect(await order(customer, { slotId: null }, 2)).toEqual([400, 'Choose a pick-up time.']);
    expect(await send(customer, ['GET', `/orders/${distribution.id}`])).toMatchObject([200, { slotId: noon.id }]);
    expect(await send(customer, ['GET', '/orders'])).toMatchObject([200, [{ slotId: noon.id }]]);
    expect(await send(distributor, ['GET', `/distributor-order-page-data/${distribution.id}/${customer.id}`])).toMatchObject([
      200,
      { order: { slotId: noon.id } },
    ]);
    const trail = await testApp.db
      .selectFrom('order_audit')
      .select(['before', 'after', 'updatedBy'])
      .where('distributionId', '=', distribution.id)
      .orderBy('id')
      .execute();
    expect(trail).toEqual([
      { before: { slot: null }, after: { slot: morning.label }, updatedBy: customer.id },
      { before: { slot: morning.label }, after: { slot: noon.label }, updatedBy: customer.id },
    ]);
  });

  test('is removed when staff set all quantities of the order to 0, whatever the request says, and customers choose it again (reliability abuse)', async () => {
    const slot = await makeSlot(testApp.db, distribution, { label: 'Noon' });
    await order(customer, { slotId: slot.id });
    const [status, emptied] = await orderByStaff({ slotId: slot.id, note: 'Cancelled' }, 0);
    expect([status, Object.keys(emptied as object)]).toEqual([200, ['id', 'distributionId', 'products', 'version', 'note']]);
    expect(await send(customer, ['GET', `/orders/${distribution.id}`])).toEqual([200, emptied]);
    const [last] = await testApp.db.selectFrom('order_audit').select(['before', 'after', 'updatedBy']).orderBy('id', 'desc').execute();
    const [before, after] = [
      { note: null, slot: 'Noon' },
      { note: 'Cancelled', slot: null },
    ];
    expect(last).toEqual({ before, after, updatedBy: distributor.id });
    expect(await order(customer, {})).toEqual([400, 'Choose a pick-up time.']);
    expect(await order(customer, { slotId: slot.id })).toMatchObject([200, { slotId: slot.id }]);
    const other = await makeCustomer(testApp.db, distributor);
    const ofOther = { customerId: other.id, distributionId: distribution.id, products: [], slotId: slot.id };
    const [created, placed] = await send(distributor, ['POST', '/distributor/order', ofOther]);
    expect([created, Object.keys(placed as object)]).toEqual([201, ['id', 'distributionId', 'products', 'version']]);
  });

  test('is removed by a save of an order that a server of the previous version has left without units, and by the migration (reliability abuse)', async () => {
    const slot = await makeSlot(testApp.db, distribution);
    const people = [customer, await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
    for (const person of people) await order(person, { slotId: slot.id });
    const [first, second] = people.map(({ id }) => id);
    const empty = `UPDATE order_products SET quantity = 0 WHERE "orderId" IN (SELECT id FROM orders WHERE "customerId" = ANY($1::int[]))`;
    await run(testApp.db, empty, [[first, second]]);
    expect((await orderByStaff({}, 0))[0]).toBe(200);
    const slots = async () =>
      (
        await testApp.db.selectFrom('orders').select('slotId').where('distributionId', '=', distribution.id).orderBy('customerId').execute()
      ).map(({ slotId }) => slotId);
    expect(await slots()).toEqual([null, slot.id, slot.id]);
    const migration = (await migrationsIn()).find(({ name }) => name === '0052_pick_up_times_of_empty_orders.sql');
    await run(testApp.db, migration?.sql ?? '', []);
    expect(await slots()).toEqual([null, null, slot.id]);
  });

  test('is refused when it belongs to another distribution', async () => {
    const other = await makeSlot(testApp.db, await makeDistribution(testApp.db, distributor));
    expect(await order(customer, { slotId: other.id })).toEqual([400, 'This pick-up time is not in this distribution.']);
  });

  test('cannot be chosen by customers when its capacity is reached; staff may still choose it', async () => {
    const slot = await makeSlot(testApp.db, distribution, { capacity: 1 });
    const first = await makeCustomer(testApp.db, distributor);
    await order(first, { slotId: slot.id });
    expect(await order(customer, { slotId: slot.id })).toEqual([409, 'This pick-up time is full.']);
    expect(await order(first, { slotId: slot.id }, 3)).toMatchObject([200, { version: 2 }]);
    expect(await orderByStaff({ slotId: slot.id })).toMatchObject([201, { slotId: slot.id }]);
    // Both customers keep their pick-up time when they change something else in their order.
    expect(await order(customer, {}, 2)).toMatchObject([200, { slotId: slot.id }]);
    expect(await order(first, {}, 1)).toMatchObject([200, { slotId: slot.id }]);
    expect(await send(customer, ['GET', slotsPath()])).toMatchObject([200, [{ taken: 2, capacity: 1 }]]);
  });

  test('is never overbooked by concurrent customers', async () => {
    const slot = await makeSlot(testApp.db, distribution, { capacity: 3 });
    const people = await Promise.all(Array.from({ length: 20 }, () => makeCustomer(testApp.db, distributor)));
    const answers = await Promise.all(people.map((person) => order(person, { slotId: slot.id })));
    expect(answers.filter(([status]) => status === 201)).toHaveLength(3);
    expect(answers.filter(([status]) => status !== 201)).toEqual(Array(17).fill([409, 'This pick-up time is full.']));
    expect(await send(customer, ['GET', slotsPath()])).toMatchObject([200, [{ taken: 3 }]]);
  });
});

describe('the note of an order (contract §16)', () => {
  test('is kept when a request omits it, is removed by null, and is recorded in the audit trail', async () => {
    expect(await order(customer, { note: ' Ring twice ' })).toMatchObject([201, { note: 'Ring twice' }]);
    expect(await order(customer, {}, 2)).toMatchObject([200, { note: 'Ring twice', version: 2 }]);
    expect(await orderByStaff({ note: 'No bones' }, 2)).toMatchObject([200, { note: 'No bones', version: 3 }]);
    expect(await send(customer, ['GET', `/orders/${distribution.id}`])).toMatchObject([200, { note: 'No bones' }]);
    const [, last] = await order(customer, { note: null }, 2);
    expect(last).toEqual({ id: expect.any(Number), distributionId: distribution.id, products: expect.any(Array), version: 4 });
    const trail = await testApp.db
      .selectFrom('order_audit')
      .select(['before', 'after', 'updatedBy'])
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    expect(trail).toEqual([
      { before: { note: 'No bones' }, after: { note: null }, updatedBy: customer.id },
      { before: { note: 'Ring twice' }, after: { note: 'No bones' }, updatedBy: distributor.id },
      { before: { note: null }, after: { note: 'Ring twice' }, updatedBy: customer.id },
    ]);
  });

  test('has at most 500 characters', async () => {
    expect(await order(customer, { note: 'x'.repeat(501) })).toEqual([400, 'Note is longer than 500 characters']);
    expect((await order(customer, { note: 'x'.repeat(500) }))[0]).toBe(201);
  });
});
