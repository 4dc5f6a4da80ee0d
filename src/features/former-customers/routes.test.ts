import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct, makeUser } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { findInBackup, findInTables, tablesForWords, tablesOfUser } from '../../../test/database/word-search.ts';
import { deliverAll, testOutbox } from '../../../test/mail/outbox.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { hashOfEmail } from '../../server/auth/account-lock.ts';
import type { Row } from '../../server/database/schema.ts';
import { fileTransport } from '../../server/mail/file-transport.ts';
import { deleteEmptiedMailFiles } from '../../server/mail/mail-files.ts';
import { claimDue, newRoundRobin, beginSending } from '../../server/mail/outbox-rows.ts';
import { CHANGED_MEANWHILE } from './texts.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'feastday-forget-'));
const MAILS = join(DATA_DIR, 'mail');
afterAll(() => rm(DATA_DIR, { recursive: true, force: true }));
const testApp = setupTestApp({ DATA_DIR, BACKUP_HOURS: '24', BACKUP_KEEP: '14' });

const TEXTS = {
  firstName: 'Dulcinea',
  lastName: 'Quixandrez',
  address: '77 Windmill Row',
  city: 'Tobosoville',
  state: 'Manchania',
  zip: '98761',
  phone: '555-7719',
};

/** Words that occur only in the data of the customer whose data is erased, so that the tests can search for them. */
let contact: typeof TEXTS;
let oldPhone: string;
let note: string;
let mailText: string;
let keys = 0;
let distributor: Person;
let agent: Person;
let email: string;
let customer: Person;
let distribution: Row<'distributions'>;
let order: Awaited<ReturnType<typeof makeOrder>>;

const words = (): string[] => [
  ...Object.values(contact),
  oldPhone,
  note,
  mailText,
  ...[email, `old-${email}`].flatMap((address) => [address, hashOfEmail(address)]),
];
const send = async (by: Person | null, method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
  await testApp.request(by, { method, url, ...(payload ? { payload, headers: { 'idempotency-key': `key-${(keys += 1)}` } } : {}) });
const forget = (by: Person = distributor, id = customer.id) => send(by, 'POST', `/api/users/customer/${id}/forget`);

async function makeData(): Promise<void> {
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor);
  const unique = (text: string) => `${text} Q${distributor.id}z`;
  contact = Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, unique(text)])) as typeof TEXTS;
  [oldPhone, note, mailText] = [unique('555-3388'), unique('Ring twice at the gate'), unique('Your marzipan is ready')];
  email = `dulcinea${distributor.id}@${distributor.email.split('@')[1]}`;
  const users = [{ email: `old-${email}`, ...contact, phone: oldPhone }];
  const { id: uploadId } = (await send(distributor, 'POST', '/api/customer-uploads')).json<{ id: number }>();
  const created = await send(distributor, 'POST', '/api/users/customer', { users, replyTo: distributor.email, uploadId });
  const { userId } = created.json<{ userId: number }[]>()[0] ?? { userId: 0 };
  customer = { id: userId, email, role: 'customer' };
  for (const body of [{ email }, { phone: contact.phone }]) await send(distributor, 'PATCH', `/api/users/customer/${userId}`, body);
  // This undo does not remove the customer, because staff have changed the contact. The stored reply of the undo names the customer.
  await send(distributor, 'POST', `/api/customer-uploads/${uploadId}/undo`, {});
  await makeWritings(userId);
  await makeOrderData();
}

