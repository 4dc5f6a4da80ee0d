import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../server/database/schema.ts';
import { makeAdmin, makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { longestBlock } from '../../../test/longest-block.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { listContactsWithHasOrder, listEmails, resendEmail } from './contract.ts';

const testApp = setupTestApp();
let distributor: Person;
let customer: Person;
let agent: Person;

beforeEach(async () => {
  await testApp.db.deleteFrom('emails').execute();
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  agent = await makeAgent(testApp.db, distributor);
});

const mailTo = (to: string, more: object = {}) => ({
  to,
  replyTo: distributor.email,
  subject: 'Pick-up',
  html: '<p>At noon.</p>',
  ...more,
});
const post = (payload: unknown, by: Person | null = distributor, headers: Record<string, string> = {}) =>
  testApp.request(by, {
    method: 'POST',
    url: '/api/send-emails',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  });
const rows = () => testApp.db.selectFrom('emails').selectAll().orderBy('id').execute();

async function expectRefused(payload: unknown, sentence: string, status = 400): Promise<void> {
  const answer = await post(payload);
  expect([answer.statusCode, answer.body]).toEqual([status, sentence]);
  expect(await rows()).toEqual([]);
}

describe('the call that queues bulk mail', () => {
  test("queues one sanitized row per recipient with the sender's address for replies, and returns the number (spec §7)", async () => {
    const html = '<p onclick="x">At noon.<script>alert(1)</script></p>';
    const answer = await post([mailTo(customer.email.toUpperCase(), { html }), mailTo(agent.email)]);
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: '2 e-mails are on their way.' }]);
    const row = {
      kind: 'bulk',
      status: 'queued',
      subject: 'Pick-up',
      html: '<p>At noon.</p>',
      replyTo: distributor.email,
      distributorId: distributor.id,
    };
    expect(await rows()).toMatchObject([
      { ...row, to: customer.email, userId: customer.id },
      { ...row, to: agent.email, userId: agent.id },
    ]);
  });

  test('queues nothing for unsubscribed people, but stores a row with the state "suppressed" for each and returns their number (contract §8)', async () => {
    await testApp.db.updateTable('users').set({ bulkMailStoppedAt: testApp.time.toISOString() }).where('id', '=', agent.id).execute();
    const answer = await post([mailTo(customer.email), mailTo(agent.email)]);
    expect(answer.json()).toEqual({ message: '1 e-mail is on its way. 1 person has unsubscribed and gets none.' });
    expect((await rows()).map(({ status }) => status)).toEqual(['queued', 'suppressed']);
  });

  test('queues nothing when one recipient is not a customer or agent of the distributor (contract §8)', async () => {
    const other = await makeDistributor(testApp.db);
    const foreign = await makeCustomer(testApp.db, other);
    for (const email of ['stranger@test.example', foreign.email, other.email, distributor.email, (await makeAdmin(testApp.db)).email])
      await expectRefused([mailTo(customer.email), mailTo(email)], 'An e-mail can only go to your own customers and agents.');
  });

  test("accepts no reply address other than the distributor's (contract §8)", () =>
    expectRefused([mailTo(customer.email, { replyTo: agent.email })], 'Replies can only go to your own e-mail address.'));
  test('refuses a mail without a subject (spec §5)', () =>
    expectRefused([mailTo(customer.email, { subject: '  ' })], 'Subject is required'));
  test('refuses a mail without content', () => expectRefused([mailTo(customer.email, { html: '' })], 'Content is required'));
  test('refuses content without visible text (spec §5)', () =>
    expectRefused([mailTo(customer.email, { html: '<p>&nbsp;</p><script>x</script>' })], 'Content is required'));
  test('refuses an embedded picture (contract §2)', () =>
    expectRefused(
      [mailTo(customer.email, { html: '<img src="data:image/png;base64,AA">' })],
      'Pictures cannot be pasted into an e-mail. Link to a picture on the web instead.',
    ));
  test('refuses formatting that would keep the sanitizer busy for half a minute', async () => {
    const html = `<p>i</p>${'<b>'.repeat(33_000)}${'</i>'.repeat(24_900)}`;
    const sentence =
      'The formatting is too complex: an e-mail has at most 25,000 HTML elements, nested at most 100 deep. Paste the text without its formatting.';
    const customers = await Promise.all(Array.from({ length: 20 }, () => makeCustomer(testApp.db, distributor)));
    const mails = customers.map(({ email }, index) => mailTo(email, { html: `${index}${html}` }));
    const { longest } = await longestBlock(() => expectRefused(mails, sentence));
    expect(longest).toBeLessThan(100);
    const payload = { subject: 'a', html };
    const answer = await testApp.request(distributor, { method: 'POST', url: '/api/emails/test', payload });
    expect([answer.statusCode, answer.body]).toEqual([400, sentence]);
  });
  test('refuses an empty list of recipients', () => expectRefused([], 'Choose at least one recipient'));
  test('refuses more than 5,000 recipients (contract §8)', () =>
    expectRefused(
      Array.from({ length: 5001 }, () => mailTo(customer.email)),
      'At most 5000 e-mails a call',
    ));
  test('refuses a recipient that consists of two e-mail addresses', () =>
    expectRefused([mailTo(`${customer.email}, ${agent.email}`)], 'Invalid email address'));
  test('refuses a control character in the subject', () =>
    expectRefused([mailTo(customer.email, { subject: 'a\u0000b' })], 'Subject contains characters that cannot be stored'));

  test('accepts bodies up to 4 MB (contract §2)', async () => {
    const html = `<p>${'x'.repeat(19_000)}</p>`;
    const emails = Array.from({ length: 240 }, (_, n) => `big${n}@test.example`);
    const users = emails.map((email) => ({ email, role: 'customer' as const, distributorId: distributor.id }));
    await testApp.db.insertInto('users').values(users).execute();
    const mails = emails.map((email) => mailTo(email, { html }));
    expect((await post(mails.slice(0, 200))).statusCode).toBe(200);
    expect((await post(mails)).statusCode).toBe(413);
    expect(await rows()).toHaveLength(200);
  });

  test('queues mails once per idempotency key, and refuses another body with the same key (contract §2)', async () => {
    const key = { 'idempotency-key': 'blast-1' };
    const first = await post([mailTo(customer.email)], distributor, key);
    expect((await post([mailTo(customer.email)], distributor, key)).body).toBe(first.body);
    expect((await post([mailTo(agent.email)], distributor, key)).statusCode).toBe(409);
    expect(await rows()).toHaveLength(1);
  });

  test('limits a distributor to 10,000 mails a day, including test mails', async () => {
    const values = {
      from: '',
      to: '',
      subject: '',
      html: '',
      distributorId: distributor.id,
      kind: 'bulk' as const,
      replyTo: distributor.email,
    };
    const createdAt = new Date(testApp.time.getTime() - 3_600_000).toISOString();
    for (let part = 0; part < 2; part++)
      await testApp.db
        .insertInto('emails')
        .values(Array.from({ length: 5000 }, () => ({ ...values, createdAt })))
        .execute();
    const refusal = 'At most 10000 e-mails can be sent in a day, and you have sent 10000 since yesterday. Please send the rest tomorrow.';
    const sendAboveCap = () => post([mailTo(customer.email)], distributor, { 'idempotency-key': 'above-the-cap' });
    for (const answer of [await sendAboveCap(), await sendAboveCap()])
      expect([answer.statusCode, answer.body, answer.headers['retry-after']]).toEqual([429, refusal, String(23 * 3600)]);
    const payload = { subject: 'a', html: '<p>b</p>' };
    expect((await testApp.request(distributor, { method: 'POST', url: '/api/emails/test', payload })).statusCode).toBe(429);
    const other = await makeDistributor(testApp.db);
    const theirs = await makeCustomer(testApp.db, other);
    expect((await post([{ ...mailTo(theirs.email), replyTo: other.email }], other)).statusCode).toBe(200);
    testApp.time = new Date(testApp.time.getTime() + 24 * 3_600_000);
    expect((await post([mailTo(customer.email)])).statusCode).toBe(200);
  });
});

