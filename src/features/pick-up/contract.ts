// The call that marks an order as picked up or not picked up (contract §14).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';

export const setPickedUp = endpoint({
  method: 'POST',
  path: '/api/orders/:orderId/picked-up',
  summary: 'Mark an order as picked up, or take the mark back; also where weights or money are still open',
  description:
    'Who and when is kept with the order and in its trail. An order that is marked already keeps its first mark. With the mark of an order with units, its customer leaves the waiting lists of the distribution; taking the mark back does not restore the places.',
  roles: ['distributor', 'agent'],
  body: z.object({ pickedUp: z.boolean('pickedUp must be true or false') }),
  status: 204,
  idempotent: true,
});
