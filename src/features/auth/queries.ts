import { linkKind } from '../../domain/accounts/account.ts';
import { run, runOne, type Db } from '../../server/database/db.ts';
import { passwordMatches } from '../../server/auth/password.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { clearAttempts } from '../../server/auth/account-lock.ts';
import { isShutOut, recordAttempt, transactionPerAccount } from '../../server/auth/sign-in-attempts.ts';
import { invalid, tooMany, unauthenticated } from '../../server/errors.ts';
import { hashOfToken } from '../../server/auth/token.ts';
import type { Row } from '../../server/database/schema.ts';
import type { CurrentUser } from './contract.ts';
import { LOCKED, NOT_YOUR_PASSWORD } from './texts.ts';

type Account = Pick<
  Row<'users'>,
  'id' | 'email' | 'role' | 'distributorId' | 'password' | 'disabledAt' | 'lastLoginAt' | 'mayTakePayments' | 'requireSecondFactor'
>;

export async function findAccount(db: Db, email: string): Promise<Account | null> {
  const text = `SELECT id, email, role, "distributorId", password, "disabledAt", "lastLoginAt", "mayTakePayments", "requireSecondFactor"
    FROM users WHERE email = $1`;
  return await runOne<Account>(db, text, [email]);
}

interface OneSelf extends Pick<CurrentUser, 'id' | 'email' | 'role' | 'distributorId'> {
  readonly mayTakePayments?: boolean;
  readonly mustAddSecondFactor?: boolean;
}

/**
 * Returns the fields of the signed-in user for a response. The fields that are not in contract §3 are present only for agents to whom they
 * apply.
 */
export const currentUser = ({ mayTakePayments, mustAddSecondFactor, role, ...user }: OneSelf): CurrentUser => ({
  ...user,
  role,
  ...(role === 'agent' && mayTakePayments && { mayTakePayments }),
  ...(role === 'agent' && mustAddSecondFactor && { mustAddSecondFactor }),
});

interface Confirmation {
  readonly now: Date;
  readonly address: string;
  readonly device: string | null;
  readonly signal: AbortSignal;
}

/**
 * Returns the viewer's account after checking the password that the viewer typed again; a wrong password counts toward the lock (contract
 * §3).
 */
export async function confirmPassword(
  db: Db,
  viewer: Viewer,
  password: string,
  { now, address, device, signal }: Confirmation,
): Promise<Account> {
  const account = await findAccount(db, viewer.email);
  if (!account) throw unauthenticated();
  const matches = await passwordMatches(password, account.password, { address, signal, userId: viewer.userId });
  const result = await transactionPerAccount(db, account.email, (db) => recordAttempt(db, account, { matches, now, address, device }));
  if (result === 'locked') throw tooMany(LOCKED);
  if (result === 'refused') throw invalid(NOT_YOUR_PASSWORD);
  return account;
}

const NEWEST_LINK = {
  reset: '"resetPasswordToken" = $1 AND "resetPasswordExpires" > $2',
  invitation: '"invitationToken" = $1 AND "invitationExpires" > $2',
};

type LinkOwner = Pick<Row<'users'>, 'id' | 'role' | 'disabledAt' | 'distributorId'>;

/** Returns the id of the user to whom the link with this token was mailed, or null if the link is invalid or the user is shut out. */
export async function findLinkOwner(db: Db, token: string, now: Date): Promise<number | null> {
  const text = `SELECT id, role, "disabledAt", "distributorId" FROM users WHERE ${NEWEST_LINK[linkKind(token)]}
    UNION ALL SELECT u.id, u.role, u."disabledAt", u."distributorId" FROM replaced_links l JOIN users u ON u.id = l."userId"
    WHERE l."tokenHash" = $1 AND l.expires > $2`;
  const owner = await runOne<LinkOwner>(db, text, [hashOfToken(token), now]);
  return owner && !(await isShutOut(db, owner)) ? owner.id : null;
}

export async function revokeLinks(db: Db, userId: number): Promise<void> {
  await run(db, 'DELETE FROM replaced_links WHERE "userId" = $1', [userId]);
  const text = `UPDATE users SET "resetPasswordToken" = NULL, "resetPasswordExpires" = NULL, "invitationToken" = NULL, "invitationExpires" = NULL
    WHERE id = $1`;
  await run(db, text, [userId]);
}

/**
 * Deletes the join requests for this e-mail address at all distributors. They are useless as soon as the owner of the address has an
 * account. Returns the ids of the distributors of these requests. Locks the rows in the order of their ids, so that concurrent calls do not
 * deadlock.
 */
export async function deleteJoinRequestsOf(db: Db, email: string): Promise<number[]> {
  const text = `WITH found AS MATERIALIZED (SELECT id FROM join_requests WHERE email = $1 ORDER BY id FOR UPDATE)
    DELETE FROM join_requests r USING found WHERE r.id = found.id RETURNING r."distributorId"`;
  return (await run<{ distributorId: number }>(db, text, [email])).map(({ distributorId }) => distributorId);
}

type SignedInUser = Pick<Account, 'id' | 'email' | 'role' | 'distributorId' | 'mayTakePayments' | 'requireSecondFactor'>;

/**
 * Sets the password with the token of a mailed link. Invalidates all links of the user, and all join links for the user's e-mail address.
 * Also ends a lock of the account, because the caller then signs the user in. Returns null if the link is invalid.
 */
export async function useLink(db: Db, token: string, { password, now }: { password: string; now: Date }): Promise<SignedInUser | null> {
  const id = await findLinkOwner(db, token, now);
  // The join requests are locked before the user, as in acceptJoinRequest, so that the two do not deadlock.
  const owner = await runOne<{ email: string }>(db, 'SELECT email FROM users WHERE id = $1', [id]);
  if (owner) await deleteJoinRequestsOf(db, owner.email);
  await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [id]);
  // Checks the link again. If several requests use the same link at the same time, the first one invalidates it. The others wait for the
  // lock, and then find the link invalid.
  if (id === null || (await findLinkOwner(db, token, now)) !== id) return null;
  await revokeLinks(db, id);
  const text =
    'UPDATE users SET password = $3, "lastLoginAt" = $2 WHERE id = $1 RETURNING id, email, role, "distributorId", "mayTakePayments", "requireSecondFactor"';
  const user = await runOne<SignedInUser>(db, text, [id, now, password]);
  if (!user) return null;
  await clearAttempts(db, user);
  return user;
}

/** Replaces the password hash `from` by `to`. Returns false if the password has changed since `from` was verified. */
export async function savePassword(db: Db, id: number, { from, to }: { from: string | null; to: string }): Promise<boolean> {
  const text = `UPDATE users SET password = $3 WHERE id = $1 AND password = $2 AND "disabledAt" IS NULL RETURNING id`;
  if ((await run(db, text, [id, from, to])).length === 0) return false;
  await revokeLinks(db, id);
  return true;
}

/** Creates an admin with the e-mail address ADMIN_EMAIL, unless the address is already in use. Returns whether an admin exists. */
export async function ensureAdmin(db: Db, admin: { email: string; hash: () => Promise<string> } | null): Promise<boolean> {
  if (admin && !(await findAccount(db, admin.email))) {
    const text = `INSERT INTO users (email, password, role) VALUES ($1, $2, 'admin') ON CONFLICT (email) DO NOTHING`;
    await run(db, text, [admin.email, await admin.hash()]);
  }
  return (await run(db, `SELECT FROM users WHERE role = 'admin' LIMIT 1`, [])).length > 0;
}
