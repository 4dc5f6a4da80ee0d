import clsx from 'clsx';
import type { ReactNode } from 'react';

type Value = string | number | null;

export interface Column<Row> {
  id: string;
  header: string;
  /** The value by which the table sorts and filters, and that the CSV file contains. */
  value: (row: Row) => Value;
  /** The displayed string when it differs from the value, such as `$412.85`. Filters match this string. */
  text?: (row: Row) => string;
  /** The content of the cell, if a plain text is not enough. */
  cell?: (row: Row) => ReactNode;
  align?: 'end';
  /**
   * The kind of filter. 'text' is an input under the header, and 'toggle' is an input that a funnel icon opens. 'words' is a search field
   * outside of the table, and a row matches if it contains all typed words.
   */
  filter?: 'text' | 'toggle' | 'words';
  isSortable?: boolean;
  /**
   * Where the column is shown in the card that replaces a row on a phone. 'title' is the heading, and 'lead' is beside the heading. 'line'
   * is an unlabeled line below the heading. 'figure' is one of several fields side by side, and 'fact' is a field on its own line.
   * 'actions' is the row of buttons at the bottom, and 'corner' is the button beside the heading.
   */
  card?: 'title' | 'lead' | 'line' | 'figure' | 'fact' | 'actions' | 'corner';
  /** On a narrow screen this column moves below the row's heading, so that the row's actions stay visible without scrolling. */
  isFolded?: boolean;
  /** A CSS width. Without a width, the column is as wide as its content requires. */
  width?: string;
}

export const isFiltered = <Row>({ filter }: Column<Row>): boolean => filter === 'text' || filter === 'toggle';

export const canSort = <Row>({ card, isSortable = true }: Column<Row>): boolean => isSortable && card !== 'actions' && card !== 'corner';

export interface TableState {
  /**
   * The id of the column by which the rows are sorted, with a minus before it for descending order. With '', the rows keep their given
   * order.
   */
  sort: string;
  filters: Readonly<Record<string, string>>;
}

export const INITIAL_TABLE_STATE: TableState = { sort: '', filters: {} };

export function textOf<Row>(column: Column<Row>, row: Row): string {
  if (column.text) return column.text(row);
  const value = column.value(row);
  return value === null ? '' : String(value);
}

export const renderCell = <Row>(column: Column<Row>, row: Row): ReactNode => (column.cell ? column.cell(row) : textOf(column, row));

/**
 * Returns the classes of a column's cells. A cell has a maximum width, because one very long name would otherwise push the other columns off
 * the screen, or shrink a whole print. What does not fit is clipped: browsers cannot break a long sequence of Hangul initial consonants, and a
 * letter with hundreds of combining marks would cover the rows above and below.
 */
export const cellClasses = <Row>({ align, card }: Column<Row>): string =>
  clsx(
    align === 'end' ? 'num text-end' : 'text-start',
    card !== 'actions' && card !== 'corner' && 'max-w-48 overflow-clip break-words lg:max-w-64',
  );

export const hasFilters = (state: TableState): boolean => Object.values(state.filters).some((text) => text.trim() !== '');

export function withFilter(state: TableState, id: string, text: string): TableState {
  const { [id]: _, ...others } = state.filters;
  return { ...state, filters: text === '' ? others : { ...others, [id]: text } };
}

export const withNextSort = (state: TableState, id: string): TableState => ({
  ...state,
  sort: state.sort === id ? `-${id}` : state.sort === `-${id}` ? '' : id,
});

export const sortOf = (state: TableState, id: string): 'ascending' | 'descending' | 'none' =>
  state.sort === id ? 'ascending' : state.sort === `-${id}` ? 'descending' : 'none';
