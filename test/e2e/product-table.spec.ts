// Distributors edit products in the products table by keyboard, clipboard and touch (contract §4).
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder } from '../data/order-rows.ts';
import { cents } from '../../src/domain/money.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

async function openTable(page: Page, testApp: E2eApp): Promise<number> {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  for (const [index, name] of ['Brisket', 'Chuck', 'Shoulder', 'Tongue'].entries()) {
    const product = await makeProduct(testApp.db, distribution, {
      name,
      product_group: 'Beef',
      product_code: 100 + index,
      unit_price: cents(1000),
    });
    if (name === 'Brisket') await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[product, 1]]);
  }
  await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=products`);
  await page.getByRole('button', { name: 'Edit in a table' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  return distribution.id;
}

const cell = (page: Page, product: string, column: number) => page.getByRole('row', { name: product }).locator(`[data-column="${column}"]`);
const PRICE = 3;
const MAX = 8;

const saved = (testApp: E2eApp, id: number) =>
  testApp.db
    .selectFrom('products')
    .select(['name', 'unit_price', 'unit_qty_is_estimate', 'max_order_qty'])
    .where('distributionId', '=', id)
    .orderBy('id')
    .execute();

/** Pastes `text` into the focused element, with the event that the browser fires after Ctrl+V. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test(
  'a distributor edits products with the keyboard and a pasted column, and saves all changes together',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const id = await openTable(page, testApp);
    const price = page.getByLabel('Unit price, $ of Brisket');
    await cell(page, 'Brisket', PRICE).click();
    await expect(price).toHaveValue('10.00');
    await page.keyboard.type('99');
    await page.keyboard.press('Escape');
    await expect(cell(page, 'Brisket', PRICE)).toBeFocused();
    await page.keyboard.press('F2');
    await expect(price).toHaveValue('10.00');
    await page.keyboard.type('12,50');
    await page.keyboard.press('Enter');
    await expect(cell(page, 'Chuck', PRICE)).toBeFocused();
    await page.keyboard.type('9');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(cell(page, 'Chuck', 6)).toBeFocused();
    await page.keyboard.press('Space');
    await expect(cell(page, 'Chuck', 6)).toHaveText('Yes');

    await cell(page, 'Brisket', MAX).click();
    await paste(page, '3\r\n4\r\nmany\r\n6\r\n7\r\n');
    await expect(page.getByText('4 values pasted, 1 outside the table ignored.')).toBeVisible();
    await expect(cell(page, 'Shoulder', MAX)).toContainText('Maximum order quantity must be a whole number');
    const save = page.getByRole('button', { name: 'Save 6 changes' });
    await save.press('Enter');
    await expect(page.getByRole('alertdialog', { name: 'Change the price of Brisket?' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(cell(page, 'Brisket', MAX)).toBeFocused();
    await save.press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Change the price' }).press('Enter');
    await expect(page.getByText('6 changes saved', { exact: true })).toBeVisible();
    await expect(cell(page, 'Brisket', MAX)).toBeFocused();
    expect(await saved(testApp, id)).toEqual([
      { name: 'Brisket', unit_price: 1250, unit_qty_is_estimate: false, max_order_qty: 3 },
      { name: 'Chuck', unit_price: 900, unit_qty_is_estimate: true, max_order_qty: 4 },
      { name: 'Shoulder', unit_price: 1000, unit_qty_is_estimate: false, max_order_qty: 0 },
      { name: 'Tongue', unit_price: 1000, unit_qty_is_estimate: false, max_order_qty: 6 },
    ]);
    // The field still contains the invalid value. When the user selects another tab of the page, the application asks about this unsaved
    // change.
    await expect(page.getByRole('status').filter({ hasText: /^1 change$/ })).toBeVisible();
    await page.getByRole('tab', { name: 'Fees' }).click();
    await page.getByRole('button', { name: 'Stay on this page' }).click();
    await page.getByRole('button', { name: 'Show the next' }).click();
    await expect(cell(page, 'Shoulder', MAX)).toBeFocused();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect(cell(page, 'Shoulder', MAX)).toHaveText('');
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await expect(page.getByRole('button', { name: 'Add Product' })).toBeVisible();
  },
);

test(
  'a distributor edits 3,000 products in one table, from the first to the last, with one pasted column',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const { id } = await makeDistribution(testApp.db, distributor);
    await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price)
    SELECT ${distributor.id}, ${id}, 'Wine ' || lpad(n::text, 4, '0'), 1000 FROM generate_series(1, 3000) n`.execute(testApp.db);
    await testApp.signIn(page, distributor, `/distributor/distribution/${id}?tab=products&edit=table`);
    await cell(page, 'Wine 0001', PRICE).click();
    expect(await page.getByRole('row').count()).toBeLessThan(100);
    await paste(page, Array.from({ length: 3000 }, (_, index) => `${index + 1}.25`).join('\n'));
    await expect(page.getByText('3,000 values pasted.')).toBeVisible();
    await page.keyboard.press('Control+End');
    await expect(page.getByRole('button', { name: 'More actions for Wine 3000' })).toBeFocused();
    await expect(cell(page, 'Wine 3000', PRICE)).toHaveText('3000.25');
    await page.keyboard.press('Control+Home');
    await expect(cell(page, 'Wine 0001', 0)).toBeFocused();
    await expect(cell(page, 'Wine 0001', 0)).toBeInViewport();
    await page.getByRole('button', { name: 'Save 3,000 changes' }).click();
    await expect(page.getByText('3,000 changes saved', { exact: true })).toBeVisible();
    const [last] = await testApp.db.selectFrom('products').select('unit_price').orderBy('id', 'desc').limit(1).execute();
    expect(last).toEqual({ unit_price: 300_025 });
  },
);

test(
  'on a phone, a tap on a value of the product table lets the distributor edit it',
  { tag: ['@phone', '@long'] },
  async ({ page, testApp }) => {
    const id = await openTable(page, testApp);
    await cell(page, 'Chuck', PRICE).tap();
    await expect(page.getByLabel('Unit price, $ of Chuck')).toBeFocused();
    await page.getByLabel('Unit price, $ of Chuck').fill('11');
    await page.keyboard.press('Enter');
    await expect(cell(page, 'Shoulder', PRICE)).toBeFocused();
    await page.getByRole('button', { name: 'Save 1 change' }).tap();
    await expect(page.getByText('1 change saved', { exact: true })).toBeVisible();
    expect((await saved(testApp, id))[1]).toMatchObject({ name: 'Chuck', unit_price: 1100 });
  },
);
