import clsx from 'clsx';
import type { ReactNode } from 'react';
import { feeText, type Fee } from '../../../domain/fees.ts';
import { cents, dollars, type Cents } from '../../../domain/money.ts';
import type { OrderTotals } from '../../../domain/order.ts';
import { PRINTED_NOTE, PRINTED_TOTAL, SUBTOTAL, TOTAL } from '../texts.ts';

export interface OrderSumsProps {
  fees: readonly Fee[];
  totals: OrderTotals;
  /** Renders the total smaller, for places where another element shows it large. */
  isQuiet?: boolean;
}

/** Shows the subtotal, each fee, the total, and the printed total if it differs (spec §2, contract §7). */
export function OrderSums({ fees, totals, isQuiet = false }: OrderSumsProps): ReactNode {
  const charged = new Map(totals.charges.map(({ fee, amount }) => [fee.id, amount]));
  const differs = totals.printedTotal !== totals.total;
  return (
    <>
      <dl className="grid grid-cols-1 gap-1.5">
        <Sum label={SUBTOTAL} amount={totals.subtotal} />
        {fees.map((fee) => (
          <Sum
            key={fee.id}
            label={fee.name}
            aside={fee.type === 'percent' ? feeText(fee) : null}
            amount={charged.get(fee.id) ?? cents(0)}
          />
        ))}
        <Sum label={TOTAL} amount={totals.total} isTotal isQuiet={isQuiet} />
        {differs && <Sum label={PRINTED_TOTAL} amount={totals.printedTotal} />}
      </dl>
      {differs && <p className="mt-2 text-xs text-ink-soft">{PRINTED_NOTE}</p>}
    </>
  );
}

interface SumProps {
  label: string;
  aside?: string | null;
  amount: Cents;
  isTotal?: boolean;
  isQuiet?: boolean;
}

function Sum({ label, aside = null, amount, isTotal = false, isQuiet = false }: SumProps): ReactNode {
  return (
    <div className={clsx('flex items-baseline justify-between gap-4', isTotal && 'mt-1 border-t border-line pt-2.5')}>
      <dt className={clsx('min-w-0', isTotal ? 'font-semibold' : 'text-ink-soft')}>
        {label}
        {aside !== null && <span className="text-s"> ({aside})</span>}
      </dt>
      <dd className={clsx(isTotal && !isQuiet ? 'figure text-[1.5rem]' : 'num', isTotal && isQuiet && 'font-semibold')}>
        {dollars(amount)}
      </dd>
    </div>
  );
}
