import { getCoreRowModel, getFilteredRowModel, getSortedRowModel, useReactTable } from '@tanstack/react-table';
import type { ColumnDef, FilterFn, Row as ModelRow, SortingFn } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { compareTexts } from '../../../shared/compare-texts.ts';
import { textOf, INITIAL_TABLE_STATE } from './table-column.ts';
import type { Column, TableState } from './table-column.ts';

export interface TableOptions<Row> {
  /** The columns must be a constant outside of the component, or memoized. */
  columns: readonly Column<Row>[];
  /** The table filters and sorts the rows again whenever this is another array. */
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** `state` and `onState` are given when the caller stores the sorting and filters, usually in the URL (`useTableParams`). */
  state?: TableState;
  onState?: (next: TableState) => void;
}

export interface TableModel<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The filtered and sorted rows, which appear on the screen and in the CSV file of the filtered rows. */
  shown: readonly Row[];
  rowKey: (row: Row) => string | number;
  state: TableState;
  onState: (next: TableState) => void;
}

const byValue: SortingFn<unknown> = (one, other, id) => {
  const [a, b] = [one.getValue(id), other.getValue(id)];
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));
};

/** Filters a table's rows by substring in any case (spec §2) and sorts them, empty values last. */
export function useTable<Row>({ columns, rows, rowKey, ...controlled }: TableOptions<Row>): TableModel<Row> {
  const [ownState, setOwnState] = useState(INITIAL_TABLE_STATE);
  const { state = ownState, onState = setOwnState } = controlled;

  const defs = useMemo(() => columns.map((column) => definitionOf(column)), [columns]);
  const sorting = useMemo(() => sortingOf(columns, state.sort), [columns, state.sort]);
  const columnFilters = useMemo(() => filtersOf(columns, state.filters), [columns, state.filters]);

  // oxlint-disable-next-line react/incompatible-library -- this project does not use the React Compiler, which would memoize the result
  const table = useReactTable({
    data: rows as Row[],
    columns: defs,
    state: { sorting, columnFilters },
    // Without this option, TanStack Table resets its page index whenever `rows` is another array. A component that creates an array in each
    // render, for example while its read is pending, would then render forever.
    autoResetAll: false,
    getCoreRowModel: getCoreRowModel(),
    getFilteredRowModel: getFilteredRowModel(),
    getSortedRowModel: getSortedRowModel(),
  });
  const modelRows = table.getRowModel().rows;
  const shown = useMemo(() => modelRows.map((row) => row.original), [modelRows]);
  return { columns, rows, shown, rowKey, state, onState };
}

function definitionOf<Row>(column: Column<Row>): ColumnDef<Row> {
  const lowered = new WeakMap<ModelRow<Row>, string>();
  const filterFn: FilterFn<Row> = (row, _id, wanted: readonly string[]) => {
    const known = lowered.get(row);
    const text = known ?? textOf(column, row.original).toLowerCase();
    if (known === undefined) lowered.set(row, text);
    return wanted.every((part) => text.includes(part));
  };
  return {
    id: column.id,
    accessorFn: (row) => column.value(row) ?? undefined,
    sortUndefined: 'last',
    sortingFn: byValue as SortingFn<Row>,
    filterFn,
  };
}

function sortingOf<Row>(columns: readonly Column<Row>[], sort: string): { id: string; desc: boolean }[] {
  const desc = sort.startsWith('-');
  const id = desc ? sort.slice(1) : sort;
  return columns.some((column) => column.id === id) ? [{ id, desc }] : [];
}

function filtersOf<Row>(columns: readonly Column<Row>[], filters: TableState['filters']): { id: string; value: string[] }[] {
  const shownRowsOf = ({ id, filter }: Column<Row>): string[] => {
    const wanted = (filters[id] ?? '').trim().toLowerCase();
    return filter === 'words' ? wanted.split(/\s+/) : [wanted];
  };
  return columns.map((column) => ({ id: column.id, value: shownRowsOf(column).filter(Boolean) })).filter(({ value }) => value.length > 0);
}
