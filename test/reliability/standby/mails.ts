// Checks the confirmations of the orders that were placed during a failover. Each must have been sent once, or the application must show
// that its outcome is unknown.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../src/server/database/db.ts';
import type { Smtp } from '../../mail/smtp-server.ts';
import type { TestDatabase } from '../setup/databases.ts';
import { waitUntil } from '../reliability-test.ts';
import { withDb, type Shop } from '../setup/orders-and-customers.ts';

/** The number of mails that one process sends at the same time. At most this many mails may have an unknown outcome. */
const MAX_IN_DOUBT = 5;

export interface Confirmed {
  readonly sentOnce: number;
  readonly inDoubt: number;
  /**
   * The number of mails that were sent twice or have a wrong state. If there are more unknown outcomes than one process can leave, the
   * additional ones are counted too.
   */
  readonly wrongMails: number;
}

const FIRST = `id IN (SELECT min(e.id) FROM emails e JOIN orders o ON o.id = e."orderId" WHERE o."distributionId" = $1 GROUP BY o.id)`;
const OPEN = `SELECT 1 FROM emails WHERE ${FIRST} AND status IN ('queued', 'sending')`;
/** Moves the times of the unfinished mails into the past, so that the application processes them again at once. */
const LATER = `UPDATE emails SET "leasedUntil" = "leasedUntil" - interval '20 minutes', "nextAttemptAt" = least("nextAttemptAt", now())
  WHERE ${FIRST} AND status IN ('queued', 'sending')`;
const ENDS = `SELECT id, status FROM emails WHERE ${FIRST}`;

export const confirmed = (place: TestDatabase, { distributionId }: Shop, smtp: Smtp): Promise<Confirmed> =>
  withDb(place, async (db) => {
    // The mail server is fast again, so the mails that were being sent are finished after this pause.
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
    return { sentOnce, inDoubt, wrongMails: ends.length - sentOnce - inDoubt + Math.max(0, inDoubt - MAX_IN_DOUBT) };
  });
