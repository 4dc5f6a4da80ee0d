// The tables in this file belong to signing in: sessions, mailed links, second factors and failed attempts.
import type { Generated } from 'kysely';
import type { Timestamp } from '../../src/server/database/schema.ts';

export interface UnknownSignIns {
  emailHash: string;
  loginAttempts: Generated<number>;
  lockedUntil: Timestamp | null;
  lastFailureAt: Generated<Timestamp>;
}

export interface SignInAddresses {
  /** The network as text: an IPv4 address, or an IPv6 /64 or /56. */
  address: string;
  failures: Generated<number>;
  nextReplyAt: Timestamp | null;
  accountsNearLock: Generated<number>;
  emailsTried: Generated<number>;
  emailsTriedSince: Timestamp | null;
  windowStart: Generated<Timestamp>;
}

/**
 * Counts the failed sign-ins for each e-mail address from a network that has reached its limit of locked accounts, and from all networks
 * together that have reached their limit of tried e-mail addresses.
 */
export interface NetworkAttempts {
  emailHash: string;
  network: string;
  loginAttempts: number;
  lockedUntil: Timestamp | null;
  lastFailureAt: Timestamp;
}

export interface SessionStore {
  /** The SHA-256 hash of the cookie's value, so that nobody can open a session with the content of the table alone. */
  sid: string;
  /** The data of the session. `idle` is the number of milliseconds from the last use to `expire`. */
  sess: { createdAt: Timestamp; idle?: number };
  expire: Timestamp;
  userId: number;
}

/** Contains the mailed links that were replaced by a newer link of the same kind. */
export interface ReplacedLinks {
  tokenHash: string;
  userId: number;
  expires: Timestamp;
}

export interface CodeApps {
  userId: number;
  /** The secret is encrypted if SECOND_FACTOR_KEY is set. */
  secret: string;
  /** The time step of the last code that was accepted. */
  lastStep: Generated<number>;
  /** The number of wrong codes since the user last signed in with a second factor. */
  failures: Generated<number>;
  createdAt: Generated<Timestamp>;
  usedAt: Timestamp | null;
}

export interface RecoveryCodes {
  userId: number;
  /** The SHA-256 hash of the code. */
  codeHash: string;
  usedAt: Timestamp | null;
}

/** A row contains a sign-in whose password was correct and whose second step is still missing. */
export interface PendingSignIns {
  /** The SHA-256 hash of the cookie's value. */
  tokenHash: string;
  userId: number;
  /** The challenge that a passkey has to sign. Null until the browser requests it. */
  challenge: string | null;
  attempts: Generated<number>;
  expiresAt: Timestamp;
  byMailedLink: Generated<boolean>;
}

/** Contains the challenge of a passkey, or the secret of a code app, while a user is adding that factor. */
export interface SecondFactorSetups {
  userId: number;
  kind: 'passkey' | 'code';
  secret: string;
  expiresAt: Timestamp;
}
