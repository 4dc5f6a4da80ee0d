import { mailboxHashSql } from '../../server/mail/mailbox.ts';
import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import { run, runOne, type Db } from '../../server/database/db.ts';

/** The mailbox that a link to unsubscribe belongs to. */
export interface Unsubscriber {
  /** The user who has this link now; null for the link of a person who was removed or got another e-mail address. */
  readonly userId: number | null;
  /** The distributor that sent the link. A distributor's test mail has a link too. */
  readonly senderId: number;
  /** Null if only the hash of the mailbox is stored. */
  readonly email: string | null;
  readonly mailboxHash: string;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const UNSUBSCRIBER = `SELECT NULL::int AS "userId", f."distributorId" AS "senderId", NULL AS email, f."mailboxHash"
    FROM former_unsubscribe_links f WHERE f.token = $1
  UNION ALL SELECT u.id, coalesce(u."distributorId", u.id), ${realEmailSql('u')}, ${mailboxHashSql('u.email')}
    FROM users u WHERE u."unsubscribeToken" = $1 ORDER BY "userId" NULLS FIRST LIMIT 1`;

export async function findUnsubscriber(db: Db, token: string): Promise<Unsubscriber | null> {
  if (!UUID.test(token)) return null;
  return await runOne<Unsubscriber>(db, UNSUBSCRIBER, [token]);
}

const UNSUBSCRIBE = `INSERT INTO unsubscriptions ("distributorId", "mailboxHash", "stoppedAt") VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;

/**
 * Stores the unsubscription under the hash of the mailbox, so that it still applies after the person is removed and added again. A
 * distributor, who belongs to no distributor, unsubscribes only from the own test mails.
 */
export async function stopBulkMail(db: Db, { userId, senderId, mailboxHash }: Unsubscriber, now: Date): Promise<void> {
  if (userId !== senderId) await run(db, UNSUBSCRIBE, [senderId, mailboxHash, now]);
  if (userId === null) return;
  await run(db, 'UPDATE users SET "bulkMailStoppedAt" = $2 WHERE id = $1 AND "bulkMailStoppedAt" IS NULL', [userId, now]);
}

/**
 * Returns a statement that stores the links to unsubscribe of the users `u` for whom the condition holds. Run it before these users lose
 * their e-mail addresses and get new links, so that the links in the mails that were sent to them still work. If no such mail was sent,
 * nothing is stored.
 */
export const keepUnsubscribeLinksSql = (
  condition: string,
): string => `INSERT INTO former_unsubscribe_links (token, "distributorId", "mailboxHash")
  SELECT u."unsubscribeToken", u."distributorId", ${mailboxHashSql('u.email')} FROM users u
  WHERE ${condition} AND u."distributorId" IS NOT NULL AND EXISTS (SELECT FROM emails e
    WHERE e."userId" = u.id AND e.kind IN ('bulk', 'reminder') AND e.status <> 'suppressed' AND e."to" = u.email) ON CONFLICT DO NOTHING`;
