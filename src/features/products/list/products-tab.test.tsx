import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder, pay } from '../../../../test/data/order-rows.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { DistributionPage } from '../../distributions/distribution-page.tsx';
import { placeOrder } from '../../orders/contract.ts';
import { ProductsTab } from './products-tab.tsx';

const testApp = setupTestApp();
let files: Blob[] = [];

beforeEach(() => {
  freshDevice();
  files = [];
  URL.createObjectURL = (file: Blob) => `blob:${files.push(file)}`;
  URL.revokeObjectURL = () => {};
  HTMLAnchorElement.prototype.click = () => {};
});

async function openTab(distributor: Person, id: number): Promise<void> {
  navigate(`/distributor/distribution/${id}?tab=products`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(distribution) => <ProductsTab distribution={distribution} />}</DistributionPage>
  ));
}

const shownNames = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent);
const click = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }));
const field = (label: string) => within(screen.getByRole('dialog')).getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string): void => void fireEvent.change(field(label), { target: { value } });
const saved = () =>
  testApp.db.selectFrom('products').select(['name', 'unit_price', 'max_order_qty', 'product_group']).orderBy('id').execute();
const upload = (text: string): void =>
  void fireEvent.change(screen.getByLabelText('Choose a CSV file'), { target: { files: [new File([text], 'some.csv')] } });

async function distributionWith(...names: [string, string | null][]) {
  await testApp.db.deleteFrom('order_product_audit').execute();
  await testApp.db.deleteFrom('order_products').execute();
  await testApp.db.deleteFrom('products').execute();
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const products = [];
  for (const [name, product_group] of names) products.push(await makeProduct(testApp.db, distribution, { name, product_group }));
  return { distributor, distribution, products };
}

test("the Products tab opens with the products of the first product's group, keeps the chosen group in the URL, and searches in all groups (spec §2)", async () => {
  const { distributor, distribution } = await distributionWith(
    ['Brisket', 'Beef'],
    ['Shoulder', 'Beef'],
    ['Candles', null],
    ['Merlot', 'Wine'],
  );
  await openTab(distributor, distribution.id);
  const group = await screen.findByRole('combobox', { name: 'Group' });
  expect([...group.querySelectorAll('option')].map((option) => option.textContent)).toEqual(['Beef', 'Wine', 'Other', 'All groups']);
  expect(shownNames()).toEqual(['Brisket', 'Shoulder']);
  fireEvent.change(group, { target: { value: 'Other' } });
  await waitFor(() => expect(shownNames()).toEqual(['Candles']));
  expect(location.search).toBe('?tab=products&group=Other');
  fireEvent.change(group, { target: { value: 'Beef' } });
  await waitFor(() => expect(shownNames()).toEqual(['Brisket', 'Shoulder']));
  fireEvent.change(screen.getByRole('textbox', { name: 'Search products' }), { target: { value: 'ER' } });
  expect(shownNames()).toEqual(['Shoulder', 'Merlot']);
  expect((group as HTMLSelectElement).selectedOptions[0]?.textContent).toBe('All groups');
  click('Clear search');
  expect(shownNames()).toEqual(['Brisket', 'Shoulder']);
});

test("the Products tab checks the fields of a new product, saves its price in cents, shows a confirmation and opens the product's group (spec §2, §5, §7, §8, §9)", async () => {
  const { distributor, distribution } = await distributionWith(['Brisket', 'Beef']);
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Add Product' }));
  const dialog = within(screen.getByRole('dialog'));
  const add = (): void => void fireEvent.click(dialog.getByRole('button', { name: 'Add Product' }));
  expect(['Unit price, $', 'Unit quantity', 'Max order quantity'].map((label) => field(label).value)).toEqual(['0.00', '1', '0']);
  type('Unit price, $', '-1');
  type('Unit quantity', '0');
  type('Max order quantity', '-2');
  type('Product code', 'A1');
  add();
  for (const text of [
    'Name is required',
    'Unit price must be positive',
    'Quantity must be at least 1',
    'Maximum order quantity must be non-negative',
    'Product code must be a whole number',
  ]) {
    expect(await dialog.findByText(text)).toBeTruthy();
  }
  expect(await saved()).toHaveLength(1);
  type('Name', 'Merlot');
  type('Group', 'Wine');
  type('Unit price, $', '$1,234.56');
  type('Unit quantity', '2');
  type('Max order quantity', '');
  type('Product code', '');
  add();
  expect(await screen.findByText('Product added successfully')).toBeTruthy();
  expect((await saved())[1]).toEqual({ name: 'Merlot', unit_price: 123_456, max_order_qty: 0, product_group: 'Wine' });
  await waitFor(() => expect(shownNames()).toEqual(['Merlot']));
});

