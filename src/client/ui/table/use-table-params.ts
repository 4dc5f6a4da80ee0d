import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import { delaySearchParamWrite, writeSearchParams } from '../../navigation/search-param-state.ts';
import type { Column, TableState } from './table-column.ts';
import { useTable, type TableModel, type TableOptions } from './use-table.ts';

/**
 * Stores the sorting and the filters of a table in the URL under `prefix` (contract §10), for example as
 * `?customers.sort=-name&customers.email=smi`.
 */
export function useTableParams<Row>(
  prefix: string,
  columns: readonly Column<Row>[],
): { state: TableState; onState: (next: TableState) => void } {
  const search = useSearch();
  const [state, setState] = useState(() => stateIn(search, prefix, columns));
  const cancelWrite = useRef(() => {});
  const known = useRef(search);

  useEffect(() => {
    if (known.current === search) return;
    const [before, given] = [stateIn(known.current, prefix, columns), stateIn(search, prefix, columns)];
    known.current = search;
    // If only other parts of the URL have changed, the table keeps its state and its pending write to the URL.
    if (JSON.stringify(before) === JSON.stringify(given)) return;
    cancelWrite.current();
    setState(given);
  }, [search, prefix, columns]);
  useEffect(() => () => cancelWrite.current(), []);

  const onState = useCallback(
    (next: TableState) => {
      setState(next);
      cancelWrite.current();
      cancelWrite.current = delaySearchParamWrite(() => {
        const filters = columns.map(({ id }) => [`${prefix}.${id}`, next.filters[id] ?? '']);
        writeSearchParams({ [`${prefix}.sort`]: next.sort, ...(Object.fromEntries(filters) as Record<string, string>) });
        known.current = location.search;
      });
    },
    [prefix, columns],
  );
  return { state, onState };
}

/** A table that stores its sorting and filters in the URL under `prefix`. */
export const useUrlTable = <Row>(prefix: string, options: Pick<TableOptions<Row>, 'columns' | 'rows' | 'rowKey'>): TableModel<Row> =>
  useTable({ ...options, ...useTableParams(prefix, options.columns) });

function stateIn<Row>(search: string, prefix: string, columns: readonly Column<Row>[]): TableState {
  const query = new URLSearchParams(search);
  const filters: Record<string, string> = {};
  for (const { id } of columns) {
    const text = query.get(`${prefix}.${id}`);
    if (text) filters[id] = text;
  }
  return { sort: query.get(`${prefix}.sort`) ?? '', filters };
}
