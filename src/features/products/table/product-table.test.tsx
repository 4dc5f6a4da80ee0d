import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { cents } from '../../../domain/money.ts';
import type { Row } from '../../../server/database/schema.ts';
import { DistributionPage } from '../../distributions/distribution-page.tsx';
import { changeProduct, deleteProduct } from '../contract.ts';
import { ProductsTab } from '../list/products-tab.tsx';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let chuck: Row<'products'>;

beforeEach(async () => {
  freshDevice();
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  const beef = { product_group: 'Beef', unit_price: cents(1000) };
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', ...beef });
  chuck = await makeProduct(testApp.db, distribution, { name: 'Chuck', ...beef });
  navigate(`/distributor/distribution/${distribution.id}?tab=products&edit=table`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <ProductsTab distribution={read} />}</DistributionPage>
  ));
  await screen.findByRole('rowheader', { name: 'Brisket' });
});

const [NAME, PRICE, BY_WEIGHT, COMPUTED, MAX, LIMIT, ORDERED] = [0, 3, 6, 7, 8, 9, 10];
const cell = (product: string, column: number): HTMLElement => {
  const row = screen.getByRole('rowheader', { name: product }).closest('tr');
  const found = row?.querySelector<HTMLElement>(`[data-column="${column}"]`);
  if (!found) throw new Error(`no cell ${column} of ${product}`);
  return found;
};
const press = (key: string, init: object = {}): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key, ...init });
const typed = (text: string, key: string): void => {
  const input = document.activeElement as HTMLInputElement;
  input.value = text;
  fireEvent.keyDown(input, { key });
};
const paste = (text: string): void =>
  void fireEvent.paste(document.activeElement ?? document.body, { clipboardData: { getData: () => text } });
/** Selects a cell without editing it, as the arrow keys do. */
const select = (product: string, column: number): void => {
  fireEvent.click(cell(product, column));
  press('Escape');
};
const click = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
const prices = async () => {
  const rows = await testApp.db
    .selectFrom('products')
    .select('unit_price')
    .where('distributionId', '=', distribution.id)
    .orderBy('id')
    .execute();
  return rows.map(({ unit_price }) => unit_price);
};

test('in the product table, a click, F2, Enter or typing starts editing, Escape restores the value, and Enter and Tab move to the next cell', () => {
  expect(cell('Brisket', NAME).tabIndex).toBe(0);
  fireEvent.click(cell('Brisket', PRICE));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Unit price, $ of Brisket' }));
  typed('98', 'Escape');
  expect(document.activeElement).toBe(cell('Brisket', PRICE));
  expect([cell('Brisket', NAME).tabIndex, cell('Brisket', PRICE).tabIndex]).toEqual([-1, 0]);
  press('F2');
  expect((document.activeElement as HTMLInputElement).value).toBe('10.00');
  typed('99', 'Escape');
  expect([document.activeElement, cell('Brisket', PRICE).textContent]).toEqual([cell('Brisket', PRICE), '10.00']);
  press('7');
  typed('7', 'Enter');
  expect([document.activeElement, cell('Brisket', PRICE).textContent]).toEqual([cell('Chuck', PRICE), '7']);
  press('Enter');
  typed('8', 'Tab');
  expect([document.activeElement, cell('Chuck', PRICE).textContent]).toEqual([cell('Chuck', PRICE + 1), '8']);
  press('ArrowLeft');
  press('Delete');
  expect(cell('Chuck', PRICE).getAttribute('aria-invalid')).toBe('true');
  press('z', { ctrlKey: true });
  press('z', { ctrlKey: true });
  expect(cell('Chuck', PRICE).textContent).toBe('10.00');
});

test('in the product table, a click or a key toggles a yes/no cell, and a computed cell explains why it cannot be edited', () => {
  fireEvent.click(cell('Brisket', BY_WEIGHT));
  expect(cell('Brisket', BY_WEIGHT).textContent).toBe('Yes');
  press(' ');
  expect(cell('Brisket', BY_WEIGHT).textContent).toBe('No');
  press('y');
  expect(cell('Brisket', BY_WEIGHT).textContent).toBe('Yes');
  press('n');
  expect(cell('Brisket', BY_WEIGHT).textContent).toBe('No');
  expect(screen.queryByText('1 change')).toBeNull();
  press('ArrowRight');
  expect(cell('Brisket', COMPUTED).getAttribute('aria-readonly')).toBe('true');
  press('F2');
  expect(screen.getByText('The price is unit price times unit quantity.')).toBeTruthy();
});

test('the valid values of a pasted column are saved together; an invalid value stays in its cell, unsaved, with the reason', async () => {
  fireEvent.click(cell('Brisket', PRICE));
  paste('12,50\r\ncheap\r\n');
  expect(screen.getByText('2 values pasted.')).toBeTruthy();
  expect(cell('Chuck', PRICE).textContent).toContain('Unit price must be an amount in dollars');
  expect(cell('Brisket', COMPUTED).textContent).toBe('$12.50');
  click('Save 1 change');
  await waitFor(async () => expect(await prices()).toEqual([1250, 1000]));
  expect(await screen.findByText('1 value cannot be saved')).toBeTruthy();
  expect(cell('Chuck', PRICE).textContent).toContain('cheap');
  click('Discard');
  fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Discard' }));
  expect(cell('Chuck', PRICE).textContent).toBe('10.00');
});

