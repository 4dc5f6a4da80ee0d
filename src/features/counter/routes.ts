import { on, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor } from '../distributions/queries.ts';
import { listCounterOrders, readCounter } from './contract.ts';
import { counterOrders, counterState } from './queries.ts';

export const counterRoutes: Route[] = [
  on(readCounter, ({ db, viewer, params, query }) => counterState(db, viewer, { ...params, since: query.since })),
  on(listCounterOrders, async ({ db, viewer, params, query, signal }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    return distribution.acceptActuals ? counterOrders(db, { ...distribution, signal }, query) : [];
  }),
];
