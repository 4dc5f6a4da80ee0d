import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { recordRemoval } from '../audit/queries.ts';
import { listUnusedCustomers, listUnusedJoined, removeUnusedCustomers } from './contract.ts';
import { removeCustomers, unusedCustomersOf } from './queries.ts';

export const unusedCustomersRoutes: Route[] = [
  on(listUnusedCustomers, async ({ db, viewer, signal }) => unusedCustomersOf(db, { distributorId: viewer.tenantId, signal }, 'invited')),

  on(listUnusedJoined, async ({ db, viewer, signal }) => unusedCustomersOf(db, { distributorId: viewer.tenantId, signal }, 'joined')),

  onTransaction(removeUnusedCustomers, async ({ db, viewer, body: { userIds }, now }) => {
    const removed = await removeCustomers(db, { distributorId: viewer.tenantId, userIds, now });
    if (removed.length > 0) await recordRemoval(db, viewer, removed.length);
    return { removed: removed.length, kept: userIds.length - removed.length };
  }),
];
