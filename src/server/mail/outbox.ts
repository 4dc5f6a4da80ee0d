// Every mail is first a row of the emails log, written in the transaction that caused it (contract §8). The worker sends it.
import { run, type Db } from '../database/db.ts';
import type { MailKind } from '../database/schema.ts';

/** Rows of mails with tokens and of confirmations contain only the kind and ids; the worker renders the mail when it sends it. */
export interface NewMail {
  readonly kind: MailKind;
  /** The recipient: the user's address at the time of sending, unless `to` contains another one. */
  readonly userId?: number;
  readonly to?: string;
  /** The distributor whose log lists the mail, if any. */
  readonly distributorId?: number | null;
  readonly orderId?: number;
  /** The distributor whose join link caused the mail. */
  readonly joinDistributorId?: number;
  readonly replyTo?: string;
  /** The content of bulk mail and its test, with sanitized HTML. */
  readonly subject?: string;
  readonly html?: string;
  /** An unsubscribed recipient gets a row that is never sent. */
  readonly suppressed?: boolean;
  /** When the mail is written and due: now, unless the caller has its own clock. */
  readonly at?: Date;
  /** When the mail is due, if later than it is written. */
  readonly dueAt?: Date;
}

const INSERT = `INSERT INTO emails (kind, status, "from", "to", subject, html, "distributorId", "userId", "orderId", "replyTo", "createdAt", "nextAttemptAt", "joinDistributorId")
  SELECT kind, CASE WHEN suppressed THEN 'suppressed' ELSE 'queued' END, '', coalesce("to", CASE WHEN kind = 'invitation' THEN (SELECT email FROM users WHERE id = "userId") END, ''), coalesce(subject, ''), coalesce(html, ''),
    "distributorId", "userId", "orderId", "replyTo", coalesce(at, now()), coalesce("dueAt", at, now()), "joinDistributorId"
  FROM jsonb_to_recordset($1) AS m (kind text, suppressed boolean, "to" text, subject text, html text,
    "distributorId" int, "userId" int, "orderId" int, "replyTo" text, at timestamptz, "dueAt" timestamptz, "joinDistributorId" int)`;

export async function enqueueAll(db: Db, mails: readonly NewMail[]): Promise<void> {
  if (mails.length > 0) await run(db, INSERT, [JSON.stringify(mails)]);
}

/** Call inside the transaction that causes the mail. */
export const enqueue = (db: Db, mail: NewMail): Promise<void> => enqueueAll(db, [mail]);
