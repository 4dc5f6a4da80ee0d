// These tests check the limits of mails that a distributor sends again (contract §8; decisions 7 and 8).
import { beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run } from '../../server/database/db.ts';
import { INVITED_OFTEN } from '../users/texts.ts';
import {
  MAX_BULK_PER_MAILBOX,
  MAX_HOLD_MAILS_PER_MAILBOX,
  MAX_MAILS_PER_DAY,
  MAX_REMINDERS_PER_MAILBOX,
  MAX_STAFF_CONFIRMATIONS_PER_MAILBOX,
} from './contract.ts';
import { CORRECTED, LINK_SENT_AGAIN, tooManyAgain, tooManyText } from './texts.ts';

const testApp = setupTestApp();
const HOUR = 3_600_000;

let distributor: Person;
beforeEach(async () => {
  testApp.time = new Date();
  await testApp.db.deleteFrom('emails').execute();
  distributor = await makeDistributor(testApp.db);
});

const later = (hours: number) => (testApp.time = new Date(testApp.time.getTime() + hours * HOUR));
const post = (url: string) => testApp.request(distributor, { method: 'POST', url });
const resend = async (id: number) => {
  const { statusCode, body } = await post(`/api/emails/${id}/resend`);
  return statusCode === 204 ? 'queued' : body;
};
const ids = async () => (await testApp.db.selectFrom('emails').select('id').orderBy('id').execute()).map(({ id }) => id);
const setUnknown = () => testApp.db.updateTable('emails').set({ status: 'unknown' }).execute();

test('a mail that a customer or a stranger caused counts toward the daily limit when the distributor sends it again (reliability abuse)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  const values = { kind: 'reset' as const, status: 'failed' as const, from: '', to: '', subject: '', html: '' };
  const of = { ...values, distributorId: distributor.id, userId: customer.id };
  for (const hours of [48, 1])
    await testApp.db
      .insertInto('emails')
      .values({ ...of, createdAt: new Date(testApp.time.getTime() - hours * HOUR).toISOString() })
      .execute();
  const [old = 0, recent = 0] = await ids();
  const fill = `INSERT INTO emails (kind, status, "from", "to", subject, html, "distributorId", "replyTo", "createdAt")
      SELECT 'bulk', 'sent', '', '', '', '', $1, $2, $3 FROM generate_series(1, $4::int)`;
  await run(testApp.db, fill, [distributor.id, distributor.email, testApp.time, MAX_MAILS_PER_DAY - 1]);
  expect(await resend(recent)).toBe('queued');
  expect(await resend(old)).toBe(tooManyText(MAX_MAILS_PER_DAY, MAX_MAILS_PER_DAY + 1));
});

test('an invitation that is sent again counts toward the invitations of its address, and one row is sent again at most once a day (reliability abuse)', async () => {
  const { id: userId } = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, email: 'again@test.example' });
  const invite = async () => (await post(`/api/users/customer/${userId}/invite`)).statusCode;
  expect([await invite(), await invite()]).toEqual([204, 204]);
  await setUnknown();
  const [first = 0, second = 0] = await ids();
  expect(await resend(first)).toBe('queued');
  expect(await resend(second)).toBe(INVITED_OFTEN.hour);
  expect(await invite()).toBe(429);
  later(2);
  await setUnknown();
  expect(await resend(first)).toBe(LINK_SENT_AGAIN);
  expect(await resend(second)).toBe('queued');
  expect(await invite()).toBe(204);
  await setUnknown();
  expect(await resend((await ids())[2] ?? 0)).toBe(INVITED_OFTEN.day);
  later(25);
  expect(await resend(first)).toBe('queued');
});

