import { assertFound, invalid, throwIfOutdated, throwIfRefused } from '../../server/errors.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { recordFeeChange } from '../catalogue/queries.ts';
import { lockDistribution, nextCatalogueVersion, preloadDistribution } from '../distributions/queries.ts';
import { addFee, changeFee, deleteFee, listFees, MAX_FEES, NewFee } from './contract.ts';
import { deleteFeeOf, feeOf, listFeesOf, saveFee, saveNewFee } from './queries.ts';
import { tooManyFees } from './texts.ts';

export const feesRoutes: Route[] = [
  on(listFees, async ({ db, preloaded }) => listFeesOf(db, assertFound(preloaded, 'Distribution')), {
    sessionPreload: preloadDistribution,
  }),

  onTransaction(addFee, async ({ db, viewer, params, body }) => {
    const distribution = await lockDistribution(db, viewer, params.id);
    const fees = await listFeesOf(db, distribution);
    throwIfRefused(fees.length >= MAX_FEES ? tooManyFees(MAX_FEES) : null);
    await nextCatalogueVersion(db, distribution.id);
    const fee = await saveNewFee(db, distribution, body);
    await recordFeeChange(db, distribution, { before: null, after: fee, by: viewer });
    return fee;
  }),

  onTransaction(changeFee, async ({ db, viewer, params, body }) => {
    const distribution = await lockDistribution(db, viewer, params.id);
    const before = await feeOf(db, distribution, params.feeId);
    throwIfOutdated(before.name, before, { before: body.before, after: body });
    const { data, error } = NewFee.safeParse({ ...before, ...body });
    if (!data) throw invalid(error.issues[0]?.message ?? 'Invalid');
    await nextCatalogueVersion(db, distribution.id);
    const fee = await saveFee(db, before.id, data);
    await recordFeeChange(db, distribution, { before, after: fee, by: viewer });
    return fee;
  }),

  onTransaction(deleteFee, async ({ db, viewer, params }) => {
    const distribution = await lockDistribution(db, viewer, params.id);
    await nextCatalogueVersion(db, distribution.id);
    const fee = await deleteFeeOf(db, distribution, params.feeId);
    await recordFeeChange(db, distribution, { before: fee, after: null, by: viewer });
  }),
];
