// The states of a mail's row. Until a worker hands the mail over, its row is queued under a lease; `sending` means that bytes of it may have left.
import { run, type Db } from '../database/db.ts';
import type { Row } from '../database/schema.ts';

export type Mail = Row<'emails'>;

/** As the log keeps it: what was sent, without secrets. */
export interface SentContent {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
}

export interface AttemptEnd {
  readonly status: 'sent' | 'queued' | 'failed' | 'unknown' | 'suppressed';
  readonly response: string;
  readonly now: Date;
  readonly nextAttemptAt?: Date;
}

const CLAIM = `WITH due AS MATERIALIZED (SELECT id FROM emails
    WHERE status = 'queued' AND "nextAttemptAt" <= $1 AND ("leasedUntil" IS NULL OR "leasedUntil" < $1)
    ORDER BY (kind = 'bulk'), "nextAttemptAt", id LIMIT $3 FOR UPDATE SKIP LOCKED)
  UPDATE emails e SET "leasedUntil" = $2 FROM due WHERE e.id = due.id RETURNING e.*`;

/** Takes up to `most` due rows until `until`; a worker that dies before it hands them over leaves them as they were. */
export const claimDue = (db: Db, { now, until, most }: { now: Date; until: Date; most: number }): Promise<Mail[]> =>
  run<Mail>(db, CLAIM, [now, until, most]);

const BEGIN = `UPDATE emails SET status = 'sending', "leasedUntil" = $3, "from" = $4, "to" = $5, subject = $6, html = $7
  WHERE id = $1 AND status = 'queued' AND "leasedUntil" = $2 RETURNING id`;

/** From here on bytes may leave. Throws when the row is no longer this worker's. */
export async function beginSending(db: Db, mail: Mail, { until, written }: { until: Date; written: SentContent }): Promise<void> {
  const { from, to, subject, html } = written;
  const begun = await run(db, BEGIN, [mail.id, mail.leasedUntil, until, from, to, subject, html]);
  if (begun.length === 0) throw new Error('another worker has this mail');
}

const END = `UPDATE emails SET status = $3, response = $4, success = $3 = 'sent', attempts = attempts + 1, "leasedUntil" = NULL,
    "sentAt" = CASE WHEN $3 = 'sent' THEN $5::timestamptz END, "nextAttemptAt" = coalesce($6, "nextAttemptAt"),
    "from" = coalesce($7, "from"), "to" = coalesce($8, "to"), subject = coalesce($9, subject), html = coalesce($10, html)
  WHERE id = $1 AND "leasedUntil" = ANY($2::timestamptz[]) AND status IN ('queued', 'sending')`;

const LONGEST_RESPONSE = 1000;
const oneLine = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_RESPONSE)
    .toWellFormed();

/** What became of it; `until` is the lease it was sent under, if it came to that. */
export async function endAttempt(
  db: Db,
  mail: Mail,
  { end, until, written }: { end: AttemptEnd; until: Date; written?: SentContent | undefined },
): Promise<void> {
  const { status, response, now, nextAttemptAt } = end;
  const { from, to, subject, html } = written ?? {};
  const leases = [mail.leasedUntil, until];
  await run(db, END, [mail.id, leases, status, oneLine(response), now, nextAttemptAt, from, to, subject, html]);
}

export async function deleteUnsent(db: Db, mail: Mail): Promise<void> {
  await run(db, `DELETE FROM emails WHERE id = $1 AND "leasedUntil" = $2 AND status = 'queued'`, [mail.id, mail.leasedUntil]);
}

const LOST = `UPDATE emails SET status = 'unknown', "leasedUntil" = NULL, attempts = attempts + 1, response = $2
  WHERE status = 'sending' AND "leasedUntil" < $1`;

/** The worker that was handing these over is dead: whether they arrived, nobody knows (contract §8). */
export const endLost = (db: Db, now: Date): Promise<unknown[]> =>
  run(db, LOST, [now, 'The server was stopped while it handed this e-mail over. Nobody knows whether it arrived.']);
