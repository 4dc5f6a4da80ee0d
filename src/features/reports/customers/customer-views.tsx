import type { ReactNode } from 'react';
import { SegmentedControl } from '../../../client/ui/forms/choices.tsx';
import type { CustomerReportRow } from '../contract.ts';
import { isPickUpUsed } from '../csv.ts';
import { VIEW, VIEW_LABELS } from '../texts.ts';

export const VIEWS = ['all', 'ordered', 'not-ordered', 'not-weighed', 'not-paid', 'refund-due', 'not-picked-up'] as const;
type View = (typeof VIEWS)[number];

const BELONGS: Record<View, (row: CustomerReportRow) => boolean> = {
  all: () => true,
  ordered: (row) => row.order_quantity_count > 0,
  'not-ordered': (row) => row.order_quantity_count === 0,
  'not-weighed': (row) => !row.has_all_actuals,
  'not-paid': (row) => row.balance > 0,
  'refund-due': (row) => row.balance < 0,
  'not-picked-up': (row) => row.order_quantity_count > 0 && row.pickedUpAt === undefined,
};

export const inView = (rows: readonly CustomerReportRow[], view: View): readonly CustomerReportRow[] =>
  view === 'all' ? rows : rows.filter(BELONGS[view]);

/** Returns the URL of another view of the page. The URL keeps all query parameters except the search. */
export function viewHref(search: string, view: View): string {
  const query = new URLSearchParams(search);
  query.delete('customers.name');
  query.set('view', view);
  return `?${query}`;
}

function isOffered(view: View, { rows, count }: { rows: readonly CustomerReportRow[]; count: number }): boolean {
  if (view === 'refund-due') return count > 0;
  return view !== 'not-picked-up' || isPickUpUsed(rows);
}

interface CustomerViewsProps {
  rows: readonly CustomerReportRow[];
  view: View;
  onView: (view: View) => void;
}

/**
 * Shows the predefined views with the number of customers in each view. The view of refunds appears only when refunds are
 * due. The view of pick-ups appears only when staff have marked at least one order as picked up.
 */
export function CustomerViews({ rows, view, onView }: CustomerViewsProps): ReactNode {
  const options = VIEWS.map((value) => ({ value, label: VIEW_LABELS[value], count: inView(rows, value).length })).filter(
    ({ value, count }) => view === value || isOffered(value, { rows, count }),
  );
  return <SegmentedControl label={VIEW} options={options} value={view} onValue={onView} />;
}
