// Tests rules of join requests. An account that its owner never confirmed loses its e-mail address when the owner joins another
// distributor, but keeps its orders (decision 24). Strangers cannot flood a mailbox with mails. A link that can no longer create an account
// is invalid. The number of open requests of a network is limited.
// @module-tag long
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDistribution, makeDistributor, makeProduct, makeUser } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { mailedToken, mailsTo } from '../../../test/mail/mailed-links.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { MAX_RESETS_PER_DISTRIBUTOR } from '../../domain/accounts/account.ts';
import { run } from '../../server/database/db.ts';
import { MAX_MAILS_PER_DAY } from '../emails/contract.ts';
import { renewJoinLink } from '../organization/contract.ts';
import { createUsers, listUsers } from '../users/contract.ts';
import { MANY_OPEN_REQUESTS, MAX_JOIN_REQUESTS, MAX_OPEN_WHEN_MANY_OPEN, MAX_PER_NETWORK, MAX_PER_SITE } from './contract.ts';

const testApp = setupTestApp();

test('the owner of an e-mail address can join although another distributor has created and disabled an account with an order for that address; the order stays with a customer without an e-mail address (reliability addresses)', async () => {
  const [distributor, other] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
  const { url } = await (await testApp.as(distributor))(renewJoinLink);
  const code = new URL(url ?? '').searchParams.get('join') ?? '';
  const squatted = await makeUser(testApp.db, 'customer', { distributorId: other.id, email: 'family@test.example' });
  const { email } = squatted;
  const distribution = await makeDistribution(testApp.db, other);
  const { id } = await makeOrder(testApp.db, distribution, squatted, [[await makeProduct(testApp.db, distribution), 1]]);
  await testApp.request(other, { method: 'POST', url: `/api/users/customer/${squatted.id}/disable` });

  await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code } });
  const token = await mailedToken(testApp, email);
  expect(token).toMatch(/^join-/);
  const accepted = await testApp.app.inject({
    method: 'POST',
    url: '/api/reset-password/reset',
    payload: { token, password: 'Three-Sheep-42' },
  });
  expect(accepted.statusCode).toBe(200);

  const joined = await testApp.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
  expect(joined).toMatchObject({ distributorId: distributor.id, role: 'customer', disabledAt: null });
  const listed = await (await testApp.as(other))(listUsers, { params: { role: 'customer' } });
  expect(listed).toMatchObject([{ userId: squatted.id, email: null, lastName: `Customer ${squatted.id}` }]);
  const order = await testApp.db.selectFrom('orders').select('customerId').where('id', '=', id).executeTakeFirst();
  expect(order).toEqual({ customerId: squatted.id });
  const trail = await testApp.db.selectFrom('user_audit').selectAll().where('distributorId', '=', other.id).orderBy('id').execute();
  expect(trail.at(-1)).toMatchObject({ act: 'mend', previousEmail: email, userId: squatted.id });
});

test('however often strangers request to join with the address of an account, its owner gets at most three notices an hour and five a day (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { url } = await (await testApp.as(distributor))(renewJoinLink);
  const code = new URL(url ?? '').searchParams.get('join') ?? '';
  const owner = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: 'hash' });
  const notices = async () => (await testApp.db.selectFrom('emails').select('id').where('userId', '=', owner.id).execute()).length;
  const counts = [];
  for (let hour = 0; hour < 4; hour++) {
    for (let n = 0; n < 4; n++) await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email: owner.email, code } });
    counts.push(await notices());
    testApp.time = new Date(testApp.time.getTime() + 3_700_000);
  }
  expect(counts).toEqual([3, 5, 5, 5]);
});

test('one mailbox gets at most three join links an hour and five a day, even if the requested addresses differ in a "+suffix" or in dots (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { url } = await (await testApp.as(distributor))(renewJoinLink);
  const code = new URL(url ?? '').searchParams.get('join') ?? '';
  const mails = async () => (await testApp.db.selectFrom('emails').select('id').where('to', 'like', 'n%@g%mail.com').execute()).length;
  const counts = [];
  for (let hour = 0; hour < 4; hour++) {
    for (const email of [`noa+${hour}@gmail.com`, `n.oa+${hour}@gmail.com`, `no.a@googlemail.com`, `noa+x${hour}@gmail.com`])
      await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code } });
    counts.push(await mails());
    testApp.time = new Date(testApp.time.getTime() + 3_700_000);
  }
  expect(counts).toEqual([3, 5, 5, 5]);
  const other = { email: 'other@gmail.com', code };
  await testApp.app.inject({ method: 'POST', url: '/api/register', payload: other });
  expect(await testApp.db.selectFrom('emails').select('id').where('to', '=', other.email).execute()).toHaveLength(1);
});