async function makeWritings(userId: number): Promise<void> {
  const bulk = [{ to: email, replyTo: distributor.email, subject: mailText, html: `<p>${mailText}</p>` }];
  await send(distributor, 'POST', '/api/send-emails', bulk);
  await deliverAll(
    testOutbox(
      testApp,
      fileTransport(MAILS, () => undefined),
    ),
  );
  await testApp.db
    .insertInto('join_requests')
    .values({ distributorId: distributor.id, email, expiresAt: '2027-05-01T00:00:00Z' })
    .execute();
  const attempt = { emailHash: hashOfEmail(email), network: '192.0.2.1', loginAttempts: 2, lastFailureAt: '2027-04-01T00:00:00Z' };
  await testApp.db.insertInto('network_attempts').values(attempt).execute();
  const unknown = { emailHash: hashOfEmail(`old-${email}`), lastFailureAt: '2027-04-01T00:00:00Z' };
  await testApp.db.insertInto('unknown_sign_ins').values(unknown).execute();
  // Real rows contain hashes of random tokens. These rows contain the e-mail address instead, so that the search for the customer's words
  // finds them.
  const own = { tokenHash: `token of ${email}`, userId };
  await testApp.db.insertInto('devices').values(own).execute();
  const expires = '2027-05-01T00:00:00Z';
  await testApp.db
    .insertInto('replaced_links')
    .values({ ...own, expires })
    .execute();
  const session = { sid: `session of ${email}`, sess: { createdAt: expires }, expire: expires, userId };
  await testApp.db.insertInto('session_store').values(session).execute();
  await testApp.db
    .insertInto('idempotency_keys')
    .values({ userId, key: 'own', bodyHash: 'x', status: 200, reply: JSON.stringify({ note: note }) })
    .execute();
}

/** Creates an order of $20.00 with a note, which is weighed and paid. */
async function makeOrderData(): Promise<void> {
  distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true, orderingOpen: false });
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true, unit_price: 1000 as never });
  order = await makeOrder(testApp.db, distribution, customer, [[brisket, 1]]);
  await weigh(testApp.db, order.lines[0], [2], agent);
  await testApp.db.updateTable('orders').set({ note: note }).where('id', '=', order.id).execute();
  const place = { distributorId: distributor.id, distributionId: distribution.id, orderId: order.id };
  const audit = { ...place, before: JSON.stringify({ note: null }), after: JSON.stringify({ note: note }), updatedBy: customer.id };
  await testApp.db.insertInto('order_audit').values(audit).execute();
  await testApp.db
    .insertInto('order_product_audit')
    .values({ orderProductId: order.lines[0]?.id ?? 0, quantity: 1, updatedBy: customer.id })
    .execute();
  const description = `Check 1041 of ${contact.firstName} ${contact.lastName}`;
  await pay(testApp.db, distribution, { orderId: order.id, amount: 2000, by: distributor, paymentMethod: 'Check', description });
  // Stores a reply without a body, under an Idempotency-Key.
  await send(agent, 'POST', `/api/orders/${order.id}/picked-up`, { pickedUp: true });
  // An earlier version of the server left the customers of picked-up orders on the waiting lists.
  const wine = await makeProduct(testApp.db, distribution, { total_limit: 1 });
  const waiting = {
    distributorId: distributor.id,
    distributionId: distribution.id,
    productId: wine.id,
    customerId: customer.id,
    quantity: 1,
  };
  await testApp.db.insertInto('waiting_list').values(waiting).execute();
}

beforeEach(makeData);

const foundInTables = () => findInTables(testApp.db, words());
const foundInBackup = () => findInBackup(testApp.db, words(), { folder: DATA_DIR, now: testApp.time });

async function foundInMails(): Promise<string[]> {
  const names = await readdir(MAILS).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(MAILS, name), 'utf8')));
  return words().filter((word) => texts.some((text) => text.includes(word)));
}

test("forgetting a customer removes the customer's data from every table, from the mail folder and from the next backup (contract §18)", async () => {
  const before = await foundInTables();
  expect(new Set(Object.values(before).flat())).toEqual(new Set(words()));
  expect(Object.keys(before)).toEqual(await tablesForWords(testApp.db));
  expect(await foundInMails()).toEqual(expect.arrayContaining([mailText, email]));
  expect(await foundInBackup()).toEqual(words());
  const answer = await forget();
  expect([answer.statusCode, answer.body]).toEqual([204, '']);
  expect([await foundInTables(), await foundInMails(), await foundInBackup()]).toEqual([{}, [], []]);
});

