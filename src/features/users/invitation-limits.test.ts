// These tests check the limits of invitations per distributor and per e-mail address (contract §3, §8).
// @module-tag long
import { beforeEach, describe, expect, test } from 'vitest';
import { deliverMails, mailedToken, mailsTo } from '../../../test/mail/mailed-links.ts';
import { makeAgent, makeCustomer, makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, runSingle } from '../../server/database/db.ts';
import { MAX_INVITATIONS_PER_MAILBOX } from '../auth/contract.ts';
import { MAX_MAILS_PER_DAY } from '../emails/contract.ts';
import { MAX_USERS, USER_ROLES } from './contract.ts';

const testApp = setupTestApp();
const CAP = `At most ${MAX_MAILS_PER_DAY} e-mails can be sent in a day, and you have sent`;
const HOUR = 3600;

let distributor: Person;
beforeEach(async () => {
  testApp.time = new Date('2027-04-01T12:00:00Z');
  await testApp.db.deleteFrom('emails').execute();
  distributor = await makeDistributor(testApp.db);
});

let made = 0;
const fresh = () => `invited${(made += 1)}@test.example`;
const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const create = (emails: readonly string[], invite: 'now' | 'later' = 'now') =>
  testApp.request(distributor, {
    method: 'POST',
    url: '/api/users/customer',
    payload: { users: emails.map((email) => ({ email })), replyTo: distributor.email, invite },
  });
const change = (person: Person, payload: object) =>
  testApp.request(distributor, { method: 'PATCH', url: `/api/users/${person.role}/${person.id}`, payload });
const invite = (person: Person) => testApp.request(distributor, { method: 'POST', url: `/api/users/${person.role}/${person.id}/invite` });
const refusal = async (answer: ReturnType<typeof create>) => {
  const { statusCode, body, headers } = await answer;
  return [statusCode, body, Number(headers['retry-after'])];
};
const queued = async () =>
  (await testApp.db.selectFrom('emails').select('id').where('distributorId', '=', distributor.id).execute()).length;
const customers = async () =>
  (await testApp.db.selectFrom('users').select('id').where('distributorId', '=', distributor.id).execute()).length;
/** Inserts `count` invitations that were sent an hour ago. */
const invitedBefore = (count: number) =>
  run(
    testApp.db,
    `INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "replyTo", "createdAt")
      SELECT 'invitation', '', 'old' || n || '@test.example', '', '', $2, $3, $4 FROM generate_series(1, $1::int) n`,
    [count, distributor.id, distributor.email, new Date(testApp.time.getTime() - HOUR * 1000)],
  );

describe('the daily mail limit of a distributor', () => {
  test("counts invitations: an import above the limit creates nobody and states when it will be possible; an import with invite 'later' succeeds", async () => {
    await invitedBefore(MAX_MAILS_PER_DAY - 2);
    const emails = [fresh(), fresh(), fresh()];
    const sentence = `${CAP} ${MAX_MAILS_PER_DAY - 2} since yesterday. Nobody was created. Import with "Invite later", or try again tomorrow.`;
    const lastId = async () => await runSingle<{ id: number }>(testApp.db, 'SELECT last_value::int AS id FROM users_id_seq', []);
    const before = await lastId();
    expect(await refusal(create(emails))).toEqual([429, sentence, 23 * HOUR]);
    expect([await customers(), await queued()]).toEqual([0, MAX_MAILS_PER_DAY - 2]);
    // The limit is checked before anybody is added. Otherwise refused imports could use up the ids of all distributors.
    expect(await lastId()).toEqual(before);
    expect((await create(emails, 'later')).statusCode).toBe(201);
    expect((await create([fresh(), fresh()])).statusCode).toBe(201);
    expect([await customers(), await queued()]).toEqual([5, MAX_MAILS_PER_DAY]);
  });

  test('covers invitations, corrected addresses, bulk mail and test mails; a day later, mails can be sent again', async () => {
    await invitedBefore(MAX_MAILS_PER_DAY);
    const customer = await makeUser(testApp.db, 'customer', { distributorId: distributor.id });
    const rest = `${CAP} ${MAX_MAILS_PER_DAY} since yesterday. Please send the rest tomorrow.`;
    const to = { to: customer.email, replyTo: distributor.email, subject: 'Hello', html: '<p>Hello</p>' };
    const calls = [
      () => invite(customer),
      () => change(customer, { email: fresh(), firstName: 'Noa' }),
      () => testApp.request(distributor, { method: 'POST', url: '/api/send-emails', payload: [to] }),
      () => testApp.request(distributor, { method: 'POST', url: '/api/emails/test', payload: { subject: 'a', html: '<p>b</p>' } }),
    ];
    for (const call of calls) expect(await refusal(call())).toEqual([429, rest, 23 * HOUR]);
    const stored = await testApp.db.selectFrom('users').select('email').where('id', '=', customer.id).execute();
    expect(stored).toEqual([{ email: customer.email }]);
    expect(await testApp.db.selectFrom('contacts').select('id').where('userId', '=', customer.id).execute()).toEqual([]);
    later(23 * 60 + 1);
    for (const call of calls.slice(0, 1)) expect((await call()).statusCode).toBe(204);
  });

  test('does not count or refuse mails that customers and strangers cause: password resets and join requests', async () => {
    await invitedBefore(MAX_MAILS_PER_DAY - 1);
    const customer = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: 'hash' });
    await testApp.db.insertInto('organizations').values({ distributorId: distributor.id, joinCode: 'feast-4712' }).execute();
    await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email: customer.email, code: 'feast-4712' } });
    await testApp.app.inject({ method: 'POST', url: '/api/reset-password/request', payload: { email: customer.email } });
    expect(await mailsTo(testApp, customer.id)).toEqual(['exists', 'reset']);
    expect((await create([fresh()])).statusCode).toBe(201);
    await testApp.app.inject({ method: 'POST', url: '/api/reset-password/request', payload: { email: customer.email } });
    expect(await mailsTo(testApp, customer.id)).toEqual(['exists', 'reset', 'reset']);
  });

  test('applies to the sum of concurrent imports', async () => {
    await invitedBefore(MAX_MAILS_PER_DAY - 25);
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(Array.from({ length: 10 }, fresh))));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 201, 429, 429, 429, 429]);
    expect(await queued()).toBe(MAX_MAILS_PER_DAY - 5);
  });
});