describe("while strangers use another distributor's join link with a person's e-mail address all day", () => {
  const joinCodeOf = async (by: Person) => {
    const { url } = await (await testApp.as(by))(renewJoinLink);
    return new URL(url ?? '').searchParams.get('join') ?? '';
  };
  const post = (url: string, payload: object) => testApp.app.inject({ method: 'POST', url, payload });
  const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
  const mailsOf = async (email: string, by: Person) => {
    const rows = await testApp.db.selectFrom('emails').select(['joinDistributorId', 'distributorId']).where('to', '=', email).execute();
    return rows.filter(({ joinDistributorId, distributorId }) => (joinDistributorId ?? distributorId) === by.id).length;
  };

  test('the person still gets a link of each distributor a day, up to ten links a day in all (reliability abuse)', async () => {
    const distributors = await Promise.all(Array.from({ length: 8 }, () => makeDistributor(testApp.db)));
    const codes = await Promise.all(distributors.map(joinCodeOf));
    const [hostile, ...honest] = distributors as [Person, ...Person[]];
    const email = `${hostile.id}-victim@test.example`;
    for (let hour = 0; hour < 2; hour++) {
      for (let n = 0; n < 4; n++) await post('/api/register', { email, code: codes[0] });
      later(61);
    }
    expect(await mailsOf(email, hostile)).toBe(5);
    for (const code of codes) for (let n = 0; n < 2; n++) await post('/api/register', { email, code });
    expect(await Promise.all(honest.map((by) => mailsOf(email, by)))).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(await mailsOf(email, hostile)).toBe(5);
    later(24 * 60);
    await post('/api/register', { email, code: codes[7] });
    expect(await mailsOf(email, distributors[7] as Person)).toBe(1);
  });

  test('a customer whose invitation has expired still gets a new one, with the old link and through the join link of the own distributor (reliability abuse)', async () => {
    const [distributor, hostile] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
    const [code, hostileCode] = [await joinCodeOf(distributor), await joinCodeOf(hostile)];
    const email = `${distributor.id}-expired@test.example`;
    const body = { users: [{ email }], replyTo: distributor.email, invite: 'now' as const };
    await (
      await testApp.as(distributor)
    )(createUsers, { params: { role: 'customer' }, body });
    const invitation = await mailedToken(testApp, email);
    later(31 * 24 * 60);
    for (let hour = 0; hour < 2; hour++) {
      for (let n = 0; n < 4; n++) await post('/api/register', { email, code: hostileCode });
      later(61);
    }
    expect(await mailsOf(email, hostile)).toBe(5);
    await post('/api/reset-password/request', { email, invitation });
    expect(await mailsOf(email, distributor)).toBe(2);
    await post('/api/register', { email, code });
    expect(await mailsOf(email, distributor)).toBe(3);
  });
});