test("after a customer is forgotten, the customer's id remains only in orders, mails, the audit of accounts and the emptied contact (contract §18)", async () => {
  const ofCustomers = ['contact_audit', 'contacts', 'devices', 'emails', 'idempotency_keys', 'orders', 'replaced_links', 'session_store'];
  expect(await tablesOfUser(testApp.db, customer.id)).toEqual([...ofCustomers, 'user_audit', 'waiting_list']);
  await forget();
  expect(await tablesOfUser(testApp.db, customer.id)).toEqual(['contacts', 'emails', 'orders', 'user_audit']);
});

test('the orders, weights and payments of a forgotten customer stay under the name `Former customer 123` (contract §18)', async () => {
  const name = `Former customer ${customer.id}`;
  const before = await send(distributor, 'GET', `/api/distributions/${distribution.id}/customer-report`);
  await forget();
  const report = await send(distributor, 'GET', `/api/distributions/${distribution.id}/customer-report`);
  const nobody = { email: null, first_name: name, last_name: null, phone: null };
  expect(before.json<{ note?: string }[]>()[0]?.note).toBeDefined();
  expect(report.json()).toEqual(before.json<{ note?: string }[]>().map(({ note: _note, ...row }) => ({ ...row, ...nobody })));
  const page = await send(agent, 'GET', `/api/distributor-order-page-data/${distribution.id}/${customer.id}`);
  expect(page.json()).toMatchObject({ contact: { firstName: name, address: null, email: null }, order: { id: order.id } });
  const payments = await send(distributor, 'GET', `/api/distributions/${distribution.id}/payments`);
  expect(payments.json()).toMatchObject([
    { payments: { amount: 2000, description: `Check 1041 of ${name}` }, contacts: { firstName: name } },
  ]);
  const history = await send(distributor, 'GET', `/api/orders/${order.id}/history`);
  expect(history.json<{ by: string }[]>().map(({ by }) => by)).toContain(name);
  const trail = await send(distributor, 'GET', `/api/distributions/${distribution.id}/audit?kind=person`);
  expect(trail.json()).toMatchObject([
    { person: { firstName: name, email: null }, detail: { act: 'forget' } },
    { person: null, detail: { act: 'undo-upload' } },
    { person: { firstName: name, email: null }, detail: { act: 'mend', previousEmail: null } },
  ]);
});

test('forgetting a customer keeps the mails of another person who uses a former e-mail address of the customer (contract §18)', async () => {
  const heir = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, email: `old-${email}` });
  const mail = { from: '', to: heir.email, subject: 'For the heir', html: '<p>Yours</p>', distributorId: distributor.id };
  const rows = [
    { ...mail, userId: heir.id },
    { ...mail, userId: null },
  ];
  const kept = await testApp.db.insertInto('emails').values(rows).returning('id').execute();
  await testApp.db
    .insertInto('network_attempts')
    .values({ emailHash: hashOfEmail(heir.email), network: '192.0.2.9', loginAttempts: 1, lastFailureAt: '2027-04-01T00:00:00Z' })
    .execute();
  expect((await forget()).statusCode).toBe(204);
  const ids = kept.map(({ id }) => id);
  const left = await testApp.db.selectFrom('emails').select(['to', 'subject', 'html', 'status']).where('id', 'in', ids).execute();
  expect(left).toEqual(ids.map(() => ({ to: heir.email, subject: 'For the heir', html: '<p>Yours</p>', status: 'queued' })));
  const attempts = testApp.db.selectFrom('network_attempts').select('network').where('emailHash', '=', hashOfEmail(heir.email));
  expect(await attempts.execute()).toEqual([{ network: '192.0.2.9' }]);
});

