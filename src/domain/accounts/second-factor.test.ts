import { expect, test } from 'vitest';
import { ROLES } from './roles.ts';
import {
  mayHaveSecondFactor,
  normalizedCode,
  normalizedRecoveryCode,
  RECOVERY_BYTES,
  recoveryCodeOf,
  STAFF_ROLES,
} from './second-factor.ts';

test('admins, distributors and agents may have a second factor, customers may not (contract §19)', () => {
  expect(ROLES.filter(mayHaveSecondFactor).toSorted()).toEqual([...STAFF_ROLES].toSorted());
});

test('a recovery code has 16 characters in groups of four, and each random byte changes the code', () => {
  const bytes = Uint8Array.from({ length: RECOVERY_BYTES }, (_, index) => index * 17);
  const code = recoveryCodeOf(bytes);
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(recoveryCodeOf(bytes.map((byte) => byte ^ 1))).not.toBe(code);
});

test.each([
  ['7k3m-9pq2-xz0a-4wtc', '7K3M9PQ2XZ0A4WTC'],
  [' 7K3M 9PQ2 XZOA 4WTC ', '7K3M9PQ2XZ0A4WTC'],
  ['il-o', '110'],
])(
  'normalizedRecoveryCode reads the recovery code typed as %j, with any spacing, hyphens and case, and with O for 0 or I for 1',
  (typed, code) => {
    expect(normalizedRecoveryCode(typed)).toBe(code);
  },
);

test('a code of an authenticator app is accepted with the space that apps show in it', () => {
  expect(normalizedCode(' 123 456')).toBe('123456');
});
