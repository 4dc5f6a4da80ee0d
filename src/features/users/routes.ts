import { setLockTimeout, type Db } from '../../server/database/db.ts';
import { identityInList, identityOf } from '../../domain/accounts/customer-identity.ts';
import { isBlankText } from '../../domain/blank.ts';
import { conflict, invalid, notFound, throwIfRefused, tooMany } from '../../server/errors.ts';
import { isPlaceholder, placeholderEmail } from '../../server/mail/placeholder-email.ts';
import { mapInSlices } from '../../server/queues/event-loop.ts';
import { queuePositionOf, nameQueue, runInQueue } from '../../server/queues/expensive-queue.ts';
import { on, onTransaction, type Route, type RouteContext } from '../../server/http/pipeline/route.ts';
import type { Row } from '../../server/database/schema.ts';
import { clearAttempts } from '../../server/auth/account-lock.ts';
import { endSessions, type Viewer } from '../../server/auth/session.ts';
import {
  changeUser,
  createUsers,
  disableUser,
  enableUser,
  inviteUser,
  listUsers,
  MAX_ECHO_LENGTH,
  NewUser,
  NewUserWithoutEmail,
  readUserContact,
  signOutUser,
  unlockUser,
  USER_ROLES,
  type CreatedUser,
  type SentUser,
} from './contract.ts';
import { recordUserAction } from '../audit/queries.ts';
import { findInvitedOften } from '../mailed-links/queries.ts';
import { addToUpload, lockCustomerUpload } from '../uploads/queries.ts';
import { ONLY_CUSTOMERS } from '../uploads/texts.ts';
import { lockEnabledDistributor } from '../distributors/queries.ts';
import { refuseAboveCap } from '../emails/queries.ts';
import { deleteWaitingOf, lockWaitingLists } from '../waiting/queries.ts';
import {
  findAddedLater,
  findExistingCustomers,
  findItem,
  findUnknown,
  findUserContact,
  inviteAll,
  refuseTooManyPeople,
  saveAgentFlag,
  saveContactChanges,
  saveEmail,
  saveNewUsers,
  setDisabled,
  userFor,
  usersOf,
  type AgentFlag,
  type UserRole,
} from './queries.ts';
import {
  CUSTOMER_EXISTS,
  CUSTOMER_LISTED_TWICE,
  HAS_ACCOUNT,
  HAS_NO_EMAIL,
  HAS_SIGNED_IN,
  INVITED_OFTEN,
  IS_DISABLED,
  LISTED_TWICE,
  NAME_OR_EMAIL_NEEDED,
  NOT_INVITED,
  ONLY_AGENTS_NEED_SECOND_FACTOR,
  ONLY_AGENTS_TAKE_PAYMENTS,
  REPLY_TO_SELF,
  tooManyInvitations,
} from './texts.ts';

function roleOf(text: string): UserRole {
  const role = USER_ROLES.find((known) => known === text);
  if (!role) throw notFound('Role');
  return role;
}

/** A row of the request: a person to create, with the e-mail address to store, or the reason why the row is refused. */
type CheckedRow = { readonly sent: SentUser } & (
  | { readonly user: NewUser | NewUserWithoutEmail; readonly email: string }
  | { readonly error: string }
);

/** Shortens the texts that the result of a row contains. Otherwise a refused row could make the stored reply as long as the request. */
const shortened = (sent: SentUser): SentUser =>
  Object.fromEntries(
    Object.entries(sent).map(([field, value]) => [field, typeof value === 'string' ? value.slice(0, MAX_ECHO_LENGTH) : value]),
  );

function checkRow(row: SentUser, role: UserRole, seen: Set<string>): CheckedRow {
  const hasEmail = role === 'agent' || !isBlankText(row.email ?? '');
  const parsed = hasEmail ? NewUser.safeParse(row) : NewUserWithoutEmail.safeParse({ ...row, email: null });
  const sent = shortened(row);
  if (!parsed.success) return { sent, error: parsed.error.issues[0]?.message ?? 'Invalid' };
  const identity = identityInList(parsed.data);
  if (seen.has(identity)) return { sent, error: parsed.data.email === null ? CUSTOMER_LISTED_TWICE : LISTED_TWICE };
  seen.add(identity);
  return { sent, user: parsed.data, email: parsed.data.email ?? placeholderEmail() };
}

/** Checks a long list of rows in slices, so that the server can handle other requests in between. */
function checkRows(users: readonly SentUser[], role: UserRole): Promise<CheckedRow[]> {
  const seen = new Set<string>();
  return mapInSlices(users, (slice) => slice.map((sent) => checkRow(sent, role, seen)));
}

const withoutEmail = (rows: readonly CheckedRow[]): (NewUser | NewUserWithoutEmail)[] =>
  rows.flatMap((row) => ('user' in row && row.user.email === null ? [row.user] : []));

/**
 * Checks the rows of the request, and finds the customers without an e-mail address who exist already. Finding them may take long, so it
 * happens before the call waits in the queue of imports, and the names that are read count as saves.
 */
