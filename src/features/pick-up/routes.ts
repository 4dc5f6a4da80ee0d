import { transaction } from '../../server/database/db.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { lockOrder } from '../distributions/queries.ts';
import { setPickedUp } from './contract.ts';
import { savePickedUp } from './queries.ts';

export const pickUpRoutes: Route[] = [
  on(setPickedUp, ({ db, viewer, params, body }) =>
    transaction(db, async (db) => {
      await lockOrder(db, viewer, params.orderId);
      await savePickedUp(db, viewer, params.orderId, body.pickedUp);
    }),
  ),
];
