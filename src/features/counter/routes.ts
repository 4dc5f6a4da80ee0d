import { readInQueue } from '../../server/http/report-queue.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor } from '../distributions/queries.ts';
import { listCounterOrders, readCounter } from './contract.ts';
import { counterOrders, counterState, MAX_ROWS_WITHOUT_QUEUE, withNameDetails } from './queries.ts';

export const counterRoutes: Route[] = [
  on(readCounter, async ({ db, viewer, params, query, signal }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    const { distributorId, catalogueVersion } = distribution;
    const asked = { ...params, since: query.since };
    const readLong = async () => {
      const { state } = await readInQueue({ distributorId, signal }, () => counterState(db, viewer, asked));
      return await withNameDetails(db, distribution, state);
    };
    // A reply with the whole catalogue or with many changed orders takes long, so it waits in the queue of expensive reads. The reads that
    // a counter repeats every few seconds contain no catalogue and few orders.
    const needsCatalogue = query.since?.split('.')[1] !== String(catalogueVersion);
    if (needsCatalogue) return await readLong();
    const { state, isCut } = await counterState(db, viewer, { ...asked, mostRows: MAX_ROWS_WITHOUT_QUEUE });
    return isCut ? await readLong() : await withNameDetails(db, distribution, state);
  }),
  on(listCounterOrders, async ({ db, viewer, params, query, signal }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    return distribution.acceptActuals ? counterOrders(db, { ...distribution, signal }, query) : [];
  }),
];
