// A distribution can have pick-up times with a capacity (contract §16).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Before, Id, instant, requiredText } from '../../shared/fields.ts';
import { outdatedText } from '../../shared/texts.ts';
import { CAPACITY_BELOW_ONE, CAPACITY_TOO_LARGE, SLOT_IS_TAKEN, SLOT_NAMES } from './texts.ts';

export const MAX_SLOTS = 200;
const MAX_CAPACITY = 1_000_000;

export const NewSlot = z.object({
  label: requiredText(SLOT_NAMES.label),
  startsAt: instant('startsAt'),
  capacity: z.int().check(z.gte(1, CAPACITY_BELOW_ONE), z.lte(MAX_CAPACITY, CAPACITY_TOO_LARGE)),
});

export type NewSlot = z.infer<typeof NewSlot>;
const SlotChange = z.partial(NewSlot);
export type SlotChange = z.infer<typeof SlotChange>;

export const Slot = z.object({
  id: Id,
  label: z.string(),
  startsAt: z.string(),
  capacity: z.int(),
  /** The number of orders with this pick-up time. An order whose quantities are all 0 does not count. */
  taken: z.int(),
});
export type Slot = z.infer<typeof Slot>;

export const listSlots = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/slots',
  summary: 'The pick-up times of a distribution, in their order',
  roles: ['distributor', 'agent', 'customer'],
  reply: z.array(Slot),
});

export const addSlot = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/slots',
  summary: 'Add a pick-up time; `capacity` is the maximum number of orders that customers place for it',
  roles: ['distributor'],
  body: NewSlot,
  reply: Slot,
  status: 201,
  idempotent: true,
});

export const changeSlot = endpoint({
  method: 'PATCH',
  path: '/api/distributions/:id/slots/:slotId',
  summary: 'Change a pick-up time; orders keep it, also when there are more of them than the new `capacity`',
  roles: ['distributor'],
  refusals: { 409: outdatedText('Morning') },
  body: z.extend(SlotChange, { before: Before }),
  reply: Slot,
});

export const deleteSlot = endpoint({
  method: 'DELETE',
  path: '/api/distributions/:id/slots/:slotId',
  summary: 'Delete a pick-up time that no order has',
  refusals: { 409: SLOT_IS_TAKEN },
  roles: ['distributor'],
  status: 204,
});
