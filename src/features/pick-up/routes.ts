import { onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { lockOrder } from '../distributions/queries.ts';
import { setPickedUp } from './contract.ts';
import { savePickedUp } from './queries.ts';

export const pickUpRoutes: Route[] = [
  onTransaction(setPickedUp, async ({ db, viewer, params, body }) => {
    await lockOrder(db, viewer, params.orderId);
    await savePickedUp(db, viewer, params.orderId, body.pickedUp);
  }),
];
