import { on, type Route } from '../../server/http/pipeline/route.ts';
import { listReadOf } from '../../server/queues/report-queue.ts';
import { exportCustomerData, exportOwnData } from './contract.ts';
import { findCustomer, personalDataOf } from './queries.ts';

export const personalDataRoutes: Route[] = [
  on(exportOwnData, async ({ db, viewer, signal }) => personalDataOf(db, viewer, listReadOf(viewer, signal))),

  on(exportCustomerData, async ({ db, viewer, params: { userId }, signal }) =>
    personalDataOf(db, await findCustomer(db, viewer, userId), listReadOf(viewer, signal)),
  ),
];
