import { paymentConflict, paymentProblem, reversalConflict } from '../../domain/payment.ts';
import { weightsAndBases } from '../../domain/weights/actuals.ts';
import { throwIfRefused } from '../../server/http/errors.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { listPayments, recordPayment, reversePayment } from './contract.ts';
import { lockOrderToPay, paymentsOf, lockPaymentToReverse, saveNewPayment, saveReversal, withSeenWeights } from './queries.ts';

export const paymentsRoutes: Route[] = [
  on(listPayments, async ({ db, viewer, params, query, signal }) =>
    paymentsOf(db, await listSourceFor(db, viewer, params.id, signal), query),
  ),

  onTransaction(
    recordPayment,
    async ({ db, viewer, params, body, countRows }) => {
      const found = await lockOrderToPay(db, viewer, params.orderId);
      countRows({ read: found.products.length + found.actual_count });
      throwIfRefused(paymentProblem(body));
      const { order, setBack } =
        body.amount > found.balance && body.seenWeights
          ? await withSeenWeights(db, viewer, found, weightsAndBases(body.seenWeights).weights)
          : { order: found, setBack: 0 };
      countRows({ changed: 1 + setBack });
      throwIfRefused(paymentConflict({ hasAllActuals: order.has_all_actuals, balance: order.balance }, body.amount), 409);
      return await saveNewPayment(db, viewer, order, body);
    },
    { oneAtATime: 'payments' },
  ),

  onTransaction(reversePayment, async ({ db, viewer, params, body }) => {
    const payment = await lockPaymentToReverse(db, viewer, params);
    throwIfRefused(reversalConflict(payment), 409);
    return await saveReversal(db, viewer, payment, body.description);
  }),
];
