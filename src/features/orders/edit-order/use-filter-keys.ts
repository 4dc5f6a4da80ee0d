import { useRef, type KeyboardEvent } from 'react';
import { withFilter } from '../../../client/ui/table/table-column.ts';
import type { TableModel } from '../../../client/ui/table/use-table.ts';
import type { EditedRow } from './edit-order-columns.tsx';

/**
 * Returns the row whose code equals the typed text; otherwise the first row. The filter `12` also finds the code `112`, which may come
 * first.
 */
const matchingRow = ({ shown }: TableModel<EditedRow>, wanted: string): EditedRow | undefined =>
  shown.find(({ product }) => String(product.product_code) === wanted) ?? shown[0];

/** Enter in a filter moves to the quantity of the first match; Enter in that quantity returns to the filter and empties it. */
export function useFilterKeys(table: TableModel<EditedRow>) {
  // The filter from which Enter moved the focus to the quantity; null if the focus came from elsewhere.
  const left = useRef<HTMLInputElement>(null);
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    const { target } = event;
    if (event.key !== 'Enter' || event.shiftKey || !(target instanceof HTMLInputElement)) return;
    const { filter, quantity } = target.dataset;
    if (filter !== undefined && target.value.trim() !== '') {
      event.preventDefault();
      const row = matchingRow(table, target.value.trim());
      event.currentTarget.querySelector<HTMLElement>(`[data-quantity="${row?.product.id}"]`)?.focus();
      if (document.activeElement !== target) left.current = target;
    } else if (quantity !== undefined && left.current !== null) {
      // This handler runs first and stops the event, because the cell's own Enter handler would move to the next row.
      event.preventDefault();
      event.stopPropagation();
      const { current } = left;
      table.onState(withFilter(table.state, current.dataset['filter'] ?? '', ''));
      current.focus();
    }
  };
  return { onKeyDownCapture, onBlurCapture: () => void (left.current = null) };
}
