import { on, type Route } from '../../server/http/pipeline/route.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { readCustomerReport, readReport } from './contract.ts';
import { customerReport, reportLines } from './queries.ts';

export const reportsRoutes: Route[] = [
  on(readCustomerReport, async ({ db, viewer, params, query, signal }) =>
    customerReport(db, await listSourceFor(db, viewer, params.id, signal), query),
  ),
  on(readReport, async ({ db, viewer, params, query, signal }) =>
    reportLines(db, await listSourceFor(db, viewer, params.id, signal), query),
  ),
];
