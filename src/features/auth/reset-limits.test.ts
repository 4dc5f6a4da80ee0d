// These tests check the limits of the links that are requested at the sign-in page: by mailbox, network and distributor (contract §3,
// reliability R44).
import { beforeEach, expect, test } from 'vitest';
import { mailsTo } from '../../../test/mail/mailed-links.ts';
import { makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import {
  MANY_RESETS_PER_DISTRIBUTOR,
  MAX_RESETS_PER_BLOCK,
  MAX_RESETS_PER_DISTRIBUTOR,
  MAX_RESETS_PER_NETWORK,
  MAX_RESETS_PER_NETWORK_WHEN_MANY,
  MAX_RESETS_PER_SITE,
} from '../../domain/accounts/account.ts';
import { run } from '../../server/database/db.ts';
import { hashOfToken, newLinkToken } from '../../server/auth/token.ts';
import { claimDue, newRoundRobin } from '../../server/mail/outbox-rows.ts';
import { MAX_MAILS_PER_DAY } from '../emails/contract.ts';
import { renewJoinLink } from '../organization/contract.ts';
import { removeUnusedCustomers } from '../unused-customers/contract.ts';
import { requestReset } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
beforeEach(async () => {
  testApp.time = new Date('2027-04-01T12:00:00Z');
  await testApp.db.deleteFrom('emails').execute();
  await testApp.db.deleteFrom('reset_networks').execute();
  distributor = await makeDistributor(testApp.db);
});

const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const customer = (password: string | null = 'hash') => makeUser(testApp.db, 'customer', { distributorId: distributor.id, password });
const ask = async ({ email, invitation }: { email: string; invitation?: string }, from = '192.0.2.1') => {
  const { statusCode, body } = await testApp.app.inject({
    method: 'POST',
    url: requestReset.path,
    payload: { email, invitation },
    remoteAddress: from,
  });
  return `${statusCode} ${body}`;
};
const ANSWER = '200 {"message":"If an account exists with that email, you will receive password reset instructions."}';
/** Requests a link for this person from this network. Returns the kinds of the mails that the person then gets. */
const mailedTo = async (person: Promise<Person>, from: string) => {
  const { id, email } = await person;
  expect(await ask({ email }, from)).toBe(ANSWER);
  return await mailsTo(testApp, id);
};
const usedBefore = (network: string, requests: number) =>
  testApp.db.insertInto('reset_networks').values({ network, requests, windowStart: testApp.time.toISOString() }).execute();
interface MailedBefore {
  readonly kind: 'reset' | 'bulk';
  readonly userId?: number;
  readonly minutes?: number;
}
/** Inserts `count` mails of this distributor that were queued so many minutes ago. Without a `userId`, they have no user any more. */
const mailedBefore = (count: number, { kind, userId, minutes = 1 }: MailedBefore) =>
  run(
    testApp.db,
    `INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "replyTo", "userId", "createdAt")
      SELECT $2, '', '', '', '', $3, $4, $5, $6 FROM generate_series(1, $1::int)`,
    [
      count,
      kind,
      distributor.id,
      kind === 'bulk' ? distributor.email : null,
      userId ?? null,
      new Date(testApp.time.getTime() - minutes * 60_000),
    ],
  );

test(
  'an unconfirmed account gets at most three reset links an hour and five a day; the reply does not reveal the limit (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const { id, email } = await customer(null);
    const counts = [];
    for (let hour = 0; hour < 3; hour++) {
      for (let n = 0; n < 4; n++) expect(await ask({ email })).toBe(ANSWER);
      counts.push(await mailsTo(testApp, id));
      later(61);
    }
    expect(counts.map(({ length }) => length)).toEqual([3, 5, 5]);
    expect(new Set(counts.flat())).toEqual(new Set(['reset']));
  },
);

test('in 15 minutes, one network can cause at most 1,000 mailed links and one IPv6 /56 at most 1,500; other networks are not affected (reliability abuse)', async () => {
  await usedBefore('192.0.2.1', MAX_RESETS_PER_NETWORK - 1);
  await usedBefore('2001:db8:1::/56', MAX_RESETS_PER_SITE);
  expect(await mailedTo(customer(), '192.0.2.1')).toEqual(['reset']);
  expect(await mailedTo(customer(), '192.0.2.1')).toEqual([]);
  expect(await mailedTo(customer(), '2001:db8:1:7::1')).toEqual([]);
  expect(await mailedTo(customer(), '192.0.2.2')).toEqual(['reset']);
  later(16);
  expect(await mailedTo(customer(), '192.0.2.1')).toEqual(['reset']);
});

/** Requests a link for a new customer from this network. Returns the id of the customer. */
const requestFrom = async (from: string): Promise<number> => {
  const { id, email } = await customer();
  await ask({ email }, from);
  return id;
};

