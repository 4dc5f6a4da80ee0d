import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { NOT_ACCEPTING_ACTUALS } from '../../domain/texts.ts';
import { throwIfRefused } from '../../server/errors.ts';
import { distributionFor } from '../distributions/queries.ts';
import { listCounterOrders, readCounter } from './contract.ts';
import { counterOrders, counterState, findChanges, withNameDetails } from './queries.ts';

export const counterRoutes: Route[] = [
  on(readCounter, async ({ db, viewer, params, query, signal }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    const { distributorId, catalogueVersion } = distribution;
    const changes = await findChanges(db, viewer, distribution, query);
    // A reply with the whole catalogue or with many changed orders takes long, so it waits in the queue of expensive reads. The reads that
    // a counter repeats every few seconds contain no catalogue and few orders.
    const isLong = changes.areLong || changes.version !== String(catalogueVersion);
    const state = await runInQueue(isLong ? { distributorId, signal } : null, () => counterState(db, viewer, params.id, changes));
    return await withNameDetails(db, distribution, state);
  }),
  on(listCounterOrders, async ({ db, viewer, params, query, signal }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    // An empty list would look like the end of the list to a counter that has read its first pages.
    throwIfRefused(distribution.acceptActuals ? null : NOT_ACCEPTING_ACTUALS, 409);
    return counterOrders(db, { ...distribution, signal }, query);
  }),
];
