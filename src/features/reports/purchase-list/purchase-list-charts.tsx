import type { ReactNode } from 'react';
import { BarChart, type ChartBar, type ChartSegment } from '../../../client/ui/charts/bar-chart.tsx';
import { roughWeightText, weightsByUom, type PurchaseGroup } from '../../../domain/purchase-list.ts';
import { withUom } from '../../actuals/texts.ts';
import { groupText } from '../../products/texts.ts';
import { UNITS, WEIGHED, STILL_ESTIMATED, UNITS_BY_GROUP, weightByGroupText, largestText, unitsText, perUnitText } from '../texts.ts';

// The maximum number of bars in a chart, because a chart with more bars would be unreadable. The table below the chart lists all groups.
const MAX_BARS = 16;

const UNIT_PARTS: readonly ChartSegment[] = [{ label: UNITS, tone: 'accent' }];
const WEIGHT_PARTS: readonly ChartSegment[] = [
  { label: WEIGHED, tone: 'good' },
  { label: STILL_ESTIMATED, tone: 'wait', isHatched: true },
];

export function PurchaseListCharts({ groups }: { groups: readonly PurchaseGroup[] }): ReactNode {
  const uoms = weightsByUom(groups.flatMap((group) => group.weights)).map((weight) => weight.uom);
  return (
    <div className="grid gap-x-10 gap-y-8 px-4 py-5 md:grid-cols-2 md:px-5 print:grid-cols-2 print:gap-x-8 print:px-0">
      <GroupChart title={UNITS_BY_GROUP} parts={UNIT_PARTS} bars={groups.map(unitsBar)} />
      {uoms.map((uom) => (
        <GroupChart
          key={uom ?? ''}
          title={weightByGroupText(uom)}
          parts={WEIGHT_PARTS}
          bars={groups.flatMap((group) => weightBar(group, uom) ?? [])}
        />
      ))}
    </div>
  );
}

const unitsBar = ({ group, units }: PurchaseGroup): ChartBar => ({ label: groupText(group), text: unitsText(units), values: [units] });

function weightBar({ group, weights }: PurchaseGroup, uom: string | null): ChartBar | null {
  const weight = weights.find((own) => own.uom === uom);
  if (!weight) return null;
  const text = perUnitText(withUom(roughWeightText(weight.weighed + weight.unweighed), uom), weight.unweighed > 0);
  return { label: groupText(group), text, values: [weight.weighed, weight.unweighed] };
}

function GroupChart({ title, parts, bars }: { title: string; parts: readonly ChartSegment[]; bars: readonly ChartBar[] }): ReactNode {
  const widest = bars.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, MAX_BARS);
  return (
    <div className="min-w-0">
      <BarChart title={title} parts={parts} bars={widest} />
      {widest.length < bars.length && <p className="mt-2 text-xs text-ink-soft">{largestText(MAX_BARS, bars.length)}</p>}
    </div>
  );
}

const lengthOf = (bar: ChartBar): number => bar.values.reduce((sum, value) => sum + value, 0);
