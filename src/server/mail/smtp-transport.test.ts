import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { deliverAll, smtpOutbox } from '../../../test/mail/outbox.ts';
import { parsed, startSmtp, type Smtp } from '../../../test/mail/smtp-server.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { outcomeOf, smtpTransport } from './smtp-transport.ts';
import type { Message } from './transport.ts';
import { enqueueAll } from './outbox.ts';

const testApp = setupTestApp();
let smtp: Smtp;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.stop());

const ATTACKS = [
  '\r\nBcc: evil@evil.example',
  '\nBcc: evil@evil.example\n\nbody',
  '\r\n\r\n<script>alert(1)</script>',
  '%0d%0aBcc: evil@evil.example',
  '\rTo: evil@evil.example',
  '\u2028Bcc: evil@evil.example',
  '\u0000Bcc: evil@evil.example',
  ', evil@evil.example',
  '; evil@evil.example',
  '> RCPT TO:<evil@evil.example>',
  ' <evil@evil.example>',
  '" <evil@evil.example>, "',
  '"\\" <evil@evil.example>',
  '=?utf-8?Q?=0D=0ABcc:_evil@evil.example?=',
  '=?utf-8?B?DQpCY2M6IGV2aWxAZXZpbC5leGFtcGxl?=',
  '(comment) evil@evil.example',
  'Group: evil@evil.example, b@evil.example;',
  '\u202egro.live@live',
  'שלום, חבר <evil@evil.example>',
  '🍷'.repeat(60) + ' evil@evil.example',
  '\r\n.\r\nMAIL FROM:<evil@evil.example>\r\nRCPT TO:<evil@evil.example>\r\nDATA\r\n',
  '\ud800 evil@evil.example',
  'x'.repeat(1500),
  "'; DROP TABLE emails; --",
  '\t\v\f\u0085Bcc: evil@evil.example',
];
const EXPECTED = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'reply-to', 'subject', 'to'];

/** Each attack is combined with this many of the other attacks. */
const FOLLOWED = iterations(0, 10);
const PAIRS = ATTACKS.flatMap((attack, n) =>
  Array.from({ length: FOLLOWED }, (_, k) => attack + (ATTACKS[(n + k + 1) % ATTACKS.length] ?? '')),
);

test('hostile names, subjects and bodies cannot add a recipient or a header to a mail (contract §1; reliability R26)', async () => {
  const transport = smtpTransport(smtp.url);
  const places = ['subject', 'name', 'both', 'html', 'text', 'front'] as const;
  const messages = places.flatMap((place, row) =>
    [...ATTACKS, ...ATTACKS.map((attack) => attack + attack), ...PAIRS].map((attack, column): Message => {
      const at = (...of: (typeof place)[]) =>
        of.includes(place) ? `Passover${attack}` : place === 'front' ? `${attack}Passover` : 'Passover';
      return {
        id: 1,
        messageId: `<${row}.${column}@test.example>`,
        from: { name: at('name', 'both'), address: 'feastday@test.example' },
        to: `person${column}@test.example`,
        replyTo: 'distributor@test.example',
        subject: at('subject', 'both'),
        html: `<p>${at('html')}</p>`,
        text: at('text'),
        headers: {},
        date: new Date('2027-04-01T12:00:00Z'),
      };
    }),
  );
  expect(messages).toHaveLength(iterations(300, 1800));
  const begin = async () => undefined;
  const signal = new AbortController().signal;
  const outcomes = await Promise.all(messages.map((message) => transport.send(message, { begin, signal })));
  transport.close();
  expect(outcomes.filter(({ status }) => status !== 'sent')).toEqual([]);
  for (const taken of smtp.taken.splice(0)) {
    const mail = await parsed(taken);
    const [to] = taken.recipients;
    expect(taken).toMatchObject({ from: 'feastday@test.example', recipients: [expect.stringMatching(/^person\d+@test\.example$/)] });
    expect(mail.headers.map(({ key }) => key).toSorted((a, b) => a.localeCompare(b))).toEqual(EXPECTED);
    expect(mail.to?.map(({ address }) => address)).toEqual([to]);
    expect([mail.from?.address, mail.replyTo?.map(({ address }) => address)]).toEqual([
      'feastday@test.example',
      ['distributor@test.example'],
    ]);
    expect(mail.subject).toContain('Passover');
  }
});

