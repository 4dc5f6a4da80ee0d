// When an account is locked, how long a mailed link lives, and what a password must be (spec §5, contract §3).
// Time is always an argument.
import { isBreachedPassword } from './breached-passwords.ts';
import {
  PASSWORD_TOO_COMMON,
  PASSWORD_TOO_SHORT,
  PASSWORD_WITHOUT_LOWERCASE,
  PASSWORD_WITHOUT_NUMBER,
  PASSWORD_WITHOUT_UPPERCASE,
} from '../texts.ts';

const MINUTE = 60_000;
export const MAX_FAILURES = 5;
/** Failures from one IPv4 address or IPv6 /64 within a quarter of an hour, before its next attempts are slowed. */
export const MOST_FAILURES = 300;
/** From one IPv6 /56. */
export const MOST_FAILURES_OF_A_SITE = 1200;
/** Accounts that one network can lock within a quarter of an hour. */
export const MOST_LOCKS = 19;
/** A failure or two are mistakes; from here on few more lock. */
export const NEAR_LOCK = 3;
export const LOCK_MINUTES = 15;
const LOCK = LOCK_MINUTES * MINUTE;
const DAY = 24 * 60 * MINUTE;
const LIFETIME = { reset: 60 * MINUTE, invitation: 30 * DAY } as const;

export type LinkKind = keyof typeof LIFETIME;

export interface Attempts {
  readonly loginAttempts: number;
  readonly lockedUntil: Date | null;
  readonly lastFailureAt: Date | null;
}

export const UNLOCKED: Attempts = { loginAttempts: 0, lockedUntil: null, lastFailureAt: null };

export const isLocked = (lockedUntil: Date | null, now: Date): boolean => lockedUntil !== null && lockedUntil > now;

/** Whether failures no longer count: the lock that they caused is over, or they are a day old. */
export const isForgotten = ({ lockedUntil, lastFailureAt }: Attempts, now: Date): boolean =>
  (lockedUntil !== null && lockedUntil <= now) || (lastFailureAt !== null && now.getTime() - lastFailureAt.getTime() > DAY);

/**
 * The attempts after one more failure: the fifth in a row locks. Our choice: a lock neither grows nor, once over, counts on, and
 * what failed a day ago is forgotten, for an address that nobody has as for one that somebody has.
 */
export function afterFailure(before: Attempts, now: Date): Attempts {
  if (isLocked(before.lockedUntil, now)) return before;
  const loginAttempts = (isForgotten(before, now) ? 0 : before.loginAttempts) + 1;
  return { loginAttempts, lockedUntil: loginAttempts >= MAX_FAILURES ? new Date(now.getTime() + LOCK) : null, lastFailureAt: now };
}

/** Until when a link mailed now can be used. */
export const linkExpiry = (kind: LinkKind, now: Date): Date => new Date(now.getTime() + LIFETIME[kind]);
/** The prefix of every token of that kind: the browser knows from it which form to show. */
export const TOKEN_PREFIX = { reset: '', invitation: 'invite-' } as const;
export const linkKind = (token: string): LinkKind => (token.startsWith(TOKEN_PREFIX.invitation) ? 'invitation' : 'reset');
/** A link that makes the account of a join request has a prefix of its own. */
export const JOIN_PREFIX = 'join-';
export const isJoinToken = (token: string): boolean => token.startsWith(JOIN_PREFIX);
export const JOIN_LINK_DAYS = 7;
export const joinLinkExpiry = (now: Date): Date => new Date(now.getTime() + JOIN_LINK_DAYS * DAY);
export const isExpired = (expires: Date | null, now: Date): boolean => expires === null || expires <= now;

export const normalizedEmail = (email: string): string => email.trim().toLowerCase();

/** What a password lacks, in the words of spec §5, or that it is among the first to be guessed (our choice); or null. */
export function passwordProblem(text: string): string | null {
  const password = text.trim();
  if (password.length < 8) return PASSWORD_TOO_SHORT;
  if (!/\p{Lu}/u.test(password)) return PASSWORD_WITHOUT_UPPERCASE;
  if (!/\p{Ll}/u.test(password)) return PASSWORD_WITHOUT_LOWERCASE;
  if (!/\d/.test(password)) return PASSWORD_WITHOUT_NUMBER;
  return isBreachedPassword(password) ? PASSWORD_TOO_COMMON : null;
}
