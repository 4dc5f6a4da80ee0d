// Tests how a flood of join requests affects a distributor and the customers who join at the same time (contract §3).
import { beforeEach, describe, expect, test } from 'vitest';
import { deliverMails, mailedToken } from '../../../test/mail/mailed-links.ts';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { LINK_REFUSED } from '../auth/contract.ts';
import { renewJoinLink } from '../organization/contract.ts';
import { createUsers } from '../users/contract.ts';
import { MANY_OPEN_REQUESTS, MAX_JOIN_REQUESTS, MAX_OPEN_WHEN_MANY_OPEN, MAX_PER_NETWORK, MAX_PER_SITE } from './contract.ts';

const testApp = setupTestApp();
const PASSWORD = 'Three-Sheep-42';

let distributor: Person;
let code: string;
beforeEach(async () => {
  testApp.time = new Date('2027-04-01T12:00:00Z');
  await testApp.db.deleteFrom('emails').execute();
  distributor = await makeDistributor(testApp.db);
  code = await codeOf(distributor);
});

async function codeOf(by: Person): Promise<string> {
  const { url } = await (await testApp.as(by))(renewJoinLink);
  return new URL(url ?? '').searchParams.get('join') ?? '';
}

let made = 0;
/** Each person has an own mail domain, because the limits of one domain are tested elsewhere. */
const fresh = () => `joiner@family${(made += 1)}.example`;
const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const join = (email: string, { from = '192.0.2.1', by = code } = {}) =>
  testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code: by }, remoteAddress: from });
const accept = (token: string) =>
  testApp.app.inject({ method: 'POST', url: '/api/reset-password/reset', payload: { token, password: PASSWORD } });
const requestsOf = async (by: Person) =>
  (await testApp.db.selectFrom('join_requests').select('email').where('distributorId', '=', by.id).execute()).map(({ email }) => email);
const accounts = () => testApp.db.selectFrom('users').select('id').where('distributorId', '=', distributor.id).execute();
const joinMails = async () => (await testApp.db.selectFrom('emails').select('to').where('kind', '=', 'join').execute()).map(({ to }) => to);
const requested = async (count: number) => {
  const [requestedAt, expiresAt] = [testApp.time.toISOString(), new Date(testApp.time.getTime() + 7 * 86_400_000).toISOString()];
  const values = Array.from({ length: count }, () => ({ distributorId: distributor.id, email: fresh(), requestedAt, expiresAt }));
  await testApp.db.insertInto('join_requests').values(values).execute();
};
/**
 * Sets the counters of the rate limit for the current 15 minutes: how often each network has already used the join link. A network is an
 * IPv4 address, or an IPv6 prefix of /64 or /56.
 */
const usedBefore = async (uses: Readonly<Record<string, number>>) => {
  const windowStart = testApp.time.toISOString();
  const values = Object.entries(uses).map(([network, requests]) => ({ distributorId: distributor.id, network, requests, windowStart }));
  await testApp.db.insertInto('join_networks').values(values).execute();
};
const list = (by: Person) => testApp.request(by, { method: 'GET', url: '/api/join-requests' });