test('a forgotten customer is in no list of people and has no session, and the e-mail address can be used again (contract §18)', async () => {
  const other = await makeDistribution(testApp.db, distributor);
  const cookie = { method: 'GET', url: '/api/user' } as const;
  expect((await testApp.request(customer, cookie)).statusCode).toBe(200);
  await forget();
  const sessions = await testApp.db.selectFrom('session_store').select('sid').where('userId', '=', customer.id).execute();
  expect(sessions).toEqual([]);
  expect((await send(distributor, 'GET', '/api/users/customer')).json()).toEqual([]);
  expect((await send(distributor, 'GET', `/api/distributions/${other.id}/customer-report`)).json()).toEqual([]);
  expect((await send(distributor, 'GET', `/api/users/customer/${customer.id}/export`)).statusCode).toBe(404);
  expect((await forget()).statusCode).toBe(404);
  const again = { users: [{ email }], replyTo: distributor.email, invite: 'later' };
  expect((await testApp.request(distributor, { method: 'POST', url: '/api/users/customer', payload: again })).json()).toMatchObject([
    { success: true },
  ]);
});

test('a repeated request to forget a customer gets the reply of the first one if both have the same Idempotency-Key (contract §2, §18)', async () => {
  const url = `/api/users/customer/${customer.id}/forget`;
  const repeat = () => testApp.request(distributor, { method: 'POST', url, headers: { 'idempotency-key': 'forget' } });
  expect([(await repeat()).statusCode, (await repeat()).statusCode, (await forget()).statusCode]).toEqual([204, 204, 404]);
});

test("before a customer is forgotten, the server states until when the backups will contain the customer's data (contract §18)", async () => {
  const answer = await send(distributor, 'GET', `/api/users/customer/${customer.id}/forget`);
  expect(answer.json()).toEqual({ refusal: null, inBackupsUntil: '2027-04-15T12:00:00.000Z' });
});

test('a customer can be forgotten only by the distributor that the customer belongs to (contract §18)', async () => {
  const foreign = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  for (const id of [foreign.id, agent.id, distributor.id, 2_000_000_000]) {
    const answer = await forget(distributor, id);
    expect([answer.statusCode, answer.body]).toEqual([404, 'Customer not found']);
  }
  expect((await forget(agent)).statusCode).toBe(403);
});

test('a mail worker does not send a mail that it has claimed for a forgotten customer, and stores no content of a mail that it is sending (contract §8, §18)', async () => {
  const mail = { from: '', to: email, subject: mailText, html: mailText, userId: customer.id, distributorId: distributor.id };
  await testApp.db.insertInto('emails').values([mail, mail]).execute();
  const now = new Date(Date.now() + 60_000);
  const until = new Date(now.getTime() + 60_000);
  const claimed = await claimDue(testApp.db, newRoundRobin(), { now, until, sending: [] });
  const [queued, sending] = claimed.filter(({ userId }) => userId === customer.id);
  if (!queued || !sending) throw new Error('two mails are due');
  const written = { from: 'a', to: email, subject: mailText, html: mailText };
  await beginSending(testApp.db, sending, { until, written });
  await forget();
  await expect(beginSending(testApp.db, queued, { until, written })).rejects.toThrow();
  const transport = fileTransport(MAILS, () => undefined);
  const message = {
    ...written,
    id: sending.id,
    messageId: '<1@test.example>',
    from: { name: '', address: 'a@test.example' },
    text: mailText,
  };
  await transport.send(
    { ...message, replyTo: null, headers: {}, date: now },
    { begin: async () => undefined, signal: AbortSignal.timeout(5000) },
  );
  expect(await foundInTables()).toEqual({});
  await deleteEmptiedMailFiles(testApp.db, MAILS);
  expect(await foundInMails()).toEqual([]);
});

test('a contact that is saved while the customer is being forgotten does not restore the data (contract §18)', async () => {
  const saving = { ...contact, city: mailText };
  const [saved, forgotten] = await Promise.all([send(customer, 'POST', '/api/contact', saving), forget()]);
  expect([200, 201, 401]).toContain(saved.statusCode);
  // If the contact was changed after its words were read, nothing is forgotten, and the distributor has to try again.
  if (forgotten.statusCode !== 204) {
    expect([forgotten.statusCode, forgotten.body]).toEqual([503, CHANGED_MEANWHILE]);
    expect((await forget()).statusCode).toBe(204);
  }
  expect(await foundInTables()).toEqual({});
});
