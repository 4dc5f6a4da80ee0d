import { createSharedReads } from '../../server/web/shared-reads.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor, type DistributionRow } from '../distributions/queries.ts';
import { readProgress } from './contract.ts';
import { findProgress } from './queries.ts';

/**
 * Screens that request the progress of one distribution at the same time share one read, because the read covers all orders. The read
 * continues when the first client disconnects, because the other clients wait for it too.
 */
const readSharedProgress = createSharedReads((db, distribution: DistributionRow) =>
  findProgress(db, { ...distribution, signal: new AbortController().signal }),
);

export const controlRoomRoutes: Route[] = [
  on(readProgress, async ({ db, viewer, params }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    return await readSharedProgress(db, `${distribution.id} ${distribution.catalogueVersion}`, distribution);
  }),
];
