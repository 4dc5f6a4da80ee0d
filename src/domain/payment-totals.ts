// What came in by which method, and what is still due (contract §7, §9).
import { cents, minus, sum, type Cents } from './money.ts';
import { PAYMENT_METHODS, type PaymentMethod } from './payment.ts';

interface Taken {
  readonly paymentMethod: PaymentMethod;
  readonly amount: Cents;
  /** On top of the amount; negative, as the amount, in the row that reverses a payment. */
  readonly feeAmount: Cents;
  readonly reversesId: number | null;
}

export interface PaymentTotals {
  readonly paymentMethod: PaymentMethod;
  /** Payments made, reversed ones among them. */
  readonly payments: number;
  readonly taken: Cents;
  /** Zero or negative. */
  readonly reversed: Cents;
  /** What lowers the balances. */
  readonly amount: Cents;
  readonly feeAmount: Cents;
  /** Amount and card fees. */
  readonly received: Cents;
}

const amountsOf = (rows: readonly { readonly amount: Cents }[]): Cents => sum(rows.map((row) => row.amount));

/** The methods that were used, in the order of the specification. */
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
  /** Can be paid now. */
  readonly weighed: Cents;
  /** Of orders with weights missing. */
  readonly estimated: Cents;
  readonly due: Cents;
  /** What customers get back; never negative, and not taken off what others owe. */
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
