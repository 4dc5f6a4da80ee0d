// Checks the confirmations of orders during the failover. Each must be sent once, or its outcome must be shown as unknown.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../src/server/database/db.ts';
import type { Smtp } from '../../mail/smtp-server.ts';
import type { TestDatabase } from '../setup/databases.ts';
import { waitUntil } from '../reliability-test.ts';
import { withDb, type Shop } from '../setup/shop.ts';

/** The number of mails that one sender sends at the same time. */
const MOST_IN_DOUBT = 5;

export interface Confirmed {
  readonly sentOnce: number;
  readonly inDoubt: number;
  /**
   * The number of mails that were sent twice or have a wrong state. It also counts unknown outcomes beyond those that one sender can leave.
   */
  readonly wrongMails: number;
}

const FIRST = `id IN (SELECT min(e.id) FROM emails e JOIN orders o ON o.id = e."orderId" WHERE o."distributionId" = $1 GROUP BY o.id)`;
const OPEN = `SELECT 1 FROM emails WHERE ${FIRST} AND status IN ('queued', 'sending')`;
/** Makes the mails due whose outcome could not be stored, as if time had passed. */
const LATER = `UPDATE emails SET "leasedUntil" = "leasedUntil" - interval '20 minutes', "nextAttemptAt" = least("nextAttemptAt", now())
  WHERE ${FIRST} AND status IN ('queued', 'sending')`;
const ENDS = `SELECT id, status FROM emails WHERE ${FIRST}`;

export const confirmed = (place: TestDatabase, { distributionId }: Shop, smtp: Smtp): Promise<Confirmed> =>
  withDb(place, async (db) => {
    // The mail server is fast again. This waits for the mails that are being sent.
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
