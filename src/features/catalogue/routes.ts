import { on, type Route } from '../../server/http/http.ts';
import { distributionFor } from '../distributions/queries.ts';
import { foreseeRepricing, listCatalogueChanges } from './contract.ts';
import { foreseen, listChangesOf } from './queries.ts';

export const catalogueRoutes: Route[] = [
  on(listCatalogueChanges, async ({ db, viewer, params }) => await listChangesOf(db, await distributionFor(db, viewer, params.id))),
  on(foreseeRepricing, async ({ db, viewer, params, body }) => foreseen(db, await distributionFor(db, viewer, params.id), body)),
];
