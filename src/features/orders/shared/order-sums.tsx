import type { ReactNode } from 'react';
import { SumLine } from '../../../client/ui/layout/sum-line.tsx';
import { feeText, type Fee } from '../../../domain/fees.ts';
import { cents, dollars } from '../../../domain/money.ts';
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
        <SumLine label={SUBTOTAL}>{dollars(totals.subtotal)}</SumLine>
        {fees.map((fee) => (
          <SumLine key={fee.id} label={labelOf(fee)}>
            {dollars(charged.get(fee.id) ?? cents(0))}
          </SumLine>
        ))}
        <SumLine label={TOTAL} isTotal isLarge={!isQuiet} className="mt-1 border-t border-line pt-2.5">
          {dollars(totals.total)}
        </SumLine>
        {differs && <SumLine label={PRINTED_TOTAL}>{dollars(totals.printedTotal)}</SumLine>}
      </dl>
      {differs && <p className="mt-2 text-xs text-ink-soft">{PRINTED_NOTE}</p>}
    </>
  );
}

const labelOf = (fee: Fee): ReactNode => (
  <>
    {fee.name}
    {fee.type === 'percent' && <span className="text-s"> ({feeText(fee)})</span>}
  </>
);
