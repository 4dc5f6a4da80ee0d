import { expect, test } from 'vitest';
import { afterFailure, isLocked, linkExpiry, normalizedEmail, passwordProblem, UNLOCKED } from './account.ts';

const now = new Date('2026-03-01T10:00:00Z');
const later = (time: string) => new Date(`2026-03-01T${time}Z`);

test('five failed sign-ins in a row lock an account for 15 minutes (contract §3)', () => {
  let attempts = UNLOCKED;
  for (let failure = 1; failure <= 4; failure++) attempts = afterFailure(attempts, now);
  expect(attempts).toEqual({ loginAttempts: 4, lockedUntil: null, lastFailureAt: now });
  expect(afterFailure(attempts, now)).toEqual({ loginAttempts: 5, lockedUntil: later('10:15:00'), lastFailureAt: now });
});

test('an account stays locked until the last of the 15 minutes has passed; further attempts never extend the lock (spec §4)', () => {
  const locked = { loginAttempts: 5, lockedUntil: later('10:15:00'), lastFailureAt: now };
  expect(isLocked(locked.lockedUntil, later('10:14:59'))).toBe(true);
  expect(isLocked(locked.lockedUntil, later('10:15:00'))).toBe(false);
  expect(isLocked(null, now)).toBe(false);
  expect(afterFailure(locked, later('10:14:59'))).toEqual(locked);
});

test('the count of failed sign-ins starts from 0 again after a lock has ended', () => {
  expect(afterFailure({ loginAttempts: 5, lockedUntil: later('10:15:00'), lastFailureAt: now }, later('10:15:00'))).toEqual({
    loginAttempts: 1,
    lockedUntil: null,
    lastFailureAt: later('10:15:00'),
  });
});

test('failed sign-ins that are older than a day do not count', () => {
  const before = { loginAttempts: 4, lockedUntil: null, lastFailureAt: now };
  const inADay = (minutes: number) => new Date(now.getTime() + (24 * 60 + minutes) * 60_000);
  expect(afterFailure(before, inADay(0))).toMatchObject({ loginAttempts: 5 });
  expect(afterFailure(before, inADay(1))).toMatchObject({ loginAttempts: 1, lockedUntil: null });
});

test('a password reset link is valid for one hour, and an invitation for thirty days', () => {
  expect(linkExpiry('reset', now)).toEqual(later('11:00:00'));
  expect(linkExpiry('invitation', now)).toEqual(new Date('2026-03-31T10:00:00Z'));
});

test.each([
  ['Matzah12', null],
  ['  Matzah12  ', null],
  ['  Matza1  ', 'Password must be at least 8 characters'],
  ['', 'Password must be at least 8 characters'],
  ['matzah12', 'Password must contain at least one uppercase letter'],
  ['MATZAH12', 'Password must contain at least one lowercase letter'],
  ['Matzahhh', 'Password must contain at least one number'],
  ['Password1', 'Password must not be one of the commonest passwords'],
  [' pASSW0RD ', 'Password must not be one of the commonest passwords'],
  ['Welcome123', 'Password must not be one of the commonest passwords'],
  ['Qwerty123456', 'Password must not be one of the commonest passwords'],
  ['Password1Password2', null],
])(
  'for the password %j, passwordProblem returns the broken rule %j, where null means that the password is accepted (spec §9)',
  (password, problem) => expect(passwordProblem(password)).toBe(problem),
);

test('normalizedEmail trims and lowercases an e-mail address (spec §5)', () => {
  expect(normalizedEmail('  Dana@Example.COM ')).toBe('dana@example.com');
});
