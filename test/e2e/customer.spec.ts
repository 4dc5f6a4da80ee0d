// A customer saves the contact information, places an order and changes it. The tests also cover closed ordering, a second tab, and a
// reload.
import type { Locator, Page } from '@playwright/test';
import { UNREAD_VALUE_MS } from '../../src/client/hooks/use-unread.ts';
import { cents } from '../../src/domain/money.ts';
import { insertPictures } from '../../db/demo/pictures.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct, makeUser } from '../data/factories.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

async function passover(testApp: E2eApp) {
  const { db } = testApp;
  const distributor = await makeDistributor(db);
  const distribution = await makeDistribution(db, distributor, { name: 'Passover 2027', date: '2027-04-15' });
  const byWeight = { unit_qty_is_estimate: true };
  const piece = { uom: 'pack' };
  const values = {
    brisket: { name: 'Brisket, first cut', product_code: 1001, unit_price: cents(1699), unit_qty: 5, max_order_qty: 3, ...byWeight },
    stew: { name: 'Beef stew', product_code: 1002, unit_price: cents(1149), description: 'Lean, 16 oz.', ...piece },
    chicken: { name: 'Chicken, whole', product_code: 1201, unit_price: cents(549), unit_qty: 4, product_group: 'Poultry', ...byWeight },
    matzah: { name: 'Shmurah matzah', product_code: 1703, unit_price: cents(2299), product_group: 'Matzah', uom: null },
    wine: { name: 'Merlot', product_code: 1801, unit_price: cents(1895), product_group: 'Wine', uom: 'bottle' },
    candles: { name: 'Candles', unit_price: cents(350), product_group: null, uom: 'box' },
  };
  const made: Record<string, number> = {};
  for (const [name, product] of Object.entries(values)) made[name] = (await makeProduct(db, distribution, product)).id;
  const products = made as Record<keyof typeof values, number>;
  // The printed order computes the percentage fee on the subtotal plus the flat fee. The order page computes it on the subtotal only.
  await makeFee(db, distribution, { name: 'Hall and ice', type: 'flat', amount: 500, sort_order: 0 });
  await makeFee(db, distribution, { name: 'Service', type: 'percent', amount: 300, sort_order: 1 });
  return { distributor, distribution, products };
}

/** Inserts an order of two briskets and one stew directly into the database. */
async function placedOrder(testApp: E2eApp) {
  const { distributor, distribution, products } = await passover(testApp);
  const customer = await makeCustomer(testApp.db, distributor);
  const place = { distributorId: distributor.id, distributionId: distribution.id };
  const values = { ...place, customerId: customer.id, updatedBy: customer.id };
  const order = await testApp.db.insertInto('orders').values(values).returning('id').executeTakeFirstOrThrow();
  const line = (productId: number, quantity: number) => ({ ...place, orderId: order.id, productId, quantity, originalQuantity: quantity });
  await testApp.db
    .insertInto('order_products')
    .values([line(products.brisket, 2), line(products.stew, 1)])
    .execute();
  return { distributor, customer, distribution, products, url: `${testApp.url}/customer/order/${distribution.id}` };
}

const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768;
const quantityOf = (page: Page, name: string): Locator => page.getByRole('spinbutton', { name: `Quantity of ${name}` });
const more = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true }).getByRole('button', { name: 'More' });
const chip = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: 'Categories' }).getByRole('button', { name: new RegExp(`^${name}`) });
const card = (page: Page, name: string): Locator => page.getByRole('listitem').filter({ hasText: name });
const sum = (page: Page, label: string): Locator => page.locator('dt', { hasText: new RegExp(`^${label}`) }).locator('+ dd');

