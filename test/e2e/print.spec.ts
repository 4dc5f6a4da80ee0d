// Checks the print pages as they appear on the screen: their content, the automatic printing, and what is not printed. pdf.spec.ts checks
// the pages on paper.
import type { Page } from '@playwright/test';
import { run } from '../../src/server/database/db.ts';
import { makeAgent } from '../data/factories.ts';
import { pay, weigh } from '../data/order-rows.ts';
import { makeOrders, orderIdOf, toast } from './placed-orders.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

type Counting = typeof globalThis & { printed: number };

/** Replaces window.print by a function that counts its calls. */
const countPrints = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Object.assign(globalThis, { printed: 0 });
    window.print = () => void ((globalThis as Counting).printed += 1);
  });
const printsOf = (page: Page): Promise<number> => page.evaluate(() => (globalThis as Counting).printed);
const cellsOf = (page: Page): Promise<(string | null)[][]> =>
  page
    .getByRole('table')
    .evaluate((table: HTMLTableElement) => [...table.rows].slice(2).map((row) => [...row.cells].map((cell) => cell.textContent)));

async function lineOf(testApp: E2eApp, orderId: number, productId: number) {
  const lines = testApp.db.selectFrom('order_products').selectAll();
  return await lines.where('orderId', '=', orderId).where('productId', '=', productId).executeTakeFirstOrThrow();
}

/** Creates Rivka's order. Its first brisket weighs 3.25 lb, and its second brisket is not weighed. */
async function makePrintable(testApp: E2eApp) {
  const made = await makeOrders(testApp);
  const orderId = await orderIdOf(testApp, made.rivka);
  await weigh(testApp.db, await lineOf(testApp, orderId, made.brisket.id), [3.25], made.distributor);
  const organization = [made.distributor.id, 'Bethel Co-op', '9 Oak Ave', 'Teaneck', 'NJ', '07666', '555-0199'];
  const text = `INSERT INTO organizations ("distributorId", name, address, city, state, zip, phone) VALUES ($1, $2, $3, $4, $5, $6, $7)`;
  await run(testApp.db, text, organization);
  return { ...made, orderId };
}

