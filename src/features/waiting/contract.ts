// Customers can wait for units of a product whose limit is reached (contract §12).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Id } from '../../shared/fields.ts';
import { HOLD_HOURS } from '../../domain/ordering/limits.ts';
import { aboveLimit } from '../../domain/texts.ts';
import { alreadyWaiting, tooManyWaiting } from './texts.ts';

export const WaitingEntry = z.object({
  productId: Id,
  productName: z.string(),
  productCode: z.nullable(z.int()),
  /** The number of units that the customer waits for, including the held units. */
  quantity: z.int(),
  /** The number of units that are held for the customer until `heldUntil`. */
  heldQuantity: z.int(),
  heldUntil: z.nullable(z.string()),
  createdAt: z.string(),
  customerId: Id,
  /** The waiting customer. Null when customers read their own list. */
  customer: z.nullable(
    z.object({ id: Id, email: z.nullable(z.string()), firstName: z.nullable(z.string()), lastName: z.nullable(z.string()) }),
  ),
});
export type WaitingEntry = z.infer<typeof WaitingEntry>;

export const listWaiting = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/waiting',
  summary: 'Who waits for which product, in the order in which free units are held for them; for a customer the own entries',
  roles: ['distributor', 'customer'],
  reply: z.array(WaitingEntry),
});

/** The maximum number of waiting lists that one customer can be on in one distribution. */
export const MAX_WAITING = 100;

export const joinWaiting = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/waiting',
  summary: 'Wait for units of a product of which too few are left',
  description: `Free units are held for those who wait, first come first, for ${HOLD_HOURS} hours or until ordering closes, and a mail tells them. Ordering consumes the hold; a hold that expires ends the wait. Nobody can wait for more units than the product’s \`total_limit\` leaves for one customer.`,
  refusals: { 409: `${alreadyWaiting('Brisket')} ${aboveLimit('Brisket', 5)} ${tooManyWaiting(MAX_WAITING)}` },
  roles: ['customer'],
  body: z.object({ productId: Id, quantity: z.int().check(z.gte(1), z.lte(1_000_000)) }),
  reply: WaitingEntry,
  status: 201,
  idempotent: true,
});

export const leaveWaiting = endpoint({
  method: 'DELETE',
  path: '/api/distributions/:id/waiting/:productId',
  summary: 'Wait no longer for a product; what was held goes to the next',
  roles: ['customer'],
  status: 204,
});
