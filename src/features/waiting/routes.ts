import { orderingBlockedReason } from '../../domain/distribution.ts';
import { waitingProblem } from '../../domain/ordering/limits.ts';
import { quantitiesOf } from '../../domain/order.ts';
import { assertFound, throwIfRefused } from '../../server/http/errors.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor, preloadDistribution } from '../distributions/queries.ts';
import { findOrderState } from '../orders/queries.ts';
import { joinWaiting, leaveWaiting, listWaiting } from './contract.ts';
import { deleteWaiting, listOwnWaiting, lockProduct, saveWaiting, waitingOf } from './queries.ts';

export const waitingRoutes: Route[] = [
  on(
    listWaiting,
    async ({ db, viewer, preloaded, signal }) => {
      const distribution = assertFound(preloaded, 'Distribution');
      return viewer.role === 'customer'
        ? await listOwnWaiting(db, distribution, viewer.userId)
        : waitingOf(db, { ...distribution, signal });
    },
    { sessionPreload: preloadDistribution },
  ),

  onTransaction(joinWaiting, async ({ db, viewer, params, body: { productId, quantity } }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    const limit = await lockProduct(db, distribution, productId);
    const wanted = { tenantId: viewer.tenantId, customerId: viewer.userId, distributionId: params.id, productIds: [productId] };
    const state = assertFound(await findOrderState(db, wanted), 'Distribution');
    throwIfRefused(orderingBlockedReason(state, state.now), 409);
    const [product] = state.products;
    const ordered = quantitiesOf(state.lines).get(productId) ?? 0;
    const problem = waitingProblem({ productId, product, limit, quantity, ordered });
    if (problem) throwIfRefused(problem.sentence, problem.status);
    const isAnythingLeft = (product?.left ?? 0) > 0;
    return await saveWaiting(db, distribution, viewer, { productId, quantity, productName: product?.name ?? '', isAnythingLeft });
  }),

  onTransaction(leaveWaiting, async ({ db, viewer, params }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    await lockProduct(db, distribution, params.productId);
    await deleteWaiting(db, distribution, viewer, params.productId);
  }),
];
