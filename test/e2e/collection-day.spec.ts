// On the pick-up day, staff use only the keyboard. In the customers tab, they search for a customer, record the weights, and record the
// payment.
import { cents } from '../../src/domain/money.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder } from '../data/order-rows.ts';
import { downloaded, toast } from './placed-orders.ts';
import { expect, test } from './fixtures.ts';

test(
  'when the customers search has one match, Enter opens the weights of that order or, once they are recorded, the payment; the search text stays (spec §2)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
    const byWeight = { unit_qty_is_estimate: true, unit_qty: 4, unit_price: cents(1000) };
    const chicken = await makeProduct(testApp.db, distribution, { name: 'Chicken', ...byWeight });
    for (const firstName of ['Rivka', 'Moshe', 'Dina']) {
      await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor, { firstName }), [[chicken, 2]]);
    }
    await testApp.signIn(page, distributor);
    const tab = `${testApp.url}/distributor/distribution/${distribution.id}?tab=customers`;
    await page.goto(tab);
    const search = page.getByRole('textbox', { name: 'Name, e-mail or phone' });
    const weights = page.getByRole('link', { name: 'Weights of Abramov, Moshe' });

    await expect(weights).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('abramov');
    await page.keyboard.press('Enter');
    await expect(search).toBeFocused();
    // The test presses Enter at once, before the search text has been added to the URL.
    await search.fill('mosh');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/actual-quantities');
    await expect(page.getByRole('spinbutton', { name: 'Chicken 1/2' })).toBeFocused();
    for (const weight of ['4', '5']) {
      await page.keyboard.type(weight);
      await page.keyboard.press('Enter');
    }
    await expect(page.getByRole('button', { name: 'Save' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(toast(page, '2 weights saved.')).toBeVisible();
    await page.waitForURL(`${tab}&customers.name=mosh`);
    await expect(search).toHaveValue('mosh');
    await expect(weights).toBeFocused();
    const payment = page.getByRole('button', { name: 'Record payment of Abramov, Moshe' });
    // The test presses Tab while the rows still show the old data.
    await page.keyboard.press('Tab');
    await expect(payment).toBeFocused();
    await expect(payment).toBeEnabled();
    await expect(payment).toBeFocused();

    await page.keyboard.press('/');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Pay Now' });
    await expect(dialog).toContainText('$90.00');
    await dialog.getByRole('button', { name: 'Pay Now' }).press('Enter');
    await expect(toast(page, 'Payment recorded successfully')).toBeVisible();
    await expect(dialog).toBeHidden();

    // The search text is also kept when the user clicks a link right after typing.
    await search.fill('dina');
    await page.getByRole('link', { name: 'Weights of Abramov, Dina' }).click();
    await page.waitForURL('**/actual-quantities');
    await page.goBack();
    await expect(search).toHaveValue('dina');
  },
);

test(
  'every report can be downloaded before the first order; the file then contains the header only (spec §2)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const { id } = await makeDistribution(testApp.db, distributor);
    await testApp.signIn(page, distributor);
    const files = {
      report: `distribution-${id}-report.csv`,
      customers: `distribution-customers-${id}-report.csv`,
      payments: `distribution-${id}-payments.csv`,
      actuals: `distribution-${id}-actuals-report.csv`,
    };
    for (const [tab, name] of Object.entries(files)) {
      await page.goto(`${testApp.url}/distributor/distribution/${id}?tab=${tab}`);
      const file = await downloaded(page, page.getByRole('link', { name: 'Download Report' }));
      expect([file.name, file.cells.length, file.cells[0]?.includes('email')]).toEqual([name, 1, true]);
    }
  },
);
