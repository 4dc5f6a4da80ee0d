// The active cell of the products table: the one in the tab order, which keys and pastes act on.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Product } from '../contract.ts';
import { COLUMNS } from './columns.ts';
import type { Cell, GridSize } from './grid-keys.ts';

/** 'typing': the next key replaces the value, and the arrow keys move to another cell; 'caret': they move within the text. */
export type EditMode = 'typing' | 'caret';

export interface ActiveCell {
  readonly cell: Cell;
  readonly mode: EditMode | null;
  readonly size: GridSize;
  readonly focus: (cell: Cell) => void;
  readonly edit: (cell: Cell, mode: EditMode) => void;
  /** Ends the editing where the focus has gone elsewhere. */
  readonly endEditing: () => void;
  readonly isAt: (cell: Cell) => boolean;
}

export const cellElement = (grid: HTMLElement | null, { row, column }: Cell): HTMLElement | null =>
  grid?.querySelector<HTMLElement>(`[data-index="${row}"] [data-column="${column}"]`) ?? null;

interface Options {
  readonly grid: RefObject<HTMLElement | null>;
  readonly rows: readonly Product[];
  /** Scrolls near the row, so that it is rendered in its place. */
  readonly onReveal: (row: number) => void;
}

/** The position is that of a product, so that it stays when the rows are sorted or read again. */
export function useActiveCell({ grid, rows, onReveal }: Options): ActiveCell {
  const [at, setAt] = useState<{ id: number | null; column: number }>({ id: null, column: 0 });
  const [mode, setMode] = useState<EditMode | null>(null);
  const wantsFocus = useRef(false);
  const found = rows.findIndex(({ id }) => id === at.id);
  const cell: Cell = { row: Math.max(found, 0), column: at.column };

  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    const element = cellElement(grid.current, cell);
    // The input of a cell focuses itself; a cell of one button gives the focus to the button.
    if (mode === null) (element?.querySelector('button') ?? element)?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const move = (next: Cell, nextMode: EditMode | null): void => {
    wantsFocus.current = true;
    setAt({ id: rows[next.row]?.id ?? null, column: next.column });
    setMode(nextMode);
    onReveal(next.row);
  };
  return {
    cell,
    mode,
    // The last column has the actions.
    size: { rows: rows.length, columns: COLUMNS.length + 1 },
    focus: (next) => move(next, null),
    // At once, so that the key that began it is typed into the input, and a phone shows its keyboard.
    edit: (next, nextMode) => flushSync(() => move(next, nextMode)),
    endEditing: () => setMode(null),
    isAt: ({ row, column }) => at.id !== null && row === cell.row && column === cell.column,
  };
}
