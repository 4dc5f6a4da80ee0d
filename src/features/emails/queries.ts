import { mailboxHashSql } from '../../server/mail/mailbox.ts';
import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import { PLACEHOLDER_DOMAIN } from '../../shared/mail/no-email.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { rowsByKeyset, rowsInChunks, type ListSource } from '../../server/database/id-chunks.ts';
import type { QueuePosition } from '../../server/queues/expensive-queue.ts';
import { tooMany } from '../../server/errors.ts';
import { lockEnabledDistributor } from '../distributors/queries.ts';
import { IS_REQUESTED_LINK } from '../../server/auth/reset-requests.ts';
import type { Sender } from '../../shared/mail/email-page.ts';
import { isoSql, NOW_SQL, orderingOpenSql } from '../distributions/queries.ts';
import { readNameDetails } from '../product-names/queries.ts';
import type { Row } from '../../server/database/schema.ts';
import { PRODUCT_ORDER } from '../products/queries.ts';
import { IS_UNCONFIRMED } from '../unused-customers/queries.ts';
import {
  MAX_HTML_PER_DAY,
  MAX_MAILS_OF_CHANGES_PER_DAY,
  MAX_MAILS_PER_DAY,
  type ContactWithHasOrder,
  type LoggedMail,
} from './contract.ts';
import { tooManyText, tooMuchHtml } from './texts.ts';
import { DAY, HOUR } from '../../domain/durations.ts';
import { NAME_COLUMNS } from '../contact/queries.ts';

export type Recipient = Pick<
  Row<'users'>,
  'id' | 'email' | 'role' | 'distributorId' | 'bulkMailStoppedAt' | 'lastLoginAt' | 'unsubscribeToken'
> & {
  readonly firstName: string;
};

// An unsubscription applies to every person of the distributor with the same mailbox, also to persons who are added later.
const STOPPED_AT = `coalesce(u."bulkMailStoppedAt", (SELECT s."stoppedAt" FROM unsubscriptions s
  WHERE s."distributorId" = u."distributorId" AND s."mailboxHash" = ${mailboxHashSql('u.email')})) AS "bulkMailStoppedAt"`;
const RECIPIENT = `SELECT u.id, u.email, u.role, u."distributorId", ${STOPPED_AT}, u."lastLoginAt", u."unsubscribeToken", coalesce(c."firstName", '') AS "firstName"
  FROM users u LEFT JOIN contacts c ON c."userId" = u.id`;

export const HAS_EMAIL = `u.email NOT LIKE '%${PLACEHOLDER_DOMAIN}'`;
const recipientOf = (id: string): string => `${RECIPIENT} WHERE u.id = ${id} AND u."disabledAt" IS NULL AND ${HAS_EMAIL}`;

/**
 * Returns the recipient of a mail; null for an unknown or disabled user, and for a customer without an e-mail address. Null means that no
 * mail is sent.
 */
export async function findRecipient(db: Db, userId: number | null): Promise<Recipient | null> {
  return await runOne<Recipient>(db, recipientOf('$1'), [userId]);
}

const FORMER_EMAIL = `SELECT 1 FROM user_audit WHERE "distributorId" = $1 AND "userId" = $2 AND "previousEmail" = $3`;

/** Whether this was the person's e-mail address before staff corrected it. */
export const isFormerEmail = async (db: Db, { distributorId, id }: Recipient, email: string): Promise<boolean> =>
  (await run(db, FORMER_EMAIL, [distributorId, id, email])).length > 0;

const senderOf = (id: string): string =>
  `SELECT u.email, coalesce(nullif(org.name, ''), u.email) AS name, coalesce(org.address, '') AS address, coalesce(org.city, '') AS city,
      coalesce(org.state, '') AS state, coalesce(org.zip, '') AS zip,
      u."disabledAt" IS NOT NULL AS "isDisabled"
    FROM users u LEFT JOIN organizations org ON org."distributorId" = u.id WHERE u.id = ${id}`;

type SendingDistributor = Sender & { readonly email: string; readonly isDisabled: boolean };

