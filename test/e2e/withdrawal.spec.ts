// A distributor withdraws a product, undoes an upload of products, and deletes a draft.
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder } from '../data/order-rows.ts';
import { expect, test } from './fixtures.ts';

test(
  'a distributor withdraws a product, undoes an upload of products, and deletes a draft distribution (contract §4, §13)',
  { tag: ['@once', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const distribution = await makeDistribution(testApp.db, distributor);
    const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket' });
    const customer = await makeCustomer(testApp.db, distributor);
    await makeOrder(testApp.db, distribution, customer, [[brisket, 2]]);
    await makeDistribution(testApp.db, distributor, { name: 'Purim', published: false });

    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=products`);
    await page.getByRole('button', { name: 'More actions for Brisket' }).click();
    await page.getByRole('menuitem', { name: 'Not offered any more' }).click();
    await expect(
      page.getByRole('table').getByText('Not offered any more').or(page.locator('main li').getByText('Not offered any more')).first(),
    ).toBeVisible();

    await page.getByRole('button', { name: 'Upload CSV' }).click();
    const upload = page.getByRole('dialog', { name: 'Upload Products' });
    const file = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from('name,unit_price\nHoney cake,12.50\n') };
    await upload.locator('input[type=file]').setInputFiles(file);
    await upload.getByRole('button', { name: /^Save 1 product/ }).click();
    await expect(upload.getByText('1 product saved.')).toBeVisible();
    await upload.getByRole('button', { name: 'Undo this upload' }).click();
    const question = page.getByRole('alertdialog', { name: 'Undo the last upload?' });
    await question.getByRole('button', { name: 'Undo this upload' }).click();
    await expect(page.getByText('Upload undone').first()).toBeVisible();
    expect(await testApp.db.selectFrom('products').select(['name', 'notOffered']).execute()).toEqual([
      { name: 'Brisket', notOffered: true },
    ]);

    await page.goto(`${testApp.url}/distributor`);
    await page.getByRole('listitem').filter({ hasText: 'Purim' }).getByRole('link', { name: 'Manage Distribution' }).click();
    await page.getByRole('button', { name: 'Delete draft' }).click();
    await page.getByRole('alertdialog', { name: 'Delete Purim?' }).getByRole('button', { name: 'Delete draft' }).click();
    await expect(page.getByRole('heading', { name: 'Distributor Dashboard' })).toBeVisible();
    await expect(page.getByText('Purim')).toHaveCount(0);

    // The order that a family has placed still contains the withdrawn product.
    await testApp.signIn(page, customer, `/customer/order/${distribution.id}`);
    await expect(page.getByText('Not offered any more').first()).toBeVisible();
    await expect(page.getByRole('spinbutton', { name: 'Quantity of Brisket' })).toHaveValue('2');
    await expect(page.getByRole('button', { name: /^More / })).toBeDisabled();
  },
);
