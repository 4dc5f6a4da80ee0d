// Erases a customer's personal data from every table (contract §18). A test searches every column of every table for the customer's name,
// addresses and other words.
import { setImmediate as nextLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { deleteAttemptsOf } from '../../server/auth/account-lock.ts';
import { endSessions, type Viewer } from '../../server/auth/session.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { assertFound, busy, throwIfRefused } from '../../server/errors.ts';
import type { CountRows } from '../../server/database/count-rows.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { COUNTED_MAILBOX_SQL, recipientHashSql } from '../../server/mail/mailbox.ts';
import { PLACEHOLDER_SQL } from '../../server/mail/placeholder-email.ts';
import { CONTACT_FIELDS } from '../contact/contract.ts';
import { keepUnsubscribeLinksSql } from '../unsubscribe/queries.ts';
import { orderingOpenSql } from '../distributions/queries.ts';
import { ownAccountsOf } from '../orders/queries.ts';
import { countWaitingOf, leaveWaitingLists } from '../waiting/queries.ts';
import { DAY } from '../../domain/durations.ts';
import { eraser, type Eraser, type KnownWords } from '../../domain/accounts/erase-personal-data.ts';
import { eraseInReplies, findReplies, type ErasedReplies } from '../stored-replies/queries.ts';
import { CHANGED_MEANWHILE, DELETED_MAIL, formerCustomerName, moneyIsDueText, stillOpenText } from './texts.ts';

interface Customer {
  readonly id: number;
  readonly email: string;
}
const CUSTOMER = `SELECT id, email FROM users WHERE "distributorId" = $1 AND role = 'customer' AND id = $2 AND "removedAt" IS NULL`;

/** Throws 'not found' unless this is a customer of the viewer's distributor. */
const findCustomer = async (db: Db, { tenantId }: Viewer, userId: number): Promise<Customer> =>
  assertFound(await runOne<Customer>(db, CUSTOMER, [tenantId, userId]), 'Customer');

/**
 * Locks the customer and the customer's orders, so that no contact, order or payment is written while the customer's data is being erased.
 * The orders are locked first. Other transactions use the same sequence: they lock a product or an order first, and then queue mails, which
 * locks the recipient.
 */
export async function lockCustomerAndOrders(db: Db, { tenantId }: Viewer, userId: number): Promise<Customer> {
  await run(db, 'SELECT 1 FROM orders WHERE "distributorId" = $1 AND "customerId" = $2 ORDER BY id FOR UPDATE', [tenantId, userId]);
  return assertFound(await runOne<Customer>(db, `${CUSTOMER} FOR UPDATE`, [tenantId, userId]), 'Customer');
}

const OPEN = `SELECT d.name FROM orders o JOIN distributions d ON d.id = o."distributionId"
  WHERE o."distributorId" = $1 AND o."customerId" = $2 AND ${orderingOpenSql('d')}
  ORDER BY d.date, d.id`;

async function openRefusal(db: Db, { tenantId }: Viewer, userId: number): Promise<string | null> {
  const open = await run<{ name: string }>(db, OPEN, [tenantId, userId]);
  return open.length > 0 ? stillOpenText(open.map(({ name }) => name)) : null;
}

interface ForgetContext {
  readonly db: Db;
  readonly viewer: Viewer;
  readonly params: { readonly userId: number };
  readonly signal: AbortSignal;
  readonly countRows: CountRows;
}

/** Returns the reason why the customer's data cannot be erased now, or null. Throws 'not found' for a customer of another distributor. */
export async function forgettingRefusal({ db, viewer, params: { userId }, ...context }: ForgetContext): Promise<string | null> {
  await findCustomer(db, viewer, userId);
  const refusal = await openRefusal(db, viewer, userId);
  if (refusal !== null) return refusal;
  const due: string[] = [];
  for await (const accounts of ownAccountsOf(db, { ...viewer, userId }, context))
    due.push(...accounts.filter(({ balance }) => balance !== 0).map(({ distributionName }) => distributionName ?? ''));
  return due.length > 0 ? moneyIsDueText(due) : null;
}

/**
 * The result changes whenever one of the customer's balances may have changed. Every transaction that changes an order, its lines, weights
 * or payments writes the row of the order, and so changes its xmin (triggers of migration 0026). Every transaction that changes products or
 * fees gives the catalogue a new version.
 */
const BALANCES_VERSION = `SELECT coalesce(string_agg(concat_ws('.', o.id, o.xmin, d."catalogueVersion"), ' ' ORDER BY o.id), '') AS version
  FROM orders o JOIN distributions d ON d.id = o."distributionId" WHERE o."distributorId" = $1 AND o."customerId" = $2`;

const balancesVersion = async (db: Db, { tenantId }: Viewer, userId: number): Promise<string> =>
  (await runSingle<{ version: string }>(db, BALANCES_VERSION, [tenantId, userId])).version;

/**
 * The customer's former names and addresses are erased in texts that other people wrote. They are taken from at most this many corrections
 * of the contact and of the e-mail address, the newest ones. A customer has more corrections only if somebody made them to block the
 * server. The rows of all corrections are erased.
 */
const MAX_CORRECTIONS = 50;
/** The customer's former e-mail addresses, except those that belong to other people now. */
const OLD_EMAILS = `SELECT "previousEmail" AS email FROM user_audit a WHERE "distributorId" = $1 AND "userId" = $2
  AND "previousEmail" IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.email = a."previousEmail" AND u.id <> $2)
  ORDER BY a.id DESC LIMIT ${MAX_CORRECTIONS}`;
const CONTACTS = `SELECT to_jsonb(c) AS contact FROM contacts c WHERE "userId" = $2
  UNION SELECT v.contact FROM (SELECT before, after FROM contact_audit WHERE "distributorId" = $1 AND "userId" = $2
      ORDER BY id DESC LIMIT ${MAX_CORRECTIONS}) a, LATERAL (VALUES (a.before), (a.after)) v (contact) ORDER BY contact`;

/**
 * Returns the customer's present and former e-mail addresses and contacts. The words in them are later erased in the texts that other
 * people wrote.
 */
async function readWords(db: Db, tenantId: number, { id, email }: Customer): Promise<KnownWords> {
  const before = await run<{ email: string }>(db, OLD_EMAILS, [tenantId, id]);
  const rows = await run<{ contact: Record<string, string> }>(db, CONTACTS, [tenantId, id]);
  const contacts = rows.map(({ contact }) => contact);
  return { emails: [email, ...before.map((row) => row.email)], contacts };
}

const OWN_ORDERS = '(SELECT id FROM orders WHERE "distributorId" = $1 AND "customerId" = $2)';

/** What `prepareForgetting` has checked, and what it has erased already. */
interface Prepared {
  readonly balances: string;
  readonly words: KnownWords;
  readonly erase: Eraser;
  readonly replies: ErasedReplies;
}

/**
 * Refuses the call if an order is still open or money is due. Then erases the customer's personal data in the stored replies to requests of
 * staff, and removes the customer from all waiting lists. This may take long, so it is done before the call waits in the queue of imports,
 * and before the transaction that erases the customer. If the call is refused after this, the customer already has the name of a former
 * customer in these replies, and has lost the places on the waiting lists. The replies are only sent to staff who repeat a request of the
 * last day.
 */
export async function prepareForgetting(context: ForgetContext): Promise<Prepared> {
  const { db, viewer, params, signal, countRows } = context;
  const { tenantId } = viewer;
  // The versions and words are read first, so that a change during the check counts as a change after it.
  const balances = await balancesVersion(db, viewer, params.userId);
  throwIfRefused(await forgettingRefusal(context), 409);
  const customer = await findCustomer(db, viewer, params.userId);
  const words = await readWords(db, tenantId, customer);
  const orders = await run<{ id: number }>(db, OWN_ORDERS, [tenantId, customer.id]);
  const erase = eraser(words, { name: formerCustomerName(customer.id), userId: customer.id, orderIds: orders.map(({ id }) => id) });
  const queue = { distributorId: tenantId, signal };
  const found = await runInQueue(queue, () => findReplies(db, tenantId, null));
  countRows({ read: found.count + (await countWaitingOf(db, tenantId, customer.id)) });
  const replies = await eraseInReplies(db, found, { erase, queue });
  // The places on the waiting lists cannot be restored, so this is the last step.
  await leaveWaitingLists(db, customer.id, { queue, countRows });
  return { balances, words, erase, replies };
}

/**
 * Throws if the customer's data cannot be erased any more, because an order was opened, the customer joined a waiting list, or a balance or
 * the customer's names and addresses may have changed after `prepareForgetting`. It does not add up the balances again and leaves no waiting
 * list, because this takes long, and other people wait for this transaction. Call it after `lockCustomerAndOrders`.
 */
export async function assertStillSettled(db: Db, viewer: Viewer, customer: Customer, { balances, words }: Prepared): Promise<void> {
  throwIfRefused(await openRefusal(db, viewer, customer.id), 409);
  const isChanged =
    (await balancesVersion(db, viewer, customer.id)) !== balances ||
    (await countWaitingOf(db, viewer.tenantId, customer.id)) > 0 ||
    !isDeepStrictEqual(await readWords(db, viewer.tenantId, customer), words);
  if (isChanged) throw busy(CHANGED_MEANWHILE);
}

/**
 * Selects the customer's mails, which `EMAILS` empties. A worker that has claimed a queued mail finds the row changed and does not send it.
 * If a mail is being sent at this moment, only its stored content is erased. Each SELECT of the UNION uses an index of its own. With a
 * single OR condition instead, PostgreSQL would read the mails of all distributors while this transaction holds its locks.
 */
const OWN_MAILS = `ARRAY(SELECT id FROM emails WHERE "userId" = $2 AND kind <> 'confirmation'
  UNION ALL SELECT id FROM emails WHERE "userId" = $2 AND kind = 'confirmation' AND "orderId" IS NULL
  UNION ALL SELECT id FROM emails WHERE "orderId" = ANY (ARRAY${OWN_ORDERS})
  UNION ALL SELECT id FROM emails WHERE "userId" IS NULL AND "to" = ANY($3) AND "to" <> '' AND $1 IN ("distributorId", "joinDistributorId"))`;
/**
 * Keeps what the limits of a day need from the mails that the customer got within the last day: of each mail, a hash of the address, a hash of
 * the mailbox, and the number of bytes of the HTML. The hourly cleanup deletes these rows after a day.
 */
const KEEP_RECIPIENTS = `INSERT INTO erased_recipients ("mailId", "addressHash", "mailboxHash", "erasedAt", "htmlBytes")
  SELECT id, ${recipientHashSql('"to"')}, ${recipientHashSql(COUNTED_MAILBOX_SQL)}, $4, octet_length(html) FROM emails
  WHERE id = ANY (${OWN_MAILS}) AND "to" <> '' AND greatest("createdAt", "resentAt", "sentAt") > $5 ON CONFLICT DO NOTHING`;
export const EMAILS = `UPDATE emails SET "to" = $4, subject = '', html = '', response = $5, "leasedUntil" = NULL,
    "replyTo" = CASE WHEN "replyTo" = ANY($3) THEN NULL ELSE "replyTo" END,
    status = CASE status WHEN 'queued' THEN 'suppressed' WHEN 'sending' THEN 'unknown' ELSE status END
  WHERE id = ANY (${OWN_MAILS}) RETURNING id`;

const ERASE_USER = `UPDATE users SET email = ${PLACEHOLDER_SQL}, password = NULL, "resetPasswordToken" = NULL, "resetPasswordExpires" = NULL,
    "invitationToken" = NULL, "invitationExpires" = NULL, "unsubscribeToken" = gen_random_uuid(), "lastLoginAt" = NULL, "loginAttempts" = 0,
    "lockedUntil" = NULL, "lastFailureAt" = NULL, "disabledAt" = $2, "removedAt" = $2 WHERE id = $1`;

const ERASE_CONTACT = `INSERT INTO contacts ("userId", "firstName") VALUES ($1, $2)
  ON CONFLICT ("userId") DO UPDATE SET "firstName" = $2, ${CONTACT_FIELDS.filter((name) => name !== 'firstName')
    .map((name) => `"${name}" = ''`)
    .join(', ')}`;

/** In these statements, $1 is the distributor's id and $2 the customer's id. */
const ERASE_ROWS = [
  'DELETE FROM contact_audit WHERE "distributorId" = $1 AND "userId" = $2',
  `UPDATE user_audit SET "previousEmail" = ${PLACEHOLDER_SQL} WHERE "distributorId" = $1 AND "userId" = $2 AND "previousEmail" IS NOT NULL`,
  'UPDATE orders SET note = NULL WHERE "distributorId" = $1 AND "customerId" = $2 AND note IS NOT NULL',
  `UPDATE order_audit SET before = before - 'note', after = after - 'note' WHERE "distributorId" = $1 AND "orderId" IN ${OWN_ORDERS} AND (before ? 'note' OR after ? 'note')`,
  `DELETE FROM order_audit WHERE "distributorId" = $1 AND "orderId" IN ${OWN_ORDERS} AND before = '{}' AND after = '{}'`,
];
const ERASE_OF_PERSON = ['idempotency_keys', 'replaced_links'].map((table) => `DELETE FROM ${table} WHERE "userId" = $1`);

const DESCRIBED = `SELECT id, description FROM payments WHERE "distributorId" = $1 AND "orderId" IN ${OWN_ORDERS} AND description IS NOT NULL`;

/** Erases the customer's name and addresses in the descriptions of payments. The payments and the rest of the descriptions stay. */
async function eraseInPayments(db: Db, customerKey: readonly number[], erase: Eraser): Promise<void> {
  for (const { id, description } of await run<{ id: number; description: string }>(db, DESCRIBED, customerKey)) {
    const erased = erase.text(description);
    if (erased !== description) await run(db, 'UPDATE payments SET description = $2 WHERE id = $1', [id, erased]);
    else await nextLoop();
  }
}

interface Erasing {
  readonly now: Date;
  /** What `prepareForgetting` has returned. */
  readonly checked: Prepared;
}

/**
 * Erases the customer's data. The caller must have called `lockCustomerAndOrders` and `assertStillSettled`. Returns the ids of the customer's mails,
 * whose files the caller deletes.
 */
export async function eraseCustomer(db: Db, { tenantId }: Viewer, customer: Customer, { now, checked }: Erasing): Promise<number[]> {
  const name = formerCustomerName(customer.id);
  const customerKey = [tenantId, customer.id];
  const { words, erase, replies } = checked;
  await eraseInPayments(db, customerKey, erase);
  await eraseInReplies(db, await findReplies(db, tenantId, replies), { erase, queue: null });
  for (const text of ERASE_ROWS) await run(db, text, customerKey);
  for (const text of ERASE_OF_PERSON) await run(db, text, [customer.id]);
  await run(db, 'DELETE FROM join_requests WHERE "distributorId" = $1 AND email = ANY($2)', [tenantId, words.emails]);
  await deleteAttemptsOf(db, words.emails);
  await endSessions(db, customer.id);
  await run(db, KEEP_RECIPIENTS, [...customerKey, words.emails, now, new Date(now.getTime() - DAY)]);
  await run(db, keepUnsubscribeLinksSql('u.id = $1'), [customer.id]);
  const mails = await run<{ id: number }>(db, EMAILS, [...customerKey, words.emails, name, DELETED_MAIL]);
  await run(db, ERASE_CONTACT, [customer.id, name]);
  await run(db, ERASE_USER, [customer.id, now]);
  return mails.map(({ id }) => id);
}
