import { isJoinToken, linkKind, normalizedEmail } from '../../domain/accounts/account.ts';
import { setLockTimeout, transaction, type Db } from '../../server/database/db.ts';
import { HttpError, invalid, tooMany } from '../../server/errors.ts';
import { on, onPublic, type Route } from '../../server/http/pipeline/route.ts';
import { recentUserOfDevice } from '../../server/auth/device.ts';
import { hashPassword, passwordMatches } from '../../server/auth/password.ts';
import { delayAfterFailure } from '../../server/auth/network-failures.ts';
import { countResetRequest } from '../../server/auth/reset-requests.ts';
import { recordAttempt, recordUnknownAttempt, transactionPerAccount } from '../../server/auth/sign-in-attempts.ts';
import { endSessions, lockUser } from '../../server/auth/session.ts';
import { countedMailboxOf } from '../../server/mail/mailbox.ts';
import { withMinimumDuration } from '../../server/auth/minimum-duration.ts';
import { isRequestedLinkAboveCap } from '../emails/queries.ts';
import { acceptJoinRequest, isLiveJoinToken } from '../join-requests/queries.ts';
import { isLinkLimitReached, isUnconfirmed, mailLink, requestedLink } from '../mailed-links/queries.ts';
import {
  changePassword,
  checkLink,
  LINK_REFUSED,
  readUser,
  requestReset,
  resetPassword,
  signIn,
  signOut,
  signOutEverywhere,
} from './contract.ts';
import { confirmPassword, currentUser, findAccount, findLinkOwner, savePassword, useLink } from './queries.ts';
import { LOCKED, NO_MATCH, NOT_YOUR_PASSWORD, PASSWORD_SET, RESET_ANSWER, RESET_DONE } from './texts.ts';

const isLiveLink = async (db: Db, token: string, now: Date): Promise<boolean> =>
  isJoinToken(token) ? await isLiveJoinToken(db, token, now) : (await findLinkOwner(db, token, now)) !== null;

interface LinkRequest {
  readonly email: string;
  readonly invitation?: string | undefined;
  readonly address: string;
  readonly now: Date;
}

/** Mails the link that somebody requested at the sign-in page, unless a limit is reached. */
async function mailRequestedLink(db: Db, { email, invitation, address, now }: LinkRequest): Promise<void> {
  const account = await findAccount(db, email);
  if (account?.disabledAt !== null) return;
  const kind = await requestedLink(db, account, invitation);
  // The request is counted before the transaction begins. Requests of one network wait for each other while they are counted, and an open
  // transaction would occupy a database connection during that time.
  if (await isLinkLimitReached(db, kind, account, { now })) return;
  const { distributorId } = account;
  // A person with the token of an earlier invitation has read a mail of the distributor, so the distributor's daily limit does not apply.
  if (kind !== 'invitation' && isUnconfirmed(account) && (await isRequestedLinkAboveCap(db, distributorId, now))) return;
  const networkRequests = await countResetRequest(db, { distributorId, address, now });
  if (networkRequests === null) return;
  // The requests for one mailbox run one after the other, so that their mails are counted correctly. While they wait for the lock on the row
  // of the account, they occupy only one database connection together.
  await transactionPerAccount(db, `reset ${countedMailboxOf(email)}`, async (db) => {
    const account = await findAccount(db, email);
    if (account?.disabledAt !== null) return;
    await mailLink(db, await requestedLink(db, account, invitation), account, { now, networkRequests });
  });
}

export const authRoutes: Route[] = [
  on(readUser, async ({ viewer }) => currentUser({ ...viewer, id: viewer.userId })),

  onPublic(signIn, async ({ db, now, body, session, address, signal, releasePermits }) => {
    const email = normalizedEmail(body.email);
    const account = await findAccount(db, email);
    const { device } = session;
    // For an unknown e-mail address, verifying the password takes as long as for a known one. The response time therefore does not reveal
    // whether an account exists (reliability R29).
    const matches = await passwordMatches(body.password, account?.password ?? null, {
      address,
      signal,
      userId: recentUserOfDevice(device),
    });
    const { result, secondFactor } = await transactionPerAccount(db, email, async (db) => {
      if (!account) return { result: await recordUnknownAttempt(db, email, { matches, now, address }) };
      const result = await recordAttempt(db, account, { matches, now, address, device, isFirstStep: true });
      const isRight = result === 'signed in' || result === 'needs second factor';
      return { result, secondFactor: isRight ? await session.openOrAsk(db, account) : [] };
    });
    if (result === 'needs second factor') return { secondFactor: secondFactor ?? [] };
    if (account && result === 'signed in') return currentUser({ ...account, mustAddSecondFactor: account.requireSecondFactor });
    await delayAfterFailure(db, { userId: account?.id, device, address, now, signal, releasePermits });
    throw result === 'locked' ? tooMany(LOCKED) : new HttpError(401, NO_MATCH);
  }),

  onPublic(signOut, async ({ session }) => {
    await session.close();
  }),

  on(signOutEverywhere, async ({ db, viewer, session }) => {
    await transaction(db, async (db) => {
      await lockUser(db, viewer.userId);
      await endSessions(db, viewer.userId);
    });
    await session.close();
  }),

  on(changePassword, async ({ db, viewer, body, now, session, address, signal }) => {
    const account = await confirmPassword(db, viewer, body.currentPassword, { now, address, signal, device: session.device });
    const password = await hashPassword(body.password, { address, signal, userId: viewer.userId });
    await transaction(db, async (db) => {
      if (!(await savePassword(db, account.id, { from: account.password, to: password }))) throw invalid(NOT_YOUR_PASSWORD);
      await session.assertOpen(db);
      await endSessions(db, account.id);
      // The new session keeps the time of the sign-in. A password change must not count as a recent sign-in, which would allow changing the
      // second factor (contract §19).
      await session.open(db, account, new Date(viewer.signedInAt));
    });
  }),

  onPublic(requestReset, async ({ db, body, now, address }) => {
    await withMinimumDuration(mailRequestedLink(db, { ...body, address, now }));
    return { message: RESET_ANSWER };
  }),

  onPublic(checkLink, async ({ db, body, now }) => ({ isValid: await isLiveLink(db, body.token, now) })),

  onPublic(resetPassword, async ({ db, body, now, session, address, signal }) => {
    if (!(await isLiveLink(db, body.token, now))) throw invalid(LINK_REFUSED);
    const isJoining = isJoinToken(body.token);
    const password = await hashPassword(body.password, { address, signal, userId: recentUserOfDevice(session.device) });
    const { user, secondFactor } = await transaction(db, async (db) => {
      await setLockTimeout(db);
      const user = await (isJoining ? acceptJoinRequest : useLink)(db, body.token, { password, address, now });
      if (user === null) throw invalid(LINK_REFUSED);
      await endSessions(db, user.id);
      // A user with a second factor must also prove it after using a mailed link (contract §19).
      return { user, secondFactor: await session.openOrAsk(db, user, { byMailedLink: true }) };
    });
    if (secondFactor.length > 0) return { message: RESET_DONE, secondFactor };
    const isFirst = isJoining || linkKind(body.token) === 'invitation';
    return isFirst
      ? { message: PASSWORD_SET, user: currentUser({ ...user, mustAddSecondFactor: user.requireSecondFactor }) }
      : { message: RESET_DONE };
  }),
];
