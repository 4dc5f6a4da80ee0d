import { expect, test } from 'vitest';
import { dateNextYear, nameNextYear } from './next-year.ts';

test.each([
  ['2027-04-15', '2028-04-15'],
  ['2028-02-29', '2029-02-28'],
  ['2027-02-28', '2028-02-28'],
  ['2999-12-31', '2999-12-31'],
])('for the copy of a distribution with the date %s, the proposed date is %s (contract §13)', (date, next) => {
  expect(dateNextYear(date)).toBe(next);
});

test.each([
  ['Passover 2027', 'Passover 2028'],
  ['2027 Rosh Hashana 2027', '2028 Rosh Hashana 2028'],
  ['Passover', 'Passover'],
  ['Passover 2026', 'Passover 2026'],
  ['Lot 120270', 'Lot 120270'],
])('for the copy of a distribution named %s, the proposed name is %s (contract §13)', (name, next) => {
  expect(nameNextYear(name, '2027-04-15')).toBe(next);
});
