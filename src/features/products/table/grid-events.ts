// Handles keys, clicks and pastes in the editable products table (https://www.w3.org/WAI/ARIA/apg/patterns/grid/).
import type { DOMAttributes, KeyboardEvent, MouseEvent } from 'react';
import { isRtl } from '../../../client/is-rtl.ts';
import { parseBoolean } from '../../../shared/csv/parse-boolean.ts';
import type { Product } from '../contract.ts';
import { pastedText, TAKEN_BACK } from '../texts.ts';
import { pastedCells, placeCells } from './clipboard.ts';
import { isEditable, textOfValue, type TableColumn } from './columns.ts';
import { nextCellOnKey, nextCellOnTab, type Cell } from './grid-keys.ts';
import type { ActiveCell, EditMode } from './use-active-cell.ts';
import type { ProductEdits } from './use-product-edits.ts';

export interface GridState {
  readonly rows: readonly Product[];
  readonly columns: readonly TableColumn[];
  readonly active: ActiveCell;
  readonly edits: ProductEdits;
  /** Reports to the user what a key did. */
  readonly tell: (message: string) => void;
}

/** Returns the text of a cell, including its unsaved edit; null if the cell cannot be edited. */
function textAt({ rows, columns, edits }: GridState, { row, column }: Cell): string | null {
  const [product, shape] = [rows[row], columns[column]];
  if (!product || !isEditable(shape)) return null;
  return edits.edits.get(product.id)?.fields[shape.field]?.text ?? textOfValue(shape.field, product[shape.field]);
}

function setText({ rows, columns, edits }: GridState, { row, column }: Cell, text: string): void {
  const [product, shape] = [rows[row], columns[column]];
  if (product && isEditable(shape)) edits.type([{ product, field: shape.field, text }]);
}

const isYesNo = ({ columns }: GridState, { column }: Cell): boolean => {
  const shape = columns[column];
  return isEditable(shape) && shape.field === 'unit_qty_is_estimate';
};

/** Begins to edit a cell. A cell with yes or no is toggled at once, and a computed cell reports why it cannot be edited. */
function begin(state: GridState, cell: Cell, mode: EditMode): void {
  const shape = state.columns[cell.column];
  if (isYesNo(state, cell)) setText(state, cell, textOfValue('unit_qty_is_estimate', parseBoolean(textAt(state, cell) ?? '') !== true));
  else if (isEditable(shape)) state.active.edit(cell, mode);
  else if (shape) state.tell(shape.reason);
}

function pasteAt(state: GridState, cells: string[][]): void {
  const { active, edits } = state;
  const { typed, ignored } = placeCells(cells, state, active.cell);
  edits.type(typed);
  active.focus(active.cell);
  state.tell(pastedText(typed.length, ignored));
}

/** Handles a key in a cell that is not being edited. Returns whether the browser must not handle the key, too. */
function keyInCell(state: GridState, event: KeyboardEvent): boolean {
  const { active, columns, edits, tell } = state;
  const { cell } = active;
  const next = event.altKey ? null : nextCellOnKey(event, cell, active.size, isRtl());
  if (next) {
    tell('');
    active.focus(next);
    return true;
  }
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.key.toLowerCase() === 'z') {
    if (edits.undo()) tell(TAKEN_BACK);
    return true;
  }
  if (isCommand || event.altKey || cell.column >= columns.length) return false;
  if (event.key === 'Enter' || event.key === 'F2' || (event.key === ' ' && isYesNo(state, cell))) {
    begin(state, cell, 'caret');
    return true;
  }
  if (event.key === 'Delete' || event.key === 'Backspace') {
    setText(state, cell, '');
    return true;
  }
  const word = isYesNo(state, cell) ? parseBoolean(event.key) : null;
  if (word !== null) setText(state, cell, textOfValue('unit_qty_is_estimate', word));
  // Editing begins before the browser handles the key, so the key is typed into the new input. 'Process' is the first key of a composed
  // character.
  else if (!isYesNo(state, cell) && (event.key.length === 1 || event.key === 'Process')) begin(state, cell, 'typing');
  return false;
}

/** Returns the cell to which a key moves after it has ended the editing of a cell; null at the end of the table. */
function afterCommit({ active: { cell, size } }: GridState, { key, shiftKey }: KeyboardEvent): Cell | null {
  if (key === 'Tab') return nextCellOnTab(cell, size, shiftKey ? -1 : 1);
  const arrow = key === 'Enter' ? (shiftKey ? 'ArrowUp' : 'ArrowDown') : key;
  return nextCellOnKey({ key: arrow, ctrlKey: false, metaKey: false }, cell, size, isRtl());
}

function clickedCell({ target, currentTarget }: MouseEvent<HTMLElement>): Cell | null {
  const element = (target as Element).closest<HTMLElement>('[data-column]');
  const row = element?.closest<HTMLElement>('[data-index]');
  if (!element || !row || !currentTarget.contains(element)) return null;
  return { row: Number(row.dataset['index']), column: Number(element.dataset['column']) };
}

export type CellActions = ReturnType<typeof cellActions>;

export const cellActions = (state: GridState) => ({
  onCancel: () => state.active.focus(state.active.cell),
  /** Called when the user ends the editing with this text. If a key ended it, the focus moves to the next cell in its direction. */
  onCommit: (text: string, key: KeyboardEvent | null) => {
    const { active } = state;
    if (text !== textAt(state, active.cell)) setText(state, active.cell, text);
    const next = key && afterCommit(state, key);
    if (!next) return active.endEditing();
    key?.preventDefault();
    active.focus(next);
  },
  onPasteCells: (cells: string[][]) => pasteAt(state, cells),
});

export const gridEvents = (state: GridState): Pick<DOMAttributes<HTMLElement>, 'onKeyDown' | 'onClick' | 'onPaste' | 'onCopy'> => ({
  onKeyDown: (event) => {
    // React's events bubble through the component tree, so the keys of an open menu arrive here, too. The menu is outside of this element
    // in the DOM.
    if (!event.currentTarget.contains(event.target as Node) || !keyInCell(state, event)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  onClick: (event) => {
    const cell = clickedCell(event);
    if (!cell || cell.column >= state.columns.length || (state.active.mode !== null && state.active.isAt(cell))) return;
    state.tell('');
    if (isYesNo(state, cell) || !isEditable(state.columns[cell.column])) state.active.focus(cell);
    begin(state, cell, 'caret');
  },
  onPaste: (event) => {
    if (state.active.mode !== null || state.active.cell.column >= state.columns.length) return;
    event.preventDefault();
    pasteAt(state, pastedCells(event.clipboardData.getData('text/plain')));
  },
  onCopy: (event) => {
    const text = textAt(state, state.active.cell);
    if (state.active.mode !== null || text === null || document.getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', text);
  },
});
