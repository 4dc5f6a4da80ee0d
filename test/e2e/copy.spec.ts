// A distributor copies last year's distribution. The copied estimates are based on last year's weights. The report page shows how far the
// old estimates were off.
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder, weigh } from '../data/order-rows.ts';
import { expect, test } from './fixtures.ts';

test(
  "a distributor copies last year's distribution with the measured estimates that the distributor accepts (contract §13)",
  { tag: '@long' },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const original = await makeDistribution(testApp.db, distributor, { name: 'Passover 2027', date: '2027-04-15', orderingOpen: false });
    const customer = await makeCustomer(testApp.db, distributor);
    const sold = { unit_qty_is_estimate: true, unit_qty: 5 };
    const brisket = await makeProduct(testApp.db, original, { ...sold, name: 'Brisket' });
    const turkey = await makeProduct(testApp.db, original, { ...sold, name: 'Turkey' });
    const veal = await makeProduct(testApp.db, original, { ...sold, name: 'Veal' });
    const { lines } = await makeOrder(testApp.db, original, customer, [
      [brisket, 5],
      [turkey, 5],
      [veal, 1],
    ]);
    await weigh(testApp.db, lines[0], [6, 6.2, 6.1, 5.9, 6], distributor);
    await weigh(testApp.db, lines[1], [9, 9, 9, 9, 9], distributor);
    await weigh(testApp.db, lines[2], [4], distributor);

    await testApp.signIn(page, distributor, '/distributor');
    await page.getByRole('button', { name: 'Copy Passover 2027' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy Passover 2027' });
    await expect(dialog.getByLabel('Name')).toHaveValue('Passover 2028');
    await expect(dialog.getByLabel('Date')).toHaveValue('2028-04-15');
    await expect(dialog.getByRole('list', { name: 'Measured estimates' }).getByRole('listitem')).toHaveText([
      /Brisket.*5 lb → 6 lb.*mean 6\.04 lb, spread 0\.114, 5 weighed/,
      /Turkey.*5 lb → 9 lb.*mean 9 lb, spread 0, 5 weighed/,
      /Veal.*5 lb.*stays: too few weighed.*mean 4 lb, 1 weighed/,
    ]);
    await dialog.getByRole('checkbox', { name: /^Turkey/ }).uncheck();
    await dialog.getByRole('button', { name: 'Copy distribution' }).click();

    await expect(page.getByRole('heading', { name: 'Passover 2028' })).toBeVisible();
    await expect(dialog).toBeHidden();
    const copied = await testApp.db
      .selectFrom('products')
      .select(['name', 'unit_qty'])
      .where('distributionId', '!=', original.id)
      .orderBy('name')
      .execute();
    expect(copied).toEqual([
      { name: 'Brisket', unit_qty: 6 },
      { name: 'Turkey', unit_qty: 5 },
      { name: 'Veal', unit_qty: 5 },
    ]);

    await page.goto(`${testApp.url}/distributor/distribution/${original.id}/report`);
    await page.getByRole('tab', { name: 'Estimates' }).click();
    await expect(page.getByText('-44%')).toBeVisible();
    await expect(page.getByText('+25%')).toBeVisible();

    // The print contains the table of estimates, whichever tab is selected. The table leaves out products that were not weighed.
    await page.getByRole('tab', { name: 'Packing' }).click();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    const printed = page.getByRole('table', { name: 'How far the estimates were off' });
    await expect(printed.getByRole('row')).toHaveText([/^Code/, /Brisket.*-17%/, /Turkey.*-44%/, /Veal.*\+25%/]);
  },
);
