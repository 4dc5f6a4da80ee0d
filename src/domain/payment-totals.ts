// Computes the payments received by payment method, and the balances still due (contract §7, §9).
import { cents, minus, sum, type Cents } from './money.ts';
import { PAYMENT_METHODS, type PaidAmount, type PaymentMethod } from './payment.ts';

interface Taken extends PaidAmount {
  readonly reversesId: number | null;
}

export interface PaymentTotals {
  readonly paymentMethod: PaymentMethod;
  /** The number of payments, including those that were reversed later. The reversals themselves do not count. */
  readonly payments: number;
  readonly taken: Cents;
  /** The sum of reversed payments: negative, or zero when no payment was reversed. */
  readonly reversed: Cents;
  /** The sum of payments and reversals without card fees, which do not lower balances. */
  readonly amount: Cents;
  readonly feeAmount: Cents;
  /** The sum of the amounts and their card fees. */
  readonly received: Cents;
}

const amountsOf = (rows: readonly { readonly amount: Cents }[]): Cents => sum(rows.map((row) => row.amount));

export function totalsByMethod(payments: readonly Taken[]): PaymentTotals[] {
  const byMethod = Map.groupBy(payments, (payment) => payment.paymentMethod);
  return PAYMENT_METHODS.flatMap((paymentMethod) => {
    const rows = byMethod.get(paymentMethod);
    if (!rows) return [];
    const made = rows.filter((row) => row.reversesId === null);
    const amount = amountsOf(rows);
    const feeAmount = sum(rows.map((row) => row.feeAmount));
    const reversed = amountsOf(rows.filter((row) => row.reversesId !== null));
    return [
      { paymentMethod, payments: made.length, taken: amountsOf(made), reversed, amount, feeAmount, received: sum([amount, feeAmount]) },
    ];
  });
}

interface Owing {
  readonly has_all_actuals: boolean;
  readonly balance: Cents;
}

export interface OpenBalances {
  /** The balances of fully weighed orders, which customers can pay now. */
  readonly weighed: Cents;
  /** The balances of orders with missing weights. */
  readonly estimated: Cents;
  readonly due: Cents;
  /** The refunds due to customers; never negative, and not subtracted from the balances due. */
  readonly refunds: Cents;
}

export function openBalancesOf(orders: readonly Owing[]): OpenBalances {
  const balanceSum = (belongs: (order: Owing) => boolean): Cents => sum(orders.filter(belongs).map((order) => order.balance));
  const weighed = balanceSum((order) => order.balance > 0 && order.has_all_actuals);
  const estimated = balanceSum((order) => order.balance > 0 && !order.has_all_actuals);
  const refunds = minus(
    cents(0),
    balanceSum((order) => order.balance < 0),
  );
  return { weighed, estimated, due: sum([weighed, estimated]), refunds };
}
