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

/** Failures from a network that may not lock further accounts. */
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
  /** `idle`: the milliseconds from the last use to `expire`. */
  sess: { createdAt: Timestamp; idle?: number };
  expire: Timestamp;
  userId: number;
}

export interface Passkeys {
  id: Generated<number>;
  userId: number;
  credentialId: string;
  publicKey: Buffer;
  counter: Generated<number>;
  transports: Generated<string[]>;
  name: string;
  createdAt: Generated<Timestamp>;
  usedAt: Timestamp | null;
}

export interface CodeApps {
  userId: number;
  /** Encrypted if SECOND_FACTOR_KEY is set. */
  secret: string;
  /** The time step of the last accepted code. */
  lastStep: Generated<number>;
  /** Wrong codes since the last successful second step. */
  failures: Generated<number>;
  createdAt: Generated<Timestamp>;
  usedAt: Timestamp | null;
}

export interface RecoveryCodes {
  userId: number;
  /** SHA-256 of the code. */
  codeHash: string;
  usedAt: Timestamp | null;
}

/** A sign-in with a correct password that still needs the second step. */
export interface PendingSignIns {
  /** SHA-256 of the cookie's value. */
  tokenHash: string;
  userId: number;
  /** The challenge of a passkey; null until it is requested. */
  challenge: string | null;
  attempts: Generated<number>;
  expiresAt: Timestamp;
}

/** The challenge of a passkey, or the secret of a code app, that a user is adding. */
export interface SecondFactorSetups {
  userId: number;
  kind: 'passkey' | 'code';
  secret: string;
  expiresAt: Timestamp;
}