test('the Products tab asks before a dialog closes in which something was typed (spec §2)', async () => {
  const { distributor, distribution } = await distributionWith(['Brisket', 'Beef']);
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Brisket' }));
  type('Name', 'Brisket, whole');
  click('Cancel');
  click('Keep editing');
  expect(field('Name').value).toBe('Brisket, whole');
  click('Close');
  click('Discard');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await saved())[0]?.name).toBe('Brisket');
});

test('the Products tab asks before it saves a new price of an ordered product, and states the number of orders and of those with payments (spec §7; contract §4)', async () => {
  const { distributor, distribution, products } = await distributionWith(['Brisket', 'Beef']);
  for (const quantity of [2, 3]) {
    const lines = products.map((product) => [product, quantity] as const);
    const { id: orderId } = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), lines);
    if (quantity === 3) await pay(testApp.db, distribution, { orderId, amount: 500, by: distributor });
  }
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Brisket' }));
  type('Unit price, $', '12.00');
  click('Save Product');
  const question = await screen.findByRole('alertdialog', { name: 'Change the price of Brisket?' });
  expect(question.textContent).toContain('Unit price $10.00 → $12.00This re-prices 2 orders, 1 of them with a payment.');
  expect([...question.querySelectorAll('dt, dd')].map((part) => part.textContent)).toEqual([
    'Orders of',
    'Abramov, Rivka; Abramov, Rivka',
    'With payments',
    'Abramov, Rivka',
    'Together',
    '$50.00 → $60.00',
  ]);
  expect((await saved())[0]?.unit_price).toBe(1000);
  click('Change the price');
  expect(await screen.findByText('Product updated successfully')).toBeTruthy();
  expect((await saved())[0]?.unit_price).toBe(1200);
});

test('the Products tab asks before a price change also when orders were placed while the form was open, and when an imported file changes prices (contract §4)', async () => {
  const { distributor, distribution, products } = await distributionWith(['Brisket', 'Beef']);
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Brisket' }));
  const customer = await testApp.as(await makeCustomer(testApp.db, distributor));
  await customer(placeOrder, { body: { distributionId: distribution.id, products: [{ productId: products[0]?.id ?? 0, quantity: 1 }] } });
  type('Unit price, $', '12.00');
  click('Save Product');
  expect(await screen.findByText('This re-prices 1 order, not paid yet.')).toBeTruthy();
  fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  click('Cancel');
  click('Discard');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  click('Upload CSV');
  upload(`id,name,unit_price\n${products[0]?.id},Brisket,11\n`);
  fireEvent.click(await screen.findByRole('button', { name: 'Save 1 product' }));
  expect(await screen.findByText('This re-prices 1 order, not paid yet.')).toBeTruthy();
  expect((await saved())[0]?.unit_price).toBe(1000);
  click('Change the price');
  expect(await screen.findAllByText('Bulk product update completed')).not.toHaveLength(0);
  expect((await saved())[0]?.unit_price).toBe(1100);
  click('Done');
});

test('the Products tab reports that nothing is ordered when somebody else has already cleared the product from all orders (spec §8)', async () => {
  const { distributor, distribution, products } = await distributionWith(['Brisket', 'Beef']);
  const customer = await testApp.as(await makeCustomer(testApp.db, distributor));
  await customer(placeOrder, { body: { distributionId: distribution.id, products: [{ productId: products[0]?.id ?? 0, quantity: 2 }] } });
  await testApp.db.updateTable('products').set({ description: 'first cut' }).execute();
  await makeProduct(testApp.db, distribution, { name: 'Brisket', product_group: 'Veal', description: 'second cut' });
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Clear quantities of Brisket' }));
  const asked = await screen.findByText(/Every ordered quantity of Brisket, first cut becomes 0: 2 units in 1 order, not paid yet\./);
  expect(asked.textContent).toContain('This cannot be undone.');
  await testApp.db.updateTable('order_products').set({ quantity: 0 }).execute();
  click('Clear quantities');
  expect(await screen.findByText('No orders')).toBeTruthy();
  expect(await screen.findByText('This product has no ordered units.')).toBeTruthy();
});

test('the Products tab asks for no confirmation before it saves a new name of an ordered product (spec §8)', async () => {
  const { distributor, distribution, products } = await distributionWith(['Brisket', 'Beef']);
  const customer = await testApp.as(await makeCustomer(testApp.db, distributor));
  await customer(placeOrder, { body: { distributionId: distribution.id, products: [{ productId: products[0]?.id ?? 0, quantity: 1 }] } });
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Brisket' }));
  type('Name', 'Brisket, whole');
  click('Save Product');
  expect(await screen.findByText('Product updated successfully')).toBeTruthy();
});

