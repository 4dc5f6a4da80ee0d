import { expect, test } from 'vitest';
import { homeOf, ROLES } from './roles.ts';

test('every role has its own home page (spec §1, §2)', () => {
  expect(ROLES.map((role) => [role, homeOf(role)])).toEqual([
    ['admin', '/'],
    ['distributor', '/distributor'],
    ['customer', '/customer'],
    ['agent', '/agent'],
  ]);
});
