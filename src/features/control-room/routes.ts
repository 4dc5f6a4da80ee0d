import { createSharedReads } from '../../server/queues/shared-reads.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor, type DistributionKey } from '../distributions/queries.ts';
import { readProgress } from './contract.ts';
import { findProgress } from './queries.ts';

/**
 * The read of a million order lines takes seconds. With this maximum, in milliseconds, reads of such a distribution still occupy the
 * database for a third of the time only.
 */
const MAX_PAUSE = 10_000;

/**
 * Screens that request the progress of one distribution at the same time share one read, because the read covers all orders. The read
 * continues when the first client disconnects, because the other clients wait for it too.
 */
const readSharedProgress = createSharedReads(
  (db, { distributorId, id }: DistributionKey) => findProgress(db, { distributorId, id, signal: new AbortController().signal }),
  { maxPause: MAX_PAUSE },
);

export const controlRoomRoutes: Route[] = [
  on(readProgress, async ({ db, viewer, params }) => {
    const { id, distributorId } = await distributionFor(db, viewer, params.id);
    return await readSharedProgress(db, { key: String(id), group: String(distributorId) }, { id, distributorId });
  }),
];