/**
 * Returns the organization that a distributor's mails name as the sender. If the organization has no name, the distributor's e-mail address
 * is the name.
 */
export async function findSender(db: Db, distributorId: number | null): Promise<SendingDistributor | null> {
  return await runOne<SendingDistributor>(db, senderOf('$1'), [distributorId]);
}

type ConfirmedLine = Pick<Row<'products'>, 'id' | 'name' | 'product_code' | 'unit_price' | 'unit_qty' | 'uom' | 'unit_qty_is_estimate'> & {
  readonly quantity: number;
};
export interface OrderToConfirm {
  readonly id: number;
  readonly distributorId: number;
  readonly version: number;
  /** Whether staff, and not the customer, changed the order last. */
  readonly isByStaff: boolean;
  readonly distribution: Pick<Row<'distributions'>, 'id' | 'name' | 'date' | 'published' | 'orderingOpen' | 'opensAt' | 'closesAt'> & {
    readonly timeZone: string | null;
  };
  /** The time when the order was read, by the database's clock. */
  readonly now: string;
  readonly note: string | null;
  readonly slot: Pick<Row<'slots'>, 'label' | 'startsAt'> | null;
  readonly lines: readonly ConfirmedLine[];
  readonly fees: readonly Row<'fees'>[];
  /** Maps product ids to the part of the description that distinguishes products with the same name. */
  readonly nameDetails: ReadonlyMap<number, string>;
  /** The recipient; null if the customer cannot receive mail. */
  readonly customer: Pick<Recipient, 'email' | 'firstName'> | null;
  readonly hasEmail: boolean;
  readonly sender: (Sender & { readonly email: string }) | null;
}

type OrderRow = Omit<OrderToConfirm, 'nameDetails'>;

/**
 * Returns an order with everything that its confirmation needs: the lines with a quantity above 0, sorted by group, code and name, the
 * recipient, and the sender.
 */
export async function findOrderToConfirm(db: Db, orderId: number | null): Promise<OrderToConfirm | null> {
  const text = `SELECT o.id, o."distributorId", o.version, o.note,
      (SELECT json_build_object('label', s.label, 'startsAt', ${isoSql('s."startsAt"')}) FROM slots s WHERE s.id = o."slotId") AS slot, o."updatedBy" <> o."customerId" AS "isByStaff",
      (SELECT json_build_object('id', d.id, 'name', d.name, 'date', d.date, 'published', d.published, 'orderingOpen', ${orderingOpenSql('d')},
          'opensAt', ${isoSql('d."opensAt"')}, 'closesAt', ${isoSql('d."closesAt"')},
          'timeZone', (SELECT "timeZone" FROM organizations WHERE organizations."distributorId" = d."distributorId"))
        FROM distributions d WHERE d.id = o."distributionId") AS distribution, ${NOW_SQL} AS now,
      coalesce((SELECT json_agg(json_build_object('id', p.id, 'name', p.name, 'product_code', p.product_code, 'unit_price', p.unit_price,
          'unit_qty', p.unit_qty, 'uom', p.uom, 'unit_qty_is_estimate', p.unit_qty_is_estimate, 'quantity', l.quantity)
          ORDER BY ${PRODUCT_ORDER})
        FROM order_products l JOIN products p ON p.id = l."productId" JOIN distributions d ON d.id = p."distributionId" WHERE l."orderId" = o.id AND l.quantity > 0), '[]') AS lines,
      coalesce((SELECT json_agg(f) FROM fees f WHERE f."distributorId" = o."distributorId" AND f."distributionId" = o."distributionId"), '[]') AS fees,
      (SELECT json_build_object('email', r.email, 'firstName', r."firstName") FROM (${recipientOf('o."customerId"')}) r) AS customer,
      (SELECT ${HAS_EMAIL} FROM users u WHERE u.id = o."customerId") AS "hasEmail",
      (SELECT row_to_json(s) FROM (${senderOf('o."distributorId"')}) s) AS sender
    FROM orders o WHERE o.id = $1`;
  const order = await runOne<OrderRow>(db, text, [orderId]);
  if (!order) return null;
  const { distributorId, distribution } = order;
  return { ...order, nameDetails: await readNameDetails(db, { distributorId, id: distribution.id }) };
}