describe('in a flood of requests through the join link, the server', () => {
  test('creates no account and limits the requests of one network; a customer from another network gets the mail at once', async () => {
    const answers = await Promise.all(Array.from({ length: MAX_PER_NETWORK + 10 }, () => join(fresh())));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
      new Set(['202 {"message":"Check your e-mail to finish joining."}']),
    );
    expect(await accounts()).toEqual([]);
    expect([(await requestsOf(distributor)).length, (await joinMails()).length]).toEqual([MAX_PER_NETWORK, MAX_PER_NETWORK]);
    const honest = fresh();
    await join(honest, { from: '192.0.2.2' });
    const due = (await deliverMails(testApp)).map(({ to }) => to);
    expect([due.slice(0, 5).includes(honest), due.length]).toEqual([true, MAX_PER_NETWORK + 1]);
    later(60);
    const again = fresh();
    await join(again);
    expect(await requestsOf(distributor)).toContain(again);
  });

  test('counts all addresses of an IPv6 network together', async () => {
    await usedBefore({ '2001:db8:1:2::/64': MAX_PER_NETWORK - 10, '2001:db8:1::/56': MAX_PER_NETWORK - 10 });
    await Promise.all(Array.from({ length: 20 }, (_, n) => join(fresh(), { from: `2001:db8:1:2::${n.toString(16)}` })));
    expect(await requestsOf(distributor)).toHaveLength(10);
  });

  test('counts the networks of one IPv6 /56 together; a customer from another network gets the mail at once', async () => {
    await usedBefore({ '2001:db8:5::/56': MAX_PER_SITE - 25 });
    for (const network of [1, 2, 3])
      await Promise.all(Array.from({ length: 10 }, (_, n) => join(fresh(), { from: `2001:db8:5:${network}::${n.toString(16)}` })));
    expect([(await requestsOf(distributor)).length, (await joinMails()).length]).toEqual([25, 25]);
    const honest = fresh();
    await join(honest, { from: '2001:db8:6:1::1' });
    expect((await deliverMails(testApp)).slice(0, 5).map(({ to }) => to)).toContain(honest);
  });

  test("does not count the refused requests of one network toward the limit of the network's IPv6 /56", async () => {
    await usedBefore({ '2001:db8:7:1::/64': MAX_PER_NETWORK, '2001:db8:7::/56': MAX_PER_SITE - 1 });
    await Promise.all(Array.from({ length: 5 }, () => join(fresh(), { from: '2001:db8:7:1::1' })));
    const [honest, above] = [fresh(), fresh()];
    await join(honest, { from: '2001:db8:7:2::1' });
    await join(above, { from: '2001:db8:7:2::1' });
    expect(await requestsOf(distributor)).toEqual([honest]);
  });

  test('limits each IPv6 /56 to twenty open requests while 1,000 requests are open', async () => {
    await requested(MANY_OPEN_REQUESTS);
    for (let n = 0; n < MAX_OPEN_WHEN_MANY_OPEN + 3; n++) await join(fresh(), { from: `2001:db8:8:${n}::1` });
    expect(await requestsOf(distributor)).toHaveLength(MANY_OPEN_REQUESTS + MAX_OPEN_WHEN_MANY_OPEN);
  });

  test(
    'accepts at most twenty requests of each new network while 1,000 requests are open, and none while 2,000 are open; an hour later, it accepts requests again',
    { tags: ['long'] },
    async () => {
      await requested(MANY_OPEN_REQUESTS);
      for (let n = 0; n < MAX_OPEN_WHEN_MANY_OPEN + 3; n++) await join(fresh(), { from: '192.0.2.3' });
      expect(await requestsOf(distributor)).toHaveLength(MANY_OPEN_REQUESTS + MAX_OPEN_WHEN_MANY_OPEN);
      await requested(MAX_JOIN_REQUESTS - MANY_OPEN_REQUESTS - MAX_OPEN_WHEN_MANY_OPEN);
      await join(fresh(), { from: '192.0.2.4' });
      expect(await requestsOf(distributor)).toHaveLength(MAX_JOIN_REQUESTS);
      later(61);
      await join(fresh(), { from: '192.0.2.4' });
      expect(await requestsOf(distributor)).toHaveLength(MAX_JOIN_REQUESTS + 1);
    },
  );

  test('mails one address at most three links an hour and five a day, through any number of join links', async () => {
    const others = await Promise.all([makeDistributor(testApp.db), makeDistributor(testApp.db)]);
    const codes = [code, ...(await Promise.all(others.map(codeOf)))];
    const email = fresh();
    for (const by of [...codes, ...codes]) await join(email, { by });
    expect(await joinMails()).toHaveLength(3);
    later(61);
    for (const by of [...codes, ...codes]) await join(email, { by });
    expect(await joinMails()).toHaveLength(5);
    later(61);
    await join(email);
    expect(await joinMails()).toHaveLength(5);
  });
});

