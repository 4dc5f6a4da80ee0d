// The active cell of the products table. It is the table's stop in the tab order, and keys and pastes apply to it.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Product } from '../contract.ts';
import type { Cell } from './grid-keys.ts';

/**
 * How the left and right arrow keys work during editing. 'typing' means that editing began with a key that replaces the value; the arrow
 * keys then go to another cell. 'caret' means that they move the caret within the text.
 */
export type EditMode = 'typing' | 'caret';

export type ActiveCell = ReturnType<typeof useActiveCell>;

const cellElement = (grid: HTMLElement | null, { row, column }: Cell): HTMLElement | null =>
  grid?.querySelector<HTMLElement>(`[data-index="${row}"] [data-column="${column}"]`) ?? null;

interface Options {
  readonly grid: RefObject<HTMLElement | null>;
  readonly rows: readonly Product[];
  /** How many columns the table has, without the column of the actions. */
  readonly columns: number;
  /** Called to scroll near the row, so that it is rendered. */
  readonly onReveal: (row: number) => void;
}

/**
 * Returns the active cell. It is stored as a product id and a column, so that it stays with the product when the rows are sorted or read
 * again.
 */
export function useActiveCell({ grid, rows, columns, onReveal }: Options) {
  const [at, setAt] = useState<{ id: number | null; column: number }>({ id: null, column: 0 });
  const [mode, setMode] = useState<EditMode | null>(null);
  const wantsFocus = useRef(false);
  const found = rows.findIndex(({ id }) => id === at.id);
  const cell: Cell = { row: Math.max(found, 0), column: at.column };

  useLayoutEffect(() => {
    // During a save the table is inert, so the cell gets the focus once the table is usable again.
    if (!wantsFocus.current || grid.current?.closest('[inert]')) return;
    wantsFocus.current = false;
    const element = cellElement(grid.current, cell);
    // The input of an edited cell focuses itself. If a cell contains a button, the button gets the focus.
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
    // The last column of the table contains the actions.
    size: { rows: rows.length, columns: columns + 1 },
    focus: (next: Cell) => move(next, null),
    /** Gives the active cell the focus again at once, unless its row is not in the table any more. */
    focusAgain: () => {
      if (found !== -1) flushSync(() => move(cell, null));
    },
    // flushSync renders the input at once, so that the key that began the editing is typed into it, and phones show their keyboard.
    edit: (next: Cell, nextMode: EditMode) => flushSync(() => move(next, nextMode)),
    /** Ends the editing without moving the focus to the cell, because the user has moved the focus elsewhere. */
    endEditing: () => setMode(null),
    isAt: ({ row, column }: Cell) => at.id !== null && row === cell.row && column === cell.column,
  };
}
