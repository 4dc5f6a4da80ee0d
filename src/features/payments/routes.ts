import { paymentConflict, paymentProblem, reversalConflict } from '../../domain/payment.ts';
import { unitsIn, weightsAndBases } from '../../domain/weights/actuals.ts';
import { throwIfRefused } from '../../server/http/errors.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { listPayments, recordPayment, reversePayment } from './contract.ts';
import { lockOrderToPay, paymentsOf, lockPaymentToReverse, saveNewPayment, saveReversal } from './queries.ts';

export const paymentsRoutes: Route[] = [
  on(listPayments, async ({ db, viewer, params, query, signal }) =>
    paymentsOf(db, await listSourceFor(db, viewer, params.id, signal), query),
  ),

  onTransaction(
    recordPayment,
    async ({ db, viewer, params, body, countRows }) => {
      const { weights } = weightsAndBases(body.seenWeights ?? {});
      const { order, setBack } = await lockOrderToPay(db, viewer, params.orderId, unitsIn(weights));
      countRows({ read: order.products.length + order.actual_count, changed: 1 + setBack });
      throwIfRefused(paymentProblem(body));
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