test('the Products tab writes refused rows and unreadable rows into one file of failed rows (spec §8)', async () => {
  const { distributor, distribution, products } = await distributionWith(['Brisket', 'Beef'], ['Shoulder', 'Beef']);
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Upload CSV' }));
  const [brisket, shoulder] = products.map((product) => product.id);
  upload(`id,name,unit_price\n${brisket},Brisket,11\n${shoulder},Shoulder,12\n,Merlot,13\n,Duck,free\n`);
  const save = await screen.findByRole('button', { name: 'Save 3 products' });
  expect((await saved()).map((product) => product.unit_price)).toEqual([1000, 1000]);
  await testApp.db
    .deleteFrom('products')
    .where('id', '=', shoulder ?? 0)
    .execute();
  fireEvent.click(save);
  expect(await screen.findAllByText('Failed to save 2 of 4 products')).toHaveLength(2);
  expect(await files[0]?.text()).toBe(
    [
      'id,name,unit_price,reason',
      `${shoulder},Shoulder,12,Product not found`,
      ',Duck,free,"Unit price must be an amount in dollars such as 12.50, at most 10,000,000"',
      '',
    ].join('\r\n'),
  );
  expect((await saved()).map(({ name, unit_price }) => [name, unit_price])).toEqual([
    ['Brisket', 1100],
    ['Merlot', 1300],
  ]);
  click('Done');
});

test('the Products tab lets the user skip the rows of a file that would add products', async () => {
  const { distributor, distribution, products } = await distributionWith(['Brisket', 'Beef']);
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Upload CSV' }));
  upload(`id,name,unit_price\n${products[0]?.id},Brisket,11\n,Merlot,13\n`);
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Add 1 new product' }));
  click('Save 1 product');
  expect(await screen.findAllByText('Bulk product update completed')).not.toHaveLength(0);
  expect((await saved()).map(({ name, unit_price }) => [name, unit_price])).toEqual([['Brisket', 1100]]);
  click('Done');
});

test('the Products tab cancels an import between two rows and offers the remaining rows as a file', async () => {
  const { distributor, distribution } = await distributionWith(['Brisket', 'Beef']);
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Upload CSV' }));
  upload(`name\n${Array.from({ length: 40 }, (_, n) => `Wine ${n}\n`).join('')}`);
  fireEvent.click(await screen.findByRole('button', { name: 'Save 40 products' }));
  fireEvent.click(await screen.findByText('Continue in the background'));
  fireEvent.click(screen.getByText('Show the upload'));
  fireEvent.click(await screen.findByText('Cancel the upload'));
  expect(await screen.findAllByText('Bulk product update cancelled')).not.toHaveLength(0);
  const wines = (await saved()).length - 1;
  expect(wines).toBeGreaterThan(0);
  expect(wines).toBeLessThan(40);
  expect(files).toHaveLength(0);
  click('Download failed-to-save.csv');
  const left = (await files[0]?.text())?.trim().split('\r\n') ?? [];
  expect(left.length - 1).toBe(40 - wines);
  expect(left.at(-1)).toBe('Wine 39,The upload was cancelled before this row');
});

test('the Products tab explains why a file cannot be imported, and reads the next chosen file', async () => {
  const { distributor, distribution } = await distributionWith(['Brisket', 'Beef']);
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Upload CSV' }));
  upload('code,price\n1,2\n');
  expect((await screen.findByRole('alert')).textContent).toBe('This file has no name column. Its columns are: code, price.');
  upload('name\n');
  expect(await screen.findByText('This file has no products, only a header row.')).toBeTruthy();
  upload('name,unit_price\nMerlot,\n,9\n');
  expect(await screen.findByRole('button', { name: 'Save 1 product' })).toBeTruthy();
  expect(screen.getByText('No name').closest('li')?.textContent).toContain('Line 3: Name is required');
});

test('the Products tab warns of new products without a price, and lists changed rows with a button for more', async () => {
  const { distributor, distribution, products } = await distributionWith(['Brisket', 'Beef']);
  await openTab(distributor, distribution.id);
  fireEvent.click(await screen.findByRole('button', { name: 'Upload CSV' }));
  const wines = Array.from({ length: 10 }, (_, n) => `,Wine ${n},${n % 5 ? '9.50' : ' '},\n`).join('');
  upload(`id,name,unit_price,unit_qty_is_estimate\n${products[0]?.id},Brisket,,WAHR\n${wines}`);
  expect(await screen.findByText('2 new products without a unit price will cost $0.00 (lines 3, 8).')).toBeTruthy();
  expect(screen.getByText('This file gives no price to what is new')).toBeTruthy();
  const sold = screen.getByText('This file changes how products are sold').nextSibling;
  expect(sold?.textContent).toBe('1 product with a fixed price will be sold by weight (line 2).');
  const shown = () => within(screen.getByRole('dialog')).queryAllByText(/^(Wine \d|Brisket)$/).length;
  expect(shown()).toBe(8);
  click('Show 3 more rows');
  expect(shown()).toBe(11);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Add 10 new products' }));
  expect(screen.queryByText(/will cost/)).toBeNull();
});
