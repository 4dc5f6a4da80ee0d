// These tests check how many mails, and how much HTML, one distributor can store in a day (contract §8; decision 7).
// @module-tag long
import { beforeEach, expect, test } from 'vitest';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeUser } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run } from '../../server/database/db.ts';
import { cleanUp } from '../../server/operations/cleanup.ts';
import { NOT_INVITED } from '../users/texts.ts';
import { confirmationMail } from '../orders/mail.ts';
import { holdMail } from '../waiting/mail.ts';
import { A_DAY, MAX_BULK_PER_MAILBOX, MAX_MAILS_OF_CHANGES_PER_DAY, MAX_MAILS_PER_DAY } from './contract.ts';
import { countMailsOfADay } from './queries.ts';

const testApp = setupTestApp();
const HOUR = 3_600_000;

let distributor: Person;
let customer: Person;
beforeEach(async () => {
  testApp.time = new Date();
  await testApp.db.deleteFrom('emails').execute();
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
});

const mailTo = (to: string, html = '<p>At noon.</p>') => ({ to, replyTo: distributor.email, subject: 'Pick-up', html });
const post = (payload: object[]) => testApp.request(distributor, { method: 'POST', url: '/api/send-emails', payload });
const rows = () => testApp.db.selectFrom('emails').selectAll().orderBy('id').execute();
const counted = () => countMailsOfADay(testApp.db, distributor.id, testApp.time);
const ago = (hours: number) => new Date(testApp.time.getTime() - hours * HOUR).toISOString();

/** Inserts `count` bulk mails that were queued an hour ago. */
const queueBefore = (count: number, html = '') =>
  run(
    testApp.db,
    `INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "replyTo", "createdAt")
      SELECT 'bulk', '', '', '', $5, $2, $3, $4 FROM generate_series(1, $1::int)`,
    [count, distributor.id, distributor.email, ago(1), html],
  );

test('the server stores no HTML for people who have unsubscribed, and counts their mails toward the daily limit (reliability growth)', async () => {
  await testApp.db.updateTable('users').set({ bulkMailStoppedAt: testApp.time.toISOString() }).where('id', '=', customer.id).execute();
  expect((await post([mailTo(customer.email, `<p>${'A'.repeat(190_000)}</p>`)])).statusCode).toBe(200);
  expect(await rows()).toMatchObject([{ status: 'suppressed', html: '' }]);
  expect(await counted()).toBe(1);
  await queueBefore(MAX_MAILS_PER_DAY - 1);
  expect((await post([mailTo(customer.email)])).statusCode).toBe(429);
});

test('a mail that is sent again on a later day counts toward the daily limit of that day, and is refused above the limit (reliability growth)', async () => {
  const of = { distributorId: distributor.id, userId: customer.id };
  const values = { ...of, from: '', to: customer.email, subject: '', html: 'x', replyTo: distributor.email };
  const put = async (createdAt: string) =>
    await testApp.db
      .insertInto('emails')
      .values({ ...values, status: 'failed', createdAt })
      .returning('id')
      .executeTakeFirstOrThrow();
  const [old, older, recent] = [await put(ago(48)), await put(ago(72)), await put(ago(2))];
  const resend = async ({ id }: { id: number }) =>
    (await testApp.request(distributor, { method: 'POST', url: `/api/emails/${id}/resend` })).statusCode;
  await queueBefore(MAX_MAILS_PER_DAY - 2);
  expect(await counted()).toBe(MAX_MAILS_PER_DAY - 1);
  expect([await resend(old), await counted()]).toEqual([204, MAX_MAILS_PER_DAY]);
  expect([await resend(older), await counted()]).toEqual([429, MAX_MAILS_PER_DAY]);
  expect((await rows()).find(({ id }) => id === older.id)?.status).toBe('failed');
  // A mail that was queued within the last day is counted already, so sending it again does not count.
  expect([await resend(recent), await counted()]).toEqual([204, MAX_MAILS_PER_DAY]);
});

