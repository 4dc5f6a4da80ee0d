import { digitsOf, folded, identityOf, type Identified } from '../../domain/accounts/customer-identity.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { idChunks, rowsInChunks, type IdChunk } from '../../server/database/id-chunks.ts';
import { runInQueue, type QueuePosition } from '../../server/queues/expensive-queue.ts';
import type { CountRows } from '../../server/database/count-rows.ts';
import { assertFound, conflict, throwIfOutdated, throwIfRefused, tooMany } from '../../server/errors.ts';
import { realEmail, realEmailSql } from '../../server/mail/placeholder-email.ts';
import { enqueueAll } from '../../server/mail/outbox.ts';
import type { Row } from '../../server/database/schema.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { CONTACT_FIELDS, contactOf, type StaffContact } from '../contact/contract.ts';
import { recordContact } from '../audit/queries.ts';
import { CONTACT_COLUMNS, NAME_COLUMNS } from '../contact/queries.ts';
import { THE_CONTACT } from '../contact/texts.ts';
import { keepUnsubscribeLinksSql } from '../unsubscribe/queries.ts';
import { revokeLinks } from '../auth/queries.ts';
import { MAX_PEOPLE, MAX_PEOPLE_PER_DAY, type ChangedUser, type NewUser, type USER_ROLES, type UserItem } from './contract.ts';
import { SUPERSEDED_BY_CORRECTION, HAS_ACCOUNT, THE_EMAIL, tooManyPeople, tooManyPeopleInAll } from './texts.ts';

export type UserRole = (typeof USER_ROLES)[number];

/** `users` is the table of users, or a subquery with some of its rows. */
const itemsSql = (users: string): string => `SELECT u.id AS "userId", ${realEmailSql('u')} AS email, ${NAME_COLUMNS},
    nullif(c.phone, '') AS phone, u."lockedUntil",
    u."lastLoginAt" IS NOT NULL AS "hasSignedIn", u."disabledAt" IS NOT NULL AS "isDisabled",
    EXISTS (SELECT FROM emails e WHERE e."userId" = u.id AND e.kind = 'invitation') AS "isInvited",
    u.role = 'agent' AND u."mayTakePayments" AS "mayTakePayments", u.role = 'agent' AND u."requireSecondFactor" AS "requireSecondFactor",
    u.role = 'agent' AND (EXISTS (SELECT FROM passkeys p WHERE p."userId" = u.id) OR EXISTS (SELECT FROM code_apps a WHERE a."userId" = u.id))
      AS "hasSecondFactor"
  FROM ${users} u LEFT JOIN contacts c ON c."userId" = u.id WHERE u."distributorId" = $1 AND u.role = $2 AND u."removedAt" IS NULL`;
const ITEM = itemsSql('users');

export type AgentFlag = 'mayTakePayments' | 'requireSecondFactor';
type ItemFlag = AgentFlag | 'hasSecondFactor';
type ItemRow = Omit<UserItem, ItemFlag> & Readonly<Record<ItemFlag, boolean>>;
const itemOf = ({ mayTakePayments, requireSecondFactor, hasSecondFactor, ...user }: ItemRow): UserItem => ({
  ...user,
  ...(mayTakePayments && { mayTakePayments }),
  ...(requireSecondFactor && { requireSecondFactor }),
  ...(hasSecondFactor && { hasSecondFactor }),
});

const BY_NAME = `c."lastName", c."firstName", u.email`;
const NUMBERED = `SELECT u.id, row_number() OVER (ORDER BY ${BY_NAME}) - 1 AS place FROM users u LEFT JOIN contacts c ON c."userId" = u.id
  WHERE u."distributorId" = $1 AND u.role = $2 AND u."removedAt" IS NULL`;
