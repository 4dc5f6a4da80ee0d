// Computes the cost of an order line by line. Weighed units cost their weight and other units their estimate, and each fee is charged on
// the running total (contract §7). The order amount and the balance follow the same rules.
import { type Actual, estimatedSubtotal, hasUnits, recordedUnits, unweighedCount, weighedSubtotal } from './weights/actuals.ts';
import { type Charge, type Fee, feesInSequence, totalWith } from './fees.ts';
import { type Cents, sum } from './money.ts';
import { balanceOf } from './payment.ts';
import { printedLines, type PrintLine } from './print.ts';

export interface StatementLine<L extends PrintLine> {
  readonly line: L;
  readonly recorded: readonly Actual[];
  readonly unweighed: number;
  readonly amount: Cents;
}

export interface Statement<L extends PrintLine, F extends Fee> {
  /** The lines of the printed order, in the sequence in which they are printed. */
  readonly lines: readonly StatementLine<L>[];
  readonly subtotal: Cents;
  readonly charges: readonly Charge<F>[];
  readonly total: Cents;
  readonly balance: Cents;
}

export function statementOf<L extends PrintLine, F extends Fee>(
  ordered: readonly L[],
  fees: readonly F[],
  payments: readonly { readonly amount: Cents }[],
): Statement<L, F> {
  const lines = printedLines(ordered).map((line) => ({
    line,
    recorded: recordedUnits(line).toSorted((a, b) => a.sortOrder - b.sortOrder),
    unweighed: unweighedCount([line]),
    amount: sum([weighedSubtotal([line]), estimatedSubtotal([line])]),
  }));
  const subtotal = sum(lines.map((line) => line.amount));
  const charges = hasUnits(ordered) ? feesInSequence(fees, subtotal) : [];
  const total = totalWith(subtotal, charges);
  return { lines, subtotal, charges, total, balance: balanceOf(total, payments) };
}