test('a long mail that is encoded in slices arrives unchanged, also where a slice ends within a letter or a line break (reliability abuse)', async () => {
  const transport = smtpTransport(smtp.url);
  const long = Array.from({ length: 3000 }, (_, n) => `${'x'.repeat(n % 7)}שלום 🍷 é = .${n % 2 === 0 ? '\r\n.' : '\n.'}`).join('');
  const mailbox = { name: '', address: 'feastday@test.example' };
  const message: Message = {
    id: 1,
    messageId: '<long@test.example>',
    from: mailbox,
    to: 'person@test.example',
    replyTo: null,
    subject: 'Long',
    html: `<p>${long}</p>`,
    text: long,
    headers: {},
    date: new Date('2027-04-01T12:00:00Z'),
  };
  const hooks = { begin: async () => undefined, signal: new AbortController().signal };
  expect(await transport.send(message, hooks)).toMatchObject({ status: 'sent' });
  transport.close();
  const [mail] = await Promise.all(smtp.taken.splice(0).map(parsed));
  const unixLines = (text: string | undefined) => text?.replaceAll('\r\n', '\n').trimEnd();
  expect([unixLines(mail?.html), unixLines(mail?.text)]).toEqual([unixLines(message.html), unixLines(long)]);
});

test('the SMTP transport refuses 200 invalid addresses before connecting to a server', { tags: ['long'] }, async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const outbox = smtpOutbox(testApp, smtp.url);
  const attacks = ATTACKS.filter((attack) => attack.isWellFormed() && !attack.includes('\u0000') && !/^x+$/.test(attack)).slice(0, 20);
  const forms = [
    'a@test.example#',
    '#a@test.example',
    'a#@test.example',
    'a@#test.example',
    '<a@test.example>#',
    '"a#"@test.example',
    'a@test.example,#',
    'a@[#]',
    'a@test#.example',
    'a@b@test.example#',
  ];
  const mail = { kind: 'bulk' as const, userId: customer.id, distributorId: distributor.id, subject: 'Hello', html: '<p>Hello</p>' };
  const rows = forms.flatMap((form) => attacks.map((attack) => ({ ...mail, to: form.replace('#', () => attack) })));
  await enqueueAll(testApp.db, rows);
  await deliverAll(outbox);
  outbox.transport.close();
  const kept = await testApp.db.selectFrom('emails').select(['status', 'to']).orderBy('id').execute();
  expect(kept).toEqual(rows.map(({ to }) => ({ status: 'failed', to })));
  expect(kept).toHaveLength(200);
  expect(smtp.taken).toEqual([]);
});

test.each([
  [{ code: 'EENVELOPE', responseCode: 550 }, false, 'failed'],
  [{ code: 'EMESSAGE', responseCode: 554 }, true, 'failed'],
  [{ code: 'EENVELOPE', responseCode: 503 }, false, 'again'],
  [{ code: 'EMESSAGE', responseCode: 451 }, true, 'again'],
  [{ code: 'EAUTH', responseCode: 535 }, false, 'again'],
  [{ code: 'EPROTOCOL', responseCode: 554 }, false, 'again'],
  [{ code: 'ESOCKET' }, false, 'again'],
  [{ code: 'ETIMEDOUT' }, true, 'unknown'],
  [{ code: 'ECONNECTION' }, true, 'unknown'],
  [{ code: 'EMESSAGE', responseCode: 354 }, true, 'unknown'],
  [{ code: 'EABORT' }, true, 'unknown'],
  [{ code: 'EABORT' }, false, 'again'],
  [{ code: 'EENVELOPE' }, false, 'failed'],
  [{ code: 'ETLS' }, false, 'again'],
] as const)('after the error %j, when "the whole mail was transmitted" is %s, outcomeOf returns %s', (error, whole, status) => {
  expect(outcomeOf(Object.assign(new Error('x'), error), whole).status).toBe(status);
});