const OF_ROLE = 'SELECT FROM users WHERE "distributorId" = $1 AND role = $2';
// Because of OFFSET, PostgreSQL finds the rows by their ids. Without statistics, for example right after an import, it would otherwise read
// all users of the distributor for each chunk.
const LISTED = `${itemsSql('(SELECT * FROM users WHERE id = ANY($3::int[]) OFFSET 0)')} ORDER BY ${BY_NAME}`;

/** Yields the users of a role, sorted by name. */
export function usersOf(db: Db, queue: QueuePosition, role: UserRole): AsyncGenerator<UserItem[]> {
  const values = [queue.distributorId, role];
  return rowsInChunks(db, { numbered: NUMBERED, values, queue, searched: OF_ROLE }, async (ids) =>
    (await run<ItemRow>(db, LISTED, [...values, ids])).map(itemOf),
  );
}

/**
 * Returns an SQL condition that is true for every name that may be equal to one of the folded names in `parameter`. `folded` of src/domain
 * lower-cases all characters, but only for ASCII is PostgreSQL certain to do the same. The condition is therefore true for every name with
 * other characters.
 */
const mayBeNamed = (name: string, parameter: string): string =>
  `(octet_length(${name}) <> char_length(${name}) OR lower(btrim(${name}, E' \\t\\n\\v\\f\\r') COLLATE "C") = ANY(${parameter}::text[]))`;
const MAY_EXIST = `SELECT u.id, row_number() OVER (ORDER BY u.id) - 1 AS place FROM users u JOIN contacts c ON c."userId" = u.id
  WHERE u."distributorId" = $1 AND u.role = 'customer' AND ${realEmailSql('u')} IS NULL
    AND ${mayBeNamed('c."firstName"', '$2')} AND ${mayBeNamed('c."lastName"', '$3')}
    AND regexp_replace(c.phone, '[^0-9]', '', 'g') = ANY($4::text[])`;
const NAMED = `SELECT NULL AS email, c."firstName", c."lastName", c.phone FROM contacts c WHERE c."userId" = ANY($1::int[])`;
const NAMES_AT_ONCE = 1000;
type NamedCustomer = Pick<UserItem, 'email' | 'firstName' | 'lastName' | 'phone'>;

/** Returns those identities of the people that the customers with these ids have. */
async function identitiesAmong(
  db: Db,
  people: readonly Identified[],
  chunks: readonly IdChunk[],
  queue: QueuePosition | null,
): Promise<string[]> {
  const wanted = new Set(people.map(identityOf));
  const existing: string[] = [];
  for (const { ids } of chunks) {
    const customers = await runInQueue(queue, () => run<NamedCustomer>(db, NAMED, [ids]));
    existing.push(...customers.map(identityOf).filter((identity) => wanted.has(identity)));
  }
  return existing;
}

// Customers who joined through the join link do not count. They have limits of their own (src/features/join-requests).
const ADDED = `"distributorId" = $1 AND role <> 'invented' AND "joinedAt" IS NULL`;
// Because of OFFSET, PostgreSQL does not search the ids of all distributors.
const NEWEST = `SELECT coalesce(max(id), 0) AS newest FROM (SELECT id FROM users WHERE ${ADDED} OFFSET 0) u`;

export interface ExistingCustomers {
  /** The identities of those people who already are customers of the distributor. */
  readonly identities: readonly string[];
  /** The highest id of a person whom the distributor added before the names were read. */
  readonly newest: number;
}

/**
 * Finds those people without an e-mail address who already are customers of the distributor. PostgreSQL selects the customers who may be the
 * same person, and `identityOf` decides. The names are read in chunks, so that other requests can run between two chunks.
 */
export async function findExistingCustomers(
  db: Db,
  people: readonly Identified[],
  { queue, countRows }: { queue: QueuePosition; countRows: CountRows },
): Promise<ExistingCustomers> {
  const { distributorId } = queue;
  const { newest } = await runInQueue(queue, () => runSingle<{ newest: number }>(db, NEWEST, [distributorId]));
  const names = [people.map((one) => folded(one.firstName)), people.map((one) => folded(one.lastName))];
  const values = [distributorId, ...names, people.map((one) => digitsOf(one.phone))];
  const chunks = await idChunks(db, { numbered: MAY_EXIST, values, queue, size: NAMES_AT_ONCE });
  countRows({ read: chunks.reduce((sum, { count }) => sum + count, 0) });
  return { identities: await identitiesAmong(db, people, chunks, queue), newest };
}