test(
  "the print page of a customer's order prints once automatically, without the navigation of the screen (spec §1, §2, §8, §9; contract §7, §10)",
  { tag: '@desk' },
  async ({ page, testApp }) => {
    const { distribution, rivka, orderId } = await makePrintable(testApp);
    await countPrints(page);
    await testApp.signIn(page, rivka);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/customer-print-order/*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Print Order' }).click();
    await expect(page).toHaveURL(`${testApp.url}/customer/print-order/${distribution.id}`);
    await expect(page.getByText('Loading...', { exact: true })).toBeVisible();
    expect(await printsOf(page)).toBe(0);
    release();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order ${orderId}`);
    await expect.poll(() => printsOf(page)).toBe(1);
    await expect(page).toHaveTitle(`Order ${orderId} - Rivka Abramov - Passover 2027`);
    await expect(page.getByText('April 15, 2027')).toBeVisible();
    await expect(page.getByText('1 Elm StTeaneck, NJ 07666555-0100')).toBeVisible();
    await expect(page.getByText('9 Oak Ave, Teaneck, NJ 07666')).toBeVisible();
    await expect(page.getByRole('columnheader')).toHaveText(['Quantity', 'Code', 'Product', 'Price(each)', 'Ext Price']);
    // The total is 3.25 × $15.00 = $48.75; + $12.99 = $61.74; + $5.00 = $66.74; 3% of $66.74 are $2.0022.
    expect(await cellsOf(page)).toEqual([
      ['3.25', '1001', 'Brisket', '$15.00', '$48.75'],
      ['', '1001', 'Brisket', '$15.00', '$0.00'],
      ['1', '2001', 'Matzah', '$12.99', '$12.99'],
      ['Subtotal', '$61.74'],
      ['Hall and ice', '$5.00'],
      ['Service (3%)', '$2.00'],
      ['Total', '$68.74'],
      ['1 unit is not weighed yet and not in the total.'],
    ]);

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
    await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toBeHidden();
    await expect(page.getByText('Logout')).toBeHidden();
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await expect(page.locator('.paper')).toHaveCSS('color', 'rgb(0, 0, 0)');
    // The box is 12 mm wide and high, so that people can write a weight into it by hand.
    const box = await page.getByRole('img', { name: 'Empty box' }).boundingBox();
    expect([box?.width, box?.height].map((length) => Math.round(((length ?? 0) * 25.4) / 96))).toEqual([12, 12]);

    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Print' }).click();
    expect(await printsOf(page)).toBe(2);
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(page).toHaveURL(`${testApp.url}/customer`);
  },
);

test(
  'a customer cannot print an order after ordering has closed; for an unknown order, the print page shows an error (spec §2, §8)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp, context }) => {
    const { distribution, rivka, dina } = await makePrintable(testApp);
    await testApp.db.updateTable('distributions').set({ orderingOpen: false }).execute();
    await countPrints(page);
    await testApp.signIn(page, rivka);
    await page.getByRole('link', { name: 'Print Order' }).click();
    await expect(toast(page, 'Ordering is closed')).toBeVisible();
    await expect(page).toHaveURL(`${testApp.url}/customer`);

    await context.clearCookies();
    await testApp.signIn(page, dina);
    for (const path of [`print-order/${distribution.id}`, 'print-order/x', 'print-pricesheet/2000000000', 'print-pricesheet/x']) {
      await page.goto(`${testApp.url}/customer/${path}`);
      await expect(page.getByText('Not Found', { exact: true })).toBeVisible();
      await expect(page.getByText('There is no such order or distribution, or it is not one of yours.')).toBeVisible();
      expect(await printsOf(page)).toBe(0);
    }
  },
);

test(
  'distributor and agent print an order with its payments and refund (spec §1, §2)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp, context }) => {
    const { distributor, distribution, moshe } = await makePrintable(testApp);
    const orderId = await orderIdOf(testApp, moshe);
    await pay(testApp.db, distribution, { orderId, amount: 4000, by: distributor });
    await pay(testApp.db, distribution, { orderId, amount: 839, by: distributor, paymentMethod: 'Credit Card', description: 'Visa' });
    await countPrints(page);
    const agent = await makeAgent(testApp.db, distributor);
    const ways = [
      { person: distributor, home: '/distributor', back: `/distributor/distribution/${distribution.id}?tab=customers` },
      { person: agent, home: '/agent', back: `/agent/distribution/${distribution.id}` },
    ];
    for (const { person, home, back } of ways) {
      await context.clearCookies();
      await testApp.signIn(page, person, `${home}/print-order/${orderId}`);
      await expect.poll(() => printsOf(page)).toBe(1);
      // The total is 3 × $12.99 = $38.97; + $5.00 = $43.97; + 3% ($1.3191) = $45.29. The customer has paid $48.39.
      expect((await cellsOf(page)).slice(1)).toEqual([
        ['Subtotal', '$38.97'],
        ['Hall and ice', '$5.00'],
        ['Service (3%)', '$1.32'],
        ['Total', '$45.29'],
        ['Cash Payment', '$40.00'],
        ['Credit Card Payment', '$8.39'],
        ['Balance Due', 'Refund due $3.10'],
      ]);
      await expect(page.getByRole('link', { name: /^Back to/ })).toHaveAttribute('href', back);
    }
    // The test opens a page that does not exist. It uses another tab, because the browser logs the response 404 as an error on the console,
    // and a console error in the first tab fails the test.
    const other = await context.newPage();
    await other.goto(`${testApp.url}/agent/print-order/2000000000`);
    await expect(other.getByText('Not Found', { exact: true })).toBeVisible();
    await expect(other.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/agent');
  },
);

test(
  'on a phone the printed order and the price sheet are cards with the same fields (spec §1, §2, §6)',
  { tag: '@phone' },
  async ({ page, testApp }) => {
    const { distribution, rivka } = await makePrintable(testApp);
    await page.setViewportSize({ width: 375, height: 700 });
    await countPrints(page);
    await testApp.signIn(page, rivka);
    await page.getByRole('button', { name: 'Actions for Passover 2027' }).click();
    await page.getByRole('link', { name: 'Download Price Sheet' }).click();
    await expect(page).toHaveURL(`${testApp.url}/customer/print-pricesheet/${distribution.id}`);
    await expect.poll(() => printsOf(page)).toBe(1);
    await expect(page).toHaveTitle('Pricesheet - Passover 2027');
    expect(await cellsOf(page)).toEqual([
      ['Beef'],
      ['1001', 'Brisket', '-', '$15.00', '$45.00*'],
      ['Dry goods'],
      ['2001', 'Matzah', '-', '$12.99', '$12.99'],
    ]);
    await page.goto(`${testApp.url}/customer/print-order/${distribution.id}`);
    await expect.poll(() => printsOf(page)).toBe(1);
  },
);
