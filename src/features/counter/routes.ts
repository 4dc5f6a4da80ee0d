import { readInQueue } from '../../server/http/report-queue.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor } from '../distributions/queries.ts';
import { listCounterOrders, readCounter } from './contract.ts';
import { counterOrders, counterState } from './queries.ts';

export const counterRoutes: Route[] = [
  on(readCounter, async ({ db, viewer, params, query, signal }) => {
    const { distributorId, catalogueVersion } = await distributionFor(db, viewer, params.id);
    const read = () => counterState(db, viewer, { ...params, since: query.since });
    // Reading the whole catalogue takes long, so such a read waits in the queue. The reads that follow every few seconds need no catalogue
    // and skip the queue.
    const needsCatalogue = query.since?.split('.')[1] !== String(catalogueVersion);
    return needsCatalogue ? await readInQueue({ distributorId, signal }, read) : await read();
  }),
  on(listCounterOrders, async ({ db, viewer, params, query, signal }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    return distribution.acceptActuals ? counterOrders(db, { ...distribution, signal }, query) : [];
  }),
];
