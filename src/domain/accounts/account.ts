// Defines when an account is locked, how long a mailed link is valid, and what a password must contain (spec §5, contract §3). Every
// function takes the time as an argument.
import { isBreachedPassword } from './breached-passwords.ts';
import {
  PASSWORD_TOO_COMMON,
  PASSWORD_TOO_SHORT,
  PASSWORD_WITHOUT_LOWERCASE,
  PASSWORD_WITHOUT_NUMBER,
  PASSWORD_WITHOUT_UPPERCASE,
} from '../texts.ts';
import { DAY, MINUTE } from '../durations.ts';

export const MAX_FAILURES = 5;
/** After this many failed sign-ins from one IPv4 address or IPv6 /64 within 15 minutes, the server delays further attempts. */
export const MAX_NETWORK_FAILURES = 300;
/** Like MAX_NETWORK_FAILURES, but for all addresses of an IPv6 site (/56) together. A site contains 256 networks (/64). */
export const MAX_SITE_FAILURES = 1200;
/**
 * The maximum number of accounts that failed sign-ins from one network (an IPv4 address or an IPv6 /56) can lock within 15 minutes. An
 * account counts when its failures reach NEAR_LOCK, and again when it is locked.
 */
export const MAX_LOCKS = 19;
/** Like MAX_LOCKS, but for all addresses of an IPv6 block (/48) together. A block contains 256 sites (/56). */
export const MAX_LOCKS_PER_BLOCK = 4 * MAX_LOCKS;
/**
 * How many counts of failed sign-ins one network (an IPv4 address or an IPv6 /56) may begin in a day. Each count belongs to an e-mail
 * address, and a new one begins after a sign-in, a lock or a pause. The limit is high, because all people in a hall may share one IP address.
 */
export const MAX_EMAILS_PER_NETWORK = 2000;
/** When the failed sign-ins of an account reach this number, the account is close to a lock. Fewer failures are usually typing errors. */
export const NEAR_LOCK = 3;
/**
 * The maximum number of links that one network (an IPv4 address or an IPv6 /64) can request at the sign-in page within 15 minutes. It is
 * high, because all people in a hall may share one IP address.
 */
export const MAX_RESETS_PER_NETWORK = 1000;
/** Like MAX_RESETS_PER_NETWORK, but for all addresses of an IPv6 site (/56) together. A site contains 256 networks (/64). */
export const MAX_RESETS_PER_SITE = 1500;
/** Like MAX_RESETS_PER_NETWORK, but for all addresses of an IPv6 block (/48) together. A block contains 256 sites (/56). */
export const MAX_RESETS_PER_BLOCK = 4 * MAX_RESETS_PER_SITE;
/**
 * When the mails of requested links take turns, this many requests of an IPv6 block (/48) count like one request of its network (/64). So
 * neither does the owner of a whole block delay the mails of others by more than this many, nor do neighbours in a block delay each other much.
 */
export const BLOCK_REQUESTS_PER_TURN = 32;
/**
 * When the people of a distributor have requested this many links within an hour, each network and each site may request only
 * MAX_RESETS_PER_NETWORK_WHEN_MANY links in 15 minutes, and each block MAX_RESETS_PER_BLOCK_WHEN_MANY. A flood from a few networks then
 * leaves room for others.
 */
export const MANY_RESETS_PER_DISTRIBUTOR = 2000;
export const MAX_RESETS_PER_NETWORK_WHEN_MANY = 5;
export const MAX_RESETS_PER_BLOCK_WHEN_MANY = 4 * MAX_RESETS_PER_NETWORK_WHEN_MANY;
/** The maximum number of links that the people of one distributor can request at the sign-in page within an hour. */
export const MAX_RESETS_PER_DISTRIBUTOR = 5000;
export const LOCK_MINUTES = 15;
const LOCK = LOCK_MINUTES * MINUTE;
const LIFETIME = { reset: 60 * MINUTE, invitation: 30 * DAY } as const;

export type LinkKind = keyof typeof LIFETIME;

export interface Attempts {
  readonly loginAttempts: number;
  readonly lockedUntil: Date | null;
  readonly lastFailureAt: Date | null;
}

export const UNLOCKED: Attempts = { loginAttempts: 0, lockedUntil: null, lastFailureAt: null };

export const isLocked = (lockedUntil: Date | null, now: Date): boolean => lockedUntil !== null && lockedUntil > now;

/** Whether earlier failed sign-ins no longer count, because the lock has ended or the last failure is more than a day old. */
export const isForgotten = ({ lockedUntil, lastFailureAt }: Attempts, now: Date): boolean =>
  (lockedUntil !== null && lockedUntil <= now) || (lastFailureAt !== null && now.getTime() - lastFailureAt.getTime() > DAY);

/**
 * Returns the number of failed sign-ins after one more failure. The fifth failure in a row locks the account. These rules are our choice:
 * failures during a lock do not extend it, and the count restarts after a lock or after a day without failures. E-mail addresses without an
 * account are treated in the same way.
 */
export function afterFailure(before: Attempts, now: Date): Attempts {
  if (isLocked(before.lockedUntil, now)) return before;
  const loginAttempts = (isForgotten(before, now) ? 0 : before.loginAttempts) + 1;
  return { loginAttempts, lockedUntil: loginAttempts >= MAX_FAILURES ? new Date(now.getTime() + LOCK) : null, lastFailureAt: now };
}

export const linkExpiry = (kind: LinkKind, now: Date): Date => new Date(now.getTime() + LIFETIME[kind]);
/** The prefixes of tokens in mailed links. By the prefix, the browser decides whether to show the reset form or the invitation form. */
export const TOKEN_PREFIX = { reset: '', invitation: 'invite-' } as const;
export const linkKind = (token: string): LinkKind => (token.startsWith(TOKEN_PREFIX.invitation) ? 'invitation' : 'reset');
export const JOIN_PREFIX = 'join-';
export const isJoinToken = (token: string): boolean => token.startsWith(JOIN_PREFIX);
export const JOIN_LINK_DAYS = 7;
export const joinLinkExpiry = (now: Date): Date => new Date(now.getTime() + JOIN_LINK_DAYS * DAY);

export const normalizedEmail = (email: string): string => email.trim().toLowerCase();

/**
 * Returns the message of spec §5 that says why a password is refused, or null. Our choice: passwords that are guessed most often are
 * refused too.
 */
export function passwordProblem(text: string): string | null {
  const password = text.trim();
  if (password.length < 8) return PASSWORD_TOO_SHORT;
  if (!/\p{Lu}/u.test(password)) return PASSWORD_WITHOUT_UPPERCASE;
  if (!/\p{Ll}/u.test(password)) return PASSWORD_WITHOUT_LOWERCASE;
  if (!/\d/.test(password)) return PASSWORD_WITHOUT_NUMBER;
  return isBreachedPassword(password) ? PASSWORD_TOO_COMMON : null;
}