test('imported customers do not count as join requests', async () => {
  const users = Array.from({ length: MAX_JOIN_REQUESTS + 1 }, () => ({ email: fresh() }));
  const call = await testApp.as(distributor);
  await call(createUsers, { params: { role: 'customer' }, body: { users, replyTo: distributor.email, invite: 'later' } });
  const email = fresh();
  await join(email);
  expect(await joinMails()).toEqual([email]);
});

const addAs = async (by: Person, email: string, invite: 'now' | 'later' = 'later', role: 'customer' | 'agent' = 'customer') =>
  await (
    await testApp.as(by)
  )(createUsers, { params: { role }, body: { users: [{ email }], replyTo: by.email, invite } });
const userOf = (email: string) => testApp.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

describe('an e-mail address that only another distributor has added (reliability "addresses")', () => {
  let other: Person;
  beforeEach(async () => {
    other = await makeDistributor(testApp.db);
  });

  test.each(['customer', 'agent'] as const)(
    'can join with the mailed link; the unconfirmed account of this address with the role %s is removed',
    async (role) => {
      const email = fresh();
      await addAs(other, email, 'now', role);
      await deliverMails(testApp);
      const before = await userOf(email);
      await join(email);
      const token = await mailedToken(testApp, email);
      expect(token).toMatch(/^join-/);
      expect(await userOf(email)).toMatchObject({ id: before?.id, distributorId: other.id });
      const answers = await Promise.all([accept(token), accept(token)]);
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400]);
      expect(await userOf(email)).toMatchObject({ distributorId: distributor.id, role: 'customer' });
      const removed = await testApp.db.selectFrom('users').selectAll().where('distributorId', '=', other.id).execute();
      expect(removed).toMatchObject([{ id: before?.id, removedAt: expect.any(String), invitationToken: null }]);
      expect(JSON.stringify(removed)).not.toContain(email);
      const trail = await testApp.db.selectFrom('user_audit').selectAll().where('distributorId', '=', other.id).execute();
      expect(trail).toMatchObject([{ act: 'remove', removedCount: 1, userId: null, updatedBy: before?.id }]);
    },
  );

  test("can join even when another distributor adds the address after the join link was mailed; the account at the link's distributor gets the password", async () => {
    for (const by of [other, distributor]) {
      const email = fresh();
      await join(email);
      const token = await mailedToken(testApp, email);
      await addAs(by, email);
      expect((await accept(token)).statusCode).toBe(200);
      expect(await userOf(email)).toMatchObject({ distributorId: distributor.id, password: expect.stringMatching(/^\$argon2id/) });
    }
    expect(await accounts()).toHaveLength(2);
  });

  test('stays with the other distributor when its owner has accepted the invitation', async () => {
    const email = fresh();
    await addAs(other, email, 'now');
    const invitation = await mailedToken(testApp, email);
    await join(email);
    const token = await mailedToken(testApp, email);
    expect((await accept(invitation)).statusCode).toBe(200);
    expect((await accept(token)).body).toBe(LINK_REFUSED);
    expect(await userOf(email)).toMatchObject({ distributorId: other.id, removedAt: null });
    await join(email);
    expect(await joinMails()).toEqual([email]);
  });

  test('is refused when a second distributor adds it', async () => {
    const email = fresh();
    await addAs(other, email);
    expect(await addAs(distributor, email)).toMatchObject([{ success: false, error: 'This e-mail address already has an account.' }]);
    expect(await userOf(email)).toMatchObject({ distributorId: other.id });
  });
});