test("a test mail is sent only to the sender's own address", async () => {
  const payload = { subject: 'Pick-up', html: '<p>At noon.</p>', to: customer.email };
  const answer = await testApp.request(distributor, { method: 'POST', url: '/api/emails/test', payload });
  expect(answer.json()).toEqual({ message: `A test is on its way to ${distributor.email}.` });
  expect(await rows()).toMatchObject([{ kind: 'test', to: distributor.email, replyTo: distributor.email, distributorId: distributor.id }]);
});

describe('the log of e-mails', () => {
  const put = async (values: Partial<Row<'emails'>>) => {
    const row = { from: '', to: customer.email, subject: 'Hello', html: 'secret', distributorId: distributor.id, ...values };
    return await testApp.db.insertInto('emails').values(row).returning('id').executeTakeFirstOrThrow();
  };

  test("lists the distributor's mails, newest first, with their state and without their content (contract §8)", async () => {
    const first = await put({ status: 'failed', response: '550 no' });
    const second = await put({ to: '', kind: 'confirmation', userId: customer.id, subject: '' });
    await put({ distributorId: (await makeDistributor(testApp.db)).id });
    await put({ distributorId: null });
    const log = await (await testApp.as(distributor))(listEmails);
    const both = { createdAt: expect.any(String), sentAt: null, success: false };
    expect(log).toEqual([
      { ...both, id: second.id, to: customer.email, subject: '', kind: 'confirmation', status: 'queued', response: null },
      { ...both, id: first.id, to: customer.email, subject: 'Hello', kind: 'bulk', status: 'failed', response: '550 no' },
    ]);
  });

  test.each(['failed', 'unknown'] as const)('queues a mail again whose state is %s (contract §8)', async (status) => {
    const { id } = await put({ status, userId: customer.id, attempts: 30, response: 'x', nextAttemptAt: '2027-05-01T00:00:00.000Z' });
    await (
      await testApp.as(distributor)
    )(resendEmail, { params: { id } });
    expect(await rows()).toMatchObject([{ status: 'queued', attempts: 0, response: null, nextAttemptAt: testApp.time.toISOString() }]);
  });

  test.each(['queued', 'sending', 'sent', 'suppressed'] as const)('refuses to send a mail again whose state is %s', async (status) => {
    const { id } = await put({ status });
    const answer = await testApp.request(distributor, { method: 'POST', url: `/api/emails/${id}/resend` });
    const refusal = 'Only an e-mail that failed, or of which nobody knows whether it arrived, can be sent again.';
    expect([answer.statusCode, answer.body]).toEqual([409, refusal]);
    expect((await rows())[0]?.status).toBe(status);
  });

  test("refuses to resend a mail after its content was deleted because of the mail's age, unless the mail is rendered again for each sending", async () => {
    const written = await put({ status: 'failed', html: '' });
    const answer = await testApp.request(distributor, { method: 'POST', url: `/api/emails/${written.id}/resend` });
    expect([answer.statusCode, answer.body]).toEqual([409, 'This e-mail is too old to be sent again: its text is no longer kept.']);
    const confirmation = await put({ status: 'failed', html: '', kind: 'confirmation' });
    const again = await testApp.request(distributor, { method: 'POST', url: `/api/emails/${confirmation.id}/resend` });
    expect(again.statusCode).toBe(204);
    expect((await rows()).map(({ status }) => status)).toEqual(['failed', 'queued']);
  });

  test("returns 404 for another distributor's mail and for an unknown mail", async () => {
    const other = await makeDistributor(testApp.db);
    for (const distributorId of [other.id, null]) {
      const { id } = await put({ status: 'failed', distributorId });
      const answer = await testApp.request(distributor, { method: 'POST', url: `/api/emails/${id}/resend` });
      expect([answer.statusCode, answer.body]).toEqual([404, 'E-mail not found']);
    }
  });
});

