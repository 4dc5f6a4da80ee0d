// Limits the mails of a kind that one mailbox gets of one distributor within a day, when they are sent. A confirmation or a mail about held
// units above the limit is sent later. A reminder is not, because it would arrive when ordering has closed, or shortly before.
import { DAY, HOUR } from '../../domain/durations.ts';
import { runOne, type Db } from '../database/db.ts';
import type { Row } from '../database/schema.ts';
import { countedMailboxOf, mailsToMailboxes } from './mailbox.ts';

// For each kind of mail, the database has an index by mailbox with the condition `counted`.
const sentSql = (counted: string): string => `SELECT "sentAt" FROM ${mailsToMailboxes('$2')}
  WHERE "distributorId" = $1 AND ${counted} AND "sentAt" > $3 ORDER BY "sentAt" DESC OFFSET $4 LIMIT 1`;
const SENT = {
  'confirmation by staff': sentSql(`kind = 'confirmation' AND "replyTo" IS NOT NULL`),
  hold: sentSql(`kind = 'hold'`),
  reminder: sentSql(`kind = 'reminder'`),
} as const;

interface MailboxLimit {
  readonly kind: keyof typeof SENT;
  readonly most: number;
}

/**
 * Returns null if a mail to a customer of the distributor may be sent now, or else the time until which the mail is held. A mail is held
 * for at least an hour, so that many held mails are not tried again and again.
 */
export async function mailboxHeldUntil(
  db: Db,
  { kind, most }: MailboxLimit,
  { distributorId, email, now }: { readonly distributorId: number | null; readonly email: string; readonly now: Date },
): Promise<Date | null> {
  const since = new Date(now.getTime() - DAY);
  // Until this mail is a day old, another one would exceed the limit.
  const oldest = await runOne<Pick<Row<'emails'>, 'sentAt'>>(db, SENT[kind], [distributorId, [countedMailboxOf(email)], since, most - 1]);
  return oldest?.sentAt ? new Date(Math.max(Date.parse(oldest.sentAt) + DAY, now.getTime() + HOUR)) : null;
}
