import clsx from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { withFilter } from './table-column.ts';
import type { Column } from './table-column.ts';
import type { TableModel } from './use-table.ts';
import { clearFilterOf, FILTER, filterBy } from '../../texts.ts';

interface TableFilterProps<Row> {
  column: Column<Row>;
  table: TableModel<Row>;
  /** True when the user has just opened this filter with its icon. The input then gets the focus. */
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
        data-filter={column.id}
        aria-label={filterBy(column.header)}
        placeholder={FILTER}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && change('')}
        className={clsx('control min-h-11 min-w-16 py-0 ps-2.5 dense:min-h-8', text === '' ? 'pe-2' : 'pe-11 dense:pe-8')}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={clearFilterOf(column.header)}
          onClick={() => change('')}
          className="absolute inset-y-0 end-0 grid w-11 place-items-center text-ink-soft dense:w-8 hover:text-ink"
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  );
}

const focusOnce = (input: HTMLInputElement | null): void => input?.focus();
