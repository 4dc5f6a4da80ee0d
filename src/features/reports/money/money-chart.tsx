import type { ReactNode } from 'react';
import { BarChart, type ChartBar, type ChartSegment } from '../../../client/ui/charts/bar-chart.tsx';
import { dollars } from '../../../domain/money.ts';
import type { OpenBalances, PaymentTotals } from '../../../domain/payment-totals.ts';
import { METHOD_LABELS } from '../../payments/texts.ts';
import { PAID_ON_ORDERS, CARD_FEES, DUE, DUE_ESTIMATED, REFUNDS_DUE, MONEY_DUE, MONEY_IN_AND_DUE } from '../texts.ts';

const PARTS: readonly ChartSegment[] = [
  { label: PAID_ON_ORDERS, tone: 'good' },
  { label: CARD_FEES, tone: 'good', isHatched: true },
  { label: DUE, tone: 'wait' },
  { label: DUE_ESTIMATED, tone: 'wait', isHatched: true },
  { label: REFUNDS_DUE, tone: 'accent' },
];

/** Shows a bar chart of the payments received by method and of the balances due. All bars have the same scale. */
export function MoneyChart({ takings, dues }: { takings: readonly PaymentTotals[]; dues: OpenBalances }): ReactNode {
  const bars: ChartBar[] = takings.map(({ paymentMethod, amount, feeAmount, received }) => ({
    label: METHOD_LABELS[paymentMethod],
    text: dollars(received),
    values: [amount, feeAmount],
  }));
  if (dues.due > 0) bars.push({ label: MONEY_DUE, text: dollars(dues.due), values: [0, 0, dues.weighed, dues.estimated] });
  if (dues.refunds > 0) bars.push({ label: REFUNDS_DUE, text: dollars(dues.refunds), values: [0, 0, 0, 0, dues.refunds] });
  return bars.length === 0 ? null : <BarChart title={MONEY_IN_AND_DUE} parts={PARTS} bars={bars} />;
}
