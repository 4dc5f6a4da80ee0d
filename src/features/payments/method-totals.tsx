import type { ReactNode } from 'react';
import { dollars, sum } from '../../domain/money.ts';
import type { Cents } from '../../domain/money.ts';
import { PAYMENT_METHODS } from '../../domain/payment.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import type { PaymentRow } from './contract.ts';

export interface MethodTotal {
  readonly label: PaymentMethod | 'Together';
  readonly amount: Cents;
  readonly fee: Cents;
}

const totalOf = (label: MethodTotal['label'], rows: readonly PaymentRow[]): MethodTotal => ({
  label,
  amount: sum(rows.map(({ payments }) => payments.amount)),
  fee: sum(rows.map(({ payments }) => payments.feeAmount)),
});

/** What came in by each method that was used, less what was taken back; together last where there are several. */
export function methodTotals(rows: readonly PaymentRow[]): MethodTotal[] {
  const byMethod = Map.groupBy(rows, ({ payments }) => payments.paymentMethod);
  const used = PAYMENT_METHODS.flatMap((method) => {
    const own = byMethod.get(method);
    return own ? [totalOf(method, own)] : [];
  });
  return used.length > 1 ? [...used, totalOf('Together', rows)] : used;
}

export function MethodTotals({ rows }: { rows: readonly PaymentRow[] }): ReactNode {
  return (
    <dl aria-label="Totals by method" className="flex flex-wrap gap-x-10 gap-y-3 border-b border-line px-4 py-3.5 md:px-5">
      {methodTotals(rows).map(({ label, amount, fee }) => (
        <div key={label}>
          <dt className="text-xs text-ink-soft">{label}</dt>
          <dd className="num font-semibold">
            {dollars(amount)}
            {fee !== 0 && <span className="text-s font-normal text-ink-soft"> + {dollars(fee)} card fees</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
