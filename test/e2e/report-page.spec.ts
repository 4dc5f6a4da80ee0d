// Checks the report page on the screen, in files and on paper: purchase list, packing lists, payments and balances.
import { cents } from '../../src/domain/money.ts';
import { makeDistribution, makeDistributor } from '../data/factories.ts';
import { pay, weigh } from '../data/order-rows.ts';
import { downloaded, makeManyLines, makeOrders, orderIdOf, rows } from './placed-orders.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

/**
 * Creates a distribution with Rivka's and Moshe's orders. One of Rivka's two briskets is weighed. Moshe has paid by card and has paid too
 * much by check. One cash payment of his was reversed.
 */
async function makeReport(testApp: E2eApp) {
  const made = await makeOrders(testApp);
  const { distributor, distribution, rivka, moshe } = made;
  const [ofRivka, ofMoshe] = [await orderIdOf(testApp, rivka), await orderIdOf(testApp, moshe)];
  const line = await testApp.db
    .selectFrom('order_products')
    .selectAll()
    .where('orderId', '=', ofRivka)
    .where('productId', '=', made.brisket.id)
    .executeTakeFirstOrThrow();
  await weigh(testApp.db, line, [3.25, null], distributor);
  const payment = { orderId: ofMoshe, by: distributor };
  const cash = await pay(testApp.db, distribution, { ...payment, amount: 1000 });
  await pay(testApp.db, distribution, { ...payment, amount: -1000, reversesId: cash, description: 'Typed twice' });
  await pay(testApp.db, distribution, {
    ...payment,
    amount: 4529,
    feeAmount: cents(91),
    paymentMethod: 'Credit Card',
    description: 'Visa',
  });
  await pay(testApp.db, distribution, { ...payment, amount: 100, paymentMethod: 'Check', description: 'No. 7' });
  return { ...made, ofRivka: String(ofRivka), ofMoshe: String(ofMoshe), address: `/distributor/distribution/${distribution.id}/report` };
}

