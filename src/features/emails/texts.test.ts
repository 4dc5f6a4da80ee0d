import { expect, test } from 'vitest';
import { answerText, whyText } from './texts.ts';

test.each([
  ['failed', '550 No such mailbox', 'The mail server refused it: is the address right?'],
  ['failed', 'Given up after a day of attempts: connect ECONNREFUSED', 'It was tried for a whole day in vain.'],
  ['failed', 'This is not an e-mail address.', null],
  ['unknown', 'read ECONNRESET', 'It may have arrived or not: ask before you send it again.'],
  ['queued', '451 Try later', 'It did not go out yet and is tried again by itself.'],
  ['queued', null, null],
  ['sent', '250 Ok', null],
  ['suppressed', 'This person has unsubscribed from e-mails like this.', null],
] as const)('of an e-mail that is %s with the answer %j the log says %j', (status, response, said) => {
  expect(whyText({ status, response })).toBe(said);
});

test.each([
  ['550 No such mailbox', 'Mail server: 550 No such mailbox'],
  ['250 OK: queued', 'Mail server: 250 OK: queued'],
  ['This is not an e-mail address.', 'This is not an e-mail address.'],
])('the last answer %j stands there as %j', (response, shown) => expect(answerText(response)).toBe(shown));
