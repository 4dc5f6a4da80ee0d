import type { Cents } from '../../domain/money.ts';
import { paymentConflict, paymentProblem, reversalConflict } from '../../domain/payment.ts';
import { unitsIn, weightsAndBases, weightsProblem } from '../../domain/weights/actuals.ts';
import { throwIfRefused } from '../../server/errors.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { hasManyWeights, restoreWeights } from '../actuals/queries.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { listPayments, recordPayment, reversePayment } from './contract.ts';
import { lockOrderToPay, paymentsOf, lockPaymentToReverse, saveNewPayment, saveReversal, type Account } from './queries.ts';

const conflictOf = ({ has_all_actuals: hasAllActuals, balance }: Account, amount: Cents): string | null =>
  paymentConflict({ hasAllActuals, balance }, amount);

export const paymentsRoutes: Route[] = [
  on(listPayments, async ({ db, viewer, params, query, signal }) =>
    paymentsOf(db, await listSourceFor(db, viewer, params.id, signal), query),
  ),

  onTransaction(
    recordPayment,
    async ({ db, viewer, params, body, countRows }) => {
      const { weights } = weightsAndBases(body.seenWeights ?? {});
      const found = await lockOrderToPay(db, viewer, params.orderId);
      countRows({ read: found.products.length + found.actual_count });
      throwIfRefused(paymentProblem(body) ?? weightsProblem(weights));
      const restored = body.amount > found.balance ? await restoreWeights(db, viewer, found.id, unitsIn(weights)) : 0;
      countRows({ changed: 1 + restored });
      const order = restored === 0 ? found : await lockOrderToPay(db, viewer, found.id);
      // A refusal undoes the restored weights, so it must name the balance without them.
      throwIfRefused(conflictOf(order, body.amount) === null ? null : conflictOf(found, body.amount), 409);
      return await saveNewPayment(db, viewer, order, body);
    },
    { oneAtATime: 'payments', isExpensiveChange: ({ body }) => hasManyWeights(body.seenWeights ?? {}) },
  ),

  onTransaction(reversePayment, async ({ db, viewer, params, body }) => {
    const payment = await lockPaymentToReverse(db, viewer, params);
    throwIfRefused(reversalConflict(payment), 409);
    return await saveReversal(db, viewer, payment, body.description);
  }),
];
