import type { ReactNode } from 'react';
import { dollars, sum } from '../../domain/money.ts';
import { totalsByMethod, type PaymentTotals } from '../../domain/payment-totals.ts';
import type { PaymentRow } from './contract.ts';
import { METHOD_LABELS, TOGETHER, TOTALS_BY_METHOD, cardFeesText } from './texts.ts';

interface MethodTotal extends Pick<PaymentTotals, 'amount' | 'feeAmount'> {
  readonly label: string;
}

/**
 * Returns the amount received by each payment method, minus reversals. If there are several methods, the last entry is the total of all.
 */
export function methodTotals(rows: readonly PaymentRow[]): MethodTotal[] {
  const takings = totalsByMethod(rows.map(({ payments }) => payments));
  const used = takings.map(({ paymentMethod, amount, feeAmount }) => ({ label: METHOD_LABELS[paymentMethod], amount, feeAmount }));
  if (used.length < 2) return used;
  const together = { amount: sum(used.map((one) => one.amount)), feeAmount: sum(used.map((one) => one.feeAmount)) };
  return [...used, { label: TOGETHER, ...together }];
}

export function MethodTotals({ rows }: { rows: readonly PaymentRow[] }): ReactNode {
  return (
    <dl aria-label={TOTALS_BY_METHOD} className="flex flex-wrap gap-x-10 gap-y-3 border-b border-line px-4 py-3.5 md:px-5">
      {methodTotals(rows).map(({ label, amount, feeAmount }) => (
        <div key={label}>
          <dt className="text-xs text-ink-soft">{label}</dt>
          <dd className="num font-semibold">
            {dollars(amount)}
            {feeAmount !== 0 && <span className="text-s font-normal text-ink-soft"> {cardFeesText(feeAmount)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
