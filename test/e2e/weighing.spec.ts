// Staff enter forty weights by keyboard alone. The tests also cover confirmation questions, drafts, two people who weigh the same order,
// and the actuals tab.
import type { Page } from '@playwright/test';
import { UNREAD_MS } from '../../src/client/hooks/use-unread.ts';
import { cents } from '../../src/domain/money.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder, weigh } from '../data/order-rows.ts';
import { downloaded, rows, toast } from './placed-orders.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

/** Creates a customer's order of briskets of about 5 lb, chickens of about 4 lb, and one matzah, which is not sold by weight. */
async function toWeigh(testApp: E2eApp, [briskets, chickens]: readonly [number, number]) {
  const { db } = testApp;
  const distributor = await makeDistributor(db);
  const agent = await makeAgent(db, distributor);
  const distribution = await makeDistribution(db, distributor, { name: 'Passover 2027', orderingOpen: false, acceptActuals: true });
  const byWeight = { unit_qty_is_estimate: true, unit_price: cents(1000) };
  const chicken = await makeProduct(db, distribution, { name: 'Chicken', product_code: 1201, unit_qty: 4, ...byWeight });
  const brisket = await makeProduct(db, distribution, {
    name: 'Brisket',
    product_code: 1001,
    unit_qty: 5,
    description: 'First cut.',
    ...byWeight,
  });
  const matzah = await makeProduct(db, distribution, { name: 'Matzah' });
  const customer = await makeCustomer(db, distributor);
  const order = await makeOrder(db, distribution, customer, [
    [chicken, chickens],
    [brisket, briskets],
    [matzah, 2],
  ]);
  return { distributor, agent, customer, distribution, order, path: `orders/${order.id}/actual-quantities` };
}

const weightsOf = (testApp: E2eApp, orderProductId: number | undefined) =>
  testApp.db
    .selectFrom('actual_quantities')
    .select('actualQuantity')
    .where('orderProductId', '=', orderProductId ?? 0)
    .orderBy('sortOrder')
    .execute()
    .then((all) => all.map((row) => row.actualQuantity));
/** Waits until a person can have read a question. A faster Enter does not answer it. */
const readQuestion = (page: Page) => page.waitForTimeout(UNREAD_MS + 50);
const unit = (page: Page, name: string) => page.getByRole('spinbutton', { name, exact: true });
const fitsTheWidth = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);

test(
  'forty units are weighed by keyboard alone, including a question about an unusual weight and a reload of the page (spec §2, §7, §8)',
  { tag: '@desk' },
  async ({ page, testApp }) => {
    const { distributor, distribution, order, path } = await toWeigh(testApp, [25, 15]);
    await testApp.signIn(page, distributor);
    const tab = `${testApp.url}/distributor/distribution/${distribution.id}?tab=actuals`;
    await page.goto(tab);
    await expect(page.getByText('0 of 40 weighed')).toBeVisible();
    await page.goto(`${testApp.url}/distributor/${path}`);
    await expect(page.getByRole('columnheader')).toHaveText(['Quantity', 'Code', 'Product']);
    await expect(rows(page)).toHaveCount(40);
    await expect(rows(page).first()).toHaveText(/^1\/25.*1001BrisketFirst cut\.$/);
    await expect(unit(page, 'Brisket 1/25')).toBeFocused();

    for (let index = 0; index < 10; index++) {
      await page.keyboard.type(`4,${80 + index}`);
      await page.keyboard.press('Enter');
    }
    await expect(page.getByRole('region', { name: 'Progress' })).toContainText('10 of 40 weighed');
    // The ten weights so far cost $10.00 × (4.80 + 4.81 + … + 4.89) = $484.50.
    await expect(page.getByRole('region', { name: 'Progress' })).toContainText('$484.50 for what is weighed');
    await expect(unit(page, 'Brisket 11/25')).toBeFocused();
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toHaveText('12 lb is more than double the estimate of 5 lb. Is that right?');
    await expect(unit(page, 'Brisket 11/25')).toBeFocused();
    await readQuestion(page);
    await page.keyboard.press('Enter');
    await expect(rows(page).nth(10)).toContainText('Unusual');
    await expect(unit(page, 'Brisket 12/25')).toBeFocused();

    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    const offer = page.getByRole('region', { name: 'Restore 11 unsaved changes?' });
    await offer.getByRole('button', { name: 'Restore' }).focus();
    await page.keyboard.press('Enter');
    await expect(unit(page, 'Brisket 10/25')).toHaveValue('4,89');
    // The restored draft contains an unusual weight. Staff must confirm this weight again with Enter before it can be saved.
    await unit(page, 'Brisket 11/25').focus();
    await readQuestion(page);
    await page.keyboard.press('Enter');
    for (let index = 11; index < 40; index++) {
      await page.keyboard.type(index % 2 ? '5' : '4.125');
      await page.keyboard.press(index % 3 ? 'Enter' : 'Tab');
    }
    await expect(page.getByRole('region', { name: 'Progress' })).toContainText('40 of 40 weighed');
    const save = page.getByRole('button', { name: 'Save' });
    while (!(await save.evaluate((button) => button === document.activeElement))) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(toast(page, '40 weights saved.')).toBeVisible();

    // After saving, the browser returns to the customers tab, which loads the new weights.
    await page.waitForURL(tab);
    await expect(page.getByText('40 of 40 weighed')).toBeVisible();
    expect((await weightsOf(testApp, order.lines[1]?.id)).slice(0, 12)).toEqual([
      4.8, 4.81, 4.82, 4.83, 4.84, 4.85, 4.86, 4.87, 4.88, 4.89, 12, 5,
    ]);
    expect(await weightsOf(testApp, order.lines[0]?.id)).toHaveLength(15);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))).toEqual([]);
  },
);

