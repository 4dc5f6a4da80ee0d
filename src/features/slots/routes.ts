import { transaction } from '../../server/database/db.ts';
import { assertFound, throwIfOutdated, throwIfRefused } from '../../server/errors.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { createSharedReads } from '../../server/queues/shared-reads.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor, lockDistribution, preloadDistribution } from '../distributions/queries.ts';
import { addSlot, changeSlot, deleteSlot, listSlots, MAX_SLOTS } from './contract.ts';
import { changeSlotOf, countSlots, countOrdersOfSlot, deleteSlotOf, isSlotTaken, listSlotsOf, saveNewSlot, slotOf } from './queries.ts';
import { SLOT_IS_TAKEN, tooManySlots } from './texts.ts';

/**
 * Concurrent requests for the pick-up times of one distribution share one read, because each read counts the orders of all pick-up times.
 * The distributions of a distributor take turns.
 */
const readSharedSlots = createSharedReads(listSlotsOf);

export const slotsRoutes: Route[] = [
  on(
    listSlots,
    async ({ db, preloaded }) => {
      const distribution = assertFound(preloaded, 'Distribution');
      return await readSharedSlots(db, { key: String(distribution.id), group: String(distribution.distributorId) }, distribution);
    },
    { sessionPreload: preloadDistribution },
  ),

  onTransaction(addSlot, async ({ db, viewer, params, body }) => {
    const distribution = await lockDistribution(db, viewer, params.id);
    throwIfRefused((await countSlots(db, distribution)) >= MAX_SLOTS ? tooManySlots(MAX_SLOTS) : null);
    return await saveNewSlot(db, distribution, body);
  }),

  on(changeSlot, async ({ db, viewer, params, body: { before, ...change }, signal }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    // The orders are counted before the transaction, because a transaction must not wait in the queue of expensive reads.
    const taken = await runInQueue({ distributorId: viewer.tenantId, signal }, () => countOrdersOfSlot(db, distribution, params.slotId));
    return await transaction(db, async (db) => {
      const distribution = await lockDistribution(db, viewer, params.id);
      const stored = await slotOf(db, distribution, params.slotId);
      throwIfOutdated(stored.label, stored, { before, after: change });
      return { ...(await changeSlotOf(db, distribution, params.slotId, change)), taken };
    });
  }),

  onTransaction(deleteSlot, async ({ db, viewer, params }) => {
    const distribution = await lockDistribution(db, viewer, params.id);
    throwIfRefused((await isSlotTaken(db, distribution, params.slotId)) ? SLOT_IS_TAKEN : null, 409);
    await deleteSlotOf(db, distribution, params.slotId);
  }),
];