test("when a distributor raises a limit, the mails about the units that are then held count toward the distributor's daily limit (contract §12; reliability growth)", async () => {
  const distribution = await makeDistribution(testApp.db, distributor);
  const product = await makeProduct(testApp.db, distribution, { total_limit: 1 });
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[product, 1]]);
  const join = {
    method: 'POST',
    url: `/api/distributions/${distribution.id}/waiting`,
    payload: { productId: product.id, quantity: 1 },
  } as const;
  expect((await testApp.request(customer, join)).statusCode).toBe(201);
  const url = `/api/distributions/${distribution.id}/products/${product.id}`;
  expect((await testApp.request(distributor, { method: 'PATCH', url, payload: { total_limit: 2 } })).statusCode).toBe(200);
  const [mail] = await rows();
  expect(mail).toMatchObject({ kind: 'hold', userId: customer.id, replyTo: distributor.email });
  expect(await counted()).toBe(1);
  const render = (of: Row<'emails'>) => holdMail({ db: testApp.db, env: testApp.env, mail: of, now: testApp.time });
  if (!mail) throw new Error('no mail was queued');
  expect(await render(mail)).toMatchObject({ to: customer.email });
  await queueBefore(MAX_MAILS_PER_DAY);
  expect(await render(mail)).toEqual({ suppressed: A_DAY });
});

test("when staff lower an order, the mails about the units that are then held count toward the distributor's daily limit; at most 8,000 of them are sent (contract §12; reliability abuse)", async () => {
  const distribution = await makeDistribution(testApp.db, distributor);
  const product = await makeProduct(testApp.db, distribution, { total_limit: 1 });
  const { id: customerId } = await makeCustomer(testApp.db, distributor);
  const values = { distributorId: distributor.id, distributionId: distribution.id, productId: product.id, customerId: customer.id };
  const order = (quantity: number) => ({ distributionId: distribution.id, customerId, products: [{ productId: product.id, quantity }] });
  const save = async (quantity: number) =>
    (await testApp.request(distributor, { method: 'POST', url: '/api/distributor/order', payload: order(quantity) })).statusCode;
  expect(await save(1)).toBe(201);
  await testApp.db
    .insertInto('waiting_list')
    .values({ ...values, quantity: 1 })
    .execute();
  expect(await save(0)).toBe(200);
  const mail = (await rows()).find(({ kind }) => kind === 'hold');
  expect(mail).toMatchObject({ userId: customer.id, replyTo: distributor.email });
  if (!mail) throw new Error('no mail was queued');
  const render = () => holdMail({ db: testApp.db, env: testApp.env, mail, now: testApp.time });
  await queueBefore(MAX_MAILS_OF_CHANGES_PER_DAY);
  expect(await render()).toMatchObject({ to: customer.email });
  await testApp.db.updateTable('emails').set({ kind: 'confirmation' }).where('kind', '=', 'bulk').execute();
  expect(await render()).toEqual({ suppressed: A_DAY });
});

test('the HTML of the bulk and test mails of a day has at most 200 MB; above that, mails are refused with 429 and nothing is queued (reliability growth)', async () => {
  const sentence = 'The contents of all e-mails of a day have at most 200 MB together. Shorten the text, or send the rest tomorrow.';
  await queueBefore(1000, 'A'.repeat(200_000));
  const answer = await post([mailTo(customer.email)]);
  expect([answer.statusCode, answer.body]).toEqual([429, sentence]);
  const test = await testApp.request(distributor, {
    method: 'POST',
    url: '/api/emails/test',
    payload: { subject: 'a', html: '<p>b</p>' },
  });
  expect([test.statusCode, test.body]).toEqual([429, sentence]);
  expect(await counted()).toBe(1000);
  testApp.time = new Date(testApp.time.getTime() + 24 * HOUR);
  expect((await post([mailTo(customer.email)])).statusCode).toBe(200);
});

test('confirmations of changes by staff use up at most 8,000 of the 10,000 mails of a day, so that an agent cannot use up the mails of the distributor (reliability growth)', async () => {
  const distribution = await makeDistribution(testApp.db, distributor);
  const { id: orderId } = await makeOrder(testApp.db, distribution, customer, [[await makeProduct(testApp.db, distribution), 1]]);
  await testApp.db.updateTable('orders').set({ updatedBy: distributor.id }).where('id', '=', orderId).execute();
  const render = () => confirmationMail({ db: testApp.db, env: testApp.env, mail: { id: 0, orderId } as Row<'emails'>, now: testApp.time });
  await queueBefore(MAX_MAILS_OF_CHANGES_PER_DAY);
  expect(await render()).toMatchObject({ to: customer.email });
  await testApp.db.updateTable('emails').set({ kind: 'confirmation' }).execute();
  expect(await render()).toEqual({ status: 'failed', response: A_DAY });
  expect((await post([mailTo(customer.email)])).statusCode).toBe(200);
});