const ADDED_LATER = `SELECT u.id, row_number() OVER (ORDER BY u.id) - 1 AS place FROM users u
  WHERE u."distributorId" = $1 AND u.role = 'customer' AND ${realEmailSql('u')} IS NULL AND u.id > $2`;

/**
 * Returns the identities of those people who were added after `findExistingCustomers`. The caller must have locked the distributor's row, so
 * that concurrent calls cannot create the same customer twice. Because of this lock, a person who is added later has a higher id. Contacts
 * that were changed meanwhile are not compared, because a change of a contact does not compare names either.
 */
export async function findAddedLater(db: Db, distributorId: number, people: readonly Identified[], newest: number): Promise<string[]> {
  const chunks = await idChunks(db, { numbered: ADDED_LATER, values: [distributorId, newest], queue: null, size: NAMES_AT_ONCE });
  return await identitiesAmong(db, people, chunks, null);
}

const USER = 'SELECT * FROM users WHERE "distributorId" = $1 AND role = $2 AND id = $3 AND "removedAt" IS NULL';

/**
 * Checks that the viewer may access this user, and locks the user's row until the transaction ends. Every save of the user refers to this
 * row, and FOR UPDATE would wait as long as the saves of a stolen account follow each other without a gap. Only a correction of the e-mail
 * address needs it (`isForEmail`): PostgreSQL takes this lock to change a unique column, and would take it too late.
 */
export async function userFor(
  db: Db,
  viewer: Viewer,
  { role, userId }: { role: UserRole; userId: number },
  isForEmail = false,
): Promise<Row<'users'>> {
  const text = isForEmail ? `${USER} FOR UPDATE` : `${USER} FOR NO KEY UPDATE`;
  return assertFound(await runOne<Row<'users'>>(db, text, [viewer.tenantId, role, userId]), 'User');
}

export async function findItem(db: Db, viewer: Viewer, role: UserRole, userId: number): Promise<UserItem> {
  const item = assertFound(await runOne<ItemRow>(db, `${ITEM} AND u.id = $3`, [viewer.tenantId, role, userId]), 'User');
  return itemOf(item);
}

// Inserts the rows whose e-mail address is not in use and returns them with their ids. The rows are sorted by e-mail address, so that two
// requests with the same people cannot deadlock. Without NOT EXISTS, each existing address would use up one of the 2,147,483,647 ids.
const INSERT = `INSERT INTO users (email, role, "distributorId")
  SELECT n.email, $2, $3 FROM jsonb_to_recordset($1) AS n (email text) WHERE NOT EXISTS (SELECT FROM users u WHERE u.email = n.email)
  ORDER BY n.email ON CONFLICT (email) DO NOTHING RETURNING id, email`;
const CONTACTS = `INSERT INTO contacts ("userId", "firstName", "lastName", address, city, state, zip, phone)
  SELECT "userId", coalesce("firstName", ''), coalesce("lastName", ''), coalesce(address, ''), coalesce(city, ''), coalesce(state, ''),
    coalesce(zip, ''), coalesce(phone, '')
  FROM jsonb_to_recordset($1) AS c ("userId" int, "firstName" text, "lastName" text, address text, city text, state text, zip text, phone text)`;

// People who were removed since, for example by undoing an upload, count toward the limit of a day. Their rows stay in the table, and each
// used up an id.
const COUNTS = `SELECT count(*) AS rows, count(*) FILTER (WHERE "createdAt" > now() - interval '1 day') AS today,
    count(*) FILTER (WHERE "removedAt" IS NULL) AS "inAll"
  FROM users WHERE ${ADDED}`;