test(
  'the report page shows the correct purchase list, packing lists and money on the page, in the files and on paper (spec §2; contract §9)',
  { tag: '@desk' },
  async ({ page, testApp }) => {
    const { distributor, distribution, rivka, moshe, ofRivka, ofMoshe, address } = await makeReport(testApp);
    await page.addInitScript(() => {
      let times = 0;
      window.print = () => {
        document.documentElement.dataset['printed'] = String((times += 1));
      };
    });
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=report`);
    await page.getByRole('link', { name: 'Open the report page' }).click();
    await expect(page).toHaveURL(testApp.url + address);
    await expect(page.getByRole('heading', { name: 'Report' })).toBeVisible();

    // The weight of 6.25 lb consists of a weighed brisket of 3.25 lb and an unweighed one of about 3 lb. The 4 boxes of matzah (1 and 3)
    // are not sold by weight.
    await expect(page.getByText('6 units of 2 products in 2 groups')).toBeVisible();
    await expect(page.getByRole('img', { name: 'Units by group: Dry goods 4 units; Beef 2 units' })).toBeVisible();
    await expect(page.getByRole('img', { name: 'Weight by group, in lb: Beef about 6.25 lb' })).toBeVisible();
    await expect(rows(page)).toHaveText([
      /^Beef126 lb3\.25 lb$/,
      /^Dry goods14——$/,
      /^1001BrisketBeefabout 3 lb26 lb3\.25 lb1 of 2 units$/,
      /^2001MatzahDry goods1 lb4——$/,
    ]);
    const groups = await downloaded(page, page.getByRole('link', { name: 'Download groups' }));
    expect(groups.name).toBe(`distribution-${distribution.id}-supply-groups.csv`);
    expect(groups.cells).toEqual([
      ['group', 'products', 'units', 'unit of measure', 'estimated weight', 'weight so far'],
      ['Beef', '1', '2', 'lb', '6', '3.25'],
      ['Dry goods', '1', '4', '', '', ''],
    ]);
    const supply = await downloaded(page, page.getByRole('link', { name: 'Download products' }));
    expect(supply.name).toBe(`distribution-${distribution.id}-supply.csv`);
    expect(supply.cells).toEqual([
      ['code', 'product', 'group', 'quantity per unit', 'unit of measure', 'units', 'estimated weight', 'weighed units', 'weight so far'],
      ['1001', 'Brisket', 'Beef', '3', 'lb', '2', '6', '1', '3.25'],
      ['2001', 'Matzah', 'Dry goods', '1', 'lb', '4', '', '', ''],
    ]);

    await page.getByRole('tab', { name: 'Packing' }).click();
    await expect(rows(page)).toHaveText([/^Abramov, Rivka.*32 ×1001 Brisket1 ×2001 Matzah$/, /^Adler, Moshe.*33 ×2001 Matzah$/]);
    await page.getByRole('button', { name: 'By product' }).click();
    await expect(page).toHaveURL(/tab=packing&packing=product/);
    await expect(rows(page)).toHaveText([/^1001Brisket22 ×Abramov, Rivka$/, /^2001Matzah41 ×Abramov, Rivka3 ×Adler, Moshe$/]);
    await page.getByLabel('Filter by Customers').fill('moshe');
    await expect(rows(page)).toHaveText([/^2001Matzah4/]);
    const filtered = await downloaded(page, page.getByRole('link', { name: 'Download filtered' }));
    expect(filtered.name).toBe(`distribution-${distribution.id}-packing-by-product.csv`);
    expect(filtered.cells).toEqual([
      ['code', 'product', 'group', 'last name', 'first name', 'email', 'order', 'units'],
      ['2001', 'Matzah', 'Dry goods', 'Abramov', 'Rivka', rivka.email, ofRivka, '1'],
      ['2001', 'Matzah', 'Dry goods', 'Adler', 'Moshe', moshe.email, ofMoshe, '3'],
    ]);

    await page.getByRole('tab', { name: 'Money' }).click();
    // Rivka owes 3.25 × $15.00 + 3 × $15.00 + $12.99 = $106.74, plus $5.00, plus 3% of $111.74. Moshe owes $45.29 and has paid $46.29.
    await expect(page.getByText('$47.20with $0.91 of card fees')).toBeVisible();
    await expect(page.getByText('$115.09$115.09 of it is an estimate')).toBeVisible();
    await expect(page.getByText('$1.00to customers who paid too much')).toBeVisible();
    await expect(rows(page)).toHaveText([
      /^Cash1\$10\.00-\$10\.00\$0\.00\$0\.00\$0\.00$/,
      /^Credit Card1\$45\.29\$0\.00\$45\.29\$0\.91\$46\.20$/,
      /^Check1\$1\.00\$0\.00\$1\.00\$0\.00\$1\.00$/,
      /^Abramov, Rivka.*Estimated\$115\.09\$0\.00\$115\.09$/,
      /^Adler, Moshe.*Final\$45\.29\$46\.29Refund due \$1\.00$/,
    ]);
    await expect(page.getByRole('img', { name: /Cash \$0\.00; Credit Card \$46\.20; Check \$1\.00; Money due \$115\.09/ })).toBeVisible();
    const taken = await downloaded(page, page.getByRole('link', { name: 'Download money in' }));
    expect(taken.name).toBe(`distribution-${distribution.id}-money.csv`);
    expect(taken.cells.slice(1)).toEqual([
      ['Cash', '1', '10.00', '-10.00', '0.00', '0.00', '0.00'],
      ['Credit Card', '1', '45.29', '0.00', '45.29', '0.91', '46.20'],
      ['Check', '1', '1.00', '0.00', '1.00', '0.00', '1.00'],
    ]);
    const due = await downloaded(page, page.getByRole('link', { name: 'Download money due' }));
    expect(due.cells.slice(1)).toEqual([
      ['Abramov', 'Rivka', rivka.email, ofRivka, 'Estimated', '115.09', '0.00', '115.09'],
      ['Adler', 'Moshe', moshe.email, ofMoshe, 'Final', '45.29', '46.29', '-1.00'],
    ]);

    await page.getByRole('button', { name: 'Print report' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-printed', '1');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('heading', { name: `Report: ${distribution.name}` })).toBeVisible();
    // The print contains all tables of the report, whichever tab and filter are selected: groups, products, two packing lists, methods,
    // balances and estimates.
    await expect(rows(page)).toHaveText([
      /^Beef/,
      /^Dry/,
      /Brisket/,
      /Matzah/,
      /^Abramov/,
      /^Adler/,
      /^Cash/,
      /^Cred/,
      /^Check/,
      /^Abra/,
      /^Adl/,
      /Brisket.*-8%/,
    ]);
    await expect(page.getByRole('button', { name: 'Print report' })).toBeHidden();
  },
);

test(
  'the report page explains the empty sections of a report without orders, and shows no report of another distributor',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const { distributor } = await makeReport(testApp);
    const stranger = await makeDistributor(testApp.db);
    const foreign = await makeDistribution(testApp.db, stranger);
    const empty = await makeDistribution(testApp.db, distributor, { name: 'Purim' });
    await testApp.signIn(page, distributor, `/distributor/distribution/${empty.id}/report`);
    await expect(page.getByText('Nothing has been ordered yet. This page lists what to buy of each product and group.')).toBeVisible();
    await page.getByRole('tab', { name: 'Packing' }).click();
    await expect(page.getByText('Nothing has been ordered yet. This table lists what customers order')).toBeVisible();
    await page.getByRole('tab', { name: 'Money' }).click();
    await expect(page.getByText('No payments yet. This table lists what comes in, by method.')).toBeVisible();
    await expect(page.getByText('Nothing is due: every order is paid.')).toBeVisible();
    await page.goto(`${testApp.url}/distributor/distribution/${foreign.id}/report`);
    await expect(page).toHaveURL(`${testApp.url}/distributor`);
  },
);

test('the report page renders only the visible packing lists of 12,000 lines', { tag: ['@desk', '@long'] }, async ({ page, testApp }) => {
  const { distributor, distribution, address } = await makeReport(testApp);
  await makeManyLines(testApp, distributor, distribution);
  await testApp.signIn(page, distributor, `${address}?tab=packing`);
  await expect(page.getByText('12,003 ordered lines')).toBeVisible();
  await expect(rows(page).first()).toContainText('Abramov, Rivka');
  expect(await page.locator('tr').count()).toBeLessThanOrEqual(100);
  await page.getByRole('region', { name: 'Packing lists' }).evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
  await expect(page.getByRole('row', { name: /many400@mail\.test.*Product 30/ })).toBeVisible();
  await page.getByRole('button', { name: 'By product' }).click();
  const product = page.getByRole('row', { name: /^Product 1 400/ });
  await expect(product.getByRole('listitem')).toHaveCount(20);
  await product.getByRole('button', { name: 'Show all 400' }).click();
  await expect(product.getByRole('listitem')).toHaveCount(400);
  expect(await page.locator('tr').count()).toBeLessThanOrEqual(100);
});
