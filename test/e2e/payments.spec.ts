// The distributor records payments in cash and by card in the customers table, and reverses a payment. The tests also cover the file with
// the payments.
import type { Locator, Page } from '@playwright/test';
import { UNREAD_MS } from '../../src/client/hooks/use-unread.ts';
import { run } from '../../src/server/database/db.ts';
import { expectAccessible } from './accessible.ts';
import { toastWith } from './people.ts';
import { downloaded, makeOrders, orderIdOf, rows } from './placed-orders.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Pay Now' });
const payButton = (page: Page): Locator => dialog(page).getByRole('button', { name: 'Pay Now' });
const total = (page: Page): Locator => dialog(page).getByRole('status', { name: 'Total' });
const recordPayment = (page: Page, customer: string): Locator => page.getByRole('button', { name: `Record payment of ${customer}` });

const paymentsIn = (testApp: E2eApp) =>
  testApp.db.selectFrom('payments').select(['orderId', 'amount', 'paymentMethod', 'description', 'feeAmount']).orderBy('id').execute();

test(
  'a distributor records a cash payment and a card payment of a customer, and reverses a wrong payment (spec §1, §2, §5, §7, §8, §9; contract §10)',
  { tag: '@desk' },
  async ({ page, testApp }) => {
    const { distributor, distribution, moshe } = await makeOrders(testApp);
    const orderId = await orderIdOf(testApp, moshe);
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=customers`);

    // Rivka has meat that is not weighed, Dina has no order, and Moshe owes $45.29.
    await expect(recordPayment(page, 'Abramov, Rivka')).toBeDisabled();
    await expect(recordPayment(page, 'Abramov, Rivka')).toHaveAccessibleDescription('Not all weighed');
    await expect(recordPayment(page, 'Cohen, Dina')).toBeDisabled();
    await expect(recordPayment(page, 'Cohen, Dina')).toHaveAccessibleDescription('Nothing due');
    await recordPayment(page, 'Adler, Moshe').click();
    const amount = dialog(page).getByLabel('Amount');
    await expect(dialog(page).getByText('Adler, Moshe · Balance $45.29')).toBeVisible();
    await expect(dialog(page).getByLabel('Payment method')).toHaveValue('Cash');
    await expect(amount).toHaveValue('45.29');
    for (const [name, value] of Object.entries({ type: 'number', step: '0.01', min: '0.01' }))
      await expect(amount).toHaveAttribute(name, value);
    await expect(dialog(page).getByLabel('Fee percentage')).toHaveCount(0);
    await expect(dialog(page).getByLabel('Description')).toHaveCount(0);
    await amount.hover();
    await amount.focus();
    await page.mouse.wheel(0, 200);
    await expect(amount).toHaveValue('45.29');
    await amount.fill('0');
    await payButton(page).click();
    await expect(dialog(page).getByText('Payment amount must be at least $0.01')).toBeVisible();
    await amount.fill('45.30');
    await expect(dialog(page).getByText('The payment is above the balance: $45.29.')).toBeVisible();
    await amount.fill('');
    await page.keyboard.type('2,50');
    await expect(amount).toHaveValue('2.50');
    await expect(total(page)).toHaveText('$2.50');
    await amount.evaluate((field: HTMLInputElement) => {
      field.select();
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', '1.012,50');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await expect(amount).toHaveValue('1012.50');
    await amount.fill('20');
    await expect(total(page)).toHaveText('$20.00');
    await payButton(page).dblclick();
    await expect(toastWith(page, 'Payment recorded successfully')).toBeVisible();
    await expect(rows(page).filter({ hasText: 'Adler, Moshe' })).toContainText('$25.29');
    const cash = { orderId, amount: 2000, paymentMethod: 'Cash', description: null, feeAmount: 0 };
    expect(await paymentsIn(testApp)).toEqual([cash]);

    // The card fee is 2% of $25.29, which is $0.5058.
    await recordPayment(page, 'Adler, Moshe').click();
    await expect(amount).toHaveValue('25.29');
    await dialog(page).getByLabel('Payment method').selectOption('Credit Card');
    const fee = dialog(page).getByLabel('Fee percentage');
    await expect(fee).toHaveValue('2');
    for (const [name, value] of Object.entries({ type: 'number', step: '0.5', min: '0' })) await expect(fee).toHaveAttribute(name, value);
    await expect(total(page)).toHaveText('$25.80');
    await fee.fill('2.5');
    await expect(total(page)).toHaveText('$25.92');
    await dialog(page).getByLabel('Payment method').selectOption('Check');
    await expect(fee).toHaveCount(0);
    await expect(total(page)).toHaveText('$25.29');
    await dialog(page).getByLabel('Payment method').selectOption('Credit Card');
    await expect(fee).toHaveValue('2');
    await payButton(page).click();
    await expect(dialog(page).getByLabel('Description')).toHaveAccessibleDescription(
      /A description is required unless the method is Cash\./,
    );
    await page.keyboard.type('Visa 4242');
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toBeHidden();
    await expect(rows(page).filter({ hasText: 'Adler, Moshe' })).toContainText('Paid');
    await expect(recordPayment(page, 'Adler, Moshe')).toBeDisabled();
    await expect(recordPayment(page, 'Adler, Moshe')).toHaveAccessibleDescription('Nothing due');
    expect(await paymentsIn(testApp)).toEqual([
      cash,
      { orderId, amount: 2529, paymentMethod: 'Credit Card', description: 'Visa 4242', feeAmount: 51 },
    ]);

    await page.getByRole('tab', { name: 'Payments' }).click();
    await expect(rows(page)).toHaveText([
      /Adler, Moshe.*Credit Card\$25\.29\$0\.51Visa 4242Reverse…/,
      /Adler, Moshe.*Cash\$20\.00—Reverse…/,
    ]);
    await expect(rows(page).first()).toContainText(/\d{1,2}\/\d{1,2}\/\d{4} \d{1,2}:\d\d [AP]M/);
    await page.getByRole('button', { name: 'Reverse the payment of $25.29 by Adler, Moshe' }).click();
    const reversal = page.getByRole('dialog', { name: 'Reverse the payment' });
    await expect(reversal).toContainText(
      'Credit Card payment of $25.29 by Adler, Moshe. $25.80 is given back: $25.29 and its card fee of $0.51.',
    );
    await reversal.getByRole('button', { name: 'Reverse $25.80' }).click();
    await expect(reversal.getByText('Say why it is reversed')).toBeVisible();
    await reversal.getByLabel('Reason').fill('The wrong family');
    await reversal.getByRole('button', { name: 'Reverse $25.80' }).click();
    await expect(toastWith(page, 'Payment reversed')).toBeVisible();
    await expect(rows(page)).toHaveText([
      /Credit Card-\$25\.29-\$0\.51The wrong familyReversal/,
      /Credit Card\$25\.29\$0\.51Visa 4242Reversed/,
      /Cash\$20\.00—Reverse…/,
    ]);
    await expect(page.getByLabel('Totals by method')).toHaveText('Cash$20.00Credit Card$0.00Together$20.00');

    await page.getByLabel('Filter by Method').fill('card');
    await page.getByLabel('Filter by State').fill('reversed');
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByText('1 of 2 payments, 0 of 1 reversal', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/payments\.method=card&payments\.state=reversed/);
    const whole = await downloaded(page, page.getByRole('link', { name: 'Download Report' }));
    expect(whole.name).toBe(`distribution-${distribution.id}-payments.csv`);
    const header = 'payment,time,first name,last name,email,order,method,amount,card fee,description,state'.split(',');
    const told = (cells: readonly string[] | undefined) => cells?.slice(2);
    const who = ['Moshe', 'Adler', moshe.email, String(orderId)];
    expect(whole.cells.map(told)).toEqual([
      told(header),
      [...who, 'Credit Card', '-25.29', '-0.51', 'The wrong family', 'Reversal'],
      [...who, 'Credit Card', '25.29', '0.51', 'Visa 4242', 'Reversed'],
      [...who, 'Cash', '20.00', '0.00', '', 'Recorded'],
    ]);
    const filtered = await downloaded(page, page.getByRole('link', { name: 'Download filtered' }));
    expect(filtered.cells.slice(1)).toEqual([whole.cells[2]]);

    // A narrow table shows its less important columns below the name of each row. When the user empties the filter, its field must keep the
    // focus, so that the user can type on.
    await page.setViewportSize({ width: 1100, height: 800 });
    await page.goto(page.url().replace(/&payments.*/, ''));
    await page.getByText('Sort and filter').click();
    await page.getByLabel('Filter by Description').fill('wrong');
    await expect(rows(page)).toHaveCount(1);
    await page.getByLabel('Filter by Description').fill('');
    await expect(rows(page)).toHaveCount(3);
    await page.keyboard.type('visa');
    await expect(rows(page)).toHaveText([/Visa 4242/]);

    await page.getByRole('tab', { name: 'Customers' }).click();
    await expect(rows(page).filter({ hasText: 'Adler, Moshe' })).toContainText('$25.29');
  },
);

test(
  'the Pay Now dialog never pays twice after a lost response or from a second window (spec §4)',
  { tag: '@desk' },
  async ({ page, testApp }) => {
    const { distributor, distribution, moshe } = await makeOrders(testApp);
    await testApp.signIn(page, distributor);
    // The test makes a request fail. It uses another tab, because the browser logs such a request as an error on the console, and a console
    // error in the first tab fails the test.
    const tab = await page.context().newPage();
    await tab.goto(`${testApp.url}/distributor/distribution/${distribution.id}?tab=customers`);
    await recordPayment(tab, 'Adler, Moshe').click();
    await dialog(tab).getByLabel('Amount').fill('20');
    await tab.route(
      '**/payments',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await payButton(tab).click();
    // The dialog shows the new balance, and says in place of the error that the response to the payment was lost.
    await expect(dialog(tab).getByLabel('Amount')).toHaveValue('25.29');
    await expect(dialog(tab).getByText(/^The answer to your payment was lost, and the balance has changed since/)).toBeVisible();
    expect((await paymentsIn(testApp)).map(({ amount }) => amount)).toEqual([2000]);
    await expect(tab.locator('.toast')).toHaveCount(0);

    const paid = await tab.evaluate(
      async ([url, body]) =>
        (await fetch(url ?? '', { method: 'POST', headers: { 'content-type': 'application/json' }, body: body ?? '' })).status,
      [`/api/orders/${await orderIdOf(testApp, moshe)}/payments`, JSON.stringify({ amount: 2000, paymentMethod: 'Cash', feeAmount: 0 })],
    );
    expect(paid).toBe(201);
    await tab.waitForTimeout(UNREAD_MS);
    await payButton(tab).click();
    await expect(tab.locator('.toast')).toContainText('409: The payment is above the balance: $5.29.');
    await expect(dialog(tab).getByLabel('Amount')).toHaveValue('5.29');
  },
);

test(
  'the Pay Now dialog of an order opens before everything is weighed, and explains why paying is disabled (spec §2, §4, §5, §8; contract §10)',
  { tag: ['@once', '@long'] },
  async ({ page, testApp, isMobile }) => {
    const { distributor, distribution, rivka } = await makeOrders(testApp);
    await testApp.signIn(page, distributor, `/distributor/edit-order/${distribution.id}/${rivka.id}`);
    await page.getByRole('button', { name: 'Pay Now' }).click();
    await expect(dialog(page).getByText('Rivka Abramov · Balance $111.23 est.')).toBeVisible();
    await expect(payButton(page)).toBeDisabled();
    await dialog(page).getByLabel('Amount').press('Enter');
    await expect(toastWith(page, 'Payment is disabled')).toBeVisible();
    await expect(toastWith(page, 'Are all the weights entered?')).toBeVisible();
    expect(await paymentsIn(testApp)).toEqual([]);
    await page.locator('.toast-close').click();
    await expectAccessible(page, 'the dialog that is not ready');

    await run(
      testApp.db,
      `INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
     SELECT l.id, unit, 1.001, $1 FROM order_products l JOIN products p ON p.id = l."productId" AND p.unit_qty_is_estimate, generate_series(0, 1) unit`,
      [distributor.id],
    );
    await page.reload();
    // Each of the two briskets costs 1.001 × $15.00 = $15.015, rounded to $15.02. With $12.99 the subtotal is $43.03; + $5.00 = $48.03; + 3%
    // ($1.4409) = $49.47.
    await page.getByRole('button', { name: 'Pay Now' }).click();
    await expect(dialog(page).getByLabel('Amount')).toHaveValue('49.47');
    await dialog(page).getByLabel('Payment method').selectOption('Check');
    await dialog(page).getByLabel('Description').fill('No. 12');
    await payButton(page).click();
    await expect(toastWith(page, 'Payment successful')).toBeVisible();

    // The distributor can also record a payment on the page with the printed order.
    await page.goto(`${testApp.url}/distributor/print-order/${await orderIdOf(testApp, rivka)}`);
    await page.getByRole('button', { name: 'Pay Now' }).click();
    await expect(dialog(page).getByText('Rivka Abramov · Balance $0.00')).toBeVisible();
    await expectAccessible(page, 'the dialog on the printed order');

    if (!isMobile) return;
    await page.goto(`${testApp.url}/distributor/distribution/${distribution.id}?tab=payments`);
    const card = page.getByRole('list', { name: 'Payments' }).getByRole('listitem');
    await expect(card).toHaveText(/Abramov, Rivka.*MethodCheck.*Amount\$49\.47.*DescriptionNo\. 12.*Reverse…/);
  },
);