// The number of seconds until the person at this position in the sequence of the day no longer counts.
const SECONDS_UNTIL_FREE = `SELECT ceil(extract(epoch FROM "createdAt" + interval '1 day' - now()))::int AS seconds FROM users
  WHERE ${ADDED} AND "createdAt" > now() - interval '1 day' ORDER BY "createdAt" OFFSET $2 LIMIT 1`;
const DAY_IN_SECONDS = 86_400;

const UNKNOWN = 'SELECT email FROM unnest($1::text[]) e (email) WHERE NOT EXISTS (SELECT FROM users u WHERE u.email = e.email)';

/** Returns those of the e-mail addresses that no user has. */
export const findUnknown = async (db: Db, emails: readonly string[]): Promise<string[]> =>
  (await run<{ email: string }>(db, UNKNOWN, [emails])).map(({ email }) => email);

/**
 * Throws if the limits of the distributor do not allow it to add `more` people: the limit of people added within a day, and the limit of
 * people in all. A caller that adds people must have locked the distributor's row, and must call this function before adding anybody.
 * Otherwise a distributor above its limit could make the database insert and roll back thousands of rows a second.
 */
export async function refuseTooManyPeople(
  db: Db,
  distributorId: number,
  { more, countRows }: { more: number; countRows: CountRows },
): Promise<void> {
  if (more === 0) return;
  const { rows, today, inAll } = await runSingle<{ rows: number; today: number; inAll: number }>(db, COUNTS, [distributorId]);
  countRows({ summed: rows });
  const above = today + more - MAX_PEOPLE_PER_DAY;
  if (above > 0) {
    const free = await runOne<{ seconds: number }>(db, SECONDS_UNTIL_FREE, [distributorId, Math.min(above, today) - 1]);
    throw tooMany(tooManyPeople(MAX_PEOPLE_PER_DAY), free?.seconds ?? DAY_IN_SECONDS);
  }
  throwIfRefused(inAll + more > MAX_PEOPLE ? tooManyPeopleInAll(MAX_PEOPLE) : null, 409);
}

/**
 * Creates those users whose e-mail address is not in use, with the given parts of their contacts. Returns the new ids by e-mail address. The
 * caller must have checked the limits with `refuseTooManyPeople`.
 */
export async function saveNewUsers(
  db: Db,
  { distributorId, role }: { distributorId: number; role: UserRole },
  users: readonly NewUser[],
): Promise<Map<string, number>> {
  const saved = await run<{ id: number; email: string }>(db, INSERT, [JSON.stringify(users), role, distributorId]);
  const ids = new Map(saved.map((user) => [user.email, user.id]));
  const contacts = users.flatMap((user) => {
    const { email, ...contact } = user;
    const userId = ids.get(email);
    return userId !== undefined && Object.values(contact).some(Boolean) ? [{ ...contact, userId }] : [];
  });
  if (contacts.length > 0) await run(db, CONTACTS, [JSON.stringify(contacts)]);
  return ids;
}

/** Queues the invitations. The worker creates the token of each link when it sends the mail (contract §3). */
export const inviteAll = (db: Db, viewer: Viewer, userIds: Iterable<number>, at: Date): Promise<void> =>
  enqueueAll(
    db,
    [...userIds].map((userId) => ({
      kind: 'invitation' as const,
      userId,
      distributorId: viewer.tenantId || null,
      replyTo: viewer.email,
      at,
    })),
  );

export async function setDisabled(db: Db, id: number, disabledAt: Date | null): Promise<void> {
  await run(db, 'UPDATE users SET "disabledAt" = $2 WHERE id = $1', [id, disabledAt]);
}

export async function saveAgentFlag(db: Db, id: number, flag: AgentFlag, value: boolean): Promise<void> {
  await run(db, `UPDATE users SET "${flag}" = $2 WHERE id = $1`, [id, value]);
}