describe('the invitations that a join link causes to unconfirmed customers of its distributor', () => {
  let distributor: Person;
  let code: string;
  beforeEach(async () => {
    await testApp.db.deleteFrom('emails').execute();
    await testApp.db.deleteFrom('join_networks').execute();
    distributor = await makeDistributor(testApp.db);
    const { url } = await (await testApp.as(distributor))(renewJoinLink);
    code = new URL(url ?? '').searchParams.get('join') ?? '';
  });

  const mailedBefore = (count: number, mail: { kind: string; replyTo?: string; joinDistributorId?: number }) =>
    run(
      testApp.db,
      `INSERT INTO emails (kind, status, "from", "to", subject, html, "distributorId", "replyTo", "joinDistributorId", "createdAt")
        SELECT $2, 'sent', '', '', '', '', $3, $4, $5, $6 FROM generate_series(1, $1::int)`,
      [count, mail.kind, distributor.id, mail.replyTo ?? null, mail.joinDistributorId ?? null, new Date(testApp.time.getTime() - 60_000)],
    );
  const usedBefore = (network: string, requests: number) =>
    testApp.db
      .insertInto('join_networks')
      .values({ distributorId: distributor.id, network, requests, windowStart: testApp.time.toISOString() })
      .execute();
  /**
   * Uses the join link with the address of a new unconfirmed customer. Returns how many requests of the network each mail to this customer
   * counts.
   */
  const requests = async (from: string) => {
    const { id, email } = await makeUser(testApp.db, 'customer', { distributorId: distributor.id });
    await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code }, remoteAddress: from });
    const mails = await testApp.db.selectFrom('emails').select(['kind', 'networkRequests']).where('userId', '=', id).execute();
    expect(mails.filter(({ kind }) => kind !== 'invitation')).toEqual([]);
    return mails.map(({ networkRequests }) => networkRequests);
  };

  test('are not mailed above the daily limit of the distributor, and store how many links their network has requested (reliability abuse)', async () => {
    await usedBefore('192.0.2.1', 29);
    expect(await requests('192.0.2.1')).toEqual([30]);
    await mailedBefore(MAX_MAILS_PER_DAY - 2, { kind: 'bulk', replyTo: distributor.email });
    expect(await requests('192.0.2.2')).toEqual([1]);
    expect(await requests('192.0.2.2')).toEqual([]);
  });

  test('have their own hourly limit, so that they do not use up the reset links of confirmed customers (reliability abuse)', async () => {
    const byLink = { kind: 'invitation', joinDistributorId: distributor.id };
    await usedBefore('192.0.2.1', MAX_OPEN_WHEN_MANY_OPEN);
    expect(await requests('192.0.2.1')).toHaveLength(1);
    await mailedBefore(MANY_OPEN_REQUESTS, byLink);
    expect(await requests('192.0.2.1')).toEqual([]);
    expect(await requests('192.0.2.2')).toEqual([1]);
    await mailedBefore(MAX_JOIN_REQUESTS - MANY_OPEN_REQUESTS, byLink);
    expect(await requests('192.0.2.2')).toEqual([]);
    await mailedBefore(MAX_RESETS_PER_DISTRIBUTOR - MAX_JOIN_REQUESTS, byLink);
    const { id, email } = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: 'hash' });
    await testApp.app.inject({ method: 'POST', url: '/api/reset-password/request', payload: { email } });
    expect(await mailsTo(testApp, id)).toEqual(['reset']);
  });
});

describe('a join link of an e-mail address', () => {
  const post = (url: string, payload: object) => testApp.app.inject({ method: 'POST', url, payload });
  const requestToken = async (by: Person, email: string): Promise<string> => {
    const { url } = await (await testApp.as(by))(renewJoinLink);
    await post('/api/register', { email, code: new URL(url ?? '').searchParams.get('join') ?? '' });
    return await mailedToken(testApp, email);
  };
  const isValid = async (token: string) => (await post('/api/reset-password/check', { token })).json().isValid;
  const setPassword = async (token: string) => (await post('/api/reset-password/reset', { token, password: 'Three-Sheep-42' })).statusCode;
  const requestsFor = (email: string) => testApp.db.selectFrom('join_requests').select('id').where('email', '=', email).execute();

  test('becomes invalid when the owner of the address joins another distributor or accepts an invitation, so that the link can cause no more expensive password hashes (reliability abuse)', async () => {
    for (const way of ['joins', 'is invited']) {
      const [distributor, other] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
      const email = `${distributor.id}@test.example`;
      if (way === 'is invited') {
        await (
          await testApp.as(other)
        )(createUsers, {
          params: { role: 'customer' },
          body: { users: [{ email }], replyTo: other.email, invite: 'now' },
        });
      }
      const used = await (way === 'joins' ? requestToken(other, email) : mailedToken(testApp, email));
      const unused = await requestToken(distributor, email);
      expect(await isValid(unused)).toBe(true);
      expect(await setPassword(used)).toBe(200);
      expect([await isValid(unused), await setPassword(unused), await requestsFor(email)]).toEqual([false, 400, []]);
    }
  });

  test('becomes invalid when an admin creates a distributor with the address', async () => {
    const distributor = await makeDistributor(testApp.db);
    const email = `${distributor.id}-new@test.example`;
    const token = await requestToken(distributor, email);
    await makeUser(testApp.db, 'distributor', { email });
    expect(await isValid(token)).toBe(false);
  });
});