test(
  'the reset mails of a network that has requested many links do not delay those of other networks of the same distributor, nor of others in its IPv6 /48 (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const flood = [];
    for (let n = 1; n <= 20; n++) flood.push(await requestFrom('192.0.2.1'));
    const others = [await requestFrom('192.0.2.2'), await requestFrom('2001:db8:1::1')];
    const until = new Date(testApp.time.getTime() + 60_000);
    const claim = async () =>
      (await claimDue(testApp.db, newRoundRobin(), { now: testApp.time, until, sending: [] })).map(({ userId }) => userId);
    expect([await claim(), await claim()]).toEqual([
      [flood[0], others[0]],
      [others[1], flood[1]],
    ]);
  },
);

test('for the sequence in which their mails are sent, the links of an IPv6 /48 count by network, and 32 of all its networks like one (reliability abuse)', async () => {
  const requests = async (from: string) => {
    const id = await requestFrom(from);
    return (await testApp.db.selectFrom('emails').select('networkRequests').where('userId', '=', id).executeTakeFirstOrThrow())
      .networkRequests;
  };
  expect([await requests('2001:db8:1::1'), await requests('2001:db8:1::2'), await requests('2001:db8:1:100::1')]).toEqual([1, 2, 1]);
  await testApp.db.updateTable('reset_networks').set({ requests: 320 }).where('network', '=', '2001:db8:1::/48').execute();
  expect([await requests('2001:db8:1:200::1'), await requests('2001:db8:2::1'), await requests('192.0.2.1')]).toEqual([11, 1, 1]);
});

test(
  'requests that cause no mail do not count toward the limit of links of their network (reliability abuse)',
  { tags: ['long'] },
  async () => {
    await usedBefore('192.0.2.1', MAX_RESETS_PER_NETWORK - 4);
    const { email } = await customer();
    for (let n = 0; n < 8; n++) await ask({ email });
    for (let n = 0; n < 3; n++) expect(await ask({ email: `nobody${n}@test.example` })).toBe(ANSWER);
    expect(await mailedTo(customer(), '192.0.2.1')).toEqual(['reset']);
  },
);

test(
  'the people of one distributor get at most 5,000 links an hour; above 2,000, each network can cause only five more (reliability abuse)',
  { tags: ['long'] },
  async () => {
    await mailedBefore(MANY_RESETS_PER_DISTRIBUTOR, { kind: 'reset' });
    for (let n = 0; n < MAX_RESETS_PER_NETWORK_WHEN_MANY; n++) expect(await mailedTo(customer(), '192.0.2.1')).toEqual(['reset']);
    expect(await mailedTo(customer(), '192.0.2.1')).toEqual([]);
    expect(await mailedTo(customer(), '192.0.2.2')).toEqual(['reset']);
    await mailedBefore(MAX_RESETS_PER_DISTRIBUTOR - MANY_RESETS_PER_DISTRIBUTOR, { kind: 'reset' });
    expect(await mailedTo(customer(), '192.0.2.3')).toEqual([]);
    const other = await makeDistributor(testApp.db);
    const ofOther = makeUser(testApp.db, 'customer', { distributorId: other.id, password: 'hash' });
    expect(await mailedTo(ofOther, '192.0.2.3')).toEqual(['reset']);
  },
);

test(
  'the networks of one IPv6 /48 together can cause at most four times as many links as a /56; a refused request is not counted for its network (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const counts = async () => {
      const rows = await testApp.db.selectFrom('reset_networks').select(['network', 'requests']).execute();
      return Object.fromEntries(rows.map(({ network, requests }) => [network, requests]));
    };
    await usedBefore('2001:db8:1::/48', MAX_RESETS_PER_BLOCK - 1);
    expect(await mailedTo(customer(), '2001:db8:1:100::1')).toEqual(['reset']);
    const reached = { '2001:db8:1::/48': MAX_RESETS_PER_BLOCK, '2001:db8:1:100::/56': 1, '2001:db8:1:100::/64': 1 };
    expect([MAX_RESETS_PER_BLOCK, await counts()]).toEqual([4 * MAX_RESETS_PER_SITE, reached]);
    for (const from of ['2001:db8:1:100::1', '2001:db8:1:200::1']) expect(await mailedTo(customer(), from)).toEqual([]);
    expect(await counts()).toEqual(reached);
    expect(await mailedTo(customer(), '2001:db8:2:100::1')).toEqual(['reset']);
    await mailedBefore(MANY_RESETS_PER_DISTRIBUTOR, { kind: 'reset' });
    await testApp.db.deleteFrom('reset_networks').execute();
    const mails = [];
    for (let site = 1; site <= 22; site++) mails.push(...(await mailedTo(customer(), `2001:db8:1:${site}00::1`)));
    expect(mails).toHaveLength(20);
    expect(await mailedTo(customer(), '2001:db8:2:100::1')).toEqual(['reset']);
  },
);

