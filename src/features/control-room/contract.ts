// The call that reads how many orders are weighed, paid and picked up, for a screen on the wall (contract §14).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Id } from '../../shared/fields.ts';

const Count = z.int();
const Work = { weighed: Count, paid: Count, pickedUp: Count };

export const Progress = z.object({
  /** The number of orders with a quantity above 0. */
  orders: Count,
  /**
   * Of the orders with a quantity above 0, `weighed` counts those that are fully weighed or have nothing to weigh. `paid` counts those that
   * are fully weighed and have nothing left to pay. `pickedUp` counts those that are picked up.
   */
  weighed: Count,
  paid: Count,
  pickedUp: Count,
  units: Count,
  weighedUnits: Count,
  /** The number of weights, payments and pick-ups that each person recorded. */
  helpers: z.array(z.object({ by: z.string(), ...Work })),
  /** The number of weights, payments and pick-ups in each period of ten minutes, oldest first. The last period has not ended yet. */
  steps: z.array(z.object({ startsAt: z.string(), ...Work })),
  /** The first products with unweighed units, sorted by the number of these units, largest first. */
  unweighed: z.array(z.object({ productId: Id, name: z.string(), productCode: z.nullable(z.int()), units: Count })),
  unweighedProducts: Count,
  /** The current time by the database's clock. */
  now: z.string(),
});
export type Progress = z.infer<typeof Progress>;

export const readProgress = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/progress',
  summary: 'How many orders are weighed, paid and picked up, by whom, in which ten minutes, and what is not weighed yet; counts only',
  roles: ['distributor'],
  reply: Progress,
});