/** Inserts failed mails of the distributor to customers with these addresses. Returns their ids. */
async function insertFailed(kind: 'bulk' | 'short-delivery' | 'confirmation' | 'hold' | 'reminder', hours: number, to: string[]) {
  const createdAt = new Date(testApp.time.getTime() - hours * HOUR).toISOString();
  const of = {
    kind,
    status: 'failed' as const,
    from: '',
    subject: '',
    html: 'x',
    distributorId: distributor.id,
    replyTo: distributor.email,
  };
  const { db } = testApp;
  const customers = new Map<string, number>();
  for (const email of new Set(to)) {
    const known = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
    customers.set(email, (known ?? (await makeUser(db, 'customer', { distributorId: distributor.id, email }))).id);
  }
  const mails = to.map((address) => ({ ...of, to: address, userId: customers.get(address), createdAt }));
  return (await testApp.db.insertInto('emails').values(mails).returning('id').execute()).map(({ id }) => id);
}

test.each([
  ['bulk', MAX_BULK_PER_MAILBOX],
  ['short-delivery', MAX_BULK_PER_MAILBOX],
  ['confirmation', MAX_STAFF_CONFIRMATIONS_PER_MAILBOX],
  ['hold', MAX_HOLD_MAILS_PER_MAILBOX],
  ['reminder', MAX_REMINDERS_PER_MAILBOX],
] as const)(
  'failed mails of the kind %s that are sent again count toward the %s mails of a day to one mailbox, and further ones are refused (reliability abuse)',
  async (kind, most) => {
    const addresses = Array.from({ length: 3 }, (_, suffix) => `noa+${suffix}@test.example`);
    const [first = 0, second = 0, third = 0] = await insertFailed(kind, 96, addresses);
    const again = await insertFailed(
      kind,
      96,
      Array.from({ length: most - 2 }, () => 'noa+9@test.example'),
    );
    await testApp.db.updateTable('emails').set({ status: 'sent', resentAt: testApp.time.toISOString() }).where('id', 'in', again).execute();
    const [failedToday = 0] = await insertFailed(kind, 1, ['noa+8@test.example']);
    expect(await resend(first)).toBe('queued');
    expect(await resend(second)).toBe(tooManyAgain(most, 'noa+1@test.example'));
    expect(await resend(failedToday)).toBe('queued');
    const [other = 0] = await insertFailed(kind, 96, ['other@test.example']);
    expect(await resend(other)).toBe('queued');
    later(25);
    expect(await resend(third)).toBe('queued');
  },
);

test('bulk mails that are sent again leave less room for new bulk mails to the same mailbox (reliability abuse)', async () => {
  const { email } = await makeCustomer(testApp.db, distributor);
  const again = await insertFailed(
    'bulk',
    96,
    Array.from({ length: MAX_BULK_PER_MAILBOX - 1 }, () => email),
  );
  await testApp.db.updateTable('emails').set({ resentAt: testApp.time.toISOString() }).where('id', 'in', again).execute();
  const payload = [{ to: email, replyTo: distributor.email, subject: 'Pick-up', html: '<p>At noon.</p>' }];
  const send = async () => (await testApp.request(distributor, { method: 'POST', url: '/api/send-emails', payload })).statusCode;
  expect([await send(), await send()]).toEqual([200, 429]);
});

test.each(['bulk', 'test', 'exists', 'join'] as const)(
  "a mail of the kind %s that is addressed to somebody else than its user cannot be sent again, because an imported distributor's log of mails may name a stranger (reliability abuse)",
  async (kind) => {
    const customer = await makeCustomer(testApp.db, distributor);
    const values = { kind, status: 'failed' as const, from: '', to: 'stranger@test.example', subject: 'Hello', html: '<p>Hello</p>' };
    for (const userId of [customer.id, null])
      await testApp.db
        .insertInto('emails')
        .values({ ...values, distributorId: distributor.id, userId })
        .execute();
    for (const id of await ids()) expect(await resend(id)).toBe(CORRECTED);
  },
);

test('a confirmation that could not be sent to a mistyped address can be sent again after the address was corrected', async () => {
  const { id: userId } = await makeCustomer(testApp.db, distributor);
  const values = { kind: 'confirmation' as const, status: 'failed' as const, from: '', to: 'mistyped@test.example', subject: '', html: '' };
  await testApp.db
    .insertInto('emails')
    .values({ ...values, distributorId: distributor.id, userId })
    .execute();
  expect(await resend((await ids())[0] ?? 0)).toBe('queued');
});
