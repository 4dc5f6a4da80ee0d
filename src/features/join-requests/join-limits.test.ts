// Tests the limits of join mails that strangers, or a distributor with its own join link, can cause to one person or one mail domain, and
// in a day (contract §3; reliability "abuse").
// @module-tag long
import { beforeEach, expect, test } from 'vitest';
import { makeDistributor } from '../../../test/data/factories.ts';
import { deliverMails, mailedToken } from '../../../test/mail/mailed-links.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run } from '../../server/database/db.ts';
import { renewJoinLink } from '../organization/contract.ts';
import { keepJoinToken } from './queries.ts';
import {
  MANY_JOIN_MAILS_PER_DAY,
  MAX_JOIN_MAILS_PER_DAY,
  MAX_JOIN_REQUESTS,
  MAX_JOINED_PER_DAY,
  MAX_OPEN_OF_DOMAIN,
  MAX_OPEN_OF_DOMAIN_PER_NETWORK,
  MAX_OPEN_WHEN_MANY_OPEN,
  readJoinRequests,
} from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let code: string;
beforeEach(async () => {
  testApp.time = new Date('2027-04-01T12:00:00Z');
  await testApp.db.deleteFrom('emails').execute();
  await testApp.db.deleteFrom('join_requests').execute();
  distributor = await makeDistributor(testApp.db);
  const { url } = await (await testApp.as(distributor))(renewJoinLink);
  code = new URL(url ?? '').searchParams.get('join') ?? '';
});

const ago = (minutes: number) => new Date(testApp.time.getTime() - minutes * 60_000);
const later = (minutes: number) => (testApp.time = ago(-minutes));
const mailsTo = async (email: string) => (await testApp.db.selectFrom('emails').select('id').where('to', '=', email).execute()).length;
/** Requests a join link for this e-mail address. Returns the number of join mails to the address in all. */
const join = async (email: string, from = '198.51.100.1') => {
  await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code }, remoteAddress: from });
  return await mailsTo(email);
};
/** Inserts open requests, each with an address of its own domain unless `domain` is given. */
const requestedBefore = (count: number, { network = '192.0.2.1', minutes = 5, domain = '' } = {}) =>
  run(
    testApp.db,
    `INSERT INTO join_requests ("distributorId", email, "requestedAt", "expiresAt", network)
      SELECT $1, 'a' || n || '-' || $4::text || '@' || coalesce(nullif($5, ''), 'family' || n || '.example'), $3, $3::timestamptz + interval '7 days', $4
      FROM generate_series(1, $2::int) n`,
    [distributor.id, count, ago(minutes), network, domain],
  );
const mailedBefore = (count: number, minutes: number) =>
  run(
    testApp.db,
    `INSERT INTO emails (kind, "from", "to", subject, html, status, "joinDistributorId", "createdAt")
      SELECT 'join', '', 'a' || n || '@family.example', '', '', 'suppressed', $1, $3 FROM generate_series(1, $2::int) n`,
    [distributor.id, count, ago(minutes)],
  );
const clear = async () =>
  expect((await testApp.request(distributor, { method: 'DELETE', url: '/api/join-requests' })).statusCode).toBe(204);

test.each(['proton.me', 'protonmail.com'])(
  'one mailbox at %s gets at most three join links an hour, even if the requested addresses differ in dots, hyphens or underscores (reliability abuse)',
  async (domain) => {
    const names = ['ruthgold', 'ruth.gold', 'ruth-gold', 'ruth_gold', 'r.u.t.h.gold', 'ruth.gold+feast'];
    const mails = [];
    for (const name of names) mails.push(await join(`${name}@${domain}`));
    expect(mails).toEqual([1, 1, 1, 0, 0, 0]);
    expect(await join(`ruth.silver@${domain}`)).toBe(1);
  },
);