describe('the invitations of one e-mail address', () => {
  test.each(USER_ROLES)(
    'are not repeated when the address of a user with the role %s is set to the same value again; earlier links stay valid',
    async (role) => {
      const person = role === 'agent' ? await makeAgent(testApp.db, distributor) : await makeCustomer(testApp.db, distributor);
      await invite(person);
      const token = await mailedToken(testApp, person.email);
      for (let n = 0; n < 20; n++) expect((await change(person, { email: ` ${person.email.toUpperCase()}` })).statusCode).toBe(200);
      expect(await mailsTo(testApp, person.id)).toEqual(['invitation']);
      const payload = { token, password: 'Three-Sheep-42' };
      expect((await testApp.app.inject({ method: 'POST', url: '/api/reset-password/reset', payload })).statusCode).toBe(200);
    },
  );

  test('are at most three an hour and five a day, whichever accounts have the address', async () => {
    const [one, two] = [
      await makeUser(testApp.db, 'customer', { distributorId: distributor.id }),
      await makeAgent(testApp.db, distributor),
    ];
    const victim = fresh();
    const send = async (person: Person) => {
      const answer = await change(person, { email: victim });
      if (answer.statusCode !== 200) return [answer.statusCode, answer.body, Number(answer.headers['retry-after'])];
      await mailedToken(testApp, victim);
      await change(person, { email: fresh() });
      return [answer.statusCode];
    };
    const tooOften = 'This person was invited three times within the hour. Try again later.';
    for (const person of [one, two, one]) expect(await send(person)).toEqual([200]);
    expect(await send(two)).toEqual([429, tooOften, HOUR]);
    later(61);
    for (const person of [one, two]) expect(await send(person)).toEqual([200]);
    expect(await send(one)).toEqual([429, 'This person was invited five times within a day. Try again tomorrow.', 24 * HOUR - 61 * 60]);
    const other = fresh();
    const error = 'No invitation was sent: this person was invited five times within a day. Send it tomorrow from the list.';
    const results = (await create([victim, other])).json();
    expect(results).toMatchObject([
      { success: true, email: victim, error },
      { success: true, email: other },
    ]);
    expect(results[1]).not.toHaveProperty('error');
    expect([await mailsTo(testApp, results[0].userId), await mailsTo(testApp, results[1].userId)]).toEqual([[], ['invitation']]);
  });

  test('stop at the hourly limit; a customer is still created, and the result mentions the limit', async () => {
    const email = fresh();
    const person = await makeUser(testApp.db, 'customer', { distributorId: distributor.id });
    for (let n = 0; n < 3; n++) {
      expect((await change(person, { email })).statusCode).toBe(200);
      await mailedToken(testApp, email);
      await change(person, { email: fresh() });
    }
    const error = 'No invitation was sent: this person was invited three times within the hour. Send it later from the list.';
    expect((await create([email])).json()).toMatchObject([{ success: true, email, error }]);
  });

  test('are still sent by a distributor after strangers have requested join links for the address', async () => {
    const other = await makeDistributor(testApp.db);
    await testApp.db.insertInto('organizations').values({ distributorId: other.id, joinCode: 'feast-4713' }).execute();
    const email = fresh();
    const join = () => testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code: 'feast-4713' } });
    for (let n = 0; n < 4; n++) await join();
    const [result] = (await create([email])).json();
    expect(result).toEqual({ success: true, userId: expect.any(Number), email });
    for (let n = 0; n < 4; n++) await join();
    expect((await invite({ ...distributor, id: result.userId, email, role: 'customer' })).statusCode).toBe(204);
    expect(await mailsTo(testApp, result.userId)).toEqual(['invitation', 'invitation']);
  });

  test('are counted for each distributor, so that one distributor cannot use up the invitations of another; all distributors together send at most ten a day (reliability abuse)', async () => {
    const email = fresh();
    let said = '';
    const inviteOften = async (by: Person) => {
      const statuses = [];
      const { id } = await makeUser(testApp.db, 'customer', { distributorId: by.id, email });
      for (let n = 0; n < 6; n++) {
        if (n === 3) later(61);
        const answer = await testApp.request(by, { method: 'POST', url: `/api/users/customer/${id}/invite` });
        statuses.push(answer.statusCode);
        said = answer.body;
      }
      await deliverMails(testApp);
      await testApp.request(by, { method: 'POST', url: '/api/unused-customers/remove', payload: { userIds: [id] } });
      return statuses;
    };
    expect(await inviteOften(await makeDistributor(testApp.db))).toEqual([204, 204, 204, 204, 204, 429]);
    expect(await inviteOften(distributor)).toEqual([204, 204, 204, 204, 204, 429]);
    expect(said).toBe('This person was invited five times within a day. Try again tomorrow.');
    expect(await inviteOften(await makeDistributor(testApp.db))).toEqual([429, 429, 429, 429, 429, 429]);
    expect(said).toBe('All distributors together have invited this person ten times within a day. Try again tomorrow.');
    later(24 * 60);
    expect((await create([email])).json()).toEqual([{ success: true, userId: expect.any(Number), email }]);
  });
});

