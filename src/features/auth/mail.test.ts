import { beforeEach, describe, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { filesIn, mailFolder } from '../../../test/mail/outbox.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { keepToken } from '../../server/auth/kept-token.ts';
import { hashOfToken } from '../../server/auth/token.ts';
import { run, transaction } from '../../server/database/db.ts';
import { enqueue, type NewMail } from '../../server/mail/outbox.ts';
import { findRecipient } from '../emails/queries.ts';
import { saveEmail } from '../users/queries.ts';

const testApp = setupTestApp({ PUBLIC_URL: 'https://feast.example' });
const folder = mailFolder(testApp);
let distributor: Person;
let customer: Person;

beforeEach(async () => {
  await testApp.db.deleteFrom('emails').execute();
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  const values = {
    distributorId: distributor.id,
    name: 'Beth <Shalom> & Co',
    address: '1 Elm St',
    city: 'Teaneck',
    state: 'NJ',
    zip: '07666',
  };
  await testApp.db.insertInto('organizations').values(values).execute();
});

async function sent(mail: NewMail) {
  await enqueue(testApp.db, mail);
  const mails = await folder.send();
  expect(mails).toHaveLength(1);
  return mails[0];
}
const account = (person: Person) => testApp.db.selectFrom('users').selectAll().where('id', '=', person.id).executeTakeFirstOrThrow();
const tokenIn = (text: string | undefined): string => /\/auth\?token=([\w-]+)/.exec(text ?? '')?.[1] ?? '';

describe('an invitation', () => {
  test("contains a link to set the password and the organization's name, as HTML and text; replies go to the inviter (contract §3)", async () => {
    const mail = await sent({ kind: 'invitation', userId: customer.id, distributorId: distributor.id, replyTo: distributor.email });
    const token = tokenIn(mail?.text);
    expect(token).toMatch(/^invite-[\w-]{43}$/);
    expect(mail?.html).toContain(`href="https://feast.example/auth?token=${token}"`);
    expect(mail?.html).toContain('Beth &lt;Shalom&gt; &amp; Co');
    expect(mail?.text).toContain('1 Elm St, Teaneck, NJ 07666');
    expect(mail).toMatchObject({
      to: [{ address: customer.email }],
      replyTo: [{ address: distributor.email }],
      subject: 'Set your password to order with Beth <Shalom> & Co',
    });
    expect(mail?.from).toEqual({ name: 'Beth <Shalom> & Co', address: 'feastday@feast.example' });
    const { invitationToken, invitationExpires } = await account(customer);
    expect(invitationToken).toBe(hashOfToken(token));
    expect(Date.parse(invitationExpires ?? '') - folder.outbox.time.getTime()).toBe(30 * 86_400_000);
  });

  test('tells invited agents and distributors in the subject what they need the password for', async () => {
    const agent = await makeAgent(testApp.db, distributor);
    const mail = await sent({ kind: 'invitation', userId: agent.id, distributorId: distributor.id });
    expect(mail?.subject).toBe('Set your password to help Beth <Shalom> & Co');
    const welcome = await sent({ kind: 'invitation', userId: distributor.id, distributorId: distributor.id });
    expect([welcome?.subject, welcome?.from?.name]).toEqual(['Set your password for Feastday', 'Beth <Shalom> & Co']);
  });

  test('says "Set your password", and names the organization and the distributions that are open for orders (contract §3)', async () => {
    await makeDistribution(testApp.db, distributor, { name: 'Sukkot', date: '2027-09-30', published: true });
    await makeDistribution(testApp.db, distributor, { name: 'Passover', date: '2027-04-21', published: true });
    await makeDistribution(testApp.db, distributor, { name: 'Draft', published: false });
    await makeDistribution(testApp.db, distributor, { name: 'Closed', published: true, orderingOpen: false });
    await makeDistribution(testApp.db, await makeDistributor(testApp.db), { name: 'Foreign', published: true });
    const mail = await sent({ kind: 'invitation', userId: customer.id, distributorId: distributor.id });
    expect(mail?.text).toContain('Beth <Shalom> & Co takes its holiday orders on Feastday');
    expect(mail?.text).toContain('\nSet your password:\n');
    expect(mail?.text?.match(/Open for orders now: .*/g)).toEqual([
      'Open for orders now: Passover, April 21, 2027.',
      'Open for orders now: Sukkot, September 30, 2027.',
    ]);
  });

  test('lists at most ten open distributions, of which the log of mails stores two, so that long names cannot fill the disk (reliability abuse)', async () => {
    const values = Array.from({ length: 13 }, (_, n) => ({
      distributorId: distributor.id,
      name: `${n}${'\u6587'.repeat(190)}`,
      date: '2027-07-15',
      published: true,
    }));
    await testApp.db.insertInto('distributions').values(values).execute();
    await testApp.db
      .insertInto('join_requests')
      .values({ distributorId: distributor.id, email: 'new@test.example', expiresAt: '2099-01-01' })
      .execute();
    for (const queued of [
      { kind: 'invitation', userId: customer.id, distributorId: distributor.id },
      { kind: 'join', to: 'new@test.example', joinDistributorId: distributor.id },
    ] as const) {
      const mail = await sent(queued);
      expect(mail?.text?.match(/Open for orders now: /g)).toHaveLength(10);
      expect(mail?.text).toContain('\nAnd 3 more distributions.\n');
      const { html } = await testApp.db.selectFrom('emails').select('html').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
      expect(html.match(/Open for orders now: /g)).toHaveLength(2);
      expect(html).toContain('And 11 more distributions.');
      expect(html).toContain('/auth?token=...');
      expect(Buffer.byteLength(html)).toBeLessThan(6000);
    }
  });

  test('is sent to the e-mail address that the user has at the time of sending', async () => {
    await enqueue(testApp.db, { kind: 'invitation', userId: customer.id, distributorId: distributor.id });
    await testApp.db.updateTable('users').set({ email: 'mended@test.example' }).where('id', '=', customer.id).execute();
    expect((await folder.send()).map(({ to }) => to)).toEqual([[{ address: 'mended@test.example', name: '' }]]);
  });
});

test("a reset link lasts one hour, and neither the log of e-mails nor the account's row contains a usable link (contract §3)", async () => {
  const mail = await sent({ kind: 'reset', userId: customer.id, distributorId: distributor.id });
  const token = tokenIn(mail?.text);
  const { resetPasswordExpires } = await account(customer);
  expect(Date.parse(resetPasswordExpires ?? '') - folder.outbox.time.getTime()).toBe(3_600_000);
  const row = await testApp.db.selectFrom('emails').selectAll().executeTakeFirstOrThrow();
  expect(row.html).toContain('https://feast.example/auth?token=...');
  expect(row).toMatchObject({ status: 'sent', to: customer.email, subject: 'Set a new password' });
  for (const kept of [row, await account(customer)]) expect(JSON.stringify(kept)).not.toContain(token);
});

test('every mailed link is different, and earlier links are also stored only as hashes', async () => {
  const first = tokenIn((await sent({ kind: 'reset', userId: customer.id }))?.text);
  const second = tokenIn((await sent({ kind: 'reset', userId: customer.id }))?.text);
  expect(second).not.toBe(first);
  expect((await account(customer)).resetPasswordToken).toBe(hashOfToken(second));
  const replaced = await testApp.db.selectFrom('replaced_links').select('tokenHash').where('userId', '=', customer.id).execute();
  expect(replaced).toContainEqual({ tokenHash: hashOfToken(first) });
});

test('a join mail to an address that has an account says that the account exists, and contains no token (contract §3)', async () => {
  const mail = await sent({ kind: 'exists', userId: customer.id });
  expect(mail).toMatchObject({ to: [{ address: customer.email }], subject: 'You already have an account' });
  expect(mail?.text).toContain('https://feast.example/auth\n');
  expect(mail?.html).not.toContain('token');
});

test("without an SMTP server, each mail is written to a file; the file is named after the mail's database row, and only the owner of the file can read it (contract §1)", async () => {
  await sent({ kind: 'exists', userId: customer.id });
  const { id, response } = await testApp.db.selectFrom('emails').select(['id', 'response']).executeTakeFirstOrThrow();
  expect(await filesIn(folder)).toContain(`${id}.eml`);
  expect(response).toBe(`Written to ${id}.eml`);
});

test("a queued mail with a link is not sent to a disabled user; after the user's e-mail address was corrected, the mail is sent to the new address only", async () => {
  const shutOut = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, disabledAt: testApp.time.toISOString() });
  const corrected = await makeUser(testApp.db, 'customer', { distributorId: distributor.id });
  await enqueue(testApp.db, { kind: 'reset', userId: shutOut.id });
  await enqueue(testApp.db, { kind: 'invitation', userId: corrected.id, to: 'wrong@test.example' });
  expect((await folder.send()).map((mail) => mail.to?.[0]?.address)).toEqual([corrected.email]);
  const rows = await testApp.db
    .selectFrom('emails')
    .select(['userId', 'status', 'response'])
    .where('userId', 'in', [shutOut.id, corrected.id])
    .orderBy('id')
    .execute();
  expect(rows).toEqual([
    { userId: shutOut.id, status: 'suppressed', response: 'There is nobody to send this e-mail to any more.' },
    { userId: corrected.id, status: 'sent', response: expect.stringMatching(/^Written to/) },
  ]);
});

