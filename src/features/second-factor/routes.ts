import { isRecentSignIn, MAX_PASSKEYS, normalizedCode, stepExpiry } from '../../domain/accounts/second-factor.ts';
import { codeUri, newCodeSecret, stepOfCode } from '../../server/auth/second-factor/code-app.ts';
import { decrypt, encrypt } from '../../server/auth/second-factor/encryption.ts';
import { creationOptions, verifyCreation } from '../../server/auth/second-factor/passkeys.ts';
import { factorsOf } from '../../server/auth/second-factor/pending-sign-in.ts';
import { endSessions, lockUser } from '../../server/auth/session.ts';
import { transaction, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { conflict, forbidden, invalid } from '../../server/errors.ts';
import { on, onTransaction, type Route, type RouteContext } from '../../server/http/pipeline/route.ts';
import { confirmPassword } from '../auth/queries.ts';
import { distributorFor } from '../distributors/queries.ts';
import { userFor } from '../users/queries.ts';
import {
  addCodeApp,
  addPasskey,
  readSecondFactor,
  removeCodeApp,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  resetAgentFactor,
  resetDistributorFactor,
  startCodeApp,
  startPasskey,
} from './contract.ts';
import {
  assertPasskey,
  closeSetup,
  deleteCodeApp,
  deleteFactors,
  deletePasskey,
  findSecondFactor,
  findSetup,
  listPasskeys,
  recordFactorAct,
  renewCodes,
  saveCodeApp,
  savePasskey,
  savePasskeyName,
  saveSetup,
} from './queries.ts';
import {
  HAS_CODE_APP,
  IS_REQUIRED,
  NO_FACTOR,
  NOT_ACCEPTED,
  PASSKEY_KNOWN,
  SIGN_IN_AGAIN,
  START_AGAIN,
  TOO_MANY_PASSKEYS,
  WRONG_CODE,
} from './texts.ts';

/**
 * Must be called after a factor was removed. Throws if an agent who must have a second factor has none left. If the user has no factor
 * left, deletes the recovery codes.
 */
async function afterRemoval(db: Db, user: Row<'users'>): Promise<void> {
  const isLast = (await factorsOf(db, user.id)).length === 0;
  if (isLast && user.role === 'agent' && user.requireSecondFactor) throw conflict(IS_REQUIRED);
  if (isLast) await deleteFactors(db, user.id);
  await recordFactorAct(db, 'second-factor-off', user, user.id);
}

type OwnContext = Pick<RouteContext<typeof removeCodeApp>, 'session' | 'log'>;
type ConfirmContext = Pick<RouteContext<typeof removeCodeApp>, 'db' | 'viewer' | 'body' | 'now' | 'address' | 'signal' | 'session'>;

/** Locks the viewer's row. Throws if the viewer's session has ended since the request began. */
async function lockViewer(db: Db, { viewer, session }: Pick<ConfirmContext, 'viewer' | 'session'>): Promise<Row<'users'>> {
  const user = await lockUser(db, viewer.userId);
  await session.assertOpen(db);
  return user;
}

/**
 * Must be called after a factor was added. Creates recovery codes if this is the user's first factor, ends the user's other sessions, and
 * writes the audit row.
 */
async function afterAdding(db: Db, user: Row<'users'>, { session, log }: OwnContext): Promise<{ recoveryCodes?: string[] }> {
  await session.endOthers(db, user.id);
  await recordFactorAct(db, 'second-factor-on', user, user.id);
  log.info({ userId: user.id }, 'second factor added');
  const { recoveryCodes } = await findSecondFactor(db, user.id);
  return recoveryCodes === 0 ? { recoveryCodes: await renewCodes(db, user.id) } : {};
}

/**
 * Checks the password. A user who has a second factor must also have signed in recently. Otherwise, somebody with a stolen session and the
 * password could add or remove a factor (contract §19).
 */
async function confirmed(context: ConfirmContext) {
  const { db, viewer, now, body, session } = context;
  if (!isRecentSignIn(viewer.signedInAt, now) && (await factorsOf(db, viewer.userId)).length > 0) throw forbidden(SIGN_IN_AGAIN);
  return await confirmPassword(db, viewer, body.password, { ...context, device: session.device });
}

export const secondFactorRoutes: Route[] = [
  on(readSecondFactor, ({ db, viewer }) => findSecondFactor(db, viewer.userId)),

  on(startPasskey, async (context) => {
    const { db, env, viewer, now } = context;
    const account = await confirmed(context);
    const existing = await listPasskeys(db, viewer.userId);
    if (existing.length >= MAX_PASSKEYS) throw conflict(TOO_MANY_PASSKEYS);
    const options = await creationOptions(env, account, existing);
    await saveSetup(db, viewer.userId, { kind: 'passkey', secret: options.challenge, expiresAt: stepExpiry(now) });
    return options;
  }),

  on(addPasskey, async (context) => {
    const { db, env, viewer, body, now } = context;
    const challenge = await findSetup(db, viewer.userId, 'passkey', now);
    if (challenge === null) throw conflict(START_AGAIN);
    const { transports = [], ...response } = body.passkey.response;
    const made = await verifyCreation(env, challenge, { ...body.passkey, response, clientExtensionResults: {} });
    if (!made) throw invalid(NOT_ACCEPTED);
    return await transaction(db, async (db) => {
      const user = await lockViewer(db, context);
      if (!(await closeSetup(db, user.id, { kind: 'passkey', secret: challenge }))) throw conflict(START_AGAIN);
      if (!(await savePasskey(db, user.id, { ...made, transports: transports, name: body.name }, now))) throw conflict(PASSKEY_KNOWN);
      return await afterAdding(db, user, context);
    });
  }),

  on(renamePasskey, async ({ db, viewer, params, body }) => {
    await savePasskeyName(db, viewer.userId, { id: params.passkeyId, name: body.name });
  }),

  on(removePasskey, async (context) => {
    const { db, viewer, params } = context;
    await assertPasskey(db, viewer.userId, params.passkeyId);
    await confirmed(context);
    await transaction(db, async (db) => {
      const user = await lockViewer(db, context);
      await deletePasskey(db, user.id, params.passkeyId);
      await afterRemoval(db, user);
    });
  }),

  on(startCodeApp, async (context) => {
    const { db, env, viewer, now } = context;
    const account = await confirmed(context);
    if ((await findSecondFactor(db, viewer.userId)).codeApp) throw conflict(HAS_CODE_APP);
    const secret = newCodeSecret();
    const stored = encrypt(secret, viewer.userId, env.secondFactorKey);
    await saveSetup(db, viewer.userId, { kind: 'code', secret: stored, expiresAt: stepExpiry(now) });
    return { secret, uri: codeUri(secret, account.email) };
  }),

  on(addCodeApp, async (context) => {
    const { db, env, viewer, body, now } = context;
    const stored = await findSetup(db, viewer.userId, 'code', now);
    const secret = stored === null ? null : decrypt(stored, viewer.userId, env.secondFactorKey);
    if (stored === null || secret === null) throw conflict(START_AGAIN);
    const step = stepOfCode(secret, normalizedCode(body.code), now);
    if (step === null) throw invalid(WRONG_CODE);
    return await transaction(db, async (db) => {
      const user = await lockViewer(db, context);
      if (!(await closeSetup(db, user.id, { kind: 'code', secret: stored }))) throw conflict(START_AGAIN);
      if (!(await saveCodeApp(db, user.id, { secret: stored, step, now }))) throw conflict(HAS_CODE_APP);
      return await afterAdding(db, user, context);
    });
  }),

  on(removeCodeApp, async (context) => {
    const { db } = context;
    await confirmed(context);
    await transaction(db, async (db) => {
      const user = await lockViewer(db, context);
      if (await deleteCodeApp(db, user.id)) await afterRemoval(db, user);
    });
  }),

  on(renewRecoveryCodes, async (context) => {
    const { db } = context;
    await confirmed(context);
    return await transaction(db, async (db) => {
      const user = await lockViewer(db, context);
      if ((await factorsOf(db, user.id)).length === 0) throw conflict(NO_FACTOR);
      return { recoveryCodes: await renewCodes(db, user.id) };
    });
  }),

  onTransaction(resetAgentFactor, async ({ db, viewer, params }) =>
    reset(db, await userFor(db, viewer, { role: 'agent', userId: params.userId }), viewer.userId),
  ),
  onTransaction(resetDistributorFactor, async ({ db, viewer, params }) =>
    reset(db, await distributorFor(db, params.distributorId), viewer.userId),
  ),
];

/** Removes every factor of a user and ends the user's sessions, because somebody may have stolen the user's phone. */
async function reset(db: Db, user: Row<'users'>, by: number): Promise<void> {
  if (!(await deleteFactors(db, user.id))) return;
  await endSessions(db, user.id);
  await recordFactorAct(db, 'second-factor-off', user, by);
}
