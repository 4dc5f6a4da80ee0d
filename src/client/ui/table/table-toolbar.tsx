import { SlidersHorizontal } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { SelectField } from '../forms/select-field.tsx';
import { canSort } from './table-column.ts';
import type { Column } from './table-column.ts';
import { TableFilter } from './table-filter.tsx';
import type { TableModel } from './use-table.ts';
import { AS_GIVEN, descendingText, SORT, SORT_AND_FILTER, SORT_BY } from '../../texts.ts';

interface TableToolbarProps<Row> {
  table: TableModel<Row>;
  /** The columns whose filters are in the toolbar, because the columns have no visible header. */
  filtered: readonly Column<Row>[];
}

/** Renders one line above the rows that the user can expand to sort and filter them. */
export function TableToolbar<Row>({ table, filtered }: TableToolbarProps<Row>): ReactNode {
  const { columns, state, onState } = table;
  const sortable = columns.filter(canSort);
  const orders = sortable.flatMap(({ id, header }) => [
    { value: id, label: header },
    { value: `-${id}`, label: descendingText(header) },
  ]);
  // The toolbar is open while a filter is active. After the user has emptied a filter, `isOpen` keeps the toolbar open, so that the user
  // can keep typing.
  const [isOpen, setIsOpen] = useState(false);
  const isFiltering = filtered.some(({ id }) => state.filters[id] !== undefined);
  if (filtered.length + sortable.length === 0) return null;
  return (
    <details
      className="no-print border-b border-line"
      open={isOpen || isFiltering}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-11 list-none items-center gap-2 px-4 text-s font-semibold text-ink-soft md:px-5 [&::-webkit-details-marker]:hidden">
        <SlidersHorizontal className="size-4" aria-hidden />
        {filtered.length > 0 ? SORT_AND_FILTER : SORT}
      </summary>
      <div className="grid gap-3 px-4 pt-1 pb-4 md:grid-cols-2 md:px-5">
        <SelectField
          label={SORT_BY}
          value={state.sort}
          onChange={(event) => onState({ ...state, sort: event.target.value })}
          options={[{ value: '', label: AS_GIVEN }, ...orders]}
        />
        {filtered.map((column) => (
          <div key={column.id}>
            <p className="mb-1.5 text-s font-semibold" aria-hidden>
              {column.header}
            </p>
            <TableFilter column={column} table={table} />
          </div>
        ))}
      </div>
    </details>
  );
}