const ONE = `SELECT u.id AS "userId", ${CONTACT_COLUMNS} FROM users u LEFT JOIN contacts c ON c."userId" = u.id
  WHERE u."distributorId" = $1 AND u.role = $2 AND u.id = $3 AND u."removedAt" IS NULL`;

export async function findUserContact(db: Db, viewer: Viewer, role: UserRole, userId: number): Promise<StaffContact> {
  return assertFound(await runOne<StaffContact>(db, ONE, [viewer.tenantId, role, userId]), 'User');
}

const CORRECT_CONTACT = `INSERT INTO contacts AS c ("userId", "firstName", "lastName", address, city, state, zip, phone)
  SELECT $1, coalesce(n."firstName", ''), coalesce(n."lastName", ''), coalesce(n.address, ''), coalesce(n.city, ''), coalesce(n.state, ''),
    coalesce(n.zip, ''), coalesce(n.phone, '')
  FROM jsonb_to_record($2) AS n ("firstName" text, "lastName" text, address text, city text, state text, zip text, phone text)
  ON CONFLICT ("userId") DO UPDATE SET ${CONTACT_FIELDS.map((name) => `"${name}" = CASE WHEN $2::jsonb ? '${name}' THEN excluded."${name}" ELSE c."${name}" END`).join(', ')}
  RETURNING *`;

/** Returns the contact with null for each field that is not known, as clients read it. */
const known = (contact: object): object =>
  Object.fromEntries(Object.entries(contact).map(([field, value]) => [field, value === '' ? null : value]));

/** Changes a contact, and records the changes in the same transaction. Fields that are absent keep their values. */
export async function saveContactChanges(
  db: Db,
  by: Viewer,
  userId: number,
  { before: previous, ...changes }: Omit<ChangedUser, 'email' | 'mayTakePayments' | 'requireSecondFactor'>,
): Promise<void> {
  const before = await runOne<Row<'contacts'>>(db, 'SELECT * FROM contacts WHERE "userId" = $1 FOR UPDATE', [userId]);
  throwIfOutdated(THE_CONTACT, known(before ?? contactOf(() => null)), { before: previous && known(previous), after: known(changes) });
  const after = await runSingle<Row<'contacts'>>(db, CORRECT_CONTACT, [userId, JSON.stringify(changes)]);
  await recordContact(db, by, before, after);
}

type EmailChange = Pick<ChangedUser, 'before'> & { readonly email: string };

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505';

/**
 * Changes the e-mail address of a user. Throws when the new address is in use, or when the user no longer has the previous one.
 * Invalidates the links that were mailed to the old address, and a password that was set with such a link. The old address may belong to
 * a stranger. The new address therefore gets a new link to unsubscribe, and an unsubscription of the old address does not apply to it.
 * With the old link, the old address can still be unsubscribed.
 */
export async function saveEmail(db: Db, user: Pick<Row<'users'>, 'id' | 'email'>, { email, before }: EmailChange): Promise<void> {
  throwIfOutdated(THE_EMAIL, { email: realEmail(user.email) }, { before, after: { email } });
  const text = `WITH links AS (${keepUnsubscribeLinksSql('u.id = $1')}) UPDATE users SET email = $2, password = NULL, "loginAttempts" = 0, "lockedUntil" = NULL,
    "bulkMailStoppedAt" = NULL, "unsubscribeToken" = gen_random_uuid() WHERE id = $1`;
  await run(db, text, [user.id, email]).catch((error: unknown) => {
    throw isTaken(error) ? conflict(HAS_ACCOUNT) : error;
  });
  await revokeLinks(db, user.id);
  const queued = `UPDATE emails SET status = 'suppressed', response = $2 WHERE "userId" = $1 AND status = 'queued' AND kind IN ('invitation', 'reset')`;
  await run(db, queued, [user.id, SUPERSEDED_BY_CORRECTION]);
}
