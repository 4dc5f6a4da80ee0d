// The tables of sign-in: sessions, devices, mailed links and failed attempts.
import type { Generated } from 'kysely';
import type { Timestamp } from './audit-schema.ts';

export interface UnknownSignIns {
  emailHash: string;
  loginAttempts: Generated<number>;
  lockedUntil: Timestamp | null;
  lastFailureAt: Generated<Timestamp>;
}

export interface SignInAddresses {
  /** A network: an IPv4 address, or an IPv6 /64 or /56. */
  address: string;
  failures: Generated<number>;
  nextReplyAt: Timestamp | null;
  accountsNearLock: Generated<number>;
  windowStart: Generated<Timestamp>;
}

/** Failures from a network that may lock no further account. */
export interface NetworkAttempts {
  emailHash: string;
  network: string;
  loginAttempts: number;
  lockedUntil: Timestamp | null;
  lastFailureAt: Timestamp;
}

export interface Devices {
  /** SHA-256 of the cookie's value. */
  tokenHash: string;
  userId: number;
  loginAttempts: Generated<number>;
  lockedUntil: Timestamp | null;
  lastFailureAt: Timestamp | null;
  usedAt: Generated<Timestamp>;
}

/** Links mailed before the newest one of their kind. */
export interface ReplacedLinks {
  tokenHash: string;
  userId: number;
  expires: Timestamp;
}

export interface SessionStore {
  /** SHA-256 of the cookie's value: the table alone opens no session. */
  sid: string;
  /** `idle`: milliseconds from the last use to `expire`. */
  sess: { createdAt: Timestamp; idle?: number };
  expire: Timestamp;
  userId: number;
}
