import { expect, test } from 'vitest';
import {
  admittedText,
  createdText,
  customersText,
  droppedBlankText,
  droppedKnownText,
  failedFileText,
  importAndInviteLabel,
  importLabel,
  invitationsText,
  rowsText,
} from './texts.ts';

test.each([
  ['customer', 0, 3, { title: 'No customers new were created' }],
  ['agent', 0, 1, { title: 'No users new were created' }],
  ['customer', 2, 3, { title: 'Created 2 out of 3 customers', description: 'Customer created successfully' }],
  ['agent', 1, 2, { title: 'Created 1 out of 2 users', description: 'User created successfully' }],
] as const)(
  'createdText reports in the specified words how many people with the role %s were created: %i of %i (spec §8)',
  (people, created, sent, said) => {
    expect(createdText(people, { created, sent })).toEqual(said);
  },
);

test('customersText states the number of customers and, when a filter is active, how many customers match', () => {
  expect([customersText(1, 1), customersText(1253, 1253), customersText(12, 253)]).toEqual([
    '1 customer',
    '1,253 customers',
    '12 of 253 customers',
  ]);
});

test('invitationsText says after an import how many of the created customers are invited', () => {
  expect([invitationsText(3, 3), invitationsText(2, 3), invitationsText(0, 1)]).toEqual([
    'Their invitations are on the way.',
    'Invitations to 2 of them are on the way; the others have no e-mail address or were invited several times before.',
    'None of them is invited now.',
  ]);
});

test('rowsText reports what happened to every row of a file (spec §5, §8)', () => {
  expect(rowsText({ created: 2, known: 1, blank: 0, failed: 2 })).toBe(
    '5 rows in the file: 2 created, 1 dropped (a customer already), 2 failed.',
  );
  expect(rowsText({ created: 0, known: 0, blank: 1, failed: 0 })).toBe('1 row in the file: 1 dropped (no e-mail address).');
});

test.each([
  [true, true, 'rivka@mail.test can sign in again.'],
  [false, true, 'rivka@mail.test has not signed in yet: the link of the invitation leads in, or send a new one.'],
  [false, false, 'rivka@mail.test was not invited yet: send the invitation to set a password.'],
])(
  'admittedText states how a person whose account was enabled again can sign in, when hasSignedIn is %s and isInvited is %s',
  (hasSignedIn, isInvited, said) => {
    expect(admittedText({ name: 'rivka@mail.test', hasSignedIn, isInvited })).toBe(said);
  },
);

test('the buttons and notes of an import state the numbers of people', () => {
  expect(importLabel(1)).toBe('Import 1 customer');
  expect(importAndInviteLabel(1200, 1200)).toBe('Import and invite 1,200 customers');
  expect(importAndInviteLabel(40, 39)).toBe('Import 40 customers and invite 39');
  expect(droppedKnownText(1)).toBe('1 row dropped: a customer already.');
  expect(droppedBlankText(3)).toBe('3 rows dropped: no e-mail address.');
  expect(failedFileText(2, 'failed-to-save.csv')).toBe('2 rows in failed-to-save.csv, with reasons.');
});