async function checkPeople({ db, viewer, params, body, signal, countRows }: RouteContext<typeof createUsers>) {
  const role = roleOf(params.role);
  if (body.replyTo !== viewer.email) throw invalid(REPLY_TO_SELF);
  throwIfRefused(body.uploadId !== undefined && role !== 'customer' ? ONLY_CUSTOMERS : null);
  const rows = await checkRows(body.users, role);
  const people = withoutEmail(rows);
  if (people.length === 0) return { role, rows, existing: null };
  const queue = queuePositionOf(viewer, signal);
  const existing = await nameQueue(
    async () => {
      // A distributor that may add nobody reads no names.
      await runInQueue(queue, () => refuseTooManyPeople(db, viewer.tenantId, { more: 1, countRows }));
      return await findExistingCustomers(db, people, { queue, countRows });
    },
    { key: String(viewer.tenantId), signal },
  );
  return { role, rows, existing };
}

/**
 * Refuses rows without an e-mail address whose people are customers already, so that these people are not created twice. An import drops
 * these rows for the same reason (contract §3).
 */
async function withoutExisting(db: Db, viewer: Viewer, { rows, existing }: Awaited<ReturnType<typeof checkPeople>>): Promise<CheckedRow[]> {
  if (!existing) return rows;
  const later = await findAddedLater(db, viewer.tenantId, withoutEmail(rows), existing.newest);
  const identities = new Set([...existing.identities, ...later]);
  return rows.map((row) => ('user' in row && identities.has(identityOf(row.user)) ? { sent: row.sent, error: CUSTOMER_EXISTS } : row));
}

/** Sends an invitation to one person, unless the limit of the distributor, the e-mail address or its mailbox is reached. */
async function invite(db: Db, viewer: Viewer, { id, email, now }: { id: number; email: string; now: Date }): Promise<void> {
  // This call also locks the distributor.
  await refuseAboveCap(db, viewer.tenantId, { now, more: 1 });
  const often = (await findInvitedOften(db, { distributorId: viewer.tenantId, emails: [email], now })).get(email);
  if (often) throw tooMany(INVITED_OFTEN[often.per], often.retryAfter);
  await inviteAll(db, viewer, [id], now);
}

/**
 * Returns those of the e-mail addresses that may be invited, and the limits that others have reached. Throws if the invitations would exceed
 * the distributor's limit.
 */
async function findInvitable(db: Db, viewer: Viewer, { emails, now }: { emails: readonly string[]; now: Date }) {
  const often = await findInvitedOften(db, { distributorId: viewer.tenantId, emails, now });
  const invitable = new Set(emails.filter((email) => !isPlaceholder(email) && !often.has(email)));
  if (invitable.size > 0) await refuseAboveCap(db, viewer.tenantId, { now, more: invitable.size, text: tooManyInvitations });
  return { often, invitable };
}

async function create(
  { db, viewer, now, countRows }: Pick<RouteContext<never>, 'db' | 'viewer' | 'now' | 'countRows'>,
  { role, rows, isInvited }: { role: UserRole; rows: readonly CheckedRow[]; isInvited: boolean },
) {
  const users = rows.flatMap((row) => ('user' in row ? [{ ...row.user, email: row.email }] : []));
  const emails = await findUnknown(
    db,
    users.map(({ email }) => email),
  );
  // All limits are checked before anybody is added.
  await refuseTooManyPeople(db, viewer.tenantId, { more: emails.length, countRows });
  const { invitable, often } = isInvited ? await findInvitable(db, viewer, { emails, now }) : { invitable: null, often: null };
  const ids = await saveNewUsers(db, { distributorId: viewer.tenantId, role }, users);
  const invited = [...ids].flatMap(([email, id]) => (invitable?.has(email) ? id : []));
  if (invited.length > 0) await inviteAll(db, viewer, invited, now);
  return rows.map((row): CreatedUser => {
    if ('error' in row) return { ...row.sent, success: false, error: row.error };
    const userId = ids.get(row.email);
    if (userId === undefined) return { ...row.sent, success: false, error: HAS_ACCOUNT };
    const limit = often?.get(row.email);
    return { ...row.sent, ...row.user, success: true, userId, ...(limit && { error: NOT_INVITED[limit.per] }) };
  });
}

const idsOf = (created: readonly CreatedUser[]): number[] => created.flatMap(({ userId }) => userId ?? []);

type OnUser = typeof unlockUser | typeof inviteUser | typeof disableUser | typeof enableUser | typeof signOutUser;

/**
 * Returns a handler that checks the access to one user of the viewer's tenant, changes the user and writes the audit row.
 */