test(
  'the Actuals tab lists each unit, with filters and a download (spec §2, §3, §9)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, agent, distribution, order } = await toWeigh(testApp, [3, 2]);
    await weigh(testApp.db, order.lines[1], [4.87, 12], agent);
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=actuals`);
    await expect(rows(page)).toHaveText([
      /Brisket.*1\/3.*1001.*Abramov, Rivka.*5 lb.*4\.87 lb.*Weighed/,
      /Brisket.*2\/3.*5 lb.*12 lb.*Unusual/,
      /Brisket.*3\/3.*5 lb.*Not weighed/,
      /Chicken.*1\/2.*1201.*4 lb.*Not weighed/,
      /Chicken.*2\/2.*4 lb.*Not weighed/,
    ]);
    await page.getByLabel('Filter by State').fill('unusual');
    await expect(rows(page)).toHaveText([/Brisket.*2\/3.*12 lb.*Unusual/]);
    await expect(page).toHaveURL(/actuals\.state=unusual/);
    const filtered = await downloaded(page, page.getByRole('link', { name: 'Download filtered' }));
    expect(filtered.name).toBe(`distribution-${distribution.id}-actuals-report.csv`);
    expect(filtered.cells[1]?.slice(5, 12)).toEqual(['Brisket', '2', '3', '5', '12', 'lb', 'Unusual']);
    const whole = await downloaded(page, page.getByRole('link', { name: 'Download Report' }));
    expect(whole.cells).toHaveLength(6);
  },
);

test('a customer enters weights from My Orders until the first payment (spec §1, §2)', { tag: '@phone' }, async ({ page, testApp }) => {
  const { distributor, customer, distribution, order } = await toWeigh(testApp, [3, 1]);
  await testApp.signIn(page, customer);
  const isPhone = (page.viewportSize()?.width ?? 0) < 768;
  if (isPhone) await page.getByRole('button', { name: 'Actions for Passover 2027' }).click();
  await page.getByRole('link', { name: 'Enter Quantities' }).click();
  await expect(page.getByRole('heading', { name: 'Record Actual Quantities' })).toBeVisible();
  await expect(page.getByText('Passover 2027 · Thu, Apr 15, 2027')).toBeVisible();
  const first = unit(page, 'Brisket 1/3');
  await first.fill('5lb');
  await unit(page, 'Brisket 2/3').fill('0');
  await expect(page.getByRole('alert').first()).toContainText('This is not a weight.');
  await fitsTheWidth(page);
  await expect(page.getByRole('button', { name: 'Save' })).toBeInViewport();
  await first.fill('4,875');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Yes, not delivered' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, '2 weights saved.')).toBeVisible();
  await page.waitForURL('**/customer');
  await expect(page.getByText('2 of 4')).toBeVisible();
  expect(await weightsOf(testApp, order.lines[1]?.id)).toEqual([4.875, 0]);

  const place = { distributorId: distributor.id, distributionId: distribution.id, orderId: order.id };
  const paid = { ...place, amount: cents(500), paymentMethod: 'Cash' as const, createdBy: distributor.id, updatedBy: distributor.id };
  await testApp.db.insertInto('payments').values(paid).execute();
  await page.goto(`${testApp.url}/customer/orders/${order.id}/actual-quantities`);
  await expect(page.getByRole('region', { name: 'Weights cannot be entered now' })).toContainText('A payment has been recorded');
  await expect(first).toHaveJSProperty('readOnly', true);
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL('**/customer');
});

test(
  'two members of staff weigh one order at once without losing a weight, and the page asks before unsaved weights are left (spec §1, §2)',
  { tag: '@desk' },
  async ({ page, testApp }) => {
    const { agent, distribution, order, path } = await toWeigh(testApp, [3, 1]);
    await testApp.signIn(page, agent);
    const tab = await page.context().newPage();
    await Promise.all([page.goto(`${testApp.url}/agent/${path}`), tab.goto(`${testApp.url}/agent/${path}`)]);
    await unit(tab, 'Brisket 2/3').fill('5.25');
    await unit(page, 'Brisket 1/3').fill('4.75');
    await page.getByRole('link', { name: 'Back to Orders' }).click();
    // "Stay on this page" has the focus, so that a user who presses Enter repeatedly does not leave the page.
    await expect(page.getByRole('button', { name: 'Stay on this page' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith('actual-quantities'));
    await tab.getByRole('button', { name: 'Save' }).click();
    await tab.waitForURL((url) => !url.pathname.endsWith('actual-quantities'));
    expect(await weightsOf(testApp, order.lines[1]?.id)).toEqual([4.75, 5.25]);

    await page.goto(`${testApp.url}/agent/${path}`);
    await expect(unit(page, 'Brisket 2/3')).toHaveValue('5.25');
    await unit(page, 'Brisket 2/3').fill('5.3');
    await expect(page.getByText('was 5.25 lb')).toBeVisible();
    await testApp.db.updateTable('distributions').set({ acceptActuals: false }).where('id', '=', distribution.id).execute();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.goto(`${testApp.url}/agent/${path}`);
    await expect(page.getByText('This distribution is not accepting actual quantities.')).toBeVisible();
    await expect(unit(page, 'Brisket 2/3')).toHaveValue('5.25');
  },
);