test('the list of recipients states whether each has an order; an order with only the quantity 0 does not count; disabled people and other tenants are omitted (spec §3, §7)', async () => {
  const distribution = await makeDistribution(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution);
  const [ordered, empty, gone] = [
    await makeCustomer(testApp.db, distributor, { lastName: 'B' }),
    await makeCustomer(testApp.db, distributor, { lastName: 'C' }),
    await makeCustomer(testApp.db, distributor, { lastName: 'D' }),
  ];
  await makeOrder(testApp.db, distribution, ordered, [[wine, 2]]);
  await makeOrder(testApp.db, distribution, empty, [[wine, 0]]);
  await testApp.db.updateTable('users').set({ disabledAt: testApp.time.toISOString() }).where('id', '=', gone.id).execute();
  await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  const call = await testApp.as(distributor);
  expect(await call(listContactsWithHasOrder, { params: { id: distribution.id } })).toEqual([
    { userId: customer.id, email: customer.email, firstName: 'Rivka', lastName: 'Abramov', hasOrder: false },
    { userId: ordered.id, email: ordered.email, firstName: 'Rivka', lastName: 'B', hasOrder: true },
    { userId: empty.id, email: empty.email, firstName: 'Rivka', lastName: 'C', hasOrder: false },
  ]);
  const foreign = await testApp.as(await makeDistributor(testApp.db));
  await expect(foreign(listContactsWithHasOrder, { params: { id: distribution.id } })).rejects.toMatchObject({ status: 404 });
});
