import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import type { Column } from './table-column.ts';
import { Table } from './table.tsx';
import { useTableParams } from './use-table-params.ts';
import { useTable } from './use-table.ts';

interface Customer {
  id: number;
  name: string;
  balance: number | null;
}

const columns: Column<Customer>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, card: 'title', filter: 'toggle' },
  {
    id: 'balance',
    header: 'Balance',
    value: ({ balance }) => balance,
    text: ({ balance }) => (balance === null ? '—' : `$${(balance / 100).toFixed(2)}`),
    align: 'end',
    filter: 'text',
    isFolded: true,
  },
];
const customers: Customer[] = [
  { id: 1, name: 'Smith, Rivka', balance: 900 },
  { id: 2, name: 'adler, Moshe', balance: null },
  { id: 3, name: 'Cohen, Dina', balance: 10_050 },
];

let width = 1280;
beforeEach(() => {
  width = 1280;
  navigate('/distributor');
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: width <= Number(/[\d.]+/.exec(query)?.[0]),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  cleanup();
});

function Customers({ rows = customers }: { rows?: Customer[] }): ReactNode {
  const table = useTable({ columns, rows, rowKey: ({ id }) => id, ...useTableParams('customers', columns) });
  return <Table table={table} label="Customers" noun="customers" empty="No customers found. Add one to get started." />;
}

const names = (): (string | null)[] => screen.queryAllByRole('rowheader').map((cell) => cell.textContent);
const sortBy = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
const filter = (text: string): void =>
  void fireEvent.change(screen.getByRole('textbox', { name: 'Filter by Name' }), { target: { value: text } });

test('a click on a header sorts ascending, then descending, then not at all, ignoring case, and announces the sorting (spec §2)', () => {
  render(<Customers />);
  expect(names()).toEqual(['Smith, Rivka', 'adler, Moshe', 'Cohen, Dina']);
  sortBy('Name');
  expect(names()).toEqual(['adler, Moshe', 'Cohen, Dina', 'Smith, Rivka']);
  expect(screen.getByRole('columnheader', { name: /Name/ }).getAttribute('aria-sort')).toBe('ascending');
  sortBy('Name');
  expect(names()).toEqual(['Smith, Rivka', 'Cohen, Dina', 'adler, Moshe']);
  sortBy('Name');
  expect(names()).toEqual(['Smith, Rivka', 'adler, Moshe', 'Cohen, Dina']);
});

test('the table sorts amounts of money as numbers, and puts missing values last in both directions', () => {
  render(<Customers />);
  sortBy('Balance');
  expect(names()).toEqual(['Smith, Rivka', 'Cohen, Dina', 'adler, Moshe']);
  sortBy('Balance');
  expect(names()).toEqual(['Cohen, Dina', 'Smith, Rivka', 'adler, Moshe']);
});

test('the collapsible filter matches a substring regardless of upper and lower case, and closing it shows all rows (spec §2)', () => {
  render(<Customers />);
  expect(screen.queryByRole('textbox', { name: 'Filter by Name' })).toBeNull();
  sortBy('Filter by Name');
  filter('SMI');
  expect(names()).toEqual(['Smith, Rivka']);
  sortBy('Filter by Name');
  expect(names()).toHaveLength(3);
});

test('a table filter searches the text that the cells show, not the values from which the text is formatted', () => {
  render(<Customers />);
  fireEvent.change(screen.getByRole('textbox', { name: 'Filter by Balance' }), { target: { value: '$100.5' } });
  expect(names()).toEqual(['Cohen, Dina']);
});

