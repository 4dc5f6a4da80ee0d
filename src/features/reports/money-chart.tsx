import type { ReactNode } from 'react';
import { BarChart, type ChartBar, type ChartPart } from '../../client/ui/bar-chart.tsx';
import { dollars } from '../../domain/money.ts';
import type { Dues, Takings } from '../../domain/takings.ts';

const PARTS: readonly ChartPart[] = [
  { label: 'Paid on orders', tone: 'good' },
  { label: 'Card fees', tone: 'good', isHatched: true },
  { label: 'Due', tone: 'wait' },
  { label: 'Due, estimated', tone: 'wait', isHatched: true },
  { label: 'Refunds due', tone: 'accent' },
];

/** Money in by method and money due on one scale. */
export function MoneyChart({ takings, dues }: { takings: readonly Takings[]; dues: Dues }): ReactNode {
  const bars: ChartBar[] = takings.map(({ paymentMethod, amount, feeAmount, received }) => ({
    label: paymentMethod,
    text: dollars(received),
    values: [amount, feeAmount],
  }));
  if (dues.due > 0) bars.push({ label: 'Money due', text: dollars(dues.due), values: [0, 0, dues.weighed, dues.estimated] });
  if (dues.refunds > 0) bars.push({ label: 'Refunds due', text: dollars(dues.refunds), values: [0, 0, 0, 0, dues.refunds] });
  return bars.length === 0 ? null : <BarChart title="Money in and money due" parts={PARTS} bars={bars} />;
}