describe('the invitations of one distributor to one mailbox', () => {
  const TOO_OFTEN =
    'Twenty invitations within a day were sent to this e-mail address and similar ones, which may belong to the same person. Try again tomorrow.';
  const NOT_SENT =
    'No invitation was sent: twenty invitations within a day were sent to this e-mail address and similar ones, which may belong to the same person. Send it tomorrow from the list.';
  let suffix = 0;
  const similar = () => `noa+${(suffix += 1)}@gmail.com`;
  const customer = () => makeUser(testApp.db, 'customer', { distributorId: distributor.id, email: similar() });

  test('are at most 20 a day, even if two imports contain 5,000 similar addresses each; the other customers are created, but not invited (reliability abuse)', async () => {
    const answers = await Promise.all([1, 2].map(() => create([...Array.from({ length: MAX_USERS - 1 }, similar), fresh()])));
    const rows = answers.flatMap((answer) => answer.json());
    expect(rows.filter(({ success }) => success)).toHaveLength(2 * MAX_USERS);
    const notInvited = rows.filter(({ error }) => error !== undefined);
    expect(new Set(notInvited.map(({ error }) => error))).toEqual(new Set([NOT_SENT]));
    expect(notInvited).toHaveLength(2 * MAX_USERS - 2 - MAX_INVITATIONS_PER_MAILBOX);
    expect(await queued()).toBe(MAX_INVITATIONS_PER_MAILBOX + 2);
  });

  test('are at most 20 a day, also when addresses are corrected or people are invited again; a day later, the person can be invited again (reliability abuse)', async () => {
    const first = await customer();
    for (const n of Array.from({ length: MAX_INVITATIONS_PER_MAILBOX / 2 }).keys()) {
      expect([n, (await change(first, { email: similar() })).statusCode]).toEqual([n, 200]);
      await deliverMails(testApp);
      expect([n, (await invite(await customer())).statusCode]).toEqual([n, 204]);
      await deliverMails(testApp);
    }
    later(61);
    const retryAfter = 24 * HOUR - 61 * 60;
    expect(await refusal(change(first, { email: similar() }))).toEqual([429, TOO_OFTEN, retryAfter]);
    const next = await customer();
    expect(await refusal(invite(next))).toEqual([429, TOO_OFTEN, retryAfter]);
    // The log of mails sends failed invitations again.
    const failed = `UPDATE emails SET status = 'failed' WHERE "userId" = $1 RETURNING id`;
    const { id } = await runSingle<{ id: number }>(testApp.db, `WITH last AS (${failed}) SELECT max(id) AS id FROM last`, [first.id]);
    const again = () => testApp.request(distributor, { method: 'POST', url: `/api/emails/${id}/resend` });
    expect(await refusal(again())).toEqual([429, TOO_OFTEN, retryAfter]);
    // Other distributors have a limit of their own.
    const other = await makeDistributor(testApp.db);
    const { id: userId } = await makeUser(testApp.db, 'customer', { distributorId: other.id, email: similar() });
    expect((await testApp.request(other, { method: 'POST', url: `/api/users/customer/${userId}/invite` })).statusCode).toBe(204);
    later(24 * 60);
    expect((await invite(next)).statusCode).toBe(204);
    expect((await again()).statusCode).toBe(204);
  });

  test('are at most 20 when many people are invited at once (reliability abuse)', async () => {
    const people = await Promise.all(Array.from({ length: MAX_INVITATIONS_PER_MAILBOX + 5 }, customer));
    const statuses = (await Promise.all(people.map(invite))).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 204)).toHaveLength(MAX_INVITATIONS_PER_MAILBOX);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });
});
