// Refuses mails that would exceed the limit of mails of a kind to one mailbox within a day (decision 7), and holds confirmations back.
// Confirmations, mails about held units and reminders are rendered when they are sent, and have the same limits then
// (src/server/mail/mailbox-limit.ts).
import { HOUR, MINUTE } from '../../domain/durations.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import type { MailKind, Row } from '../../server/database/schema.ts';
import { tooMany } from '../../server/errors.ts';
import { countedMailboxOf, mailsToMailboxes } from '../../server/mail/mailbox.ts';
import { mailboxHeldUntil } from '../../server/mail/mailbox-limit.ts';
import type { Mail } from '../../server/mail/outbox-rows.ts';
import type { HeldEmail, SuppressedEmail } from '../../server/mail/outbox-worker.ts';
import {
  MAX_BULK_PER_MAILBOX,
  MAX_HOLD_MAILS_PER_MAILBOX,
  MAX_OWN_CONFIRMATIONS_PER_HOUR,
  MAX_REMINDERS_PER_MAILBOX,
  MAX_STAFF_CONFIRMATIONS_PER_MAILBOX,
} from '../emails/contract.ts';
import { dayBefore, IS_CAUSED, IS_SENT_AGAIN } from '../emails/queries.ts';
import { MANY_CONFIRMATIONS, MANY_CONFIRMATIONS_OF_STAFF, tooManyAgain, tooManyToOne } from '../emails/texts.ts';

interface KindLimit {
  readonly kinds: readonly MailKind[];
  readonly most: number;
}
const BULK: KindLimit = { kinds: ['bulk', 'short-delivery'], most: MAX_BULK_PER_MAILBOX };
const LIMITS: readonly KindLimit[] = [
  BULK,
  { kinds: ['confirmation'], most: MAX_STAFF_CONFIRMATIONS_PER_MAILBOX },
  { kinds: ['hold'], most: MAX_HOLD_MAILS_PER_MAILBOX },
  { kinds: ['reminder'], most: MAX_REMINDERS_PER_MAILBOX },
];

// With a single OR condition instead of the two SELECTs, PostgreSQL might read all mails of the distributor.
const ofDaySql = (condition: string): string =>
  `SELECT recipient FROM ${mailsToMailboxes('$3')} WHERE ${condition} AND kind = ANY($4) AND status <> 'suppressed' AND id <> $5`;
const SENT_TO_MAILBOXES = `SELECT recipient AS mailbox, count(*) AS mails FROM (${ofDaySql(IS_CAUSED)} UNION ALL ${ofDaySql(IS_SENT_AGAIN)}) mails GROUP BY 1`;

interface Counted {
  readonly now: Date;
  readonly mailboxes: readonly string[];
  readonly kinds: readonly MailKind[];
  /** The mail that is not counted. */
  readonly except?: number;
}

/** Counts the mails that the distributor caused or sent again within the day, for each of the mailboxes. */
async function countMailsTo(db: Db, distributorId: number, { now, mailboxes, kinds, except = 0 }: Counted): Promise<Map<string, number>> {
  const values = [distributorId, dayBefore(now), mailboxes, kinds, except];
  const sent = await run<{ mailbox: string; mails: number }>(db, SENT_TO_MAILBOXES, values);
  return new Map(sent.map(({ mailbox, mails }) => [mailbox, mails]));
}

/**
 * Returns those of the mails that their mailboxes may still get within the day: each mailbox gets a limited number of bulk mails and mails
 * about short deliveries of this distributor. The caller must have counted the mails with `refuseAboveCap`, which locks the distributor's
 * row.
 */
export async function withinMailboxLimit<BulkMail extends { readonly to: string }>(
  db: Db,
  distributorId: number,
  { now, mails }: { now: Date; mails: readonly BulkMail[] },
): Promise<BulkMail[]> {
  const mailboxes = [...new Set(mails.map(({ to }) => countedMailboxOf(to)))];
  const mailsTo = await countMailsTo(db, distributorId, { now, mailboxes, kinds: BULK.kinds });
  return mails.filter(({ to }) => {
    const mailbox = countedMailboxOf(to);
    const count = (mailsTo.get(mailbox) ?? 0) + 1;
    mailsTo.set(mailbox, count);
    return count <= BULK.most;
  });
}

/** Throws if one of these mails would exceed the limit of its mailbox. */
export async function refuseManyToOne(db: Db, distributorId: number, due: { now: Date; mails: readonly { readonly to: string }[] }) {
  const allowed = new Set(await withinMailboxLimit(db, distributorId, due));
  const above = due.mails.find((mail) => !allowed.has(mail));
  if (above) throw tooMany(tooManyToOne(BULK.most, above.to), HOUR / 1000);
}