describe('the open requests of a join link', () => {
  let distributor: Person;
  let code: string;
  beforeEach(async () => {
    distributor = await makeDistributor(testApp.db);
    const { url } = await (await testApp.as(distributor))(renewJoinLink);
    code = new URL(url ?? '').searchParams.get('join') ?? '';
  });

  const addOpen = async (count: number, network: string, minutesAgo: number) => {
    const requestedAt = new Date(testApp.time.getTime() - minutesAgo * 60_000).toISOString();
    const row = { distributorId: distributor.id, requestedAt, expiresAt: '2099-01-01', network };
    const values = Array.from({ length: count }, (_, n) => ({ ...row, email: `open${n}@${network.replaceAll(/[:/]/g, '-')}.example` }));
    await testApp.db.insertInto('join_requests').values(values).execute();
  };
  /** Requests a join link for this e-mail address from this IP address. Returns whether the request was stored. */
  const join = async (email: string, from: string): Promise<boolean> => {
    await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code }, remoteAddress: from });
    return (await testApp.db.selectFrom('join_requests').select('id').where('email', '=', email).execute()).length > 0;
  };

  test('are limited for each network and hour, so that one network cannot keep others from joining (reliability abuse)', async () => {
    await addOpen(MAX_PER_NETWORK, '192.0.2.1', 50);
    await addOpen(MAX_PER_SITE, '2001:db8:5::/56', 50);
    expect(await join('a@test.example', '192.0.2.1')).toBe(false);
    expect(await join('b@test.example', '2001:db8:5:7::1')).toBe(false);
    expect(await join('c@test.example', '192.0.2.2')).toBe(true);
    testApp.time = new Date(testApp.time.getTime() + 11 * 60_000);
    expect(await join('d@test.example', '192.0.2.1')).toBe(true);
  });

  test('are limited to twenty for each network while 1,000 are open in total; each followed link makes room for another request (reliability abuse)', async () => {
    await addOpen(MANY_OPEN_REQUESTS, '192.0.2.1', 5);
    const hall = '198.51.100.7';
    for (let family = 1; family <= MAX_OPEN_WHEN_MANY_OPEN; family++) expect(await join(`family${family}@test.example`, hall)).toBe(true);
    expect(await join('last@test.example', hall)).toBe(false);
    const token = await mailedToken(testApp, 'family1@test.example');
    await testApp.app.inject({ method: 'POST', url: '/api/reset-password/reset', payload: { token, password: 'Three-Sheep-42' } });
    expect(await join('last@test.example', hall)).toBe(true);
  });

  test('do not prevent another link to a person with an open request, or to an unconfirmed customer, when the maximum number of open requests is reached (reliability abuse)', async () => {
    const [waiting, moved] = ['waiting@test.example', 'moved@test.example'];
    expect(await join(waiting, '192.0.2.1')).toBe(true);
    expect(await join(moved, '192.0.2.1')).toBe(true);
    for (let network = 2; network < 10; network++) await addOpen(MAX_JOIN_REQUESTS / 8, `192.0.2.${network}`, 5);
    const customer = await makeUser(testApp.db, 'customer', { distributorId: distributor.id });
    expect(await join('new@test.example', '198.51.100.1')).toBe(false);
    await join(waiting, '192.0.2.1');
    await join(moved, '198.51.100.1');
    await join(customer.email, '198.51.100.1');
    const mails = await testApp.db
      .selectFrom('emails')
      .select('to')
      .where('joinDistributorId', '=', distributor.id)
      .orderBy('id')
      .execute();
    expect(mails.map(({ to }) => to)).toEqual([waiting, moved, waiting, moved, customer.email]);
    const networks = await testApp.db.selectFrom('join_requests').select('network').where('email', '=', moved).execute();
    expect(networks).toEqual([{ network: '192.0.2.1' }]);
    testApp.time = new Date(testApp.time.getTime() + 61 * 60_000);
    for (let network = 2; network < 10; network++) await addOpen(MAX_JOIN_REQUESTS / 8, `203.0.113.${network}`, 5);
    await join(waiting, '198.51.100.1');
    expect(await testApp.db.selectFrom('emails').select('id').where('to', '=', waiting).execute()).toHaveLength(2);
  });
});
