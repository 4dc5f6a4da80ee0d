import { paymentConflict, paymentProblem, reversalConflict } from '../../domain/payment.ts';
import { transaction } from '../../server/database/db.ts';
import { refuse } from '../../server/http/errors.ts';
import { on, type Route } from '../../server/http/http.ts';
import { distributionFor } from '../distributions/queries.ts';
import { listPayments, recordPayment, reversePayment } from './contract.ts';
import { orderToPay, paymentsOf, paymentToReverse, saveNewPayment, saveReversal } from './queries.ts';

export const paymentsRoutes: Route[] = [
  on(listPayments, async ({ db, viewer, params, query, signal }) =>
    paymentsOf(db, { ...(await distributionFor(db, viewer, params.id)), signal }, query),
  ),

  on(recordPayment, ({ db, viewer, params, body }) =>
    transaction(db, async (db) => {
      const order = await orderToPay(db, viewer, params.orderId);
      refuse(paymentProblem(body));
      refuse(paymentConflict({ hasAllActuals: order.has_all_actuals, balance: order.balance }, body.amount), 409);
      return await saveNewPayment(db, viewer, order, body);
    }),
  ),

  on(reversePayment, ({ db, viewer, params, body }) =>
    transaction(db, async (db) => {
      const payment = await paymentToReverse(db, viewer, params);
      refuse(reversalConflict(payment), 409);
      return await saveReversal(db, viewer, payment, body.description);
    }),
  ),
];
