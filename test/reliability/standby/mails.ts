// The confirmations of orders during the failover: each is sent once, or its outcome is shown as unknown.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../src/server/database/db.ts';
import type { Smtp } from '../../mail/smtp-server.ts';
import type { TestDatabase } from '../setup/databases.ts';
import { waitUntil } from '../reliability-test.ts';
import { withDb, type Shop } from '../setup/shop.ts';

/** As many mails as one sender sends concurrently. */
const MOST_IN_DOUBT = 5;

export interface Confirmed {
  readonly sentOnce: number;
  readonly inDoubt: number;
  /** Mails that were sent twice or have a wrong state, and more unknown outcomes than one sender can leave. */
  readonly wrongMails: number;
}

const FIRST = `id IN (SELECT min(e.id) FROM emails e JOIN orders o ON o.id = e."orderId" WHERE o."distributionId" = $1 GROUP BY o.id)`;
const OPEN = `SELECT 1 FROM emails WHERE ${FIRST} AND status IN ('queued', 'sending')`;
/** Moves the clock for rows whose outcome could not be stored. */
const LATER = `UPDATE emails SET "leasedUntil" = "leasedUntil" - interval '20 minutes', "nextAttemptAt" = least("nextAttemptAt", now())
  WHERE ${FIRST} AND status IN ('queued', 'sending')`;
const ENDS = `SELECT id, status FROM emails WHERE ${FIRST}`;

export const confirmed = (place: TestDatabase, { distributionId }: Shop, smtp: Smtp): Promise<Confirmed> =>
  withDb(place, async (db) => {
    // Waits for the mails that are being sent; the mail server is fast again.
    await pause(2000);
    await run(db, LATER, [distributionId]);
    await waitUntil(
      async () => (await run(db, OPEN, [distributionId])).length === 0,
      'a minute after the primary died some confirmations had not come to an end',
      200,
    );
    const taken = Map.groupBy(smtp.taken, ({ raw }) => Number(/^Message-ID: <(\d+)\./im.exec(raw)?.[1]));
    const ends = await run<{ id: number; status: string }>(db, ENDS, [distributionId]);
    const times = (id: number): number => taken.get(id)?.length ?? 0;
    const sentOnce = ends.filter(({ id, status }) => status === 'sent' && times(id) === 1).length;
    const inDoubt = ends.filter(({ id, status }) => status === 'unknown' && times(id) <= 1).length;
    return { sentOnce, inDoubt, wrongMails: ends.length - sentOnce - inDoubt + Math.max(0, inDoubt - MOST_IN_DOUBT) };
  });