export const listOwnRecipients = (db: Db, distributorId: number, emails: readonly string[]): Promise<Recipient[]> =>
  run<Recipient>(db, `${RECIPIENT} WHERE u."distributorId" = $1 AND u.role IN ('customer', 'agent') AND u.email = ANY($2)`, [
    distributorId,
    emails,
  ]);

export const dayBefore = (now: Date): Date => new Date(now.getTime() - DAY);
// Selects the mails of the last day that the distributor caused. These have a replyTo: bulk mail, test mails, invitations, reminders, sent
// confirmations of orders that staff changed, and mails about units that are held because of a change by staff. Mails that customers or
// strangers caused have no replyTo. Suppressed mails count although they are not sent, because each of them adds a row. Only suppressed mails
// about held units do not count (src/features/waiting/mail.ts).
export const IS_CAUSED = `"distributorId" = $1 AND "replyTo" IS NOT NULL AND (status <> 'suppressed' OR kind <> 'hold') AND "createdAt" > $2`;
const CAUSED = `FROM emails WHERE ${IS_CAUSED}`;
// Selects the mails that a person has sent again within the last day, except those that are counted already. A mail that a stranger or a
// customer caused counts from the time when the distributor sends it again.
export const IS_SENT_AGAIN = `"distributorId" = $1 AND "resentAt" > $2 AND ("createdAt" <= $2 OR "replyTo" IS NULL)`;
const SENT_AGAIN = `FROM emails WHERE ${IS_SENT_AGAIN}`;

export async function countMailsOfADay(db: Db, distributorId: number, now: Date): Promise<number> {
  const text = `SELECT (SELECT count(*) ${CAUSED}) + (SELECT count(*) ${SENT_AGAIN}) AS mails`;
  return (await runSingle<{ mails: number }>(db, text, [distributorId, dayBefore(now)])).mails;
}

// Links to confirmed accounts do not count: their owners read the mails, and a few owners could otherwise use up the limit. Links to removed
// or forgotten people count. The links are grouped first, so that PostgreSQL looks up each user once by the primary key.
const LINKS_TO_UNCONFIRMED = `SELECT coalesce(sum(mails), 0)::int AS mails
  FROM (SELECT "userId", count(*) AS mails FROM emails WHERE ${IS_REQUESTED_LINK} GROUP BY "userId") links
  WHERE coalesce((SELECT ${IS_UNCONFIRMED} FROM users u WHERE u.id = links."userId"), true)`;

/**
 * Whether a requested link to an unconfirmed account would exceed the daily limit of the distributor. The link does not use up the limit for
 * the mails that the distributor sends. Otherwise strangers could prevent these mails by requesting links.
 */
export async function isRequestedLinkAboveCap(db: Db, distributorId: number | null, now: Date): Promise<boolean> {
  if (distributorId === null) return false;
  const mails = await countMailsOfADay(db, distributorId, now);
  const links = await runSingle<{ mails: number }>(db, LINKS_TO_UNCONFIRMED, [distributorId, dayBefore(now)]);
  return mails + links.mails >= MAX_MAILS_PER_DAY;
}

const OF_CHANGES = `SELECT count(*) AS mails ${CAUSED} AND kind IN ('confirmation', 'hold')`;

/**
 * Whether a mail about a change by staff is above a daily limit: that of all mails of the distributor, or that of the mails about such
 * changes. `isCounted` says whether the mail counts already, as one with a replyTo does.
 */
export async function isMailOfChangeAboveCap(
  db: Db,
  distributorId: number,
  { now, isCounted }: { readonly now: Date; readonly isCounted: boolean },
): Promise<boolean> {
  const own = isCounted ? 1 : 0;
  if ((await countMailsOfADay(db, distributorId, now)) - own >= MAX_MAILS_PER_DAY) return true;
  const { mails } = await runSingle<{ mails: number }>(db, OF_CHANGES, [distributorId, dayBefore(now)]);
  return mails - own >= MAX_MAILS_OF_CHANGES_PER_DAY;
}

