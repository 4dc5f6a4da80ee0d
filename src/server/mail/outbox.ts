// Every mail is first stored as a row of the emails log, in the transaction that caused the mail (contract §8). The worker sends it later.
import { run, type Db } from '../database/db.ts';
import type { MailKind } from '../database/schema.ts';

/**
 * A mail to be queued. The row of a confirmation or of a mail with a token contains only the kind and ids, and the worker renders the mail
 * when it sends it.
 */
export interface NewMail {
  readonly kind: MailKind;
  /** The recipient. The mail is sent to the user's e-mail address at the time of sending, unless `to` contains another address. */
  readonly userId?: number;
  readonly to?: string;
  /** The distributor whose log lists the mail. Null if no distributor's log lists it. */
  readonly distributorId?: number | null;
  readonly orderId?: number;
  /** The distributor whose join link caused the mail. */
  readonly joinDistributorId?: number;
  readonly replyTo?: string;
  /** The content of a bulk mail or of its test mail. Its HTML is sanitized. */
  readonly subject?: string;
  readonly html?: string;
  /** Whether the recipient has unsubscribed. In this case the row is stored, but the mail is never sent. */
  readonly suppressed?: boolean;
  /** The time when the mail is queued and due. The default is the current time; a caller with its own clock passes another time. */
  readonly at?: Date;
  /**
   * How many links the client's network has requested, including this one. Of the mails of one tenant, those with fewer are sent first, so
   * that a network that requests many links does not delay the mails of others.
   */
  readonly networkRequests?: number;
}

const INSERT = `INSERT INTO emails (kind, status, "from", "to", subject, html, "distributorId", "userId", "orderId", "replyTo", "createdAt", "nextAttemptAt", "joinDistributorId", "networkRequests")
  SELECT kind, CASE WHEN suppressed THEN 'suppressed' ELSE 'queued' END, '', coalesce("to", CASE WHEN kind = 'invitation' THEN (SELECT email FROM users WHERE id = "userId") END, ''), coalesce(subject, ''), coalesce(html, ''),
    "distributorId", "userId", "orderId", "replyTo", coalesce(at, now()), coalesce(at, now()), "joinDistributorId",
    coalesce("networkRequests", 0)
  FROM jsonb_to_recordset($1) AS m (kind text, suppressed boolean, "to" text, subject text, html text,
    "distributorId" int, "userId" int, "orderId" int, "replyTo" text, at timestamptz, "joinDistributorId" int, "networkRequests" int)`;

export async function enqueueAll(db: Db, mails: readonly NewMail[]): Promise<void> {
  if (mails.length > 0) await run(db, INSERT, [JSON.stringify(mails)]);
}

/** Queues a mail. Call it inside the transaction that causes the mail. */
export const enqueue = (db: Db, mail: NewMail): Promise<void> => enqueueAll(db, [mail]);