test.each([
  ['noa@proton.me', 'noa@protonmail.com', 'noa@pm.me', 'n.oa@pm.me'],
  ['noa@icloud.com', 'noa@me.com', 'noa@mac.com', 'noa+feast@mac.com'],
  ['a@noa.fastmail.com', 'b@noa.fastmail.com', 'noa@fastmail.com', 'c@noa.fastmail.com'],
])('the mailbox of %s and %s gets at most three join links an hour (reliability abuse)', async (...addresses) => {
  const mails = [];
  for (const email of addresses) mails.push(await join(email));
  expect(mails).toEqual([1, 1, 1, 0]);
});

test.each([
  ['miriam.stern@outlook.com', 'm.iriamstern@outlook.com', 'miriam-stern@outlook.com', 'miriamstern@outlook.com'],
  ['miriam.stern@yahoo.com', 'miriam_stern@yahoo.com', 'm.iriamstern@yahoo.com', 'miriamstern@yahoo.com'],
  ['miriam.stern@icloud.com', 'miriam.stern@me.com', 'miriam.stern@mac.com', 'miriamstern@icloud.com'],
  ['miriam.stern@yandex.com', 'miriam.stern@yandex.zz', 'm.iriamstern@yandex.com', 'miriamstern@yandex.com'],
  ['miriam.stern@gmail.com', 'miriam-stern@gmail.com', 'miriam_stern@gmail.com', 'miriam--stern@gmail.com'],
  ['miriam.stern@family.example', 'm.iriamstern@family.example', 'miriam-stern@family.example', 'miriamstern@family.example'],
  ['miriam@t-online.de', 'miriam+a@t-online.de', 'miriam+b@t-online.de', 'miriam+c@t-online.de'],
  ['miriam@yahoo.com', 'miriam-a@yahoo.com', 'miriam-b@yahoo.com', 'miriam-c@yahoo.com'],
])(
  'the owner of %s gets a join link although a stranger has requested links for similar addresses; the address with a "+suffix" gets none (reliability abuse)',
  async (email, ...similar) => {
    for (const other of similar) expect(await join(other)).toBe(1);
    expect(await join(email, '198.51.100.2')).toBe(1);
    expect(await join(email, '198.51.100.3')).toBe(1);
    expect(await join(email.replace('@', '+feast@'), '198.51.100.3')).toBe(0);
  },
);

test.each([
  ['miriamstern@gmail.com', 'm.iriamstern@gmail.com', 'mi.riamstern@googlemail.com', 'mir.iamstern@gmail.com'],
  ['miriam.stern@yandex.com', 'miriam-stern@yandex.com', 'miriam.stern+feast@yandex.com', 'miriam-stern+feast@yandex.com'],
  ['miriam-d@yahoo.com', 'miriam-a@yahoo.com', 'miriam-b@yahoo.com', 'miriam-c@yahoo.com'],
])(
  'further addresses of the mailbox %s get no further join link, because its provider ignores the difference (reliability abuse)',
  async (email, ...same) => {
    for (const other of same) expect(await join(other)).toBe(1);
    expect(await join(email, '198.51.100.2')).toBe(0);
  },
);

test('similar addresses of a domain that may belong to one person get further join links only from further networks, and at most twenty a day in all (reliability abuse)', async () => {
  const name = 'abcdefghijklmnopqrstuvwxyz';
  const similar = (dot: number, domain = 'family.example') => `${name.slice(0, dot)}.${name.slice(dot)}@${domain}`;
  const mailed = async () => {
    const { newest } = await (await testApp.as(distributor))(readJoinRequests);
    return newest.slice(0, 2).map(({ email, isMailed }) => [email, isMailed]);
  };
  const mails = [];
  for (let n = 1; n <= 4; n++) mails.push(await join(similar(n)));
  expect(mails).toEqual([1, 1, 1, 0]);
  for (let n = 5; n <= 21; n++) expect(await join(similar(n), `198.51.100.${n}`)).toBe(1);
  expect(await join(similar(22), '198.51.100.22')).toBe(0);
  expect(await mailed()).toEqual([
    [similar(22), false],
    [similar(21), true],
  ]);
  await deliverMails(testApp);
  expect(await mailed()).toEqual([
    [similar(22), false],
    [similar(21), true],
  ]);
  expect(await join('other@family.example', '198.51.100.22')).toBe(1);
  for (let n = 1; n <= 22; n++) expect(await join(similar(n, 'outlook.com'))).toBe(1);
});