// A mail that was never rendered has no address yet.
const RECIPIENT = `SELECT e.kind, coalesce(nullif(e."to", ''), u.email, '') AS "to" FROM emails e LEFT JOIN users u ON u.id = e."userId"
  WHERE e.id = $2 AND e."distributorId" = $1`;

/**
 * Throws if this mail, sent again, would exceed the limit of its kind and mailbox. The caller must have locked the distributor's row, so
 * that concurrent mails are counted one after the other.
 */
export async function refuseManyAgain(db: Db, distributorId: number, { id, now }: { id: number; now: Date }): Promise<void> {
  const { kind, to } = await runSingle<{ kind: MailKind; to: string }>(db, RECIPIENT, [distributorId, id]);
  const limit = LIMITS.find(({ kinds }) => kinds.includes(kind));
  if (!limit) return;
  const mailbox = countedMailboxOf(to);
  const mailsTo = await countMailsTo(db, distributorId, { now, mailboxes: [mailbox], kinds: limit.kinds, except: id });
  if ((mailsTo.get(mailbox) ?? 0) >= limit.most) throw tooMany(tooManyAgain(limit.most, to), HOUR / 1000);
}

/** The shortest time for which a confirmation of a customer's own change is held, so that many of them are not tried again and again. */
const OWN_PAUSE = MINUTE;

const hasConfirmation = (condition: string): string =>
  `EXISTS (SELECT FROM emails e WHERE e."orderId" = o.id AND e.kind = 'confirmation' AND ${condition})`;
const CONFIRMED_ORDER = `SELECT o."distributorId", o."customerId", o."updatedBy" <> o."customerId" AS "isByStaff", u.email,
    ${hasConfirmation(`e.status = 'sent'`)} AS "isConfirmed", ${hasConfirmation(`e.status = 'queued' AND e.id > $2`)} AS "hasNext"
  FROM orders o JOIN users u ON u.id = o."customerId" WHERE o.id = $1`;
type ConfirmedOrder = Pick<Row<'orders'>, 'distributorId' | 'customerId'> & {
  readonly isByStaff: boolean;
  readonly email: string;
  readonly isConfirmed: boolean;
  /** Whether a later confirmation of the order is queued. */
  readonly hasNext: boolean;
};

// Every confirmation of a customer's own change is sent at most two days after it was queued, so the statement need not read older rows.
const OWN_CONFIRMATIONS = `SELECT "sentAt" FROM emails
  WHERE "orderId" = ANY (ARRAY(SELECT id FROM orders WHERE "distributorId" = $1 AND "customerId" = $2)) AND kind = 'confirmation'
    AND status = 'sent' AND "replyTo" IS NULL AND "createdAt" > $3::timestamptz - interval '2 days' AND "sentAt" > $3
  ORDER BY "sentAt" DESC OFFSET $4 LIMIT 1`;
const STAFF_LIMIT = { kind: 'confirmation by staff', most: MAX_STAFF_CONFIRMATIONS_PER_MAILBOX } as const;

/** Returns until when a confirmation of a customer's own change is held; null if it may be sent now. */
async function ownConfirmationHeldUntil(db: Db, { distributorId, customerId }: ConfirmedOrder, now: Date): Promise<Date | null> {
  const values = [distributorId, customerId, new Date(now.getTime() - HOUR), MAX_OWN_CONFIRMATIONS_PER_HOUR - 1];
  // Until this mail is an hour old, another one would exceed the limit.
  const oldest = await runOne<Pick<Row<'emails'>, 'sentAt'>>(db, OWN_CONFIRMATIONS, values);
  return oldest?.sentAt ? new Date(Math.max(Date.parse(oldest.sentAt) + HOUR, now.getTime() + OWN_PAUSE)) : null;
}

/**
 * Returns null if the confirmation may be sent now. Above the hourly limit of a customer's own changes, or the daily limit of changes by
 * staff for the mailbox, the confirmation is held until the limit allows another one. It is dropped if a newer confirmation of the same
 * order is queued, because both would show the same state of the order. The first confirmation of a customer's own order is never held.
 */
export async function confirmationHeldBack(
  db: Db,
  { id, orderId, response }: Mail,
  now: Date,
): Promise<SuppressedEmail | HeldEmail | null> {
  const order = await runOne<ConfirmedOrder>(db, CONFIRMED_ORDER, [orderId, id]);
  if (!order || !(order.isByStaff || order.isConfirmed)) return null;
  const { isByStaff, hasNext } = order;
  const heldUntil = isByStaff ? await mailboxHeldUntil(db, STAFF_LIMIT, { ...order, now }) : await ownConfirmationHeldUntil(db, order, now);
  // A mail that was held before has a response.
  if (hasNext && (heldUntil || response !== null)) return { suppressed: null };
  return heldUntil && { heldUntil, reason: isByStaff ? MANY_CONFIRMATIONS_OF_STAFF : MANY_CONFIRMATIONS };
}
