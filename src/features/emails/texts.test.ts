import { expect, test } from 'vitest';
import { answerText, moreToFind, othersText, recipientsText, restText, sendLabel, whyText } from './texts.ts';

test.each([
  ['failed', '550 No such mailbox', 'The mail server refused it: is the address right?'],
  ['failed', 'Given up after a day of attempts: connect ECONNREFUSED', 'It was tried for a whole day without success.'],
  ['failed', 'This is not an e-mail address.', null],
  ['unknown', 'read ECONNRESET', 'It may have arrived or not: ask before you send it again.'],
  ['queued', '451 Try later', 'It has not been sent yet and is tried again automatically.'],
  ['queued', null, null],
  ['sent', '250 Ok', null],
  ['suppressed', 'This person has unsubscribed from e-mails like this.', null],
] as const)("whyText explains an e-mail with the state %s and the mail server's response %j as %j", (status, response, said) => {
  expect(whyText({ status, response })).toBe(said);
});

test.each([
  ['550 No such mailbox', 'Mail server: 550 No such mailbox'],
  ['250 OK: queued', 'Mail server: 250 OK: queued'],
  ['This is not an e-mail address.', 'This is not an e-mail address.'],
])("answerText describes the mail server's last response %j as %j", (response, shown) => expect(answerText(response)).toBe(shown));

test.each([
  [0, 1, false, 'Nothing has been sent yet: 1 person is left.'],
  [0, 300, false, 'Nothing has been sent yet: 300 people are left.'],
  [0, 300, true, 'The server has not confirmed any e-mail: 300 people are left.'],
  [1, 1, false, '1 e-mail is on its way; 1 person is left.'],
  [200, 100, true, '200 e-mails are on their way; 100 people are left.'],
])(
  'restText states that sending stopped after %i mails, with %i recipients left, while the last result is unknown: %s',
  (sent, left, isUnknown, said) => expect(restText(sent, left, isUnknown)).toBe(said),
);

test.each([
  [0, 'Choose at least one recipient.'],
  [1, '1 person'],
  [2, '2 people, each in an e-mail of their own'],
])('recipientsText describes the number of recipients %i as %j', (recipients, said) => expect(recipientsText(recipients)).toBe(said));

test("the e-mail dialog states how many further recipients there are and how many are hidden; the send button's label differs for one and several recipients", () => {
  expect(othersText(1)).toBe('and 1 more person, each in an e-mail of their own');
  expect(moreToFind(20)).toBe('20 more: search to find them.');
  expect([sendLabel(1), sendLabel(2)]).toEqual(['Send to Selected Contacts', 'Send Emails']);
});
