// When an account is locked, how long a mailed link lives, and what a password must be (spec §5, contract §3).
// Time is always an argument.
import { isBreachedPassword } from './breached-passwords.ts';

const MINUTE = 60_000;
const MAX_FAILURES = 5;
const LOCK = 15 * MINUTE;
const DAY = 24 * 60 * MINUTE;
const LIFETIME = { reset: 60 * MINUTE, invitation: 30 * 24 * 60 * MINUTE } as const;

export interface Attempts {
  readonly loginAttempts: number;
  readonly lockedUntil: Date | null;
  readonly lastFailureAt: Date | null;
}

export const UNLOCKED: Attempts = { loginAttempts: 0, lockedUntil: null, lastFailureAt: null };

export const isLocked = (lockedUntil: Date | null, now: Date): boolean => lockedUntil !== null && lockedUntil > now;

/**
 * The attempts after one more failure: the fifth in a row locks. Our choice: a lock neither grows nor, once over, counts on, and
 * what failed a day ago is forgotten, for an address that nobody has as for one that somebody has.
 */
export function afterFailure(before: Attempts, now: Date): Attempts {
  if (isLocked(before.lockedUntil, now)) return before;
  const isOver = before.lockedUntil !== null || (before.lastFailureAt !== null && now.getTime() - before.lastFailureAt.getTime() > DAY);
  const loginAttempts = (isOver ? 0 : before.loginAttempts) + 1;
  return { loginAttempts, lockedUntil: loginAttempts >= MAX_FAILURES ? new Date(now.getTime() + LOCK) : null, lastFailureAt: now };
}

/** Until when a link mailed now can be used. */
export const linkExpiry = (kind: keyof typeof LIFETIME, now: Date): Date => new Date(now.getTime() + LIFETIME[kind]);
export const isExpired = (expires: Date | null, now: Date): boolean => expires === null || expires <= now;

export const normalizedEmail = (email: string): string => email.trim().toLowerCase();

/** What a password lacks, in the words of spec §5, or that it is among the first to be guessed (our choice); or null. */
export function passwordProblem(text: string): string | null {
  const password = text.trim();
  if (password.length < 8) return 'Password must be at least 8 characters';
  if (!/\p{Lu}/u.test(password)) return 'Password must contain at least one uppercase letter';
  if (!/\p{Ll}/u.test(password)) return 'Password must contain at least one lowercase letter';
  if (!/\d/.test(password)) return 'Password must contain at least one number';
  return isBreachedPassword(password) ? 'Password must not be one of the commonest passwords' : null;
}
