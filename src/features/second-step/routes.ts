import { requestOptions, verifyAssertion } from '../../server/auth/second-factor/passkeys.ts';
import {
  closePendingSignIn,
  findPendingUser,
  isStillPending,
  savePendingChallenge,
  takePendingAttempt,
  type PendingSignIn,
} from '../../server/auth/second-factor/pending-sign-in.ts';
import { delayAfterFailure } from '../../server/auth/network-failures.ts';
import { lockUser } from '../../server/auth/session.ts';
import { recordAttempt, transactionPerAccount } from '../../server/auth/sign-in-attempts.ts';
import type { Db } from '../../server/database/db.ts';
import { conflict, HttpError, tooMany } from '../../server/errors.ts';
import { onPublic, type Route, type RouteContext } from '../../server/http/pipeline/route.ts';
import { currentUser } from '../auth/queries.ts';
import { LOCKED } from '../auth/texts.ts';
import { listPasskeys, recordFactorAct } from '../second-factor/queries.ts';
import { NO_FACTOR, WRONG_CODE } from '../second-factor/texts.ts';
import { requestPasskey, takeSecondStep } from './contract.ts';
import { clearCodeFailures, findPasskey, redeemCode, redeemPasskey, redeemRecoveryCode } from './queries.ts';
import { STEP_EXPIRED, WRONG_PASSKEY, WRONG_RECOVERY_CODE } from './texts.ts';

const expired = (): HttpError => new HttpError(401, STEP_EXPIRED);

type StepContext = RouteContext<typeof takeSecondStep, null>;
type SignedPasskey = { readonly id: number; readonly counter: number };

/**
 * Returns the passkey that signed the challenge of this sign-in, or null. Call it outside the transaction, so that no lock is held while
 * the signature is verified.
 */
async function signedPasskey({ db, env, body }: StepContext, pending: PendingSignIn): Promise<SignedPasskey | null> {
  const passkey = body.passkey && (await findPasskey(db, pending.userId, body.passkey));
  if (!body.passkey || !passkey || pending.challenge === null) return null;
  const response = { ...body.passkey, clientExtensionResults: {}, response: withoutNull(body.passkey.response) };
  const counter = await verifyAssertion(env, pending.challenge, { response, passkey });
  return counter === null ? null : { id: passkey.id, counter };
}
const withoutNull = ({ userHandle, ...response }: NonNullable<StepContext['body']['passkey']>['response']) => ({
  ...response,
  ...(typeof userHandle === 'string' && { userHandle }),
});

/** Marks the code or passkey of the request as used. Returns false if it is wrong. */
async function redeemFactor(db: Db, { body, now, env }: StepContext, userId: number, signed: SignedPasskey | null): Promise<boolean> {
  if (body.code !== undefined) return await redeemCode(db, userId, { code: body.code, now, key: env.secondFactorKey });
  if (body.recoveryCode !== undefined) return await redeemRecoveryCode(db, userId, { code: body.recoveryCode, now });
  return signed !== null && (await redeemPasskey(db, userId, { ...signed, now }));
}

const wrong = ({ code, recoveryCode }: StepContext['body']): string =>
  code !== undefined ? WRONG_CODE : recoveryCode !== undefined ? WRONG_RECOVERY_CODE : WRONG_PASSKEY;

export const secondStepRoutes: Route[] = [
  onPublic(requestPasskey, async ({ db, env, now, session }) => {
    const userId = await findPendingUser(db, session.pending, now);
    if (userId === null) throw conflict(STEP_EXPIRED);
    const passkeys = await listPasskeys(db, userId);
    if (passkeys.length === 0) throw conflict(NO_FACTOR);
    const options = await requestOptions(env, passkeys);
    if ((await savePendingChallenge(db, session.pending, { challenge: options.challenge, now })) === null) throw conflict(STEP_EXPIRED);
    return options;
  }),

  onPublic(takeSecondStep, async (context) => {
    const { db, now, body, session, address, signal, log, releasePermits } = context as StepContext;
    const { device } = session;
    const pending = await takePendingAttempt(db, session.pending, now);
    if (!pending) throw expired();
    const { userId, byMailedLink } = pending;
    const signed = await signedPasskey(context as StepContext, pending);
    const account = await transactionPerAccount(db, String(userId), async (db) => {
      const account = await lockUser(db, userId);
      // A code that is sent twice, for example by a double click, was used by the first call. It must not count as a failure.
      if (!(await isStillPending(db, session.pending))) throw expired();
      const matches = await redeemFactor(db, context as StepContext, userId, signed);
      const result = await recordAttempt(db, account, { matches, now, address, device, byMailedLink });
      // The account is locked, so the sign-in fails. The error rolls the transaction back, so that the code of the request stays usable.
      if (result === 'locked') throw tooMany(LOCKED);
      if (result !== 'signed in') return null;
      if (!(await closePendingSignIn(db, session.pending))) throw expired();
      await clearCodeFailures(db, userId);
      if (body.recoveryCode !== undefined) await recordFactorAct(db, 'recovery-code', account, userId);
      await session.open(db, account);
      return account;
    });
    if (account) return currentUser(account);
    log.warn({ userId, sent: Object.keys(body) }, 'second factor refused');
    await delayAfterFailure(db, { userId, device, address, now, signal, releasePermits });
    throw new HttpError(401, wrong(body));
  }),
];
