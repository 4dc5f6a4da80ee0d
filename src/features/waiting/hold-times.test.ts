// Tests how long units are held for a waiting customer, and when a customer leaves the waiting list (contract §12).
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { HOLD_HOURS } from '../../domain/ordering/limits.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { WaitingEntry } from './contract.ts';
import { holdMail } from './mail.ts';
import { passOnExpiredHolds } from './queries.ts';

const testApp = setupTestApp();
const HOUR = 3_600_000;

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let holder: Person;
let first: Person;
let second: Person;
/** One customer, the holder, has ordered all five units. The two other customers wait for two units each. */
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', total_limit: 5 });
  [holder, first, second] = [
    await makeCustomer(testApp.db, distributor),
    await makeCustomer(testApp.db, distributor),
    await makeCustomer(testApp.db, distributor),
  ];
  expect(await order(holder, 5)).toBe(201);
  for (const person of [first, second]) expect((await join(person, 2))[0]).toBe(201);
});

type Sent = [method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object];
async function send(person: Person, [method, path, payload]: Sent): Promise<[number, unknown]> {
  const answer = await testApp.request(person, { method, url: `/api${path}`, ...(payload ? { payload } : {}) });
  return [answer.statusCode, answer.statusCode < 204 ? answer.json() : answer.body];
}
const path = () => `/distributions/${distribution.id}`;
const order = async (person: Person, quantity: number) =>
  (await send(person, ['POST', '/orders', { distributionId: distribution.id, products: [{ productId: brisket.id, quantity }] }]))[0];
const join = (person: Person, quantity: number) => send(person, ['POST', `${path()}/waiting`, { productId: brisket.id, quantity }]);
const change = async (fields: object) => expect((await send(distributor, ['PATCH', path(), fields]))[0]).toBe(200);
const entriesFor = async (person: Person) => (await send(person, ['GET', `${path()}/waiting`]))[1] as WaitingEntry[];
const held = async () => (await entriesFor(distributor)).map(({ customerId, heldQuantity }) => [customerId, heldQuantity]);
const fromNow = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();
/** Returns in how many hours, rounded to hundredths, the hold of `first` ends. */
async function hoursLeft(): Promise<number> {
  const [entry] = await entriesFor(first);
  return Math.round((Date.parse(entry?.heldUntil ?? '') - Date.now()) / (HOUR / 100)) / 100;
}
/** Lets the given number of hours pass for all holds. */
const letPass = (hours: number) =>
  sql`UPDATE waiting_list SET "heldSince" = "heldSince" - ${hours} * interval '1 hour', "heldUntil" = "heldUntil" - ${hours} * interval '1 hour'
    WHERE "heldUntil" IS NOT NULL`.execute(testApp.db);
const holdMails = async () =>
  await testApp.db
    .selectFrom('emails')
    .select(['userId', 'status', 'nextAttemptAt'])
    .where('kind', '=', 'hold')
    .where('distributorId', '=', distributor.id)
    .orderBy('id')
    .execute();
const deliver = () => sql`UPDATE emails SET status = 'sent', attempts = 1 WHERE kind = 'hold' AND status = 'queued'`.execute(testApp.db);
async function mailText(): Promise<string> {
  const mail = { kind: 'hold', userId: first.id, distributorId: distributor.id } as never;
  const rendered = await holdMail({ db: testApp.db, env: testApp.env, now: testApp.time, mail });
  return String('text' in rendered ? rendered.text : 'suppressed' in rendered && rendered.suppressed);
}

