import { readFile } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { checkMailHtmlOnThread } from '../../server/mail/html-thread-pool.ts';
import { enqueueAll } from '../../server/mail/outbox.ts';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { deliverAll, mailFolder } from '../../../test/mail/outbox.ts';
import { longestBlock } from '../../../test/longest-block.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';

const testApp = setupTestApp({ PUBLIC_URL: 'http://feast.example' });
const folder = mailFolder(testApp);
let distributor: Person;
let customer: Person;

beforeEach(async () => {
  await testApp.db.deleteFrom('emails').execute();
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  const values = { distributorId: distributor.id, name: 'Beth Shalom', address: '1 Elm St', city: 'Teaneck', state: 'NJ', zip: '07666' };
  await testApp.db.insertInto('organizations').values(values).execute();
});

const write = async (to: Person, html: string) => {
  const payload = [{ to: to.email, replyTo: distributor.email, subject: 'Pick-up & more', html }];
  expect((await testApp.request(distributor, { method: 'POST', url: '/api/send-emails', payload })).statusCode).toBe(200);
};
const unsubscribeUrl = async (person: Person) =>
  `http://feast.example/api/unsubscribe/${(await testApp.db.selectFrom('users').select('unsubscribeToken').where('id', '=', person.id).executeTakeFirstOrThrow()).unsubscribeToken}`;

test("bulk mail states the sender, the sender's address and how to unsubscribe in its text, its HTML and its headers (contract §8)", async () => {
  await write(customer, '<p>At <b>noon</b>.</p><script>alert(1)</script>');
  const [mail] = await folder.send();
  const url = await unsubscribeUrl(customer);
  const headers = Object.fromEntries(mail?.headers.map(({ key, value }) => [key, value]) ?? []);
  expect(headers).toMatchObject({ 'list-unsubscribe': `<${url}>`, 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' });
  expect(mail).toMatchObject({
    subject: 'Pick-up & more',
    from: { name: 'Beth Shalom', address: 'feastday@feast.example' },
    to: [{ address: customer.email }],
    replyTo: [{ address: distributor.email }],
  });
  expect(mail?.html).toContain('<p>At <b>noon</b>.</p>');
  expect(mail?.html).not.toContain('alert');
  expect(mail?.html).toContain('Pick-up &amp; more');
  for (const part of [mail?.html, mail?.text]) {
    expect(part).toContain('1 Elm St, Teaneck, NJ 07666');
    expect(part).toContain(url);
  }
  expect(mail?.text).toContain('At noon.');
});

test.each(['security@bank.example', 'security\uff20bank.example', '=?utf-8?B?c2VjdXJpdHlAYmFuay5leGFtcGxl?='])(
  'an organization whose name %s mail programs show as an e-mail address is not named as the sender (reliability abuse)',
  async (name) => {
    await testApp.db.updateTable('organizations').set({ name }).where('distributorId', '=', distributor.id).execute();
    await write(customer, '<p>At noon.</p>');
    expect(await folder.send()).toMatchObject([{ from: { name: 'Feastday', address: 'feastday@feast.example' } }]);
  },
);

test('rendering the longest allowed mail does not block the event loop', async () => {
  await write(customer, '<p>x</p>'.repeat(25_000));
  const { longest } = await longestBlock(() => deliverAll(folder.outbox));
  expect(await readFile(folder.names.at(-1) ?? '', 'utf8')).toContain('<p>x</p>'.repeat(25_000));
  expect(longest).toBeLessThan(100);
});

test('the server sends a mail without waiting for other mails of its distributor that are queued to be sanitized', async () => {
  await write(customer, '<p>At noon.</p>');
  const stop = new AbortController();
  const job = { key: String(distributor.id), signal: stop.signal };
  let finished = 0;
  const queued = Array.from({ length: 11 }, async () => {
    await checkMailHtmlOnThread('<p>x</p>'.repeat(25_000), job);
    finished++;
  });
  const settled = Promise.allSettled(queued);
  expect(await folder.send()).toHaveLength(1);
  expect(finished).toBeLessThan(queued.length);
  stop.abort();
  await settled;
});

test('the server sanitizes a mail before it is sent if it was stored without being sanitized', async () => {
  const html = '<p>At noon.</p><script>alert(1)</script>';
  await enqueueAll(testApp.db, [
    { kind: 'bulk', to: customer.email, userId: customer.id, distributorId: distributor.id, subject: 'a', html },
  ]);
  const [mail] = await folder.send();
  expect(mail?.html).toContain('<p>At noon.</p>');
  expect(mail?.html).not.toContain('alert');
});

test('the server gives each recipient a personal link and reveals no other recipient', async () => {
  const other = await makeCustomer(testApp.db, distributor);
  await write(customer, '<p>At noon.</p>');
  await write(other, '<p>At noon.</p>');
  const mails = await folder.send();
  const texts = mails.map(({ text = '', to }) => [to?.[0]?.address, text.includes(customer.email) || text.includes(other.email)]);
  expect(texts).toEqual([
    [customer.email, false],
    [other.email, false],
  ]);
  expect(new Set(mails.map(({ text }) => /unsubscribe\/(\S+)/.exec(text ?? '')?.[1])).size).toBe(2);
});

test('the server does not send a queued mail to a person who unsubscribes before the mail is sent (contract §8)', async () => {
  await write(customer, '<p>At noon.</p>');
  const url = new URL(await unsubscribeUrl(customer)).pathname;
  expect((await testApp.request(null, { method: 'POST', url })).statusCode).toBe(200);
  expect(await folder.send()).toEqual([]);
  const row = await testApp.db.selectFrom('emails').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: 'suppressed', success: false, response: 'This person has unsubscribed from e-mails like this.' });
});