test('when no row matches the filter, the table names the filter and offers to clear it', () => {
  render(<Customers />);
  sortBy('Filter by Name');
  filter('zzz');
  expect(screen.getByText('No customers match "zzz".')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  expect(names()).toHaveLength(3);
});

test('a table does not render forever when its caller creates a new array of rows in each render', async () => {
  let renders = 0;
  function CustomersInNewArray(): ReactNode {
    renders++;
    if (renders > 50) throw new Error('The table renders forever.');
    const table = useTable({ columns, rows: [...customers], rowKey: ({ id }) => id });
    return <Table table={table} label="Customers" noun="customers" empty="No customers found. Add one to get started." />;
  }
  const { rerender } = render(<CustomersInNewArray />);
  for (let turn = 0; turn < 3; turn++) {
    rerender(<CustomersInNewArray />);
    await act(() => Promise.resolve());
  }
  expect(names()).toHaveLength(3);
});

test('when no row matches, the table does not name a filter that contains only spaces', () => {
  navigate('/distributor?customers.name=zzz&customers.balance=%20');
  render(<Customers />);
  expect(screen.getByText('No customers match "zzz".')).toBeTruthy();
});

test('when two filters together match no row, the table names both and offers to clear each of them', () => {
  navigate('/distributor?customers.name=zzz&customers.balance=9');
  render(<Customers />);
  expect(screen.getByText('No customers match "zzz" and "9".')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Clear filter of Name'));
  expect(names()).toEqual(['Smith, Rivka']);
  fireEvent.click(screen.getByLabelText('Clear filter of Balance'));
  expect(names()).toHaveLength(3);
});

test('a table without rows shows the sentence that its caller gave', () => {
  render(<Customers rows={[]} />);
  expect(screen.getByText('No customers found. Add one to get started.')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('the table writes the sorting and the filters to the URL, and restores them from the URL (contract §10)', () => {
  vi.useFakeTimers();
  render(<Customers />);
  sortBy('Balance');
  sortBy('Filter by Name');
  filter('co');
  act(() => void vi.advanceTimersByTime(400));
  expect(location.search).toBe('?customers.sort=balance&customers.name=co');
  act(() => navigate('/distributor?customers.name=adl'));
  expect(names()).toEqual(['adler, Moshe']);
});

test('the table applies the filter of a link that is followed right after typing, and keeps a typed filter when another part of the screen changes the URL', () => {
  vi.useFakeTimers();
  render(<Customers />);
  sortBy('Filter by Name');
  filter('co');
  act(() => navigate('/distributor?view=paid'));
  act(() => void vi.advanceTimersByTime(400));
  expect([names(), location.search]).toEqual([['Cohen, Dina'], '?view=paid&customers.name=co']);
  filter('smi');
  act(() => navigate('/distributor?customers.name=adl'));
  act(() => void vi.advanceTimersByTime(400));
  expect([names(), location.search]).toEqual([['adler, Moshe'], '?customers.name=adl']);
});

test('a table is at most 400 px high until the user expands it; the device remembers the choice for each table (spec §2, §9)', () => {
  const rows = Array.from({ length: 6 }, (_, id) => ({ id, name: `Family ${id}`, balance: id }));
  const height = (): string | undefined => screen.getByRole('region', { name: 'Customers' }).style.maxHeight;
  render(<Customers rows={rows} />);
  expect(height()).toBe('400px');
  fireEvent.click(screen.getByRole('button', { name: 'Expand Customers' }));
  expect(height()).toBe('max(400px, 100dvh - 8rem)');
  cleanup();
  render(<Customers rows={rows} />);
  expect(height()).toBe('max(400px, 100dvh - 8rem)');
  fireEvent.click(screen.getByRole('button', { name: 'Collapse Customers' }));
  expect([height(), Object.keys(localStorage)]).toEqual(['400px', []]);
});

test('the table has no Expand button when there are few rows, nor on a phone, where rows are cards', () => {
  render(<Customers />);
  expect(screen.queryByRole('button', { name: /^Expand/ })).toBeNull();
  cleanup();
  width = 375;
  render(<Customers rows={Array.from({ length: 6 }, (_, id) => ({ id, name: `Family ${id}`, balance: id }))} />);
  expect(screen.queryByRole('button', { name: /^Expand/ })).toBeNull();
});

test('the table renders all rows up to 500; of more rows it renders a part, and states the total number', () => {
  const many = (count: number): Customer[] => Array.from({ length: count }, (_, id) => ({ id, name: `Family ${id}`, balance: id }));
  const { rerender } = render(<Customers rows={many(500)} />);
  expect(names()).toHaveLength(500);
  rerender(<Customers rows={many(501)} />);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('502');
  expect(names().length).toBeLessThan(100);
});

test('the table renders only the visible rows of a long table, however many rows a filter finds', () => {
  const many = Array.from({ length: 600 }, (_, id) => ({ id, name: `Family ${id}`, balance: id }));
  render(<Customers rows={many} />);
  sortBy('Filter by Name');
  filter('family 1');
  expect(screen.getByText('111 of 600 customers shown')).toBeTruthy();
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('112');
  expect(names().length).toBeLessThan(100);
});

test('on a phone, a card of the table shows the same fields in the same order as a row', () => {
  width = 375;
  render(<Customers />);
  const card = screen.getAllByRole('listitem')[0];
  expect(card?.textContent).toBe('Smith, RivkaBalance$9.00');
  expect(screen.getByText('Sort and filter')).toBeTruthy();
  const order = screen.getByRole('combobox', { name: 'Sort by', hidden: true });
  expect([...order.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'As given',
    'Name',
    'Name, descending',
    'Balance',
    'Balance, descending',
  ]);
  fireEvent.change(order, { target: { value: '-balance' } });
  expect(within(screen.getAllByRole('listitem')[0] as HTMLElement).getByText('$100.50')).toBeTruthy();
});

test("on a tablet, the table shows the values of secondary columns with their names below the row's heading", () => {
  width = 768;
  render(<Customers />);
  expect(screen.getAllByRole('columnheader')).toHaveLength(1);
  expect(names()).toEqual(['Smith, RivkaBalance$9.00', 'adler, Moshe', 'Cohen, DinaBalance$100.50']);
});

test('on a tablet, the table shows the filter of a secondary column above the rows, and keeps the filter open while it is active', () => {
  width = 768;
  render(<Customers />);
  const tools = (): HTMLDetailsElement | null => screen.getByText('Sort and filter').closest('details');
  expect(tools()?.open).toBe(false);
  const hidden = { hidden: true };
  expect(screen.queryByRole('textbox', { name: 'Filter by Name', ...hidden })).toBeNull();
  fireEvent.change(screen.getByRole('textbox', { name: 'Filter by Balance', ...hidden }), { target: { value: '100' } });
  expect(names()).toEqual(['Cohen, DinaBalance$100.50']);
  expect(tools()?.open).toBe(true);
});
