import { expect, test } from 'vitest';
import { createdText } from './texts.ts';

test.each([
  ['customer', 0, 3, { title: 'No customers new were created' }],
  ['agent', 0, 1, { title: 'No users new were created' }],
  ['customer', 2, 3, { title: 'Created 2 out of 3 customers', description: 'Customer created successfully' }],
  ['agent', 1, 2, { title: 'Created 1 out of 2 users', description: 'User created successfully' }],
] as const)('what came of creating people is said in the specified words (spec §8): %s, %i of %i', (people, created, sent, said) => {
  expect(createdText(people, { created, sent })).toEqual(said);
});