test('when two people change one product, the second person sees the value that the first has saved, and chooses between the saved and the typed value', async () => {
  fireEvent.click(cell('Brisket', PRICE));
  paste('11\n12\n');
  select('Brisket', MAX);
  paste('5');
  const other = await testApp.as(distributor);
  await other(changeProduct, { params: { id: distribution.id, productId: brisket.id }, body: { unit_price: 1500 } });
  click('Save 3 changes');
  expect(await screen.findByText('Brisket has now: Unit price, $ 15.00')).toBeTruthy();
  expect(await prices()).toEqual([1500, 1000]);
  expect(cell('Brisket', PRICE).textContent).toBe('11Saved meanwhile: 15.00');
  click('Save 2 changes');
  await waitFor(async () => expect(await prices()).toEqual([1500, 1200]));
  click('Keep mine: Brisket');
  fireEvent.click(await screen.findByRole('button', { name: 'Save 1 change' }));
  await waitFor(async () => expect(await prices()).toEqual([1100, 1200]));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull());
});

test('after a save, the focus returns to the cell that had the focus before the save', async () => {
  fireEvent.click(cell('Chuck', PRICE));
  press('7');
  typed('7', 'Enter');
  screen.getByRole('button', { name: 'Save 1 change' }).focus();
  click('Save 1 change');
  await waitFor(() => expect(screen.queryByText('1 change')).toBeNull());
  expect([document.activeElement, await prices()]).toEqual([cell('Chuck', PRICE), [1000, 700]]);
});

test('a user who types into the search field while a save is running keeps the focus there', async () => {
  fireEvent.click(cell('Chuck', PRICE));
  press('7');
  typed('7', 'Enter');
  click('Save 1 change');
  const search = screen.getByLabelText('Search products');
  search.focus();
  await waitFor(() => expect(screen.queryByText('1 change')).toBeNull());
  expect([document.activeElement, await prices()]).toEqual([search, [1000, 700]]);
});

test('a limit below the ordered units can be saved; a message says what happens to the orders (contract §12)', async () => {
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 3]]);
  await testApp.db.updateTable('products').set({ total_limit: 9 }).where('id', '=', brisket.id).execute();
  // After a save, the table reads the limits and the ordered units again.
  select('Brisket', MAX);
  paste('9');
  click('Save 1 change');
  await waitFor(() => expect(cell('Brisket', ORDERED).textContent).toBe('3'));
  expect(cell('Brisket', LIMIT).textContent).toBe('9');
  select('Brisket', LIMIT);
  paste('3');
  expect(cell('Brisket', LIMIT).textContent).toBe('3');
  paste('2');
  const note = '3 ordered already';
  expect(cell('Brisket', LIMIT).textContent).toBe(`2${note}`);
  expect([
    cell('Brisket', LIMIT).getAttribute('aria-invalid'),
    document.getElementById(cell('Brisket', LIMIT).getAttribute('aria-describedby') ?? '')?.textContent,
  ]).toEqual([null, note]);
  expect(screen.getByText('1 limit is below what is ordered. Nobody loses an order, but customers cannot order more.')).toBeTruthy();
  click('Save 1 change');
  await waitFor(() => expect(cell('Brisket', LIMIT).textContent).toBe('2'));
});

test('the product table has no column for limits until a product has a limit (contract §12)', async () => {
  const headers = (): (string | null)[] => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(headers()).toEqual([
    'Product',
    'Code',
    'Group',
    'Unit price, $',
    'Unit qty.',
    'Unit',
    'By weight',
    'Price',
    'Max',
    'Ordered',
    'Actions',
  ]);
  await testApp.db.updateTable('products').set({ total_limit: 3 }).where('id', '=', chuck.id).execute();
  select('Brisket', MAX);
  paste('5');
  click('Save 1 change');
  await waitFor(() => expect(headers().slice(-4)).toEqual(['Max', 'Limit', 'Ordered', 'Actions']));
  expect([cell('Brisket', LIMIT).textContent, cell('Chuck', LIMIT).textContent]).toEqual(['', '3']);
  // The column stays when the last limit is removed, so that the user can type the limit again.
  select('Chuck', LIMIT);
  press('Delete');
  click('Save 1 change');
  await waitFor(() => expect(screen.queryByText('1 change')).toBeNull());
  expect(headers().slice(-4)).toEqual(['Max', 'Limit', 'Ordered', 'Actions']);
});

test('a product that somebody else has deleted is named, and the changes of other products can be saved', async () => {
  fireEvent.click(cell('Brisket', PRICE));
  paste('11\n12\n');
  const other = await testApp.as(distributor);
  await other(deleteProduct, { params: { id: distribution.id, productId: chuck.id } });
  click('Save 2 changes');
  expect(await screen.findByText('Chuck was deleted.')).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Save 1 change' }));
  await waitFor(async () => expect(await prices()).toEqual([1100]));
});

test('the product table asks before it changes prices of ordered products, and before the user leaves unsaved changes', async () => {
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 1]]);
  select('Brisket', PRICE);
  paste('11');
  click('Save 1 change');
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('Change the price of Brisket?This re-prices 1 order, not paid yet.');
  const isInert = (): boolean => screen.getByRole('grid', { hidden: true }).closest('[inert]') !== null;
  expect(isInert()).toBe(true);
  fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(isInert()).toBe(false));
  expect(await prices()).toEqual([1000, 1000]);
  click('Back to the list');
  expect(screen.queryByRole('button', { name: 'Add Product' })).toBeNull();
  // In jsdom, the buttons of a modal dialog count as hidden. test/e2e/product-table.spec.ts tests that the confirmation is visible.
  fireEvent.click(screen.getByRole('button', { name: 'Leave', hidden: true }));
  expect(await screen.findByRole('button', { name: 'Add Product' })).toBeTruthy();
});