describe('a hold', () => {
  test('ends when ordering closes, wherever the closing time is moved, but never more than 12 hours after it began (contract §12)', async () => {
    await change({ closesAt: fromNow(6) });
    await order(holder, 4);
    expect(await hoursLeft()).toBe(6);
    await change({ closesAt: fromNow(2) });
    expect(await hoursLeft()).toBe(2);
    await change({ closesAt: fromNow(9) });
    expect(await hoursLeft()).toBe(9);
    await letPass(1);
    await change({ closesAt: fromNow(48) });
    expect(await hoursLeft()).toBe(11);
    await change({ closesAt: null });
    expect(await hoursLeft()).toBe(11);
    const [entry] = await entriesFor(first);
    expect(await entriesFor(distributor)).toMatchObject([{ heldUntil: entry?.heldUntil }, { heldUntil: null }]);
  });

  test('does not end before customers could order for 12 hours, also when the opening time is moved (contract §12)', async () => {
    await order(holder, 4);
    expect(await hoursLeft()).toBe(HOLD_HOURS);
    await change({ opensAt: fromNow(5) });
    expect(await hoursLeft()).toBe(17);
    await change({ opensAt: fromNow(8) });
    expect(await hoursLeft()).toBe(20);
    await change({ opensAt: fromNow(2) });
    expect(await hoursLeft()).toBe(14);
    await change({ published: false });
    await change({ published: true });
    expect(await hoursLeft()).toBe(14);
    await change({ opensAt: null });
    expect(await hoursLeft()).toBe(12);
    await letPass(10);
    await change({ opensAt: fromNow(72) });
    await letPass(20);
    await change({ opensAt: null });
    expect(await hoursLeft()).toBe(12);
    await change({ closesAt: fromNow(10) });
    expect(await hoursLeft()).toBe(10);
  });

  test('is announced again by mail if it ends earlier than the first mail said; a queued mail is sent before the hold ends, with the new time (contract §12)', async () => {
    await order(holder, 4);
    await deliver();
    await change({ closesAt: '2099-04-01T20:00:00Z' });
    expect(await holdMails()).toHaveLength(1);
    await change({ closesAt: fromNow(0.5) });
    expect((await holdMails()).map(({ userId, status }) => [userId, status])).toEqual([
      [first.id, 'sent'],
      [first.id, 'queued'],
    ]);
    const closesAt = fromNow(0.1);
    await change({ closesAt });
    const mails = await holdMails();
    expect(mails).toHaveLength(2);
    expect(Date.parse(mails[1]?.nextAttemptAt ?? '')).toBeLessThan(Date.parse(closesAt));
    const hourAndMinute = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' });
    expect(await mailText()).toContain(hourAndMinute.format(new Date(closesAt)));
  });

  test('keeps its end when further units are held for the same customer; the next hold of the customer has 12 hours again (contract §12)', async () => {
    await order(holder, 4);
    await letPass(5);
    await order(holder, 3);
    expect(await held()).toEqual([
      [first.id, 2],
      [second.id, 0],
    ]);
    expect(await hoursLeft()).toBe(7);
    expect(await order(first, 1)).toBe(201);
    expect(await hoursLeft()).toBe(7);
    await order(holder, 4);
    await send(distributor, ['PATCH', `${path()}/products/${brisket.id}`, { total_limit: 1 }]);
    expect((await entriesFor(first))[0]?.heldUntil).toBeNull();
    await send(distributor, ['PATCH', `${path()}/products/${brisket.id}`, { total_limit: 6 }]);
    expect(await hoursLeft()).toBe(12);
  });
});

test('while a distribution is unpublished, no units are held and no hold expires; when it is published again, units are held for 12 hours, with a mail (contract §12)', async () => {
  await order(holder, 4);
  await deliver();
  await change({ published: false });
  expect(await mailText()).toBe('Nothing is held for this person any more.');
  const byStaff = { customerId: holder.id, distributionId: distribution.id, products: [{ productId: brisket.id, quantity: 3 }] };
  expect((await send(distributor, ['POST', '/distributor/order', byStaff]))[0]).toBe(200);
  await letPass(13);
  await passOnExpiredHolds(testApp.db);
  expect(await held()).toEqual([
    [first.id, 0],
    [second.id, 0],
  ]);
  await change({ published: true });
  expect(await held()).toEqual([
    [first.id, 2],
    [second.id, 0],
  ]);
  expect(await hoursLeft()).toBe(12);
  expect((await holdMails()).map(({ userId, status }) => [userId, status])).toEqual([
    [first.id, 'sent'],
    [first.id, 'queued'],
  ]);
});

