import { useMemo, type ReactNode } from 'react';
import { ONE_COLUMN, PHONE, useMedia } from '../../hooks/use-media.ts';
import { Button } from '../forms/button.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import type { Illustration } from '../feedback/empty-state.tsx';
import { TableCards } from './table-cards.tsx';
import { hasFilters, isFiltered } from './table-column.ts';
import { responsiveColumns } from './responsive-columns.tsx';
import { TableGrid } from './table-grid.tsx';
import { TableToolbar } from './table-toolbar.tsx';
import type { TableModel } from './use-table.ts';
import { CLEAR_FILTER, noMatchText, shownText } from '../../texts.ts';

interface TableProps<Row> {
  table: TableModel<Row>;
  /** The accessible name. */
  label: string;
  /** The plural noun for the rows, as in `No customers match "smi"`. */
  noun: string;
  /** The content of a table without rows: the sentence of the specification, or an EmptyState with the action that adds rows. */
  empty: ReactNode;
  picture?: Illustration;
  /**
   * The message for a filter without matching rows, if `No customers match "smi"` would be wrong because `rows` are only a part of all
   * rows.
   */
  noMatch?: ReactNode;
  /** When the table has more rows than this, counted without filters, only the visible rows are in the DOM. */
  renderAllUpTo?: number;
  /** The media query of screens on which columns with `isFolded` move below the row's heading. By default these are tablets. */
  foldOn?: string;
  isWhole?: boolean;
}

/** Renders every list of the application: as a table on a desktop, and as cards with the same fields on a phone. */
export function Table<Row>({
  table,
  label,
  noun,
  empty,
  picture = 'list',
  noMatch,
  renderAllUpTo = 500,
  foldOn = ONE_COLUMN,
  isWhole = false,
}: TableProps<Row>): ReactNode {
  const isPhone = useMedia(PHONE);
  const isFolded = useMedia(foldOn) && !isPhone;
  const columns = useMemo(() => (isFolded ? responsiveColumns(table.columns) : table.columns), [isFolded, table.columns]);
  if (table.rows.length === 0) return typeof empty === 'string' ? <EmptyState picture={picture} text={empty} /> : empty;
  const Layout = isPhone ? TableCards : TableGrid;
  // Cards and folded columns have no header for a filter, so the toolbar above the rows contains the filters of these columns.
  const headless = table.columns.filter((column) => isFiltered(column) && (isPhone || (isFolded && column.isFolded === true)));
  return (
    <>
      {(isPhone || headless.length > 0) && <TableToolbar table={table} filtered={headless} />}
      <Layout table={{ ...table, columns }} label={label} isVirtual={table.rows.length > renderAllUpTo} isWhole={isWhole} />
      {table.shown.length === 0 && (noMatch || <NoMatch table={table} noun={noun} />)}
      <output className="sr-only">{hasFilters(table.state) ? shownText(table.shown.length, table.rows.length, noun) : ''}</output>
    </>
  );
}

function NoMatch<Row>({ table, noun }: { table: TableModel<Row>; noun: string }): ReactNode {
  const wanted = Object.values(table.state.filters)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return (
    <EmptyState
      picture="search"
      text={noMatchText(noun, wanted)}
      action={<Button onClick={() => table.onState({ ...table.state, filters: {} })}>{CLEAR_FILTER}</Button>}
    />
  );
}
