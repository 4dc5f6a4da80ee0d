// After ordering has closed, staff edit a customer's order. They open it from the row in the list of customers, and return to this list.
import type { Locator, Page } from '@playwright/test';
import { UNREAD_VALUE_MS } from '../../src/client/hooks/use-unread.ts';
import { makeAgent } from '../data/factories.ts';
import { makeOrders, order, orderIdOf, rows, toast } from './placed-orders.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

const quantityOf = (page: Page, name: string): Locator => page.getByRole('spinbutton', { name: `Quantity of ${name}` });
const sum = (page: Page, label: string): Locator => page.locator('dt', { hasText: new RegExp(`^${label}`) }).locator('+ dd');
const line = (page: Page, name: string): Locator => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
const set = (testApp: E2eApp, values: { orderingOpen?: boolean; acceptActuals?: boolean }) =>
  testApp.db.updateTable('distributions').set(values).execute();

async function press(page: Page, target: Locator): Promise<void> {
  await target.focus();
  await page.keyboard.press('Enter');
}

test(
  'the distributor adds, edits and cancels an order after closing, by keyboard alone (spec §2, §7)',
  { tag: '@desk' },
  async ({ page, testApp }) => {
    const { distributor, distribution, dina } = await makeOrders(testApp);
    await set(testApp, { orderingOpen: false });
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=customers&customers.name=cohen`);
    await press(page, page.getByRole('link', { name: 'Add Order of Cohen, Dina' }));

    await expect(page.getByRole('heading', { name: 'Edit Order' })).toBeVisible();
    await expect(page.getByText('Dina Cohen')).toBeVisible();
    await expect(page.getByText('Ordering is closed for customers. You can still change this order.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Update Order' })).toBeDisabled();
    await expect(rows(page)).toHaveText([/1001.*Beef.*Brisket.*\$45\.00\*.*\$0\.00/, /2001.*Dry goods.*Matzah.*\$12\.99.*\$0\.00/]);

    await expect(page.getByRole('columnheader')).toHaveText([/^Code/, /^Group/, /^Name/, /^Price/, /^Qty/, /^\$/]);
    await page.getByLabel('Filter by Name').focus();
    await page.keyboard.type('matz');
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/order\.name=matz/);
    await quantityOf(page, 'Matzah').focus();
    await page.keyboard.type('2');
    await expect(line(page, 'Matzah')).toContainText('$25.98');
    await page.getByLabel('Filter by Name').focus();
    await page.keyboard.press('Escape');
    await quantityOf(page, 'Brisket').focus();
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await expect(quantityOf(page, 'Matzah')).toBeFocused();
    await page.keyboard.type('7');
    await expect(quantityOf(page, 'Matzah')).toHaveValue('7');
    await page.keyboard.press('Escape');
    await expect(quantityOf(page, 'Matzah')).toHaveValue('2');
    await page.keyboard.press('ArrowUp');
    await expect(quantityOf(page, 'Brisket')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(quantityOf(page, 'Matzah')).toBeFocused();

    // The subtotal is 3 × $15.00 + 2 × $12.99 = $70.98. The fee of 3% is $2.1294 on the order page, where it is computed on $70.98. In
    // print it is $2.2794, because it is computed on $75.98.
    await expect(sum(page, 'Subtotal')).toHaveText('$70.98');
    await expect(sum(page, 'Service')).toHaveText('$2.13');
    await expect(sum(page, 'Total').first()).toHaveText('$78.11');
    await expect(sum(page, 'Total on the printed order')).toHaveText('$78.26');
    await page.keyboard.press('Control+s');
    await expect(toast(page, 'Order placed successfully')).toBeVisible();
    // After saving, the application returns to the list with the same filter as before.
    await expect(page).toHaveURL(/tab=customers&customers\.name=cohen/);
    await expect(rows(page)).toHaveText([/Cohen, Dina.*3.*0 of 1.*\$78\.26 est\..*\$78\.26 est\./]);

    await press(page, page.getByRole('link', { name: 'Edit Order of Cohen, Dina' }));
    await press(page, page.getByRole('button', { name: 'Update Order' }));
    await expect(toast(page, 'No changes made')).toBeVisible();
    await press(page, page.getByRole('button', { name: 'Ordered 2' }));
    await expect(page).toHaveURL(/show=ordered/);
    await quantityOf(page, 'Brisket').focus();
    await page.keyboard.type('0');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('5');
    await press(page, page.getByRole('button', { name: 'Update Order' }));
    await expect(toast(page, 'Order updated successfully')).toBeVisible();
    await expect(rows(page)).toHaveText([/Cohen, Dina.*5.*None needed/]);

    await press(page, page.getByRole('link', { name: 'Edit Order of Cohen, Dina' }));
    await quantityOf(page, 'Brisket').fill('2');
    await press(page, page.getByRole('button', { name: 'Cancel' }));
    await press(page, page.getByRole('button', { name: 'Leave' }));
    await expect(page).toHaveURL(/tab=customers&customers\.name=cohen/);
    await press(page, page.getByRole('link', { name: 'Edit Order of Cohen, Dina' }));
    await press(page, page.getByRole('button', { name: 'Discard' }));
    await expect(line(page, 'Brisket')).toContainText('originally 1');
    await press(page, page.getByText('History', { exact: true }));
    const history = page
      .getByRole('region', { name: 'History' })
      .getByRole('row')
      .filter({ hasNot: page.getByRole('columnheader') });
    const ofSave = (place: number, product: string) => history.filter({ hasText: product }).nth(place);
    await expect(history).toHaveCount(4);
    await expect(ofSave(0, '1001 Brisket')).toHaveText(new RegExp(`${distributor.email} \\(distributor\\).*Quantity.*1.*0`));
    await expect(ofSave(0, '2001 Matzah')).toHaveText(/Quantity.*2.*5/);
    await expect(ofSave(1, '1001 Brisket')).toHaveText(/Quantity.*0.*1/);
    await expect(ofSave(1, '2001 Matzah')).toHaveText(/Quantity.*0.*2/);
    await quantityOf(page, 'Matzah').focus();
    await page.keyboard.type('0');
    await press(page, page.getByRole('button', { name: 'Update Order' }));
    const dialog = page.getByRole('alertdialog', { name: 'Cancel the order of Dina Cohen?' });
    await expect(dialog).toContainText(
      'All 5 items are removed, with the recorded weights. The order then counts as not placed; what was paid on it stays on record.',
    );
    await press(page, dialog.getByRole('button', { name: 'Set everything to 0' }));
    await expect(rows(page)).toHaveText([/Cohen, Dina.*No order.*Add/]);
    const lines = await testApp.db
      .selectFrom('order_products')
      .innerJoin('orders', 'orders.id', 'order_products.orderId')
      .select(['quantity', 'originalQuantity'])
      .where('customerId', '=', dina.id)
      .orderBy('originalQuantity')
      .execute();
    expect(lines).toEqual([
      { quantity: 0, originalQuantity: 1 },
      { quantity: 0, originalQuantity: 2 },
    ]);
  },
);

test(
  'an agent changes an order from the Orders page and returns to it (spec §1, §2)',
  { tag: ['@once', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, distribution, rivka } = await makeOrders(testApp);
    const agent = await makeAgent(testApp.db, distributor);
    await set(testApp, { orderingOpen: false, acceptActuals: true });
    await testApp.signIn(page, agent);
    await page.getByRole('link', { name: /Open Distribution/ }).click();
    await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible();
    const orderId = await orderIdOf(testApp, rivka);
    const links = (name: string) => page.getByRole('link', { name: `${name} of Abramov, Rivka` });
    await expect(links('Print Order')).toHaveAttribute('href', `/agent/print-order/${orderId}`);
    await expect(links('Weights')).toHaveAttribute('href', `/agent/orders/${orderId}/actual-quantities`);
    await expect(page.getByRole('button', { name: /Record payment/ })).toHaveCount(0);

    await links('Edit Order').click();
    await expect(page.getByRole('link', { name: 'Weights 0 of 2' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Pay Now' })).toHaveCount(0);
    await quantityOf(page, 'Matzah').fill('4');
    await page.getByRole('button', { name: 'Update Order' }).click();
    await expect(toast(page, 'Order updated successfully')).toBeVisible();
    await expect(page).toHaveURL(`${testApp.url}/agent/distribution/${distribution.id}`);
    // 2 briskets of about 3 lb at $15.00 and 4 × $12.99 make $141.96. With the fee of $5.00, it is $146.96, and with 3% of that, $151.37.
    await expect(page.getByText('$151.37 est.').first()).toBeVisible();
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(page.getByRole('heading', { name: 'Agent Dashboard' })).toBeVisible();
  },
);

test(
  "a customer's row offers the actions that are possible for the customer's order (spec §2)",
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, distribution, rivka, moshe } = await makeOrders(testApp);
    await testApp.signIn(page, distributor);
    const list = `${testApp.url}/distributor/distribution/${distribution.id}?tab=customers`;
    await page.goto(list);
    const row = (name: string) => line(page, name);
    await expect(row('Cohen, Dina').getByRole('link')).toHaveText(['Add']);
    await expect(row('Abramov, Rivka').getByRole('link')).toHaveText(['Edit', 'Print']);
    await expect(row('Abramov, Rivka').getByRole('link', { name: 'Print' })).toHaveAttribute(
      'href',
      `/distributor/print-order/${await orderIdOf(testApp, rivka)}`,
    );
    await expect(row('Abramov, Rivka').getByRole('button', { name: /Record payment/ })).toBeDisabled();
    await expect(row('Adler, Moshe').getByRole('button', { name: /Record payment/ })).toBeEnabled();

    await set(testApp, { acceptActuals: true });
    await page.goto(list);
    await expect(row('Abramov, Rivka').getByRole('link')).toHaveText(['Edit', 'Print', 'Weights']);
    await expect(row('Adler, Moshe').getByRole('link')).toHaveText(['Edit', 'Print']);
    await row('Adler, Moshe').getByRole('link', { name: 'Edit' }).click();
    await expect(page.getByRole('link', { name: 'Print Order' })).toHaveAttribute(
      'href',
      `/distributor/print-order/${await orderIdOf(testApp, moshe)}`,
    );
    await expect(page.getByText('Balance of the saved order: $45.29')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Pay Now' })).toBeVisible();

    await page.goto(`${testApp.url}/distributor/edit-order/${distribution.id}/${moshe.id}x`);
    await expect(page.getByRole('heading', { name: 'Order not found' })).toBeVisible();
  },
);

test(
  'the Edit Order page explains line by line what the customer changed at the same time, and keeps everything that staff have typed',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, distribution, brisket, matzah, rivka } = await makeOrders(testApp);
    await testApp.signIn(page, distributor);
    // The test expects a refused request. It uses another tab, because the browser logs such a request as an error on the console, and a
    // console error in the first tab fails the test.
    const tab = await page.context().newPage();
    await tab.goto(`${testApp.url}/distributor/edit-order/${distribution.id}/${rivka.id}`);
    await quantityOf(tab, 'Matzah').fill('5');
    await tab.reload();
    await expect(quantityOf(tab, 'Matzah')).toHaveValue('1');
    await tab.getByRole('button', { name: 'Restore' }).click();
    await expect(quantityOf(tab, 'Matzah')).toHaveValue('5');

    const products = [
      { productId: brisket.id, quantity: 3 },
      { productId: matzah.id, quantity: 2 },
    ];
    expect(await order(testApp, rivka, { distributionId: distribution.id, products })).toBe(200);
    await tab.getByRole('button', { name: 'Update Order' }).click();
    await expect(toast(tab, '409: This order was changed elsewhere. Reload to see it.')).toBeVisible();
    const notice = tab.getByRole('region', { name: 'This order was changed elsewhere' });
    // The brisket's line takes the other person's value automatically, because the user has not typed into it.
    await expect(notice.getByRole('button')).toHaveText(['Keep mine 2', 'Take theirs 3', 'Keep mine 5', 'Take theirs 2']);
    await expect(quantityOf(tab, 'Brisket')).toHaveValue('3');
    await expect(quantityOf(tab, 'Matzah')).toHaveValue('5');
    await notice.getByRole('button', { name: 'Take theirs 2' }).click();
    await expect(quantityOf(tab, 'Matzah')).toHaveValue('2');
    await notice.getByRole('button', { name: 'Keep mine 5' }).click();
    await tab.waitForTimeout(UNREAD_VALUE_MS);
    await tab.getByRole('button', { name: 'Update Order' }).click();
    await tab.waitForURL('**/distribution/*');
    const lines = await testApp.db.selectFrom('order_products').select('quantity').where('productId', '=', matzah.id).execute();
    expect(lines.map(({ quantity }) => quantity).toSorted((a, b) => a - b)).toEqual([3, 5]);
  },
);
