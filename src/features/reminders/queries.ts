// Finds the customers to remind and queues their mails. Each customer without an order gets one reminder, some hours before ordering closes
// (contract §11).
import { run, runOne, transaction, type Db } from '../../server/database/db.ts';
import { runEach, throwError } from '../../server/operations/run-each.ts';
import type { Row } from '../../server/database/schema.ts';
import { isoSql, NOW_SQL, queuedSql } from '../distributions/queries.ts';
import { MAX_MAILS_PER_DAY } from '../emails/contract.ts';
import { countMailsTowardLimit, HAS_EMAIL } from '../emails/queries.ts';

const REMINDED_FROM = `d."closesAt" - make_interval(hours => d."remindHours")`;
// It differs from `orderingOpenSql`: without a closing time there is nothing to remind of, so a null in "closesAt" must not match.
const CAN_ORDER = `d.published AND d."orderingOpen" AND d."closesAt" > clock_timestamp() AND (d."opensAt" IS NULL OR d."opensAt" <= clock_timestamp())`;
// Selects the distributions whose reminders are due. Staff may move the closing time after reminders were sent. Reminders are then due
// again, and customers who have not got one are reminded before the new closing time. The distributors take turns, so that the distributions
// of one do not delay the reminders of the others.
const DUE = `SELECT d.id, d."distributorId" FROM distributions d JOIN users u ON u.id = d."distributorId" AND u."disabledAt" IS NULL
  WHERE ${CAN_ORDER} AND ${REMINDED_FROM} <= clock_timestamp() AND (d."remindedAt" IS NULL OR d."remindedAt" < ${REMINDED_FROM})
  ORDER BY row_number() OVER (PARTITION BY d."distributorId" ORDER BY d.id), d.id`;

const hasOrderedSql = (
  customer: string,
  distribution: string,
): string => `EXISTS (SELECT FROM orders o JOIN order_products l ON l."orderId" = o.id
  WHERE o."customerId" = ${customer} AND o."distributionId" = ${distribution} AND l.quantity > 0)`;

// The unique index emails_one_reminder allows one reminder per customer and distribution. Reminders have a `replyTo`, and mails with a
// `replyTo` count toward the distributor's daily limit of mails.
const QUEUE = `INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "distributionId", "userId", "replyTo", "createdAt", "nextAttemptAt")
  SELECT 'reminder', '', '', '', '', d."distributorId", d.id, u.id, (SELECT email FROM users WHERE id = d."distributorId"), $3, $3
  FROM distributions d JOIN users u ON u."distributorId" = d."distributorId" AND u.role = 'customer' AND u."disabledAt" IS NULL
    AND u."removedAt" IS NULL AND u."bulkMailStoppedAt" IS NULL AND ${HAS_EMAIL}
  WHERE d.id = $1 AND ${CAN_ORDER} AND NOT ${hasOrderedSql('u.id', 'd.id')} AND NOT EXISTS (SELECT FROM emails e
    WHERE e.kind = 'reminder' AND e."distributorId" = d."distributorId" AND e."distributionId" = d.id AND e."userId" = u.id)
  ORDER BY u.id LIMIT $2
  ON CONFLICT DO NOTHING RETURNING id`;
interface Due {
  readonly id: number;
  readonly distributorId: number;
}
const COMPLETE = `WITH ${queuedSql('pg_advisory_xact_lock', 'distributions WHERE id = $1')}
  UPDATE distributions SET "remindedAt" = clock_timestamp() WHERE id = (SELECT id FROM queued)`;

/**
 * Queues all due reminders, up to each distributor's daily limit of mails. A later run queues the remaining reminders, and those of a
 * distribution for which an error was reported.
 */
export async function queueReminders(db: Db, now: Date, onError = throwError): Promise<void> {
  // The mails of a day are counted only once for a distributor that has reached the limit, however many distributions have reminders.
  const atLimit = new Set<number>();
  const queue = async (db: Db, { id, distributorId }: Due): Promise<void> => {
    const room = MAX_MAILS_PER_DAY - (await countMailsTowardLimit(db, distributorId, now));
    if (room <= 0) return void atLimit.add(distributorId);
    const queued = await run(db, QUEUE, [id, room, now]);
    if (queued.length < room) await run(db, COMPLETE, [id]);
  };
  const queueUnlessAtLimit = async (due: Due): Promise<void> => {
    if (!atLimit.has(due.distributorId)) await transaction(db, (db) => queue(db, due));
  };
  await runEach(await run<Due>(db, DUE, []), queueUnlessAtLimit, onError);
}

const STATE = `SELECT d.id, d.name, d.date::text, d.published, d."orderingOpen", ${isoSql('d."opensAt"')} AS "opensAt", ${isoSql('d."closesAt"')} AS "closesAt",
    (SELECT "timeZone" FROM organizations org WHERE org."distributorId" = d."distributorId") AS "timeZone", ${NOW_SQL} AS now,
    ${hasOrderedSql('$2', 'd.id')} AS "hasOrdered"
  FROM distributions d WHERE d.id = $1`;

type ReminderState = Pick<Row<'distributions'>, 'id' | 'name' | 'date' | 'published' | 'orderingOpen' | 'opensAt' | 'closesAt'> & {
  readonly timeZone: string | null;
  readonly now: string;
  readonly hasOrdered: boolean;
};

/**
 * Reads the state of the distribution and the customer's order. Just before sending a reminder, the worker decides from this state whether
 * the reminder is still needed.
 */
export async function findReminderState(db: Db, distributionId: number | null, userId: number | null): Promise<ReminderState | null> {
  return await runOne<ReminderState>(db, STATE, [distributionId, userId]);
}
