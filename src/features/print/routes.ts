import { on, type Route } from '../../server/http/pipeline/route.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { readChosenPrints, readOwnPrint, readPrint, readPrints } from './contract.ts';
import { listPrints, ownPrintOf, printOf } from './queries.ts';

export const printRoutes: Route[] = [
  on(readOwnPrint, ({ db, viewer, params, signal }) => ownPrintOf(db, viewer, params.distributionId, signal)),
  on(readPrint, ({ db, viewer, params, signal }) => printOf(db, viewer, params.id, signal)),
  on(readPrints, async ({ db, viewer, params, signal }) => listPrints(db, await listSourceFor(db, viewer, params.id, signal))),
  on(readChosenPrints, async ({ db, viewer, params, body, signal }) =>
    listPrints(db, await listSourceFor(db, viewer, params.id, signal), body.orderIds),
  ),
];
