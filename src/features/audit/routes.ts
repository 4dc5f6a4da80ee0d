import { on, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor, storeClosings } from '../distributions/queries.ts';
import { listAudit } from './contract.ts';
import { listAuditOf } from './queries.ts';

export const auditRoutes: Route[] = [
  on(listAudit, async ({ db, viewer, params, query, signal }) => {
    const { id, distributorId } = await distributionFor(db, viewer, params.id);
    // If the closing time of ordering has just passed, the audit row of the closing may be missing. storeClosings writes it, so that the
    // reply contains it.
    await storeClosings(db, id);
    return await listAuditOf(db, { id, distributorId, signal }, query);
  }),
];
