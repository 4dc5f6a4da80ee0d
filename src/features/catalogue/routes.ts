import { on, type Route } from '../../server/http/pipeline/route.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { readRepricingPreview, listCatalogueChanges } from './contract.ts';
import { previewRepricing, listChangesOf } from './queries.ts';

export const catalogueRoutes: Route[] = [
  on(listCatalogueChanges, async ({ db, viewer, params, query, signal }) =>
    listChangesOf(db, await listSourceFor(db, viewer, params.id, signal), query),
  ),
  on(readRepricingPreview, async ({ db, viewer, params, body, signal }) =>
    previewRepricing(db, await listSourceFor(db, viewer, params.id, signal), body),
  ),
];
