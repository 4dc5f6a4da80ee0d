import { on, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor } from '../distributions/queries.ts';
import { readProgress } from './contract.ts';
import { findProgress } from './queries.ts';

export const controlRoomRoutes: Route[] = [
  on(readProgress, async ({ db, viewer, params, signal }) =>
    findProgress(db, { ...(await distributionFor(db, viewer, params.id)), signal }),
  ),
];
