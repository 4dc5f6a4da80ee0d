import type { ReactNode } from 'react';
import { useSearch } from 'wouter';
import { StatCard } from '../../../client/ui/feedback/progress-bar.tsx';
import { dollars, sum } from '../../../domain/money.ts';
import { openBalancesOf } from '../../../domain/payment-totals.ts';
import type { CustomerReportRow } from '../contract.ts';
import { paidOf } from '../csv.ts';
import { viewHref } from './customer-views.tsx';
import { outOfPlacedText, outOfWeighedText, paidOfText, openText, pickedUpText } from '../texts.ts';

/** Whether the order counts as placed. An order whose quantities are all 0 does not count as placed (contract §5). */
export const isPlaced = (row: CustomerReportRow): boolean => row.order_quantity_count > 0;

/**
 * Counts the orders by their progress. `toWeigh` is the number of orders with units that must be weighed, and `weighed` is the number of
 * those whose units are all weighed.
 */
export function progressOf(rows: readonly CustomerReportRow[]) {
  const toWeigh = rows.filter((row) => row.expected_count > 0);
  return {
    customers: rows.length,
    placed: rows.filter(isPlaced).length,
    toWeigh: toWeigh.length,
    weighed: toWeigh.filter((row) => row.has_all_actuals).length,
    amount: sum(rows.map((row) => row.orderAmount)),
    paid: sum(rows.map(paidOf)),
    dues: openBalancesOf(rows),
    pickedUp: rows.filter((row) => isPlaced(row) && row.pickedUpAt !== undefined).length,
  };
}

/**
 * Shows how many orders of a distribution are placed, weighed and paid. Each figure links to the customers whose orders are not yet
 * included in it.
 */
export function OrderProgress({ progress }: { progress: ReturnType<typeof progressOf> }): ReactNode {
  const search = useSearch();
  const { customers, placed, toWeigh, weighed, amount, paid, dues, pickedUp } = progress;
  return (
    <div className="mb-3 grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.35fr)] gap-2 md:mb-5 md:grid-cols-3 md:gap-4">
      <StatCard
        figure={String(placed)}
        text={outOfPlacedText(customers)}
        note={pickedUp > 0 && pickedUpText(pickedUp)}
        value={placed}
        max={customers}
        href={viewHref(search, 'not-ordered')}
      />
      <StatCard
        figure={String(weighed)}
        text={outOfWeighedText(toWeigh)}
        value={weighed}
        max={toWeigh}
        tone={weighed < toWeigh ? 'wait' : 'good'}
        href={viewHref(search, 'not-weighed')}
      />
      <StatCard
        figure={dollars(paid)}
        text={paidOfText(amount)}
        note={dues.refunds > 0 && openText(dues)}
        value={paid}
        max={amount}
        href={viewHref(search, 'not-paid')}
      />
    </div>
  );
}