const changing =
  (
    name: Parameters<typeof recordUserAction>[2],
    act: (db: Db, user: Awaited<ReturnType<typeof userFor>>, context: RouteContext<OnUser>) => Promise<void>,
    /** Takes the locks that must be taken before the lock of the user. */
    lock: (db: Db, context: RouteContext<OnUser>) => Promise<void> = async () => undefined,
  ) =>
  async (context: RouteContext<OnUser>) => {
    const { db, viewer, params } = context;
    await lock(db, context);
    const user = await userFor(db, viewer, { role: roleOf(params.role), userId: params.userId });
    await act(db, user, context);
    await recordUserAction(db, viewer, name, user);
  };

/**
 * For each flag of an agent: the error message when somebody sets the flag for a customer, and the actions that the audit trail records.
 */
const AGENT_FLAGS = {
  mayTakePayments: { refusal: ONLY_AGENTS_TAKE_PAYMENTS, on: 'allow-payments', off: 'forbid-payments' },
  requireSecondFactor: { refusal: ONLY_AGENTS_NEED_SECOND_FACTOR, on: 'require-second-factor', off: 'release-second-factor' },
} as const;

async function changeFlag(db: Db, viewer: Viewer, agent: Row<'users'>, { flag, value }: { flag: AgentFlag; value: boolean }) {
  const { refusal, on, off } = AGENT_FLAGS[flag];
  throwIfRefused(agent.role === 'agent' ? null : refusal);
  if (agent[flag] === value) return;
  await saveAgentFlag(db, agent.id, flag, value);
  await recordUserAction(db, viewer, value ? on : off, agent);
}

export const usersRoutes: Route[] = [
  on(listUsers, async ({ db, viewer, params, signal }) => usersOf(db, { distributorId: viewer.tenantId, signal }, roleOf(params.role))),

  onTransaction(
    createUsers,
    async (context) => {
      const { db, viewer, body, checked } = context;
      const { uploadId, invite } = body;
      await setLockTimeout(db);
      await lockEnabledDistributor(db, viewer.tenantId);
      if (uploadId !== undefined) await lockCustomerUpload(db, viewer, uploadId);
      const rows = await withoutExisting(db, viewer, checked);
      const created = await create(context, { role: checked.role, rows, isInvited: invite === 'now' });
      if (uploadId !== undefined) await addToUpload(db, uploadId, idsOf(created));
      return created;
    },
    { refuseEarly: checkPeople },
  ),

  onTransaction(unlockUser, changing('unlock', clearAttempts)),
  onTransaction(
    enableUser,
    changing('enable', (db, user) => setDisabled(db, user.id, null)),
  ),
  onTransaction(
    signOutUser,
    changing('sign-out', (db, user) => endSessions(db, user.id)),
  ),
  onTransaction(
    disableUser,
    changing(
      'disable',
      async (db, user, context) => {
        await setDisabled(db, user.id, context.now);
        await deleteWaitingOf(db, context, { customerId: user.id, distributionId: null });
        await endSessions(db, user.id);
      },
      (db, { viewer, params }) => lockWaitingLists(db, viewer.tenantId, { customerId: params.userId, distributionId: null }),
    ),
  ),
  onTransaction(
    inviteUser,
    changing('invite', async (db, user, { viewer, now }) => {
      if (user.lastLoginAt !== null) throw conflict(HAS_SIGNED_IN);
      if (user.disabledAt !== null) throw conflict(IS_DISABLED);
      if (isPlaceholder(user.email)) throw conflict(HAS_NO_EMAIL);
      await invite(db, viewer, { ...user, now });
    }),
  ),

  on(readUserContact, ({ db, viewer, params }) => findUserContact(db, viewer, roleOf(params.role), params.userId)),

  onTransaction(changeUser, async ({ db, viewer, params, body, now }) => {
    const { email, mayTakePayments, requireSecondFactor, before, ...contact } = body;
    const role = roleOf(params.role);
    const user = await userFor(db, viewer, { role, userId: params.userId }, email !== undefined);
    if (mayTakePayments !== undefined) await changeFlag(db, viewer, user, { flag: 'mayTakePayments', value: mayTakePayments });
    if (requireSecondFactor !== undefined) await changeFlag(db, viewer, user, { flag: 'requireSecondFactor', value: requireSecondFactor });
    if (Object.keys(contact).length > 0) await saveContactChanges(db, viewer, user.id, { ...contact, before });
    if (email !== undefined) {
      if (user.lastLoginAt !== null) throw conflict(HAS_SIGNED_IN);
      if (user.disabledAt !== null) throw conflict(IS_DISABLED);
      if (email !== user.email) {
        // Adding people also locks the distributor before it writes e-mail addresses, so that the two cannot deadlock.
        await lockEnabledDistributor(db, viewer.tenantId);
        await saveEmail(db, user, { email, before });
        await invite(db, viewer, { id: user.id, email, now });
        await recordUserAction(db, viewer, 'mend', user);
      }
    }
    const item = await findItem(db, viewer, role, user.id);
    throwIfRefused(item.email === null && item.firstName === null && item.lastName === null ? NAME_OR_EMAIL_NEEDED : null);
    return item;
  }),
];
