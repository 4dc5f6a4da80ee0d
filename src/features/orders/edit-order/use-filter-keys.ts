import { useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { withFilter } from '../../../client/ui/table/table-column.ts';
import type { TableModel } from '../../../client/ui/table/use-table.ts';
import type { EditedRow } from './edit-order-columns.tsx';

export interface FilterKeyHandlers {
  readonly onKeyDownCapture: (event: KeyboardEvent) => void;
  readonly onBlurCapture: (event: FocusEvent) => void;
}

/** The row of exactly this code, else the first: the filter `12` also shows `112`, which may stand above it. */
const foundRow = ({ shown }: TableModel<EditedRow>, wanted: string): EditedRow | undefined =>
  shown.find(({ product }) => String(product.product_code) === wanted) ?? shown[0];

/** Enter in a filter goes to the quantity that it finds, Enter there back to the emptied filter. */
export function useFilterKeys(table: TableModel<EditedRow>): FilterKeyHandlers {
  // The filter that Enter left, while the focus is in the quantity that it led to.
  const left = useRef<HTMLInputElement>(null);
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    const { target } = event;
    if (event.key !== 'Enter' || event.shiftKey || !(target instanceof HTMLInputElement)) return;
    const { filter, quantity } = target.dataset;
    if (filter !== undefined && target.value.trim() !== '') {
      event.preventDefault();
      const row = foundRow(table, target.value.trim());
      event.currentTarget.querySelector<HTMLElement>(`[data-quantity="${row?.product.id}"]`)?.focus();
      if (document.activeElement !== target) left.current = target;
    } else if (quantity !== undefined && left.current !== null) {
      // Before the cell's own Enter, which goes to the next row.
      event.preventDefault();
      event.stopPropagation();
      const { current } = left;
      table.onState(withFilter(table.state, current.dataset['filter'] ?? '', ''));
      current.focus();
    }
  };
  return { onKeyDownCapture, onBlurCapture: () => void (left.current = null) };
}