/** Sets the replyTo of a mail, so that the mail counts toward the distributor's daily limit. */
export const countTowardDailyLimit = (db: Db, mailId: number, replyTo: string): Promise<unknown> =>
  run(db, 'UPDATE emails SET "replyTo" = $2 WHERE id = $1', [mailId, replyTo]);

interface MoreMails {
  readonly now: Date;
  readonly more: number;
  /** Builds the message that refuses mails above the daily limit `most`. `counted` is the number of mails that already count toward it. */
  readonly text?: (most: number, counted: number) => string;
}

/**
 * Returns how many mails the distributor caused within the day before `now`. Locks the distributor's row, so that concurrent mailings are
 * counted one after the other.
 */
export async function countMailsTowardLimit(db: Db, distributorId: number, now: Date): Promise<number> {
  await lockEnabledDistributor(db, distributorId);
  return await countMailsOfADay(db, distributorId, now);
}

/** Throws if `more` further mails would exceed the daily limit. */
export async function refuseAboveCap(db: Db, distributorId: number, { now, more, text = tooManyText }: MoreMails): Promise<void> {
  const written = await countMailsTowardLimit(db, distributorId, now);
  const above = written + more - MAX_MAILS_PER_DAY;
  if (above <= 0) return;
  // Until the mail that is selected here is a day old, `more` further mails would exceed the daily limit.
  const nth = `SELECT "createdAt" AS at ${CAUSED} UNION ALL SELECT "resentAt" ${SENT_AGAIN} ORDER BY at OFFSET $3 LIMIT 1`;
  const oldest = await runOne<{ at: string }>(db, nth, [distributorId, dayBefore(now), Math.min(above, written) - 1]);
  const freeAt = Date.parse(oldest?.at ?? now.toISOString()) + DAY;
  throw tooMany(text(MAX_MAILS_PER_DAY, written), Math.ceil((freeAt - now.getTime()) / 1000));
}

// The HTML of a forgotten customer's mails is erased, but still counts. Otherwise a distributor could send as much HTML again.
const HTML_OF_A_DAY = `SELECT coalesce(sum(octet_length(html) + coalesce("htmlBytes", 0)), 0) AS bytes
  FROM emails LEFT JOIN erased_recipients ON "mailId" = id WHERE ${IS_CAUSED} AND kind IN ('bulk', 'test')`;

/**
 * Throws if these mails and the mails of the last day together have more HTML than allowed. The caller must have counted the mails with
 * `refuseAboveCap`, which locks the distributor's row.
 */
export async function refuseLongMails(db: Db, distributorId: number, { now, mails }: { now: Date; mails: readonly { html: string }[] }) {
  const more = mails.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0);
  const { bytes } = await runSingle<{ bytes: number }>(db, HTML_OF_A_DAY, [distributorId, dayBefore(now)]);
  if (bytes + more > MAX_HTML_PER_DAY) throw tooMany(tooMuchHtml(MAX_HTML_PER_DAY), HOUR / 1000);
}

const NEWEST = 1000;
const MAILS_AT_ONCE = 200;
const MAILS = `SELECT e.id, coalesce(nullif(e."to", ''), ${realEmailSql('u')}, '') AS "to", e.subject, e.kind, e.status, e.response, e."createdAt", e."sentAt", e.success
  FROM emails e LEFT JOIN users u ON u.id = e."userId"
  WHERE e."distributorId" = $1 AND ($2::int IS NULL OR e.id < $2) ORDER BY e.id DESC LIMIT $3`;

export const listMailsOf = (db: Db, queue: QueuePosition) =>
  rowsByKeyset({
    size: MAILS_AT_ONCE,
    most: NEWEST,
    queue,
    read: (count, last?: LoggedMail) => run<LoggedMail>(db, MAILS, [queue.distributorId, last?.id ?? null, count]),
  });