test('the token of a link is stored only if the account still has the e-mail address of the mail', async () => {
  const user = await makeUser(testApp.db, 'distributor');
  const recipient = await findRecipient(testApp.db, user.id);
  if (!recipient) throw new Error('nobody');
  await testApp.db.updateTable('users').set({ email: 'moved@test.example' }).where('id', '=', user.id).execute();
  await expect(keepToken(testApp.db, recipient, { token: 'x', expires: testApp.time })).rejects.toThrow(
    'the account changed while its mail was written',
  );
});

test('correcting an e-mail address while a mail to that address is being sent causes no deadlock', async () => {
  await enqueue(testApp.db, { kind: 'reset', userId: customer.id });
  let sending: Promise<unknown> = Promise.resolve();
  await transaction(testApp.db, async (db) => {
    // In a deadlock, this short timeout makes PostgreSQL abort this transaction immediately, and the test fails.
    await run(db, `SET LOCAL deadlock_timeout = '1ms'`, []);
    await run(db, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [customer.id]);
    sending = folder.send();
    await waitForLockWaiters(testApp.db);
    await saveEmail(db, customer, { email: 'corrected@test.example' });
  });
  expect(await sending).toEqual([]);
  expect(await testApp.db.selectFrom('emails').select(['status', 'to']).execute()).toEqual([{ status: 'suppressed', to: '' }]);
});