test('one network can have twenty open requests with addresses of one domain, because one person may own the domain; a followed link makes room (reliability abuse)', async () => {
  await requestedBefore(MAX_OPEN_OF_DOMAIN_PER_NETWORK - 1, { network: '198.51.100.1', domain: 'school.example' });
  expect(await join('first@school.example')).toBe(1);
  expect(await join('second@school.example')).toBe(0);
  expect(await join('third@other.example')).toBe(1);
  const token = await mailedToken(testApp, 'first@school.example');
  await testApp.app.inject({ method: 'POST', url: '/api/reset-password/reset', payload: { token, password: 'Three-Sheep-42' } });
  expect(await join('second@school.example')).toBe(1);
});

test('all networks together can have 100 open requests within an hour with addresses of one domain, and any number with addresses of a large provider (reliability abuse)', async () => {
  await requestedBefore(MAX_OPEN_OF_DOMAIN - 1, { domain: 'club.example' });
  expect(await join('first@club.example')).toBe(1);
  expect(await join('second@club.example', '198.51.100.2')).toBe(0);
  await requestedBefore(MAX_OPEN_OF_DOMAIN, { network: '198.51.100.1', domain: 'gmail.com' });
  expect(await join('first@gmail.com')).toBe(1);
  later(61);
  expect(await join('second@club.example', '198.51.100.2')).toBe(1);
});

test('a distributor that removes the requests gets no room for further ones within the hour, and the links of removed requests stay invalid (reliability abuse)', async () => {
  const email = 'waiting@test.example';
  expect(await join(email)).toBe(1);
  const removed = await mailedToken(testApp, email);
  await requestedBefore(MAX_JOIN_REQUESTS);
  await clear();
  expect(await join('new@test.example')).toBe(0);
  const isValid = async (token: string) =>
    (await testApp.app.inject({ method: 'POST', url: '/api/reset-password/check', payload: { token } })).json<{ isValid: boolean }>()
      .isValid;
  expect(await join(email)).toBe(2);
  expect([await isValid(removed), await isValid(await mailedToken(testApp, email))]).toEqual([false, true]);
  later(61);
  expect(await join('new@test.example')).toBe(1);
});

test('a mail whose request is removed while the mail is being written is not sent, also if the clock has moved on (reliability abuse)', async () => {
  const email = 'waiting@test.example';
  await join(email);
  const rendered = { distributorId: distributor.id, email, now: testApp.time };
  later(1);
  await clear();
  await expect(keepJoinToken(testApp.db, 'token', rendered)).rejects.toThrow('the join request was removed');
});

test('a join link causes at most as many join mails a day as people may join, whether the requests still exist or not (reliability abuse)', async () => {
  expect(MAX_JOIN_MAILS_PER_DAY).toBe(MAX_JOINED_PER_DAY);
  await mailedBefore(MAX_JOIN_MAILS_PER_DAY - 1, 23 * 60);
  expect(await join('last@test.example')).toBe(1);
  expect(await join('last@test.example')).toBe(1);
  await clear();
  expect(await join('above@test.example')).toBe(0);
  later(61);
  expect(await join('above@test.example')).toBe(1);
});

test('above 5,000 join mails a day, each network can have only twenty open requests of the day, so that a few networks leave room for others (reliability abuse)', async () => {
  await mailedBefore(MANY_JOIN_MAILS_PER_DAY - 1, 10 * 60);
  await requestedBefore(MAX_OPEN_WHEN_MANY_OPEN, { minutes: 10 * 60 });
  expect(await join('a@test.example', '192.0.2.1')).toBe(1);
  expect(await join('b@test.example', '192.0.2.1')).toBe(0);
  expect(await join('b@test.example', '192.0.2.2')).toBe(1);
});
