import { assertFound, throwIfRefused } from '../../server/http/errors.ts';
import { createSharedReads } from '../../server/web/shared-reads.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { lockDistribution, preloadDistribution } from '../distributions/queries.ts';
import { addSlot, changeSlot, deleteSlot, listSlots, MAX_SLOTS } from './contract.ts';
import { changeSlotOf, deleteSlotOf, isSlotTaken, listSlotsOf, saveNewSlot } from './queries.ts';
import { SLOT_IS_TAKEN, tooManySlots } from './texts.ts';

/**
 * Concurrent requests for the pick-up times of one distribution share one read, because each read counts the orders of all pick-up times.
 */
const readSharedSlots = createSharedReads(listSlotsOf);

export const slotsRoutes: Route[] = [
  on(
    listSlots,
    async ({ db, preloaded }) => {
      const distribution = assertFound(preloaded, 'Distribution');
      return await readSharedSlots(db, String(distribution.id), distribution);
    },
    { sessionPreload: preloadDistribution },
  ),

  onTransaction(addSlot, async ({ db, viewer, params, body }) => {
    const distribution = await lockDistribution(db, viewer, params.id);
    const slots = await listSlotsOf(db, distribution);
    throwIfRefused(slots.length >= MAX_SLOTS ? tooManySlots(MAX_SLOTS) : null);
    return await saveNewSlot(db, distribution, body);
  }),

  onTransaction(
    changeSlot,
    async ({ db, viewer, params, body }) => await changeSlotOf(db, await lockDistribution(db, viewer, params.id), params.slotId, body),
  ),

  onTransaction(deleteSlot, async ({ db, viewer, params }) => {
    const distribution = await lockDistribution(db, viewer, params.id);
    throwIfRefused((await isSlotTaken(db, distribution, params.slotId)) ? SLOT_IS_TAKEN : null, 409);
    await deleteSlotOf(db, distribution, params.slotId);
  }),
];
