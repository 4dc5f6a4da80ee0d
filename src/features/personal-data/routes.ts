import { on, type Route } from '../../server/http/pipeline/route.ts';
import { queuePositionOf } from '../../server/queues/expensive-queue.ts';
import { exportCustomerData, exportOwnData } from './contract.ts';
import { findCustomer, personalDataOf } from './queries.ts';

export const personalDataRoutes: Route[] = [
  on(exportOwnData, async ({ db, viewer, signal }) => personalDataOf(db, viewer, queuePositionOf(viewer, signal))),

  on(exportCustomerData, async ({ db, viewer, params: { userId }, signal }) =>
    personalDataOf(db, await findCustomer(db, viewer, userId), queuePositionOf(viewer, signal)),
  ),
];
