import { expect, test } from 'vitest';
import { sortedByName } from './person-name.ts';

const person = (lastName: string | null, firstName: string | null, email: string) => ({ lastName, firstName, email });

test('sortedByName sorts people by last and first name ignoring case and accents, and people without a name last, by e-mail', () => {
  const rows = [
    person(null, null, 'b@mail.test'),
    person('Ávila', 'Noa', '3@mail.test'),
    person('', '', 'a@mail.test'),
    person('Zweig', null, '5@mail.test'),
    person('avila', 'Zev', '4@mail.test'),
    person('Abel', 'Dina', '2@mail.test'),
    person('abel', 'dina', '1@mail.test'),
  ];
  const sorted = ['1@mail.test', '2@mail.test', '3@mail.test', '4@mail.test', '5@mail.test', 'a@mail.test', 'b@mail.test'];
  expect(sortedByName(rows, (row) => row).map(({ email }) => email)).toEqual(sorted);
});
