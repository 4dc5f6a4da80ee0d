import type { ReactNode } from 'react';

export type Value = string | number | null;

/** One column, written once: it drives the table, its filter, its sorting and the CSV. */
export interface Column<Row> {
  id: string;
  header: string;
  /** What sorts and filters, and what a CSV of the same columns carries. */
  value: (row: Row) => Value;
  /** How the value reads, when that differs: `$412.85`. The filter matches this text. */
  text?: (row: Row) => string;
  /** What is drawn instead of the text. */
  cell?: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  /** 'text': an input under the header; 'toggle': behind a funnel beside it; 'words': a search field elsewhere, each word of which is found. */
  filter?: 'text' | 'toggle' | 'words' | 'none';
  isSortable?: boolean;
  /**
   * On a phone's card: its heading, the fact beside it, a line below it that needs no label, a fact beside other such, a fact on a line
   * of its own, the row of actions at its foot, or what is done beside the heading.
   */
  card?: 'title' | 'lead' | 'line' | 'figure' | 'fact' | 'actions' | 'corner' | 'none';
  /** On a narrow screen it stands under the heading of the row, so that what is done with a row is in reach without scrolling. */
  isFolded?: boolean;
  /** A CSS width; the column takes what it needs without. */
  width?: string;
}

export const isFiltered = <Row>({ filter }: Column<Row>): boolean => filter === 'text' || filter === 'toggle';

export const isOfActions = <Row>({ card }: Column<Row>): boolean => card === 'actions' || card === 'corner';

export interface TableState {
  /** Column id, with a minus in front when descending; '' as given. */
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

export const hasFilters = (state: TableState): boolean => Object.values(state.filters).some((text) => text.trim() !== '');

export function withFilter(state: TableState, id: string, text: string): TableState {
  const { [id]: _, ...others } = state.filters;
  return { ...state, filters: text === '' ? others : { ...others, [id]: text } };
}

/** Ascending, descending, as given. */
export const withNextSort = (state: TableState, id: string): TableState => ({
  ...state,
  sort: state.sort === id ? `-${id}` : state.sort === `-${id}` ? '' : id,
});

export const sortOf = (state: TableState, id: string): 'ascending' | 'descending' | 'none' =>
  state.sort === id ? 'ascending' : state.sort === `-${id}` ? 'descending' : 'none';