test('one mailbox gets at most 250 bulk mails of a distributor in a day; addresses that differ only in a "+suffix" count as one mailbox (reliability abuse)', async () => {
  const [one, two] = ['noa+1@test.example', 'noa+2@test.example'] as const;
  for (const email of [one, two]) await makeUser(testApp.db, 'customer', { distributorId: distributor.id, email });
  const half = Array.from({ length: MAX_BULK_PER_MAILBOX / 2 }, () => mailTo(one));
  expect((await post(half)).statusCode).toBe(200);
  expect((await post(half.map(() => mailTo(two)))).statusCode).toBe(200);
  const above = await post([mailTo(customer.email), mailTo(two)]);
  expect([above.statusCode, above.body]).toEqual([
    429,
    'At most 250 of your e-mails a day can go to one person, and noa+2@test.example already gets as many. Leave out this person, or send the e-mail tomorrow.',
  ]);
  expect(await counted()).toBe(MAX_BULK_PER_MAILBOX);
  testApp.time = new Date(testApp.time.getTime() + 24 * HOUR);
  expect((await post([mailTo(two)])).statusCode).toBe(200);
});

test('forgetting a person and adding the same e-mail address again does not reset the limits of bulk mails and invitations to one mailbox (reliability abuse)', async () => {
  const email = 'stranger@test.example';
  const request = (url: string, payload: object) => testApp.request(distributor, { method: 'POST', url, payload });
  const add = async (invite: string) => {
    const [added] = (await request('/api/users/customer', { users: [{ email }], replyTo: distributor.email, invite })).json();
    return added as { userId: number };
  };
  const forget = async ({ userId }: { userId: number }) => {
    await testApp.db.updateTable('emails').set({ status: 'sent' }).where('status', '=', 'queued').execute();
    expect((await request(`/api/users/customer/${userId}/forget`, {})).statusCode).toBe(204);
  };
  const first = await add('later');
  expect((await post(Array.from({ length: MAX_BULK_PER_MAILBOX }, () => mailTo(email)))).statusCode).toBe(200);
  await forget(first);
  const second = await add('now');
  expect((await post([mailTo(email)])).statusCode).toBe(429);
  for (const status of [204, 204, 429]) expect((await request(`/api/users/customer/${second.userId}/invite`, {})).statusCode).toBe(status);
  await forget(second);
  const third = await add('now');
  expect(third).toMatchObject({ error: NOT_INVITED.hour });
  expect((await request(`/api/users/customer/${third.userId}/invite`, {})).statusCode).toBe(429);
  expect(await testApp.db.selectFrom('erased_recipients').selectAll().execute()).toHaveLength(MAX_BULK_PER_MAILBOX + 3);
  testApp.time = new Date(testApp.time.getTime() + 25 * HOUR);
  await cleanUp(testApp.db, testApp.time);
  expect(await testApp.db.selectFrom('erased_recipients').selectAll().execute()).toEqual([]);
});

test("when a distribution is published again, the mails about newly held units count toward the distributor's daily limit (contract §12; reliability abuse)", async () => {
  const distribution = await makeDistribution(testApp.db, distributor);
  const product = await makeProduct(testApp.db, distribution, { total_limit: 1 });
  const values = { distributorId: distributor.id, distributionId: distribution.id, productId: product.id, customerId: customer.id };
  await testApp.db
    .insertInto('waiting_list')
    .values({ ...values, quantity: 1 })
    .execute();
  const url = `/api/distributions/${distribution.id}`;
  for (let turn = 1; turn <= 3; turn++) {
    for (const published of [false, true])
      expect((await testApp.request(distributor, { method: 'PATCH', url, payload: { published } })).statusCode).toBe(200);
    expect(await counted()).toBe(turn);
    await testApp.db.updateTable('emails').set({ status: 'sent' }).execute();
  }
});
