import { expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { runSingle } from '../database/db.ts';
import { COUNTED_MAILBOX_SQL, countedMailboxOf, exactMailboxOf, hasSuffix, isLargeProvider, mailboxHashSql } from './mailbox.ts';

const testApp = setupTestApp();

test.each([
  ['noa@example.org', 'noa@example.org'],
  ['noa+feast@example.org', 'noa@example.org'],
  ['noa+a+b.c@example.org', 'noa@example.org'],
  ['n.o.a@example.org', 'noa@example.org'],
  ['noa-b_c@mail-x.example.org', 'noabc@mail-x.example.org'],
  ['+15550100@sms.example', '+15550100@sms.example'],
  ['n.o.a+feast@gmail.com', 'noa@gmail.com'],
  ['noa@googlemail.com', 'noa@gmail.com'],
  ['noa@gmail.com.example', 'noa@gmail.com.example'],
  ['n.o-a_b+feast@protonmail.com', 'noab@proton.me'],
  ['noa@pm.me', 'noa@proton.me'],
  ['noa@me.com', 'noa@icloud.com'],
  ['noa@mac.com', 'noa@icloud.com'],
  ['anything@noa.fastmail.com', 'noa@fastmail.com'],
  ['anything@n-oa.fastmail.fm', 'noa@fastmail.fm'],
  ['noa-shop@yahoo.co.uk', 'noa@yahoo.co.uk'],
  ['noa+a-b@yahoo.com', 'noa@yahoo.com'],
  ['noa-a+b@yahoo.com', 'noa@yahoo.com'],
  ['-noa@yahoo.com', 'noa@yahoo.com'],
  ['n.o-a@ya.ru', 'noa@yandex.com'],
  ['noa@yandex.com.tr', 'noa@yandex.com'],
])('the application and the database count the mails to %s under the mailbox %s (reliability abuse)', async (email, mailbox) => {
  expect(countedMailboxOf(email)).toBe(mailbox);
  const text = `SELECT ${COUNTED_MAILBOX_SQL} AS mailbox FROM (SELECT $1::text AS "to") t`;
  expect(await runSingle<{ mailbox: string }>(testApp.db, text, [email])).toEqual({ mailbox });
});

test.each([
  ['n.o-a_b+feast@outlook.com', 'n.o-a_b@outlook.com'],
  ['n.o-a_b@family.example', 'n.o-a_b@family.example'],
  ['+15550100@sms.example', '+15550100@sms.example'],
  ['n.o.a-b_c+feast@gmail.com', 'noa-b_c@gmail.com'],
  ['noa@googlemail.com', 'noa@gmail.com'],
  ['n.o-a_b+feast@protonmail.com', 'noab@protonmail.com'],
  ['n.o-a@pm.me', 'noa@pm.me'],
  ['n-oa_b@yandex.ru', 'n.oa_b@yandex.ru'],
  ['noa@ya.ru', 'noa@ya.ru'],
  ['anything@n-oa.fastmail.com', 'n-oa@fastmail.com'],
  ['n.oa@fastmail.com', 'n.oa@fastmail.com'],
  ['n.o_a-shop@yahoo.com', 'n.o_a@yahoo.com'],
  ['noa@me.com', 'noa@me.com'],
])(
  'the provider certainly delivers the mails to %s like those to %s, and ignores no other character (reliability abuse)',
  (email, mailbox) => {
    expect(exactMailboxOf(email)).toBe(mailbox);
    expect(countedMailboxOf(mailbox)).toBe(countedMailboxOf(email));
  },
);

test.each([
  ['noa+feast@family.example', true],
  ['noa-feast@yahoo.com', true],
  ['any@noa.fastmail.com', true],
  ['noa-feast@family.example', false],
  ['+15550100@sms.example', false],
  ['noa@fastmail.com', false],
])('hasSuffix recognizes whether %s has a suffix that its provider may ignore: %s', (email, has) => {
  expect(hasSuffix(email)).toBe(has);
});

test('an unsubscription never applies to a person whose address only has the same counted mailbox', async () => {
  const text = `SELECT ${mailboxHashSql('$1::text')} = ${mailboxHashSql('$2::text')} AS "isSame"`;
  const isSame = async (...pair: [string, string]) => (await runSingle<{ isSame: boolean }>(testApp.db, text, pair)).isSame;
  expect(await isSame('n.o.a@example.org', 'noa@example.org')).toBe(false);
  expect(await isSame('noa@me.com', 'noa@icloud.com')).toBe(false);
  expect(await isSame('noa+feast@example.org', 'noa@example.org')).toBe(true);
  expect(await isSame('n.o.a@gmail.com', 'noa@googlemail.com')).toBe(true);
});

test.each([
  ['gmail.com', true],
  ['yahoo.co.uk', true],
  ['hotmail.com.br', true],
  ['gmx.de', true],
  ['walla.co.il', true],
  ['t-online.de', true],
  ['ya.ru', true],
  ['gmail.example', false],
  ['web.dev', false],
  ['me.io', false],
  ['my-gmail.com', false],
  ['mail.example.org', false],
])('the domain %s belongs to a large provider: %s', (domain, isLarge) => {
  expect(isLargeProvider(domain)).toBe(isLarge);
});