test('the server suppresses mails that a disabled distributor caused, and sends mails that the customers of this distributor caused', async () => {
  await testApp.db.updateTable('users').set({ disabledAt: testApp.time.toISOString() }).where('id', '=', distributor.id).execute();
  const caused = { userId: customer.id, distributorId: distributor.id, replyTo: distributor.email };
  const stranger = 'joins-disabled@test.example';
  await testApp.db
    .insertInto('join_requests')
    .values({ distributorId: distributor.id, email: stranger, expiresAt: '2100-01-01T00:00:00Z' })
    .execute();
  await enqueueAll(testApp.db, [
    { ...caused, kind: 'bulk', to: customer.email, subject: 'a', html: '<p>b</p>' },
    { ...caused, kind: 'test', to: customer.email, subject: 'a', html: '<p>b</p>' },
    { ...caused, kind: 'invitation' },
    { kind: 'join', to: stranger, joinDistributorId: distributor.id },
    { kind: 'invitation', userId: customer.id, distributorId: distributor.id },
    { kind: 'reset', userId: customer.id, distributorId: distributor.id },
  ]);
  await folder.send();
  const rows = await testApp.db.selectFrom('emails').select(['kind', 'status', 'response']).orderBy('id').execute();
  const suppressed = { status: 'suppressed', response: 'The distributor was disabled before this e-mail was sent.' };
  expect(rows.slice(0, 4)).toEqual(['bulk', 'test', 'invitation', 'join'].map((kind) => ({ kind, ...suppressed })));
  expect(rows.slice(4)).toMatchObject([
    { kind: 'invitation', status: 'sent' },
    { kind: 'reset', status: 'sent' },
  ]);
});

test('the server still sends invitations and password reset links to unsubscribed people (contract §8)', async () => {
  await testApp.db.updateTable('users').set({ bulkMailStoppedAt: testApp.time.toISOString() }).where('id', '=', customer.id).execute();
  await enqueueAll(testApp.db, [
    { kind: 'invitation', userId: customer.id, distributorId: distributor.id },
    { kind: 'reset', userId: customer.id },
  ]);
  expect(await folder.send()).toHaveLength(2);
});

test('the server stores the rendered content of a mail, so that a retry sends the same mail', async () => {
  await write(customer, '<p>At noon.</p>');
  const [first] = await folder.send();
  const row = await testApp.db.selectFrom('emails').selectAll().executeTakeFirstOrThrow();
  expect([row.html, row.from]).toEqual(['<p>At noon.</p>', 'Beth Shalom <feastday@feast.example>']);
  await testApp.db.updateTable('emails').set({ status: 'queued' }).execute();
  const [second] = await folder.send();
  expect([second?.html, second?.messageId]).toEqual([first?.html, first?.messageId]);
});

test('the Message-ID of a mail reveals nothing about the mails before it, for example whether a link was mailed to another address (reliability abuse)', async () => {
  for (const { id } of [customer, distributor, customer]) await enqueueAll(testApp.db, [{ kind: 'reset', userId: id }]);
  const mails = await folder.send();
  expect(mails).toHaveLength(3);
  for (const { messageId } of mails) expect(messageId).toMatch(/^<[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}@feast\.example>$/);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(3);
});
