// A sign-in is pending between its two steps. The cookie of a pending sign-in contains 256 random bits, and the database stores only its
// hash. The cookie gives access to the second step only.
import { FACTORS, MAX_STEP_ATTEMPTS, stepExpiry, type Factor } from '../../../domain/accounts/second-factor.ts';
import { run, runOne, runSingle, type Db } from '../../database/db.ts';
import { hashOfToken, newToken } from '../token.ts';

export const pendingCookieName = (secure: boolean): string => (secure ? '__Host-second-step' : 'second-step');

const SET = `SELECT EXISTS (SELECT FROM passkeys WHERE "userId" = $1) AS passkey, EXISTS (SELECT FROM code_apps WHERE "userId" = $1) AS code`;

export async function factorsOf(db: Db, userId: number): Promise<Factor[]> {
  const set = await runSingle<Record<Factor, boolean>>(db, SET, [userId]);
  return FACTORS.filter((factor) => set[factor]);
}

/**
 * A user has at most this many pending sign-ins. A new one ends the oldest. The number is so large that somebody who knows only the password
 * needs minutes to end the sign-in of the user, who types the code meanwhile.
 */
export const MAX_PENDING_PER_USER = 10_000;
const OPEN = `WITH ended AS (DELETE FROM pending_sign_ins WHERE "tokenHash" IN (
    SELECT "tokenHash" FROM pending_sign_ins WHERE "userId" = $2 ORDER BY "expiresAt" DESC OFFSET ${MAX_PENDING_PER_USER - 1}))
  INSERT INTO pending_sign_ins ("tokenHash", "userId", "expiresAt", "byMailedLink") VALUES ($1, $2, $3, $4)`;

export async function openPendingSignIn(
  db: Db,
  { userId, byMailedLink, now }: { userId: number; byMailedLink: boolean; now: Date },
): Promise<{ cookie: string; expires: Date }> {
  const cookie = newToken();
  const expires = stepExpiry(now);
  await run(db, OPEN, [hashOfToken(cookie), userId, expires, byMailedLink]);
  return { cookie, expires };
}

export interface PendingSignIn {
  readonly tokenHash: string;
  readonly userId: number;
  /** The challenge that a passkey has to sign. Null if the browser has not requested a challenge. */
  readonly challenge: string | null;
  /** Whether the first step of this sign-in was a mailed link instead of the password. */
  readonly byMailedLink: boolean;
}

const LIVE = `"tokenHash" = $1 AND "expiresAt" > $2 AND attempts < ${MAX_STEP_ATTEMPTS}`;

/** Stores the challenge that a passkey has to sign. Returns null when no sign-in is pending. */
export async function savePendingChallenge(
  db: Db,
  tokenHash: string | null,
  { challenge, now }: { challenge: string; now: Date },
): Promise<number | null> {
  const text = `UPDATE pending_sign_ins SET challenge = $3 WHERE ${LIVE} RETURNING "userId"`;
  return (await runOne<{ userId: number }>(db, text, [tokenHash, now, challenge]))?.userId ?? null;
}

export async function findPendingUser(db: Db, tokenHash: string | null, now: Date): Promise<number | null> {
  const text = `SELECT "userId" FROM pending_sign_ins WHERE ${LIVE}`;
  return (await runOne<{ userId: number }>(db, text, [tokenHash, now]))?.userId ?? null;
}

// This statement counts an attempt before the code is compared, so that the limit also applies to concurrent guesses. It also clears the
// challenge, so that the server accepts only one signature for each challenge.
const TAKE = `WITH pending AS (SELECT * FROM pending_sign_ins WHERE ${LIVE} FOR UPDATE)
  UPDATE pending_sign_ins p SET attempts = p.attempts + 1, challenge = NULL FROM pending
  WHERE p."tokenHash" = pending."tokenHash" RETURNING p."tokenHash", p."userId", p."byMailedLink", pending.challenge`;

/** Counts one attempt at the second step. Returns null when no sign-in is pending. */
export async function takePendingAttempt(db: Db, tokenHash: string | null, now: Date): Promise<PendingSignIn | null> {
  return await runOne<PendingSignIn>(db, TAKE, [tokenHash, now]);
}

/** Whether no other call has ended the sign-in of this attempt. */
export const isStillPending = async (db: Db, tokenHash: string | null): Promise<boolean> =>
  (await run(db, 'SELECT 1 FROM pending_sign_ins WHERE "tokenHash" = $1', [tokenHash])).length > 0;

/**
 * Deletes the pending sign-in. Returns false when another call has deleted it, or when the user's password has changed since the first
 * step.
 */
export async function closePendingSignIn(db: Db, tokenHash: string | null): Promise<boolean> {
  return (await run(db, 'DELETE FROM pending_sign_ins WHERE "tokenHash" = $1 RETURNING 1', [tokenHash])).length > 0;
}
