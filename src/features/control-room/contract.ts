// The progress of weighing, paying and picking up, for a screen on the wall (contract §14).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Id } from '../../shared/fields.ts';

const Count = z.int();
const Work = { weighed: Count, paid: Count, pickedUp: Count };

export const Progress = z.object({
  /** Orders with a quantity above 0. */
  orders: Count,
  /**
   * Of these orders, the number that are fully weighed or have nothing to weigh, that are fully weighed with nothing left to pay, and that
   * are picked up.
   */
  weighed: Count,
  paid: Count,
  pickedUp: Count,
  units: Count,
  weighedUnits: Count,
  /** Weights, payments and pick-ups by the person who recorded them. */
  helpers: z.array(z.object({ by: z.string(), ...Work })),
  /** The same in steps of ten minutes, oldest first; the last step is not over. */
  steps: z.array(z.object({ startsAt: z.string(), ...Work })),
  /** Products with unweighed units, those with the most units first. */
  unweighed: z.array(z.object({ productId: Id, name: z.string(), productCode: z.nullable(z.int()), units: Count })),
  /** The time by the database's clock. */
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
