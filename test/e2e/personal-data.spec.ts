// A user downloads a file with the personal data that the application has stored. A distributor forgets a customer, which deletes the
// customer's personal data (contract §18).
import { readFile } from 'node:fs/promises';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder } from '../data/order-rows.ts';
import { expect, test } from './fixtures.ts';
import { dialog, menu, openTab, rowOf, toastWith } from './people.ts';

test("a customer downloads a file with the customer's own data (contract §18)", { tag: ['@once', '@long'] }, async ({ page, testApp }) => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  await testApp.signIn(page, customer);
  await page.getByRole('button', { name: 'Account' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('feastday-my-data.json');
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ account: [{ email: customer.email }] });
});

test('a distributor forgets a customer after ordering has closed (contract §18)', { tag: '@long' }, async ({ page, testApp }) => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor);
  await makeOrder(testApp.db, distribution, customer, [[await makeProduct(testApp.db, distribution), 0]]);
  await openTab(page, testApp, distributor);
  await menu(page, customer.email, 'Forget');
  await expect(dialog(page).getByRole('heading')).toHaveText(`Forget ${customer.email} for good?`);
  await expect(dialog(page)).toContainText(`This customer has an order in ${distribution.name}, where ordering is still open.`);
  await expect(dialog(page).getByRole('button', { name: 'Forget', exact: true })).toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();

  await testApp.db.updateTable('distributions').set({ orderingOpen: false }).where('id', '=', distribution.id).execute();
  await menu(page, customer.email, 'Forget');
  await expect(dialog(page)).toContainText(/Backups that were made before keep the data until /);
  await dialog(page).getByRole('button', { name: 'Forget', exact: true }).click();
  await expect(toastWith(page, `What remains is under Former customer ${customer.id}.`)).toBeVisible();
  await expect(rowOf(page, customer.email)).toHaveCount(0);
});
