import { expect, test } from 'vitest';
import { createdText, rowsText } from './texts.ts';

test.each([
  ['customer', 0, 3, { title: 'No customers new were created' }],
  ['agent', 0, 1, { title: 'No users new were created' }],
  ['customer', 2, 3, { title: 'Created 2 out of 3 customers', description: 'Customer created successfully' }],
  ['agent', 1, 2, { title: 'Created 1 out of 2 users', description: 'User created successfully' }],
] as const)('what came of creating people is said in the specified words (spec §8): %s, %i of %i', (people, created, sent, said) => {
  expect(createdText(people, { created, sent })).toEqual(said);
});

test('what became of every row of a file is said (spec §5, §8)', () => {
  expect(rowsText({ created: 2, known: 1, blank: 0, failed: 2 })).toBe(
    '5 rows in the file: 2 created, 1 dropped (a customer already), 2 failed.',
  );
  expect(rowsText({ created: 0, known: 0, blank: 1, failed: 0 })).toBe('1 row in the file: 1 dropped (no e-mail address).');
});
