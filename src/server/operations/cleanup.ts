// Deletes expired data once an hour. It deletes at most 1,000 rows at a time, so that other work can run in between. Several processes may do
// this at once.
import { JOIN_LINK_DAYS } from '../../domain/accounts/account.ts';
import { DEVICE_LIFETIME } from '../auth/device.ts';
import { run, type Db } from '../database/db.ts';
import { limitAllStoredReplies } from '../http/pipeline/stored-replies.ts';
import { startPeriodicJob } from './periodic-job.ts';
import { runEach, throwError, type OnError } from './run-each.ts';
import { deleteEmptiedMailFiles } from '../mail/mail-files.ts';
import { DAY, HOUR, MINUTE } from '../../domain/durations.ts';

const BATCH = 1000;

/** From each table, the rows whose time is earlier than `now` minus `keptFor` are deleted. */
const RETENTION = [
  // The keys are kept for a day (contract §2), plus an hour for differences between clocks.
  { table: 'idempotency_keys', key: '"userId", key', time: '"createdAt"', keptFor: DAY + HOUR },
  { table: 'unknown_sign_ins', key: '"emailHash"', time: '"lastFailureAt"', keptFor: DAY },
  { table: 'network_attempts', key: '"emailHash", network', time: '"lastFailureAt"', keptFor: DAY },
  { table: 'sign_in_addresses', key: 'address', time: '"windowStart"', keptFor: DAY },
  // The limits of join requests count those of a day, also those that the distributor has removed.
  { table: 'join_requests', key: 'id', time: '"expiresAt"', keptFor: DAY },
  { table: 'join_networks', key: '"distributorId", network', time: '"windowStart"', keptFor: DAY },
  // The limits of mails to one person count the mails of a day.
  { table: 'erased_recipients', key: '"mailId"', time: '"erasedAt"', keptFor: DAY },
  { table: 'reset_networks', key: 'network', time: '"windowStart"', keptFor: DAY },
  // A count at the limit of a day decreases to 0 in a day.
  { table: 'saved_rows', key: '"userId", "ofAllStaff"', time: '"countedAt"', keptFor: DAY },
  // A distributor can undo an upload for a day, so its row is kept that long.
  { table: 'product_uploads', key: 'id', time: '"startedAt"', keptFor: DAY + HOUR },
  { table: 'customer_uploads', key: 'id', time: '"startedAt"', keptFor: DAY + HOUR },
  { table: 'session_store', key: 'sid', time: 'expire', keptFor: 0 },
  { table: 'pending_sign_ins', key: '"tokenHash"', time: '"expiresAt"', keptFor: 0 },
  { table: 'second_factor_setups', key: '"userId", kind', time: '"expiresAt"', keptFor: 0 },
  { table: 'product_images', key: '"distributorId", product_code', time: '"unusedSince"', keptFor: 7 * DAY },
  { table: 'devices', key: '"tokenHash", "userId"', time: '"usedAt"', keptFor: DEVICE_LIFETIME },
  // An expired invitation is kept for 30 days, because its owner can use it to request a new invitation.
  { table: 'replaced_links', key: '"tokenHash"', time: 'expires', keptFor: 30 * DAY },
] as const;

/** Selects the expired rows that no other process has locked. */
const expiredRows = (table: string, { key, condition, most = BATCH }: { key: string; condition: string; most?: number }): string =>
  `(${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${most} FOR UPDATE SKIP LOCKED)`;

/** How long the content of a mail is kept. Its row stays in the log after that. */
const MAIL_RETENTION = 90 * DAY;
const EMPTY_MAILS = `UPDATE emails SET html = '' WHERE ${expiredRows('emails', {
  key: 'id',
  condition: `"createdAt" < $1 AND html <> '' AND status NOT IN ('queued', 'sending')`,
})} RETURNING 1`;

/** No distributor's log lists join mails. Their limits count those of a day, and their links work for `JOIN_LINK_DAYS`. */
const DELETE_JOIN_MAILS = `DELETE FROM emails WHERE ${expiredRows('emails', {
  key: 'id',
  condition: `kind = 'join' AND "createdAt" < $1 AND status NOT IN ('queued', 'sending')`,
})} RETURNING 1`;

/**
 * Deletes one family of a deleted rehearsal. Deleting a user takes long, because PostgreSQL then searches every table with a foreign key to
 * the author of a row.
 */
const DELETE_FAMILY = `DELETE FROM users WHERE ${expiredRows('users', {
  key: 'id',
  condition: `role = 'invented' AND "removedAt" IS NOT NULL`,
  most: 1,
})} RETURNING 1`;

const HAS_PRODUCT = `EXISTS (SELECT FROM products p WHERE p."distributorId" = i."distributorId" AND p.product_code = i.product_code)`;
const MARK_UNUSED_PICTURES = `UPDATE product_images i SET "unusedSince" = $1 WHERE "unusedSince" IS NULL AND NOT ${HAS_PRODUCT}`;
const UNMARK_USED_PICTURES = `UPDATE product_images i SET "unusedSince" = NULL WHERE "unusedSince" IS NOT NULL AND ${HAS_PRODUCT}`;

async function inBatches(db: Db, text: string, before: Date): Promise<void> {
  while ((await run(db, text, [before])).length === BATCH);
}

/** Runs all steps of the cleanup. A step that fails does not prevent the steps after it, because each step is for all tenants. */
export async function cleanUp(db: Db, now: Date, onError: OnError = throwError): Promise<void> {
  const ago = (time: number): Date => new Date(now.getTime() - time);
  const steps: readonly (() => Promise<unknown>)[] = [
    () => run(db, UNMARK_USED_PICTURES, []),
    () => run(db, MARK_UNUSED_PICTURES, [now]),
    ...RETENTION.map(({ table, key, time, keptFor }) => {
      const text = `DELETE FROM ${table} WHERE ${expiredRows(table, { key, condition: `${time} < $1` })} RETURNING 1`;
      return () => inBatches(db, text, ago(keptFor));
    }),
    () => limitAllStoredReplies(db),
    () => inBatches(db, EMPTY_MAILS, ago(MAIL_RETENTION)),
    () => inBatches(db, DELETE_JOIN_MAILS, ago(JOIN_LINK_DAYS * DAY)),
  ];
  await runEach(steps, (step) => step(), onError);
}

/** The maximum time for deleting families in one cleanup. The families that are left are deleted in the next cleanup. */
const FAMILIES_TIME = 10 * MINUTE;

/** Deletes families of deleted rehearsals, each with its own statement, until none is left, `time` is over or the cleanup is stopped. */
export async function deleteFamilies(db: Db, time = FAMILIES_TIME, signal?: AbortSignal): Promise<void> {
  const end = performance.now() + time;
  while ((await run(db, DELETE_FAMILY, [])).length > 0 && performance.now() < end && signal?.aborted !== true);
}

export interface CleanupOptions {
  readonly db: Db;
  readonly now: () => Date;
  /** The folder of the mails that are written to files when there is no SMTP server. */
  readonly mailFolder: string;
  readonly onError: OnError;
}

/** Starts the hourly cleanup. The first cleanup runs a minute later, so that the server starts fast. */
export function startCleanup({ db, now, mailFolder, onError }: CleanupOptions): { stop: () => Promise<void> } {
  const cleanAll = async (signal: AbortSignal): Promise<void> => {
    await cleanUp(db, now(), onError);
    await deleteEmptiedMailFiles(db, mailFolder).catch(onError);
    await deleteFamilies(db, FAMILIES_TIME, signal);
  };
  return startPeriodicJob({ run: cleanAll, first: MINUTE, interval: HOUR, onError });
}
