import { on, type Route } from '../../server/http.ts';
import { distributionFor } from '../distributions/queries.ts';
import { listCatalogueChanges } from './contract.ts';
import { listChangesOf } from './queries.ts';

export const catalogueRoutes: Route[] = [
  on(listCatalogueChanges, async ({ db, viewer, params }) => await listChangesOf(db, await distributionFor(db, viewer, params.id))),
];
