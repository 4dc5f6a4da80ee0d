// Staff correct a customer's contact and a fee (contract §3, §4).
import { makeCustomer, makeDistributor } from '../data/factories.ts';
import { dialog, menu, openTab, toastWith } from './people.ts';
import { makeOrders } from './placed-orders.ts';
import { expect, test } from './fixtures.ts';

test("staff correct a contact from a customer's menu (contract §3)", { tag: '@long' }, async ({ page, testApp }) => {
  const distributor = await makeDistributor(testApp.db);
  const rivka = await makeCustomer(testApp.db, distributor);
  await openTab(page, testApp, distributor);
  await menu(page, rivka.email, 'Edit contact');
  await expect(dialog(page).getByLabel('First Name')).toHaveValue('Rivka');
  await expect(dialog(page).getByRole('button', { name: 'Save contact' })).toBeDisabled();
  await dialog(page).getByLabel('Last Name').fill('Abramowitz');
  await dialog(page).getByLabel('Phone').fill('201 555 0148');
  await dialog(page).getByRole('button', { name: 'Save contact' }).click();
  await expect(toastWith(page, 'Contact corrected')).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByText('Abramowitz, Rivka').first()).toBeVisible();
  const saved = await testApp.db.selectFrom('contacts').select(['firstName', 'lastName', 'phone']).where('userId', '=', rivka.id).execute();
  expect(saved).toEqual([{ firstName: 'Rivka', lastName: 'Abramowitz', phone: '201 555 0148' }]);
});

test("staff correct a contact from the customer's name in a distribution (contract §3)", { tag: '@long' }, async ({ page, testApp }) => {
  const { distributor, distribution } = await makeOrders(testApp);
  await testApp.signIn(page, distributor);
  await page.goto(`${testApp.url}/distributor/distribution/${distribution.id}?tab=customers`);
  const edit = page.getByRole('button', { name: 'Edit contact of Adler, Moshe' });
  await edit.click();
  await dialog(page).getByLabel('First Name').fill('Moses');
  await dialog(page).getByRole('button', { name: 'Save contact' }).click();
  await expect(toastWith(page, 'Contact corrected')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit contact of Adler, Moses' })).toBeVisible();
  await expect(edit).toHaveCount(0);
});

test(
  'the dialog that edits a fee warns of another fee with the same name, and asks before the change re-prices orders (spec §2, §9; contract §4, §7)',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const { distributor, distribution } = await makeOrders(testApp);
    await testApp.signIn(page, distributor);
    await page.goto(`${testApp.url}/distributor/distribution/${distribution.id}?tab=fees`);
    const note = page.getByRole('note');
    await expect(note).toContainText('Both totals agree once every flat fee has a higher sort order than the percent ones.');

    await page.getByRole('button', { name: 'Edit the fee Hall and ice' }).click();
    await expect(dialog(page).getByLabel('Amount')).toHaveValue('5.00');
    await dialog(page).getByLabel('Name').fill(' service');
    await expect(dialog(page).getByText('There is already a fee named Service: both would be charged.')).toBeVisible();
    await dialog(page).getByLabel('Name').fill('Hall');
    await expect(dialog(page).getByText('There is already a fee named')).toHaveCount(0);
    await dialog(page).getByLabel('Sort order').fill('2');
    await dialog(page).getByRole('button', { name: 'Update Fee' }).click();
    const question = page.getByRole('alertdialog', { name: 'Change the fee Hall and ice?' });
    await expect(question).toContainText('This re-prices 2 orders, none of them paid yet.');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog(page).getByLabel('Sort order')).toHaveValue('2');
    await dialog(page).getByRole('button', { name: 'Update Fee' }).click();
    await question.getByRole('button', { name: 'Update Fee' }).click();
    await expect(toastWith(page, 'Fee updated successfully')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Fees' }).getByRole('listitem')).toContainText(['Service', 'Hall']);
    await expect(note).toHaveCount(0);

    // A new name for a fee changes no amount, so the application does not ask for confirmation.
    await page.getByRole('button', { name: 'Edit the fee Service' }).click();
    await dialog(page).getByLabel('Name').fill('Service charge');
    await dialog(page).getByRole('button', { name: 'Update Fee' }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Edit the fee Service charge' })).toBeVisible();
  },
);
