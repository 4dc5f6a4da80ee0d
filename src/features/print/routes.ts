import { on, type Route } from '../../server/http/pipeline/route.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { readChosenPrints, readOwnPrint, readPrint, readPrints } from './contract.ts';
import { listPrints, ownPrintOf, printOf } from './queries.ts';

export const printRoutes: Route[] = [
  on(readOwnPrint, ({ db, viewer, params }) => ownPrintOf(db, viewer, params.distributionId)),
  on(readPrint, ({ db, viewer, params }) => printOf(db, viewer, params.id)),
  on(readPrints, async ({ db, viewer, params, signal }) => listPrints(db, await listSourceFor(db, viewer, params.id, signal))),
  on(readChosenPrints, async ({ db, viewer, params, body, signal }) =>
    listPrints(db, await listSourceFor(db, viewer, params.id, signal), body.orderIds),
  ),
];
