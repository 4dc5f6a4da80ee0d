import { assertFound } from '../../server/errors.ts';
import { onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { lockOrder, lockWaitingCustomer } from '../distributions/queries.ts';
import { deleteWaitingOf, lockWaitingLists } from '../waiting/queries.ts';
import { setPickedUp } from './contract.ts';
import { findOwner, savePickedUp } from './queries.ts';

export const pickUpRoutes: Route[] = [
  onTransaction(setPickedUp, async (context) => {
    const { db, viewer, params, body } = context;
    const owner = assertFound(await findOwner(db, viewer, params.orderId), 'Order');
    if (body.pickedUp) {
      await lockWaitingCustomer(db, owner.customerId);
      await lockWaitingLists(db, viewer.tenantId, owner);
    }
    await lockOrder(db, viewer, params.orderId);
    const { hasUnits } = await savePickedUp(db, viewer, params.orderId, body.pickedUp);
    // The customer can no longer change the order, so units must not be held for this customer.
    if (body.pickedUp && hasUnits) await deleteWaitingOf(db, context, owner);
  }),
];
