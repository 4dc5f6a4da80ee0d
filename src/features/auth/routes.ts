import { setTimeout as pause } from 'node:timers/promises';
import { isJoinToken, linkKind, normalizedEmail } from '../../domain/accounts/account.ts';
import { transaction, type Db } from '../../server/database/db.ts';
import { clientGone, HttpError, invalid, unauthenticated } from '../../server/http/errors.ts';
import { on, onPublic, type Route } from '../../server/http/pipeline/route.ts';
import { hashPassword, passwordMatches } from '../../server/auth/password.ts';
import { isKnownDevice } from '../../server/auth/device.ts';
import {
  LONGEST_WAIT_MS,
  recordAttempt,
  recordUnknownAttempt,
  releaseFailure,
  reserveFailure,
  type Verdict,
} from '../../server/auth/sign-in-attempts.ts';
import { endSessions } from '../../server/auth/session.ts';
import { withMinimumDuration } from '../../server/auth/minimum-duration.ts';
import { acceptJoinRequest, isLiveJoinToken } from '../join-requests/queries.ts';
import { changePassword, LINK_REFUSED, readUser, requestReset, resetPassword, signIn, signOut, signOutEverywhere } from './contract.ts';
import { findAccount, findLinkOwner, isInvitationOf, mailLink, savePassword, useLink } from './queries.ts';
import { CROWDED_NETWORK, LOCKED, NO_MATCH, NOT_YOUR_PASSWORD, PASSWORD_SET, RESET_ANSWER, RESET_DONE } from './texts.ts';

const SLOWED_BY = 2000;

interface SlowedAttempt {
  readonly db: Db;
  readonly address: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** From a known device of the owner, which other people's failures do not slow. */
  readonly isKnown: boolean;
}

/** Judges an attempt in its network's turn, and delays the reply to a failure above the limit (contract §3). */
async function slowed({ db, address, now, signal, isKnown }: SlowedAttempt, judge: () => Promise<Verdict>): Promise<Verdict> {
  if (isKnown) return await judge();
  const turn = await reserveFailure(db, address, now);
  if (!turn) throw new HttpError(429, CROWDED_NETWORK, {}, LONGEST_WAIT_MS / 1000);
  let verdict: Verdict | null = null;
  try {
    if (turn.waitMs > 0) await pause(turn.waitMs, undefined, { signal }).catch(() => Promise.reject(clientGone()));
    verdict = await judge();
  } finally {
    if (verdict === 'in' || verdict === null) await releaseFailure(db, address, now);
  }
  if (verdict !== 'in' && turn.isSlowed) await pause(SLOWED_BY);
  return verdict;
}

export const authRoutes: Route[] = [
  on(readUser, async ({ viewer }) => ({ ...viewer, id: viewer.userId })),

  onPublic(signIn, async ({ db, now, body, session, address, signal }) => {
    const email = normalizedEmail(body.email);
    const account = await findAccount(db, email);
    const { device } = session;
    const isKnown = await isKnownDevice(db, device, { userId: account?.id, now });
    const verdict = await slowed({ db, address, now, signal, isKnown }, async () => {
      // Verifies a password for every request, so that the time does not reveal whether an account exists (reliability R29).
      const matches = await passwordMatches(body.password, account?.password ?? null, { address, signal });
      return await transaction(db, async (db) => {
        if (!account) return await recordUnknownAttempt(db, email, { matches, now, address });
        const verdict = await recordAttempt(db, account, { matches, now, address, device });
        if (verdict === 'in') await session.open(db, account);
        return verdict;
      });
    });
    if (account && verdict === 'in') return account;
    throw verdict === 'locked' ? new HttpError(429, LOCKED) : new HttpError(401, NO_MATCH);
  }),

  onPublic(signOut, async ({ session }) => {
    await session.close();
  }),

  on(signOutEverywhere, async ({ db, viewer, session }) => {
    await endSessions(db, viewer.userId);
    await session.close();
  }),

  on(changePassword, async ({ db, viewer, body, now, session, address, signal }) => {
    const account = await findAccount(db, viewer.email);
    if (!account) throw unauthenticated();
    const matches = await passwordMatches(body.currentPassword, account.password, { address, signal });
    const verdict = await transaction(db, (db) => recordAttempt(db, account, { matches, now, address, device: session.device }));
    if (verdict === 'locked') throw new HttpError(429, LOCKED);
    if (verdict === 'out') throw invalid(NOT_YOUR_PASSWORD);
    const password = await hashPassword(body.password);
    await transaction(db, async (db) => {
      if (!(await savePassword(db, account.id, { from: account.password, to: password }))) throw invalid(NOT_YOUR_PASSWORD);
      await endSessions(db, account.id);
      await session.open(db, account);
    });
  }),

  onPublic(requestReset, async ({ db, body, now }) => {
    const asked = transaction(db, async (db) => {
      const account = await findAccount(db, body.email);
      if (account?.disabledAt !== null) return;
      // Only its holder may replace an invitation, because the old link becomes invalid.
      const isInvited = body.invitation !== undefined && (await isInvitationOf(db, account.id, body.invitation));
      await mailLink(db, isInvited ? 'invitation' : 'reset', account, now);
    });
    await withMinimumDuration(asked);
    return { message: RESET_ANSWER };
  }),

  onPublic(resetPassword, async ({ db, body, now, session }) => {
    const isJoining = isJoinToken(body.token);
    const isLive = isJoining ? await isLiveJoinToken(db, body.token, now) : (await findLinkOwner(db, body.token, now)) !== null;
    if (!isLive) throw invalid(LINK_REFUSED);
    const password = await hashPassword(body.password);
    const user = await transaction(db, async (db) => {
      const user = await (isJoining ? acceptJoinRequest : useLink)(db, body.token, { password, now });
      if (user === null) throw invalid(LINK_REFUSED);
      await endSessions(db, user.id);
      await session.open(db, user);
      return user;
    });
    const isFirst = isJoining || linkKind(body.token) === 'invitation';
    return isFirst ? { message: PASSWORD_SET, user } : { message: RESET_DONE };
  }),
];
