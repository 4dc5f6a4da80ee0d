// Checks that every task can be done by keyboard alone. Three tasks are tested elsewhere: auth.spec.ts tests the sign-in,
// staff-orders.spec.ts tests editing a customer's order, and weighing.spec.ts tests weighing.
import type { Locator, Page } from '@playwright/test';
import { UNREAD_MS } from '../../src/client/hooks/use-unread.ts';
import { makeAdmin, makeAgent, makeDistributor, makeUser } from '../data/factories.ts';
import { chooseFile, keepsFocus, press, reach, type } from './keyboard-input.ts';
import { toastWith } from './people.ts';
import { makeOrders, orderIdOf } from './placed-orders.ts';
import { expect, test } from './fixtures.ts';

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string | RegExp): Locator => page.getByRole('link', { name });
const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true });
const field = (page: Page, name: string): Locator =>
  page.getByRole('textbox', { name, exact: true }).or(page.getByRole('spinbutton', { name, exact: true }));
const dialog = (page: Page): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));

test.describe('by keyboard alone', { tag: '@desk' }, () => {
  test('a customer enters a contact, places an order and changes it by keyboard (spec §2)', async ({ page, testApp }) => {
    const { distributor } = await makeOrders(testApp);
    const customer = await makeUser(testApp.db, 'customer', { distributorId: distributor.id });
    await testApp.signIn(page, customer);
    const contact = ['First Name', 'Last Name', 'Address', 'City', 'State', 'ZIP Code', 'Phone Number'];
    for (const label of contact) await type(field(page, label), 'Seven');
    await page.keyboard.press('Enter');
    await press(link(page, 'Order Now'));
    await press(button(page, 'Category').or(page.getByRole('button', { name: /^Dry goods/ })), 'Space');
    await type(field(page, 'Quantity of Matzah'), '2');
    // When the user stops typing for a moment, the page announces the total to screen readers: 2 × $12.99 + $5.00 + 3% of $25.98.
    await expect(page.locator('[aria-live=polite].sr-only')).toHaveText(/\$31\.76/);
    await press(button(page, 'Place Order'));
    await expect(toastWith(page, 'Order placed successfully')).toBeVisible();
    await keepsFocus(page);
    await press(link(page, 'Edit Order'));
    await press(page.getByRole('button', { name: /^Dry goods/ }), 'Space');
    await press(page.getByRole('group', { name: 'Matzah', exact: true }).getByRole('button', { name: 'More' }), 'Space');
    await press(button(page, 'Update Order'));
    await expect(page.getByText('3 items').filter({ hasNotText: 'Total' })).toBeVisible();
    await page.waitForURL('**/customer');
    await press(link(page, customer.email));
    await type(field(page, 'City'), 'Teaneck');
    await press(button(page, 'Save Contact Information'));
    await expect(toastWith(page, 'Contact information saved')).toBeVisible();
  });

  test(
    'an admin adds a distributor and an agent weighs an order by keyboard (spec §1, §2)',
    { tag: '@long' },
    async ({ page, testApp }) => {
      await testApp.signIn(page, await makeAdmin(testApp.db));
      await press(button(page, 'Add Distributor'));
      await type(dialog(page).getByLabel('Email'), 'office@coop.test');
      await page.keyboard.press('Enter');
      await expect(toastWith(page, 'Distributor created successfully')).toBeVisible();
      // The button that opened this dialog has disappeared, because the list is not empty any more. The focus must then be on another
      // element.
      await keepsFocus(page);
      await press(button(page, 'Logout'));

      const { distributor, distribution, rivka } = await makeOrders(testApp);
      await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
      await testApp.signIn(page, await makeAgent(testApp.db, distributor));
      await press(link(page, /Open Distribution/));
      await press(link(page, 'Weights of Abramov, Rivka'));
      for (const unit of ['Brisket 1/2', 'Brisket 2/2']) await type(field(page, unit), '3.25');
      await press(button(page, 'Save'));
      await expect(toastWith(page, '2 weights saved.')).toBeVisible();
      await expect(page).toHaveURL(`${testApp.url}/agent/distribution/${distribution.id}`);
      await expect(link(page, 'Weights of Abramov, Rivka')).toBeFocused();
      expect(await orderIdOf(testApp, rivka)).toBeGreaterThan(0);
    },
  );

  test('a distributor creates and publishes a distribution by keyboard (spec §2)', { tag: '@long' }, async ({ page, testApp }) => {
    await testApp.signIn(page, await makeDistributor(testApp.db));
    await press(button(page, 'Create Distribution'));
    await type(dialog(page).getByLabel('Name'), 'Passover 2027');
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Distribution created successfully')).toBeVisible();
    await keepsFocus(page);
    await press(link(page, /Manage Distribution/));

    await press(tab(page, 'Products'));
    await press(button(page, 'Add Product'));
    await type(dialog(page).getByLabel('Name'), 'Brisket');
    await type(dialog(page).getByLabel('Unit price'), '16.99');
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Product added successfully')).toBeVisible();
    await expect(dialog(page)).toHaveCount(0);
    await keepsFocus(page);
    await press(button(page, 'Upload CSV'));
    await chooseFile(page.getByLabel('Choose a CSV file'), 'products.csv', 'name,unit_price\nMatzah,12.99\n');
    await press(button(page, 'Save 1 product'));
    await press(button(page, 'Done'));
    await keepsFocus(page);

    await press(tab(page, 'Fees'));
    await type(page.getByLabel('Name'), 'Hall and ice');
    await type(page.getByLabel('Amount'), '5');
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Fee added successfully')).toBeVisible();

    await press(tab(page, 'Info'));
    await press(button(page, 'Publish'));
    await expect(button(page, 'Unpublish')).toBeVisible();
    await keepsFocus(page);
    await press(button(page, 'Close Ordering'));
    await press(dialog(page).getByRole('button', { name: 'Close Ordering' }));
    await expect(button(page, 'Ordering Closed')).toBeDisabled();
    await keepsFocus(page);
  });

  test(
    'a distributor adds customers, writes to them and takes payments by keyboard (spec §2)',
    { tag: '@long' },
    async ({ page, testApp }) => {
      const { distributor, distribution } = await makeOrders(testApp);
      await testApp.signIn(page, distributor);
      await press(tab(page, 'Customers'));
      await press(button(page, 'Add Customer'));
      await type(dialog(page).getByLabel('Email'), 'sol@home.test');
      await page.keyboard.press('Enter');
      await expect(dialog(page)).toHaveCount(0);
      await expect(button(page, 'Add Customer')).toBeFocused();
      await press(button(page, 'Bulk Operations'));
      await chooseFile(page.getByLabel('Choose a CSV file'), 'people.csv', 'email\naviva@home.test\n');
      await press(button(page, 'Import and invite 1 customer'));
      await press(button(page, 'Done'));
      await keepsFocus(page);

      await press(button(page, 'Send Email'));
      await type(dialog(page).getByLabel('Subject'), 'Pick-up');
      await reach(dialog(page).getByTitle('Content'));
      await page.keyboard.type('At noon.');
      await press(dialog(page).getByRole('button', { name: 'Preview' }));
      await press(dialog(page).getByRole('button', { name: 'Send Emails' }));
      await expect(toastWith(page, /e-mails are on their way\.$/)).toBeVisible();
      await press(dialog(page).getByRole('button', { name: 'Close', exact: true }));
      await expect(dialog(page)).toHaveCount(0);
      await keepsFocus(page);

      await page.goto(`${testApp.url}/distributor/distribution/${distribution.id}?tab=customers&view=not-paid`);
      await press(button(page, 'Record payment of Adler, Moshe'));
      await press(dialog(page).getByRole('button', { name: 'Pay Now' }));
      await expect(toastWith(page, 'Payment recorded successfully')).toBeVisible();
      await expect(dialog(page)).toHaveCount(0);
      // After the payment, the row no longer belongs to the view "not paid", so the focus moves to the heading.
      await expect(page.getByRole('heading', { name: 'Customers' })).toBeFocused();
      await press(tab(page, 'Payments'));
      await press(page.getByRole('button', { name: /^Reverse the payment/ }));
      await type(dialog(page).getByLabel('Reason'), 'The wrong family');
      await page.keyboard.press('Enter');
      await expect(toastWith(page, 'Payment reversed')).toBeVisible();
      await keepsFocus(page);
    },
  );

  test.describe('at the counter', () => {
    test.use({ allowedComplaint: /status of 409/ });

    test(
      'a distributor weighs, takes a payment, hands over, and decides about a refused entry by keyboard (contract §14)',
      { tag: '@long' },
      async ({ page, testApp }) => {
        const { distributor, distribution, rivka } = await makeOrders(testApp);
        await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
        await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}`);
        await press(link(page, 'Counter'));
        const search = page.getByRole('combobox', { name: 'Find a family' });
        await expect(search).toBeFocused();
        await page.keyboard.type('Abramov');
        await page.keyboard.press('Enter');
        // The server refuses the first weight, as it does when somebody else has weighed the unit meanwhile.
        await page.route('**/api/order*/**', (route) =>
          route.request().method() === 'GET'
            ? route.fallback()
            : route.fulfill({ status: 409, headers: { 'x-request-id': 'id-1' }, body: 'Brisket 1/2 is 4.9 now.' }),
        );
        await expect(field(page, 'Brisket 1/2')).toBeFocused();
        await page.keyboard.type('3.25');
        await page.keyboard.press('Enter');
        await expect(page.getByRole('alert')).toContainText('1 entry was refused');
        await page.unroute('**/api/order*/**');
        await press(button(page, 'Look at it'));
        await expect(dialog(page)).toContainText('Brisket 1/2 is 4.9 now.');
        await press(dialog(page).getByRole('button', { name: 'Discard…' }));
        await press(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }));
        await keepsFocus(page);
        await press(dialog(page).getByRole('button', { name: 'Try again' }));
        await expect(dialog(page)).toContainText('Everything is with the server.');
        await keepsFocus(page);
        await page.keyboard.press('Escape');
        await expect(dialog(page)).toHaveCount(0);
        await keepsFocus(page);

        await type(field(page, 'Brisket 2/2'), '3.25');
        await page.keyboard.press('Enter');
        await type(field(page, 'Cash given'), '1000');
        await expect(page.getByText(/^Change \$/)).toBeVisible();
        await page.keyboard.press('Enter');
        await expect(page.getByText(/Abramov, Rivka: \$[\d.]+ paid in cash, change \$[\d.]+, handed over/)).toBeVisible();
        await expect(search).toBeFocused();
        await press(page.getByRole('button', { name: /^Undo/ }));
        await expect(page.getByRole('button', { name: /^Pay \$[\d.]+ in cash and hand over$/ })).toBeFocused();
        const orderId = await orderIdOf(testApp, rivka);
        const order = () => testApp.db.selectFrom('orders').select('pickedUpAt').where('id', '=', orderId).executeTakeFirstOrThrow();
        await expect.poll(async () => (await order()).pickedUpAt).toBeNull();
        // A person reads the amount before pressing Enter; a faster Enter does not pay.
        await page.waitForTimeout(UNREAD_MS + 50);
        await page.keyboard.press('Enter');
        await expect.poll(async () => (await order()).pickedUpAt).not.toBeNull();
      },
    );
  });
});
