// Every mail is first a row of the emails log, written in the same transaction as what caused it (contract §8). The worker sends it.
import { run, type Db } from '../database/db.ts';
import type { MailKind } from '../database/schema.ts';

/** Of token mails and confirmations the row holds the kind and ids only; the worker writes them when it sends. */
export interface NewMail {
  readonly kind: MailKind;
  /** Who gets it. The address is the user's when the mail is sent, unless `to` says another. */
  readonly userId?: number;
  readonly to?: string;
  /** In whose log it stands; nobody's without it. */
  readonly distributorId?: number | null;
  readonly orderId?: number;
  /** Whose join link caused it. */
  readonly joinDistributorId?: number;
  readonly replyTo?: string;
  /** What bulk mail and its test say, the HTML sanitised already. */
  readonly subject?: string;
  readonly html?: string;
  /** Who wants no bulk mail gets a row that is never sent. */
  readonly suppressed?: boolean;
  /** When it is written and due: now, unless the caller has a clock of its own. */
  readonly at?: Date;
  /** When it is due, if later than written. */
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

/** Call it inside the transaction that it belongs to. */
export const enqueue = (db: Db, mail: NewMail): Promise<void> => enqueueAll(db, [mail]);
