import clsx from 'clsx';
import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { Product } from '../contract.ts';
import { cellOfText, nowText } from '../texts.ts';
import { isEditable, textOfValue, type EditableColumn, type TableColumn } from './columns.ts';
import { editedProduct, meanwhileValue, problemOf, type RowEdits } from './edits.ts';
import { pastedCells } from './clipboard.ts';
import type { CellActions } from './grid-events.ts';
import type { EditMode } from './use-active-cell.ts';

export interface GridCellProps {
  product: Product;
  column: TableColumn;
  index: number;
  row: RowEdits | undefined;
  isActive: boolean;
  mode: EditMode | null;
  actions: CellActions;
}

export function GridCell({ product, column, index, row, isActive, mode, actions }: GridCellProps): ReactNode {
  const field = isEditable(column) ? column.field : null;
  const edit = field === null ? undefined : row?.fields[field];
  const problem = field === null ? null : problemOf(product, row, field);
  const meanwhile = field === null ? undefined : meanwhileValue(product, row, field);
  const text = isEditable(column)
    ? (edit?.text ?? textOfValue(column.field, product[column.field]))
    : column.text(editedProduct(product, row));
  const note = problem ?? (field === null || meanwhile === undefined ? null : nowText(textOfValue(field, meanwhile)));
  const isName = index === 0;
  const Tag = isName ? 'th' : 'td';
  const noteId = `note-${product.id}-${index}`;
  return (
    <Tag
      {...(isName && { scope: 'row' })}
      data-column={index}
      tabIndex={isActive && mode === null ? 0 : -1}
      aria-readonly={field === null || undefined}
      aria-invalid={problem !== null || undefined}
      aria-describedby={note === null ? undefined : noteId}
      className={clsx(
        'relative h-11 min-w-0 border-e border-b border-line px-2.5 py-1.5 align-top wrap-anywhere md:h-9',
        // The selected cell has an outline, even if it was selected by a click.
        'focus:-outline-offset-2 focus:outline-2 focus:outline-focus focus:outline-solid',
        column.isNumber === true ? 'num text-end' : 'text-start',
        isName && 'sticky start-0 z-10 font-semibold',
        // A changed value has another color and font weight.
        lookOf({ isComputed: field === null, isChanged: edit !== undefined, isBad: problem !== null, isOutdated: meanwhile !== undefined }),
      )}
    >
      {mode !== null && isEditable(column) ? (
        <CellInput key={mode} name={cellOfText(column.header, product.name)} column={column} text={text} mode={mode} actions={actions} />
      ) : (
        text
      )}
      {note !== null && (
        <span
          id={noteId}
          className={clsx('mt-0.5 block text-start text-xs font-semibold whitespace-normal', problem === null ? 'text-wait' : 'text-bad')}
        >
          {note}
        </span>
      )}
    </Tag>
  );
}

interface Look {
  readonly isComputed: boolean;
  readonly isChanged: boolean;
  readonly isBad: boolean;
  readonly isOutdated: boolean;
}
function lookOf({ isComputed, isChanged, isBad, isOutdated }: Look): string {
  if (isBad) return 'bg-bad-soft shadow-[inset_0_0_0_1px_var(--bad)]';
  if (isOutdated) return 'bg-wait-soft font-semibold shadow-[inset_0_0_0_1px_var(--wait)]';
  if (isChanged) return 'bg-accent-soft font-semibold shadow-[inset_0_0_0_1px_var(--accent)]';
  return isComputed ? 'bg-sunk text-ink-soft' : 'bg-card';
}

interface CellInputProps {
  name: string;
  column: EditableColumn;
  text: string;
  mode: EditMode;
  actions: CellActions;
}

function CellInput({ name, column, text, mode, actions }: CellInputProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  // True once a key has ended the editing. Removing the focused input may still fire its blur event, which must not end it a second time.
  const isOver = useRef(false);
  useLayoutEffect(() => {
    input.current?.focus();
    if (mode === 'caret') input.current?.select();
  }, [mode]);
  const end = (act: () => void): void => {
    if (isOver.current) return;
    isOver.current = true;
    act();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    event.stopPropagation();
    // While the user composes a character, Enter ends the composition and not the editing.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      return end(actions.onCancel);
    }
    const isAlong = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    const isMove = ['Enter', 'Tab', 'ArrowUp', 'ArrowDown'].includes(event.key) || (isAlong && mode === 'typing');
    if (isMove) end(() => actions.onCommit(event.currentTarget.value, event));
  };
  return (
    <input
      ref={input}
      aria-label={name}
      defaultValue={mode === 'typing' ? '' : text}
      inputMode={column.inputMode}
      enterKeyHint="next"
      autoComplete="off"
      onKeyDown={press}
      onBlur={(event) => {
        const { value } = event.currentTarget;
        end(() => actions.onCommit(value, null));
      }}
      onPaste={(event) => {
        event.stopPropagation();
        const cells = pastedCells(event.clipboardData.getData('text/plain'));
        if (cells.length === 1 && cells[0]?.length === 1) return;
        event.preventDefault();
        end(() => actions.onPasteCells(cells));
      }}
      className={clsx(
        'absolute inset-x-0 top-0 h-11 w-full min-w-28 bg-card px-2.5 text-m font-normal text-ink -outline-offset-2 outline-2 outline-focus md:h-9 md:text-s',
        column.isNumber === true && 'num text-end',
      )}
    />
  );
}
