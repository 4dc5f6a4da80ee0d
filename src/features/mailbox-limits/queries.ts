// Refuses mails that would exceed the limit of mails of a kind to one mailbox within a day (decision 7). Confirmations, mails about held units
// and reminders are rendered when they are sent, and have the same limits then (src/server/mail/mailbox-limit.ts).
import { HOUR } from '../../domain/durations.ts';
import { run, runSingle, type Db } from '../../server/database/db.ts';
import type { MailKind } from '../../server/database/schema.ts';
import { tooMany } from '../../server/errors.ts';
import { countedMailboxOf, mailsToMailboxes } from '../../server/mail/mailbox.ts';
import {
  MAX_BULK_PER_MAILBOX,
  MAX_HOLD_MAILS_PER_MAILBOX,
  MAX_REMINDERS_PER_MAILBOX,
  MAX_STAFF_CONFIRMATIONS_PER_MAILBOX,
} from '../emails/contract.ts';
import { dayBefore, IS_CAUSED, IS_SENT_AGAIN } from '../emails/queries.ts';
import { tooManyAgain, tooManyToOne } from '../emails/texts.ts';

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
export async function withinMailboxLimit<Mail extends { readonly to: string }>(
  db: Db,
  distributorId: number,
  { now, mails }: { now: Date; mails: readonly Mail[] },
): Promise<Mail[]> {
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
