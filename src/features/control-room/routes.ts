import { on, type Route } from '../../server/http/pipeline/route.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { readProgress } from './contract.ts';
import { findProgress } from './queries.ts';

export const controlRoomRoutes: Route[] = [
  on(readProgress, async ({ db, viewer, params, signal }) => findProgress(db, await listSourceFor(db, viewer, params.id, signal))),
];