describe('a customer who is disabled', () => {
  const disable = async () => expect((await send(distributor, ['POST', `/users/customer/${first.id}/disable`]))[0]).toBe(204);

  test('leaves the waiting lists, and the units held for this customer go to the next customer (contract §12)', async () => {
    await order(holder, 3);
    await disable();
    expect(await held()).toEqual([[second.id, 2]]);
    expect((await holdMails()).map(({ userId }) => userId)).toEqual([first.id, second.id]);
    expect(await order(holder, 4)).toBe(409);
  });

  test('leaves a list also if a server of the previous version has disabled this customer (contract §12)', async () => {
    await testApp.db.updateTable('users').set({ disabledAt: new Date().toISOString() }).where('id', '=', first.id).execute();
    await order(holder, 4);
    expect(await held()).toEqual([[second.id, 1]]);
  });
});

describe('a customer whose order is marked as picked up', () => {
  let orderId: number;
  beforeEach(async () => {
    const matzah = await makeProduct(testApp.db, distribution);
    ({ id: orderId } = await makeOrder(testApp.db, distribution, first, [[matzah, 1]]));
  });
  const mark = async (pickedUp: boolean) =>
    expect((await send(distributor, ['POST', `/orders/${orderId}/picked-up`, { pickedUp }]))[0]).toBe(204);

  test('leaves the waiting lists of the distribution, so that freed units are held for the next customer (contract §12, §14)', async () => {
    await mark(true);
    expect(await order(holder, 4)).toBe(200);
    expect(await held()).toEqual([[second.id, 1]]);
    expect((await holdMails()).map(({ userId }) => userId)).toEqual([second.id]);
    await mark(false);
    expect(await held()).toEqual([[second.id, 1]]);
  });

  test('loses the units that are held for this customer to the next customer, with a mail (contract §12, §14)', async () => {
    const other = await makeDistribution(testApp.db, distributor);
    const lamb = await makeProduct(testApp.db, other, { total_limit: 1 });
    const place = { distributorId: other.distributorId, distributionId: other.id, productId: lamb.id };
    await testApp.db
      .insertInto('waiting_list')
      .values({ ...place, customerId: first.id, quantity: 1 })
      .execute();
    expect(await order(holder, 3)).toBe(200);
    expect(await held()).toEqual([
      [first.id, 2],
      [second.id, 0],
    ]);
    await mark(true);
    expect(await held()).toEqual([[second.id, 2]]);
    expect((await holdMails()).map(({ userId }) => userId)).toEqual([first.id, second.id]);
    expect(await mailText()).toBe('Nothing is held for this person any more.');
    // The places in other distributions stay.
    const left = await testApp.db.selectFrom('waiting_list').select('productId').where('customerId', '=', first.id).execute();
    expect(left).toEqual([{ productId: lamb.id }]);
  });

  test('stays on the list if the order has no units, because this customer can order again (contract §12, §14)', async () => {
    await testApp.db.updateTable('order_products').set({ quantity: 0 }).where('orderId', '=', orderId).execute();
    await mark(true);
    expect(await order(holder, 4)).toBe(200);
    expect(await held()).toEqual([
      [first.id, 1],
      [second.id, 0],
    ]);
  });
});

test('an error in one distribution does not stop the holds of other distributors from being passed on (contract §12)', async () => {
  await order(holder, 4);
  const failing = distributor.id;
  const other = await makeDistribution(testApp.db, await makeDistributor(testApp.db));
  const lamb = await makeProduct(testApp.db, other, { total_limit: 5 });
  const place = { distributorId: other.distributorId, distributionId: other.id, productId: lamb.id };
  const customer = await makeCustomer(testApp.db, { ...distributor, id: other.distributorId });
  const entry = { ...place, customerId: customer.id, quantity: 1, heldQuantity: 1, heldUntil: fromNow(1) };
  await testApp.db.insertInto('waiting_list').values(entry).execute();
  await letPass(13);
  await sql`ALTER TABLE emails ADD CONSTRAINT fails CHECK ("distributorId" <> ${sql.lit(failing)}) NOT VALID`.execute(testApp.db);
  const errors: unknown[] = [];
  try {
    await passOnExpiredHolds(testApp.db, { onError: (error) => errors.push(error) });
  } finally {
    await sql`ALTER TABLE emails DROP CONSTRAINT fails`.execute(testApp.db);
  }
  expect(errors).toMatchObject([{ constraint: 'fails' }]);
  expect(await testApp.db.selectFrom('waiting_list').select('id').where('productId', '=', lamb.id).execute()).toEqual([]);
  expect(await held()).toEqual([[second.id, 0]]);
});
