import { readOneOrder } from '../../server/database/id-chunks.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { readChosenPrints, readOwnPrint, readPrint, readPrints } from './contract.ts';
import { listPrints, ownPrintOf, printOf } from './queries.ts';

export const printRoutes: Route[] = [
  on(readOwnPrint, ({ db, viewer, params: { distributionId }, signal }) =>
    readOneOrder(db, { distributorId: viewer.tenantId, order: { customerId: viewer.userId, distributionId }, signal }, () =>
      ownPrintOf(db, viewer, distributionId),
    ),
  ),
  on(readPrint, ({ db, viewer, params: { id }, signal }) =>
    readOneOrder(db, { distributorId: viewer.tenantId, order: id, signal }, () => printOf(db, viewer, id)),
  ),
  on(readPrints, async ({ db, viewer, params, signal }) => listPrints(db, await listSourceFor(db, viewer, params.id, signal))),
  on(readChosenPrints, async ({ db, viewer, params, body, signal }) =>
    listPrints(db, await listSourceFor(db, viewer, params.id, signal), body.orderIds),
  ),
];
