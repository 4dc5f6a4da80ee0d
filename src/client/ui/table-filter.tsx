import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { withFilter } from './table-column.ts';
import type { Column } from './table-column.ts';
import type { TableModel } from './use-table.ts';

interface TableFilterProps<Row> {
  column: Column<Row>;
  table: TableModel<Row>;
  /** Just opened by a person, who wants to type into it. */
  isFresh?: boolean;
}

export function TableFilter<Row>({ column, table: { state, onState }, isFresh = false }: TableFilterProps<Row>): ReactNode {
  const text = state.filters[column.id] ?? '';
  const change = (next: string): void => onState(withFilter(state, column.id, next));
  return (
    <div className="relative mb-1.5 font-normal">
      <input
        ref={isFresh && text === '' ? focusOnce : undefined}
        type="text"
        inputMode="search"
        autoComplete="off"
        aria-label={`Filter by ${column.header}`}
        placeholder="Filter"
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && change('')}
        className="control min-h-11 min-w-20 py-0 pr-8 pl-2.5 md:min-h-8"
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={`Clear filter of ${column.header}`}
          onClick={() => change('')}
          className="absolute inset-y-0 right-0 grid w-8 place-items-center text-ink-soft hover:text-ink"
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  );
}

const focusOnce = (input: HTMLInputElement | null): void => input?.focus();
