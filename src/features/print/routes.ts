import { on, type Route } from '../../server/http/pipeline/route.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { readChosenPrints, readOwnPrint, readPrint, readPrints } from './contract.ts';
import { listPrints, ownPrintOf, printOf } from './queries.ts';

export const printRoutes: Route[] = [
  on(readOwnPrint, ({ db, viewer, params, signal, openReply }) => ownPrintOf(db, viewer, params.distributionId, { signal, openReply })),
  on(readPrint, ({ db, viewer, params, signal, openReply }) => printOf(db, viewer, params.id, { signal, openReply })),
  on(readPrints, async ({ db, viewer, params, signal }) => listPrints(db, await listSourceFor(db, viewer, params.id, signal)), {
    keepsListsInMemory: true,
  }),
  on(
    readChosenPrints,
    async ({ db, viewer, params, body, signal }) => listPrints(db, await listSourceFor(db, viewer, params.id, signal), body.orderIds),
    { keepsListsInMemory: true },
  ),
];
