import { on, type Route } from '../../server/http/pipeline/route.ts';
import { exportCustomerData, exportOwnData } from './contract.ts';
import { findCustomer, personalDataOf } from './queries.ts';

export const personalDataRoutes: Route[] = [
  on(exportOwnData, ({ db, viewer }) => personalDataOf(db, viewer)),

  on(exportCustomerData, async ({ db, viewer, params: { userId } }) => personalDataOf(db, await findCustomer(db, viewer, userId))),
];