/** Checks that the page cannot be scrolled sideways. On a phone, it also checks that the total and the save button are visible. */
async function looksRight(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  if (!isPhone(page)) return;
  const box = await page.getByRole('region', { name: 'Your order' }).boundingBox();
  expect((box?.y ?? 9999) + (box?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
  await expect(page.getByRole('button', { name: /^Total \$/ })).toBeInViewport();
  await expect(page.getByRole('button', { name: /^(Place|Update) Order$/ })).toBeInViewport();
}

async function editOrder(page: Page, name: string): Promise<void> {
  if (!isPhone(page)) return await card(page, name).getByRole('link', { name: 'Edit Order' }).click();
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('link', { name: 'Edit Order' }).click();
}

test('a new customer enters a contact, orders twelve items, and changes the order (spec §1, §2, §4, §5, §7, §8, §9; contract §7, §10)', async ({
  page,
  testApp,
}) => {
  const { distributor, distribution } = await passover(testApp);
  const customer = await makeUser(testApp.db, 'customer', { distributorId: distributor.id });
  await testApp.signIn(page, customer);
  await page.waitForURL('**/customer/contact-info');

  await expect(page.getByRole('heading', { name: 'Contact Information' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Cancel' })).toHaveCount(0);
  const fields = { 'First Name': 'Rivka', 'Last Name': 'Abramov', Address: '1 Elm St', City: 'Teaneck', State: 'NJ', 'ZIP Code': '07666' };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await page.getByRole('button', { name: 'Save Contact Information' }).click();
  await expect(page.getByText('Phone number is required')).toBeVisible();
  await expect(page.getByLabel('Phone Number')).toBeFocused();
  await page.getByLabel('Phone Number').fill('555-0100');
  await page.getByRole('button', { name: 'Save Contact Information' }).click();
  await page.waitForURL('**/customer');
  await expect(page.locator('.toast .grow')).toHaveText('SuccessContact information saved');
  await expect(page.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
  await expect(page.getByText(`Welcome, ${customer.email}`)).toBeVisible();
  await expect(page.getByRole('link', { name: customer.email })).toHaveAttribute('href', '/customer/contact-info');
  await expect(page.getByRole('region', { name: 'Available Distributions' })).toContainText('Passover 2027');

  await card(page, 'Passover 2027').getByRole('link', { name: 'Order Now' }).click();
  await expect(page.getByRole('heading', { name: 'Place Order' })).toBeVisible();
  await expect(page.getByText('Passover 2027 · Thu, Apr 15, 2027')).toBeVisible();
  await expect(page.getByLabel('Category')).toHaveValue('Beef');
  await expect(page.getByRole('button', { name: 'Place Order' })).toBeDisabled();
  await looksRight(page);

  await chip(page, 'Beef').click();
  await expect(page.getByLabel('Category')).toHaveValue('Beef');
  await expect(page.getByText('about 5 lb × $16.99 per lb · max: 3')).toBeVisible();
  await expect(page.getByText('1 × $11.49 per pack · no max quantity')).toBeVisible();
  await more(page, 'Brisket, first cut').click();
  await more(page, 'Brisket, first cut').click();
  await more(page, 'Beef stew').click();
  await looksRight(page);
  await page.getByLabel('Category').selectOption('Wine');
  await quantityOf(page, 'Merlot').fill('6');
  await looksRight(page);
  await page.getByLabel('Search all products').fill('chick');
  await more(page, 'Chicken, whole').click();
  await page.getByLabel('Search all products').fill('1703');
  await quantityOf(page, 'Shmurah matzah').fill('2');
  await looksRight(page);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(chip(page, 'My items')).toHaveText('My items 12');
  await expect(chip(page, 'Beef')).toHaveText('Beef 3');

  // The subtotal is 2 × 84.95 + 11.49 + 6 × 18.95 + 21.96 + 2 × 22.99 = 363.03. The fee of 3% is 10.8909 on the order page, where it is
  // computed on 363.03. In print it is 11.0409, because it is computed on 368.03.
  await expect(sum(page, 'Subtotal')).toHaveText('$363.03');
  await expect(sum(page, 'Hall and ice')).toHaveText('$5.00');
  await expect(sum(page, 'Service')).toHaveText('$10.89');
  await expect(sum(page, 'Total').first()).toHaveText('$378.92');
  await expect(sum(page, 'Total on the printed order')).toHaveText('$379.07');
  if (isPhone(page)) await expect(page.getByRole('button', { name: /^Total/ })).toHaveText('Total $378.9212 items · fees included · est.');
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL('**/customer');
  await expect(page.locator('.toast .grow')).toHaveText('SuccessOrder placed successfully');
  await expect(page.getByRole('region', { name: 'Available Distributions' })).not.toContainText('Passover 2027');

  const mine = page.getByRole('region', { name: 'My Orders' });
  await expect(mine.getByText('Thu, Apr 15, 2027 · 12 items')).toBeVisible();
  await expect(mine.getByText('0 of 3')).toBeVisible();
  await expect(mine.locator('dt:text("Amount") + dd')).toHaveText('$379.07 est.');
  await expect(mine.locator('dt:text("Balance") + dd')).toHaveText('$379.07 est.');

  await editOrder(page, 'Passover 2027');
  await expect(page.getByRole('heading', { name: 'Edit Order' })).toBeVisible();
  await page.getByRole('button', { name: 'Update Order' }).click();
  await expect(page.locator('.toast .grow')).toHaveText(
    'No changes madePlease make at least one change to save. You can cancel or go back if no changes are necessary.',
  );
  await chip(page, 'Wine').click();
  await expect(quantityOf(page, 'Merlot')).toHaveValue('6');
  await quantityOf(page, 'Merlot').fill('7');
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/orders', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Update Order' }).click();
  await expect(page.getByRole('button', { name: 'Update Order' })).toBeDisabled();
  answer();
  await page.waitForURL('**/customer');
  await expect(mine.getByText('13 items')).toBeVisible();
  const saved = await testApp.db.selectFrom('order_products').select('quantity').where('distributionId', '=', distribution.id).execute();
  expect(saved.map(({ quantity }) => quantity).toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2, 7]);
});

test('the order page keeps every quantity and explains what to do when ordering closes during editing (spec §2, §4, §5, §8; contract §10) @phone', async ({
  page,
  testApp,
}) => {
  const { customer, distribution, url } = await placedOrder(testApp);
  await testApp.signIn(page, customer);
  // The test expects a refused request. It uses another tab, because the browser logs such a request as an error on the console, and a
  // console error in the first tab fails the test.
  const tab = await page.context().newPage();
  await tab.goto(url);
  await chip(tab, 'Beef').click();
  await quantityOf(tab, 'Beef stew').fill('4');
  await testApp.db.updateTable('distributions').set({ orderingOpen: false }).where('id', '=', distribution.id).execute();
  await tab.getByRole('button', { name: 'Update Order' }).click();
  await expect(tab.getByText('Ordering is closed', { exact: true })).toBeVisible();
  await expect(tab.getByRole('region', { name: 'This distribution no longer takes orders' })).toContainText(
    'Write your changes in an e-mail',
  );
  await expect(quantityOf(tab, 'Beef stew')).toHaveValue('4');
  await expect(quantityOf(tab, 'Brisket, first cut')).toHaveValue('2');
  await tab.getByRole('button', { name: 'Close', exact: true }).click();
  await tab.waitForTimeout(UNREAD_VALUE_MS);
  await tab.getByRole('button', { name: 'Update Order' }).click();
  await expect(tab.getByText('Ordering is closed', { exact: true })).toBeVisible();

  await page.goto(`${testApp.url}/customer`);
  if (isPhone(page)) await page.getByRole('button', { name: 'Actions for Passover 2027' }).click();
  await page.getByRole(isPhone(page) ? 'button' : 'link', { name: 'Edit Order' }).click();
  await expect(page.getByText('Ordering is closed', { exact: true })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/customer');
  await page.goto(url);
  await expect(page.getByText('Ordering is closed', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Restore 1 unsaved change?' })).toBeVisible();
});

test('the order page shows what a second tab saved, and keeps all typing (contract §5)', { tag: '@once' }, async ({ page, testApp }) => {
  const { customer, products, url } = await placedOrder(testApp);
  await testApp.signIn(page, customer);
  const tab = await page.context().newPage();
  await Promise.all([page.goto(`${url}?category=Beef`), tab.goto(`${url}?category=Beef`)]);
  await quantityOf(tab, 'Brisket, first cut').fill('1');
  await quantityOf(tab, 'Beef stew').fill('5');

  await quantityOf(page, 'Brisket, first cut').fill('3');
  await page.getByRole('button', { name: 'Update Order' }).click();
  await page.waitForURL('**/customer');

  await tab.getByRole('button', { name: 'Update Order' }).click();
  await expect(tab.getByText('This order was changed elsewhere. Reload to see it.', { exact: true })).toBeVisible();
  await tab.getByRole('button', { name: 'Close', exact: true }).click();
  const conflict = tab.getByRole('region', { name: 'This order was changed elsewhere' });
  await expect(conflict.getByRole('listitem')).toHaveCount(1);
  await expect(conflict.getByRole('button', { name: 'Keep mine 1' })).toHaveAttribute('aria-pressed', 'true');
  await conflict.getByRole('button', { name: 'Take theirs 3' }).click();
  await expect(quantityOf(tab, 'Brisket, first cut')).toHaveValue('3');
  await expect(quantityOf(tab, 'Beef stew')).toHaveValue('5');
  await tab.waitForTimeout(UNREAD_VALUE_MS);
  await tab.getByRole('button', { name: 'Update Order' }).click();
  await tab.waitForURL('**/customer');
  const lines = await testApp.db.selectFrom('order_products').select(['productId', 'quantity']).execute();
  expect(new Map(lines.map((line) => [line.productId, line.quantity]))).toEqual(new Map().set(products.brisket, 3).set(products.stew, 5));
});

test('leaving unsaved typing asks first, and a reload offers to restore the typing (spec §2; contract §10)', async ({ page, testApp }) => {
  const { customer, url } = await placedOrder(testApp);
  await testApp.signIn(page, customer, `${url}?category=Beef`);
  await quantityOf(page, 'Brisket, first cut').fill('1');
  await quantityOf(page, 'Beef stew').fill('9');
  await page.getByRole('link', { name: 'Cancel' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(leaving).toContainText('Your changes on this page have not been saved.');
  await leaving.getByRole('button', { name: 'Stay on this page' }).click();
  await expect(page.getByRole('link', { name: 'Cancel' })).toHaveAttribute('href', '/customer');
  await page.getByRole('button', { name: 'Logout' }).click();
  await leaving.getByRole('button', { name: 'Stay on this page' }).click();
  await expect(quantityOf(page, 'Beef stew')).toHaveValue('9');
  await page.reload();
  await expect(quantityOf(page, 'Beef stew')).toHaveValue('1');
  await page.getByRole('region', { name: 'Restore 2 unsaved changes?' }).getByRole('button', { name: 'Restore' }).click();
  await expect(quantityOf(page, 'Brisket, first cut')).toHaveValue('1');
  await expect(quantityOf(page, 'Beef stew')).toHaveValue('9');
  await page.getByRole('button', { name: 'Update Order' }).click();
  await page.waitForURL('**/customer');
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))).toEqual([]);
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Edit Order' })).toBeVisible();
  await expect(page.getByText(/^Restore/)).toHaveCount(0);
});

test(
  'customers without a distribution, and customers of a closed distribution, see the specified sentences (spec §2, §4, §8)',
  { tag: '@once' },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    await testApp.signIn(page, await makeCustomer(testApp.db, distributor));
    await expect(page.getByText('No distributions are currently available. Check back later for new distributions.')).toBeVisible();
    const closed = await makeDistribution(testApp.db, distributor, { name: 'Sukkot', orderingOpen: false });
    await page.reload();
    await card(page, 'Sukkot').getByRole('link', { name: 'Order Now' }).click();
    await expect(page.locator('.toast .grow')).toHaveText('Ordering ClosedThis distribution is no longer accepting orders.');
    expect(new URL(page.url()).pathname).toBe('/customer');
    await page.goto(`${testApp.url}/customer/order/${closed.id}`);
    await expect(page.getByText('No products available in this distribution.')).toBeVisible();
  },
);

test('on the order page, pressing a product’s name shows its picture; on the contact page, Cancel is offered and an empty city is refused (spec §2) @phone', async ({
  page,
  testApp,
}) => {
  const { distributor, customer, url } = await placedOrder(testApp);
  await insertPictures(testApp.db, distributor.id);
  await testApp.signIn(page, customer);
  await expect(page.getByRole('region', { name: 'My Orders' })).toBeVisible();
  await page.goto(`${url}?category=Beef`);
  await more(page, 'Beef stew').click();
  if (!isPhone(page)) {
    // A tablet in portrait orientation is too narrow for the column with the totals. A button shows the total instead.
    const desk = page.viewportSize();
    await page.setViewportSize({ width: 768, height: 1024 });
    await expect(page.getByRole('button', { name: /^Total \$/ })).toBeInViewport();
    const name = await page.getByRole('heading', { name: 'Brisket, first cut' }).boundingBox();
    expect(name?.width).toBeGreaterThan(200);
    if (desk) await page.setViewportSize(desk);
  }
  await page.getByRole('button', { name: 'Brisket, first cut', exact: true }).click();
  await expect(page.getByRole('img', { name: 'Picture of Brisket, first cut' })).toBeVisible();
  await page.goto(`${testApp.url}/customer/contact-info`);
  await expect(page.getByRole('link', { name: 'Cancel' })).toBeVisible();
  await page.getByLabel('City').fill('');
  await page.getByRole('button', { name: 'Save Contact Information' }).click();
  await expect(page.getByText('City is required')).toBeVisible();
});