test(
  'when a distributor has reached its daily limit of mails, its unconfirmed accounts get no reset links, but confirmed accounts still do (reliability abuse)',
  { tags: ['long'] },
  async () => {
    await mailedBefore(MAX_MAILS_PER_DAY - 2, { kind: 'bulk' });
    expect(await mailedTo(customer(null), '192.0.2.1')).toEqual(['reset']);
    expect(await mailedTo(customer(null), '192.0.2.1')).toEqual(['reset']);
    expect(await mailedTo(customer(null), '192.0.2.1')).toEqual([]);
    expect(await mailedTo(customer(), '192.0.2.1')).toEqual(['reset']);
  },
);

/** Makes an unconfirmed customer whose invitation has expired. Requests a new one with its token, and returns the kinds of the mails. */
const renewed = async (from: string) => {
  const person = await customer(null);
  const invitation = newLinkToken('invitation');
  await testApp.db
    .updateTable('users')
    .set({ invitationToken: hashOfToken(invitation), invitationExpires: testApp.time.toISOString() })
    .where('id', '=', person.id)
    .execute();
  expect(await ask({ email: person.email, invitation }, from)).toBe(ANSWER);
  return await mailsTo(testApp, person.id);
};

test(
  '10,000 reset links of confirmed accounts in a day do not prevent links to unconfirmed customers of the distributor (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const { url } = await (await testApp.as(distributor))(renewJoinLink);
    const code = new URL(url ?? '').searchParams.get('join');
    const { id } = await customer();
    await mailedBefore(MAX_MAILS_PER_DAY, { kind: 'reset', userId: id, minutes: 120 });
    const { id: joining, email } = await customer(null);
    await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code } });
    expect(await mailsTo(testApp, joining)).toEqual(['invitation']);
    expect(await mailedTo(customer(null), '192.0.2.1')).toEqual(['reset']);
    expect(await renewed('192.0.2.2')).toEqual(['invitation']);
  },
);

test.each(['an unconfirmed customer', 'a removed customer', 'nobody'])(
  'links to %s count toward the daily limit of links to unconfirmed accounts; it does not apply to a person with the token of an invitation (reliability abuse)',
  { tags: ['long'] },
  async (recipient) => {
    const { id } = await customer(null);
    if (recipient === 'a removed customer') await (await testApp.as(distributor))(removeUnusedCustomers, { body: { userIds: [id] } });
    await mailedBefore(MAX_MAILS_PER_DAY - 1, { kind: 'reset', minutes: 120, ...(recipient !== 'nobody' && { userId: id }) });
    expect(await mailedTo(customer(null), '192.0.2.1')).toEqual(['reset']);
    expect(await mailedTo(customer(null), '192.0.2.1')).toEqual([]);
    expect(await renewed('192.0.2.1')).toEqual(['invitation']);
  },
);

test(
  'requests that a limit of their distributor refuses do not count toward the limit of links of their network (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const other = await makeDistributor(testApp.db);
    const honest = () => makeUser(testApp.db, 'customer', { distributorId: other.id, password: 'hash' });
    const refuse = async (person: Promise<Person>, from: string) => {
      const { id, email } = await person;
      const before = await mailsTo(testApp, id);
      for (let n = 0; n < 3; n++) expect(await ask({ email }, from)).toBe(ANSWER);
      expect(await mailsTo(testApp, id)).toEqual(before);
    };
    for (const network of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8:1::/64']) await usedBefore(network, MAX_RESETS_PER_NETWORK - 1);
    await usedBefore('2001:db8:1::/56', MAX_RESETS_PER_SITE - 1);
    await mailedBefore(MANY_RESETS_PER_DISTRIBUTOR, { kind: 'reset' });
    for (const from of ['192.0.2.1', '2001:db8:1::1']) await refuse(customer(), from);
    await mailedBefore(MAX_RESETS_PER_DISTRIBUTOR - MANY_RESETS_PER_DISTRIBUTOR, { kind: 'reset' });
    await refuse(customer(), '192.0.2.2');
    await testApp.db.deleteFrom('emails').execute();
    await mailedBefore(MAX_MAILS_PER_DAY, { kind: 'bulk' });
    await refuse(customer(null), '192.0.2.3');
    for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8:1::1']) expect(await mailedTo(honest(), from)).toEqual(['reset']);
  },
);

test('forty concurrent requests for unconfirmed accounts of one mailbox cause five reset links in all (reliability abuse)', async () => {
  const emails = Array.from({ length: 40 }, (_, n) => `noa+${n}@test.example`);
  for (const email of emails) await makeUser(testApp.db, 'customer', { distributorId: distributor.id, email });
  await Promise.all(emails.map((email, n) => ask({ email }, `192.0.2.${n}`)));
  expect(await testApp.db.selectFrom('emails').select('kind').where('to', 'like', 'noa+%').execute()).toEqual(
    Array.from({ length: 5 }, () => ({ kind: 'reset' })),
  );
});