const INVITED = `SELECT u.email FROM emails e JOIN users u ON u.id = e."userId"
  WHERE e.id = $2 AND e."distributorId" = $1 AND e.kind = 'invitation' AND e.status IN ('failed', 'unknown')`;

/** Returns the e-mail address to which this invitation would be sent again; null if it is no invitation or cannot be sent again. */
export const findInvitedEmail = async (db: Db, distributorId: number, id: number): Promise<string | null> =>
  (await runOne<{ email: string }>(db, INVITED, [distributorId, id]))?.email ?? null;

type SentAgain = 'queued' | 'not now' | 'emptied' | 'other address' | 'sent again today';

/**
 * Queues a mail again that has failed or may not have arrived. A mail with a link to set a password is queued again at most once a day,
 * because its row stores only the last time when it was sent again. A mail that is sent to the address in its row, whatever the address of
 * its user, is not queued again if the two differ, because somebody may have typed a stranger's address into the file of an imported
 * distributor. Returns null when the distributor has no mail with this id. The caller checks the daily limit afterwards, in the same
 * transaction.
 */
export async function sendAgain(db: Db, distributorId: number, { id, now }: { id: number; now: Date }): Promise<SentAgain | null> {
  const text = `WITH e AS (SELECT id, CASE WHEN status NOT IN ('failed', 'unknown') THEN 'not now'
        WHEN html = '' AND kind IN ('bulk', 'test') THEN 'emptied'
        WHEN kind IN ('bulk', 'test', 'exists', 'join') AND "to" <> ''
          AND "to" IS DISTINCT FROM (SELECT u.email FROM users u WHERE u.id = emails."userId") THEN 'other address'
        WHEN kind IN ('invitation', 'reset', 'exists') AND "resentAt" > $4 THEN 'sent again today' ELSE 'queued' END AS becomes
      FROM emails WHERE id = $2 AND "distributorId" = $1 FOR UPDATE),
    again AS (UPDATE emails SET status = 'queued', attempts = 0, "nextAttemptAt" = $3, "resentAt" = $3, "leasedUntil" = NULL, response = NULL
      FROM e WHERE emails.id = e.id AND e.becomes = 'queued')
    SELECT becomes FROM e`;
  const found = await runOne<{ becomes: SentAgain }>(db, text, [distributorId, id, now, dayBefore(now)]);
  return found?.becomes ?? null;
}

const MAILABLE = `FROM users u LEFT JOIN contacts c ON c."userId" = u.id
  WHERE u."distributorId" = $1 AND u.role = 'customer' AND u."disabledAt" IS NULL AND ${HAS_EMAIL}`;
const BY_NAME = `c."lastName", c."firstName", u.email`;
const NUMBERED_CONTACTS = `SELECT u.id, row_number() OVER (ORDER BY ${BY_NAME}) - 1 AS place ${MAILABLE}
  AND NOT (SELECT d.rehearsal FROM distributions d WHERE d.id = $2)`;
const CUSTOMERS = `SELECT FROM users u, distributions d WHERE u."distributorId" = $1 AND u.role = 'customer' AND d.id = $2`;
const CONTACTS = `SELECT u.id AS "userId", u.email, ${NAME_COLUMNS},
    EXISTS (SELECT 1 FROM orders o JOIN order_products l ON l."orderId" = o.id
      WHERE o."distributorId" = $1 AND o."customerId" = u.id AND o."distributionId" = $2 AND l.quantity > 0) AS "hasOrder"
  ${MAILABLE} AND u.id = ANY($3::int[]) ORDER BY ${BY_NAME}`;

/**
 * Yields every customer who can receive mail; nobody for a rehearsal. An order counts for `hasOrder` only if a quantity is above 0
 * (contract §5).
 */
export function contactsOf(db: Db, source: ListSource): AsyncGenerator<ContactWithHasOrder[]> {
  const key = [source.distributorId, source.id];
  return rowsInChunks(db, { numbered: NUMBERED_CONTACTS, values: key, queue: source, searched: CUSTOMERS }, (ids) =>
    run<ContactWithHasOrder>(db, CONTACTS, [...key, ids]),
  );
}
