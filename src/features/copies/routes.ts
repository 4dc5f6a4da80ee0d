import { conflict } from '../../server/errors.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { recordDistribution } from '../audit/queries.ts';
import { distributionFor, refuseTooManyDistributions } from '../distributions/queries.ts';
import { readNameDetails } from '../product-names/queries.ts';
import { copyDistribution, readEstimates } from './contract.ts';
import { assertProducts, estimatesOf, listEstimatesOf, lockOriginal, saveCopy } from './queries.ts';
import { COPY_OF_REHEARSAL } from './texts.ts';

export const copiesRoutes: Route[] = [
  on(readEstimates, async ({ db, viewer, params, signal }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    const details = await readNameDetails(db, distribution);
    return estimatesOf(db, distribution, { details, queue: { ...distribution, signal } });
  }),

  onTransaction(copyDistribution, async ({ db, viewer, params, body: { name, date, estimates, keep } }) => {
    const original = await lockOriginal(db, viewer, params.id);
    if (original.rehearsal) throw conflict(COPY_OF_REHEARSAL);
    await assertProducts(db, original, keep);
    const kept = new Set(keep);
    const measured = estimates === 'same' ? [] : await listEstimatesOf(db, original);
    const taken = measured.flatMap(({ productId, estimate, proposed }) =>
      proposed === null || proposed === estimate || kept.has(productId) ? [] : { productId, unit_qty: proposed },
    );
    const copy = await saveCopy(db, original, { name, date, measured: taken });
    await refuseTooManyDistributions(db, viewer);
    await recordDistribution(db, viewer, null, copy);
    return await distributionFor(db, viewer, copy.id);
  }),
];
