import clsx from 'clsx';
import { CircleX } from 'lucide-react';
import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { Product } from '../contract.ts';
import { nowText } from '../../../client/previous-values/texts.ts';
import { cellOfText } from '../texts.ts';
import { orderedAlreadyText } from '../../catalogue/texts.ts';
import { isEditable, textOfValue, type EditableColumn, type Field, type TableColumn } from './columns.ts';
import { editedProduct, isLimitBelowOrdered, meanwhileValue, problemOf, type RowEdits } from './edits.ts';
import { pastedCells } from './clipboard.ts';
import type { CellActions } from './grid-events.ts';
import type { EditMode } from './use-active-cell.ts';

interface GridCellProps {
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
  const note = field === null ? null : noteOf(product, row, field);
  const text = isEditable(column)
    ? (edit?.text ?? textOfValue(column.field, product[column.field]))
    : column.text(editedProduct(product, row));
  const isName = index === 0;
  const Tag = isName ? 'th' : 'td';
  const noteId = `note-${product.id}-${index}`;
  return (
    <Tag
      {...(isName && { scope: 'row' })}
      data-column={index}
      tabIndex={isActive && mode === null ? 0 : -1}
      aria-readonly={field === null || undefined}
      aria-invalid={note?.kind === 'invalid' || undefined}
      aria-describedby={note === null ? undefined : noteId}
      className={clsx(
        'relative h-11 min-w-0 border-e border-b border-line px-2.5 py-1.5 align-top wrap-anywhere dense:h-9',
        // The selected cell has an outline, even if it was selected by a click.
        'focus:-outline-offset-2 focus:outline-2 focus:outline-focus focus:outline-solid',
        column.isNumber === true ? 'num text-end' : 'text-start',
        isName && 'sticky start-0 z-10 font-semibold',
        LOOKS[note?.kind ?? (field === null ? 'computed' : edit === undefined ? 'saved' : 'changed')],
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
          className={clsx(
            'mt-0.5 block text-start text-xs font-semibold whitespace-normal',
            note.kind === 'invalid' ? 'text-bad' : 'text-wait',
          )}
        >
          {note.kind === 'invalid' && <CircleX className="me-1 inline size-4 align-text-bottom" aria-hidden />}
          {note.text}
        </span>
      )}
    </Tag>
  );
}

interface Note {
  readonly kind: 'invalid' | 'outdated' | 'changed';
  readonly text: string;
}
/** Returns what the user should know about the edit of a cell: why it cannot be saved, or what saving it would do. */
function noteOf(product: Product, row: RowEdits | undefined, field: Field): Note | null {
  const problem = problemOf(product, row, field);
  if (problem !== null) return { kind: 'invalid', text: problem };
  const meanwhile = meanwhileValue(product, row, field);
  if (meanwhile !== undefined) return { kind: 'outdated', text: nowText(textOfValue(field, meanwhile)) };
  if (field !== 'total_limit' || !isLimitBelowOrdered(product, row)) return null;
  return { kind: 'changed', text: orderedAlreadyText(product.total_ordered ?? 0) };
}

const BAR = "before:absolute before:inset-y-0 before:start-0 before:w-1 before:content-['']";
/** Cells that cannot be saved have a frame and an icon, so that they differ from changed cells by more than color. */
const LOOKS = {
  saved: 'bg-card',
  computed: 'bg-sunk text-ink-soft',
  changed: `bg-card font-semibold ${BAR} before:bg-accent`,
  outdated: `bg-wait-soft font-semibold ${BAR} before:bg-wait`,
  invalid: 'bg-bad-soft shadow-[inset_0_0_0_2px_var(--bad)]',
} as const;

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
        'absolute inset-x-0 top-0 h-11 w-full min-w-28 bg-card px-2.5 text-m font-normal text-ink -outline-offset-2 outline-2 outline-focus dense:h-9 md:text-s',
        column.isNumber === true && 'num text-end',
      )}
    />
  );
}