describe('a mailed join link', () => {
  test('creates one account when used ten times at once, even if a newer link was mailed; the newer link is then invalid', async () => {
    const email = fresh();
    await join(email);
    const first = await mailedToken(testApp, email);
    await join(email);
    const second = await mailedToken(testApp, email);
    expect(first).toMatch(/^join-[\w-]{43}$/);
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(first)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
    expect((await accept(second)).body).toBe(LINK_REFUSED);
    expect(await accounts()).toHaveLength(1);
    expect(await requestsOf(distributor)).toEqual([]);
  });

  test('is valid for seven days, and the mail names the organization', async () => {
    const email = fresh();
    await join(email);
    const [mail] = await deliverMails(testApp);
    expect(mail).toMatchObject({ to: email, replyTo: distributor.email, subject: `Set your password to order with ${distributor.email}` });
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    later(7 * 24 * 60);
    expect([(await accept(token)).statusCode, await accounts()]).toEqual([400, []]);
    later(-0.01);
    expect((await accept(token)).statusCode).toBe(200);
  });

  test('unlocks an account that the distributor created after the join request, and invalidates its invitation', async () => {
    const email = fresh();
    await join(email);
    const joinToken = await mailedToken(testApp, email);
    const call = await testApp.as(distributor);
    await call(createUsers, { params: { role: 'customer' }, body: { users: [{ email }], replyTo: distributor.email } });
    const invitation = await mailedToken(testApp, email);
    const signIn = (password: string) =>
      testApp.app.inject({ method: 'POST', url: '/api/login', payload: { email, password }, remoteAddress: '192.0.2.9' });
    for (let n = 0; n < 5; n++) await signIn('Wrong-Password-1');
    expect((await signIn(PASSWORD)).statusCode).toBe(429);
    expect((await accept(joinToken)).statusCode).toBe(200);
    expect((await signIn(PASSWORD)).statusCode).toBe(200);
    expect((await accept(invitation)).body).toBe(LINK_REFUSED);
  });

  test('is stored only as a hash', async () => {
    const email = fresh();
    await join(email);
    const token = await mailedToken(testApp, email);
    const kept = [
      await testApp.db.selectFrom('join_requests').selectAll().execute(),
      await testApp.db.selectFrom('emails').selectAll().where('to', '=', email).execute(),
    ];
    expect(JSON.stringify(kept)).not.toContain(token);
  });
});

describe('the distributor of a join link', () => {
  test('sees the number of requests through its own link and the newest of them, and can delete them', async () => {
    await makeCustomer(testApp.db, distributor);
    const other = await makeDistributor(testApp.db);
    const [first, second, theirs] = [fresh(), fresh(), fresh()];
    await join(first);
    const token = await mailedToken(testApp, first);
    later(1);
    await join(second);
    await join(theirs, { by: await codeOf(other) });
    expect((await list(distributor)).json()).toEqual({
      count: 2,
      newest: [
        { id: expect.any(Number), email: second, requestedAt: '2027-04-01T12:01:00.000Z', isMailed: true },
        { id: expect.any(Number), email: first, requestedAt: '2027-04-01T12:00:00.000Z', isMailed: true },
      ],
    });
    expect((await testApp.request(distributor, { method: 'DELETE', url: '/api/join-requests' })).statusCode).toBe(204);
    expect((await list(distributor)).json()).toEqual({ count: 0, newest: [] });
    expect((await list(other)).json()).toMatchObject({ count: 1 });
    expect((await accept(token)).body).toBe(LINK_REFUSED);
    expect((await deliverMails(testApp)).map(({ to }) => to)).toEqual([theirs]);
    const stopped = await testApp.db.selectFrom('emails').select(['status', 'response']).where('to', '=', second).execute();
    expect(stopped).toEqual([{ status: 'suppressed', response: 'The join request was removed or has expired.' }]);
  });

  test('finds no join mail in the log of e-mails, which strangers could fill', async () => {
    await join(fresh());
    expect((await testApp.request(distributor, { method: 'GET', url: '/api/emails' })).json()).toEqual([]);
  });
});
