import { orderingBlockedReason } from '../../domain/distribution.ts';
import { waitingProblem } from '../../domain/ordering/limits.ts';
import type { Db } from '../../server/database/db.ts';
import { assertFound, conflict, throwIfRefused } from '../../server/errors.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import type { Viewer } from '../../server/auth/session.ts';
import type { BodyOf } from '../../shared/endpoint.ts';
import { distributionFor, lockWaitingCustomer, preloadDistribution, type DistributionRow } from '../distributions/queries.ts';
import { PICKED_UP } from '../orders/texts.ts';
import { readUnitsLeft } from '../product-list/queries.ts';
import { joinWaiting, leaveWaiting, listWaiting, MAX_WAITING } from './contract.ts';
import {
  assertWaits,
  deleteWaiting,
  findLeft,
  findProductToWaitFor,
  listOwnWaiting,
  lockOwnAccount,
  lockProduct,
  saveWaiting,
  waitingOf,
  type NewEntry,
} from './queries.ts';
import { alreadyWaiting, tooManyWaiting } from './texts.ts';

interface Wanted extends BodyOf<typeof joinWaiting> {
  readonly distributionId: number;
}
/** Returns the number of units of the wanted product that are left for everybody. Called only for a limited product. */
type ReadLeft = (distribution: DistributionRow) => Promise<number>;

/** Returns the entry to save. Throws the reason why the customer cannot join the waiting list for these units. */
async function validateEntry(db: Db, viewer: Viewer, wanted: Wanted, readLeft: ReadLeft): Promise<NewEntry> {
  const { distributionId, productId, quantity } = wanted;
  const distribution = await distributionFor(db, viewer, distributionId);
  const { now, product, ordered, entries, isWaiting, isHandedOver } = await findProductToWaitFor(db, distribution, viewer, productId);
  throwIfRefused(orderingBlockedReason(distribution, now) ?? (isHandedOver ? PICKED_UP : null), 409);
  const left = !product || product.total_limit === null ? null : await readLeft(distribution);
  const problem = waitingProblem({ productId, product: product && { ...product, left }, quantity, ordered });
  if (problem) throwIfRefused(problem.sentence, problem.status);
  if (entries >= MAX_WAITING) throw conflict(tooManyWaiting(MAX_WAITING));
  if (isWaiting) throw conflict(alreadyWaiting(product?.name ?? ''));
  return { productId, quantity, isAnythingLeft: (left ?? 0) > 0 };
}

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

  onTransaction(
    joinWaiting,
    async ({ db, viewer, params, body }) => {
      const distribution = await distributionFor(db, viewer, params.id);
      await lockWaitingCustomer(db, viewer.userId);
      await lockProduct(db, distribution, body.productId);
      await lockOwnAccount(db, viewer);
      const entry = await validateEntry(db, viewer, { ...body, distributionId: params.id }, () => findLeft(db, body.productId));
      return await saveWaiting(db, distribution, viewer, entry);
    },
    {
      oneAtATime: 'waiting lists',
      refuseEarly: async ({ db, viewer, params, body }) => {
        const leftFromSharedRead: ReadLeft = async (distribution) => (await readUnitsLeft(db, distribution)).left[body.productId] ?? 0;
        await validateEntry(db, viewer, { ...body, distributionId: params.id }, leftFromSharedRead);
      },
    },
  ),

  onTransaction(
    leaveWaiting,
    async ({ db, viewer, params }) => {
      const distribution = await distributionFor(db, viewer, params.id);
      await lockProduct(db, distribution, params.productId);
      await deleteWaiting(db, distribution, viewer, params.productId);
    },
    {
      oneAtATime: 'waiting lists',
      refuseEarly: async ({ db, viewer, params }) =>
        assertWaits(db, await distributionFor(db, viewer, params.id), viewer, params.productId),
    },
  ),
];
