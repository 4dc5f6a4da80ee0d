// These tests cover the admin's screens, and the account dialog, which every role has (spec §2, contract §3).
import { makeAdmin, makeCustomer, makeDistributor } from '../data/factories.ts';
import { toast } from './placed-orders.ts';
import { expect, PASSWORD, test } from './fixtures.ts';

test('an admin creates a distributor, who is invited by mail (spec §1, §2, §5, §7, §8)', { tag: '@once' }, async ({ page, testApp }) => {
  const admin = await makeAdmin(testApp.db);
  await testApp.signIn(page, admin);
  await expect(page.getByText(`Welcome, ${admin.email}`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
  await expect(page.getByText('No distributors found. Create one to get started.')).toBeVisible();
  await page.getByRole('button', { name: 'Add Distributor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Distributor' });
  await expect(dialog.getByText('They get an e-mail with a link to set a password.')).toBeVisible();
  await dialog.getByLabel('Email').fill('office');
  await dialog.getByRole('button', { name: 'Add Distributor' }).click();
  await expect(dialog.getByText('Invalid email address')).toBeVisible();
  await dialog.getByLabel('Email').fill(' Office@BethEl.example ');
  await dialog.getByRole('button', { name: 'Add Distributor' }).click();
  await expect(toast(page, 'Distributor created successfully')).toBeVisible();
  await expect(dialog).toBeHidden();
  const { id } = await testApp.db.selectFrom('users').select('id').where('role', '=', 'distributor').executeTakeFirstOrThrow();
  const row = page.getByRole('listitem').filter({ hasText: 'office@bethel.example' });
  await expect(row).toContainText(`ID ${id}`);
  expect(await testApp.db.selectFrom('emails').select(['kind', 'userId']).execute()).toEqual([{ kind: 'invitation', userId: id }]);
  await page.getByRole('button', { name: 'Add Distributor' }).click();
  await expect(dialog.getByLabel('Email')).toHaveValue('');
});

test(
  'an admin disables and enables a distributor, and sees how many mails the distributor sent and how many people it added',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const admin = await makeAdmin(testApp.db);
    const distributor = await makeDistributor(testApp.db);
    await makeCustomer(testApp.db, distributor);
    await testApp.signIn(page, admin);
    const row = page.getByRole('list', { name: 'Distributors' }).getByRole('listitem').filter({ hasText: distributor.email });
    await expect(row).toContainText('0 e-mails in 24 hours, 0 in 30 days');
    await expect(row).toContainText('1 person added in 24 hours, 1 in 30 days');
    const choose = async (action: string, confirm = action) => {
      await row.getByRole('button', { name: `More actions for ${distributor.email}` }).click();
      await page.getByRole('menuitem', { name: action }).click();
      const question = page.getByRole('alertdialog');
      await expect(question).toContainText(distributor.email);
      await question.getByRole('button', { name: confirm }).click();
    };
    await choose('Disable', 'Cancel');
    await expect(row.getByText('Disabled', { exact: true })).toBeHidden();
    await choose('Disable');
    await expect(toast(page, 'Disabled')).toBeVisible();
    await expect(row.getByText('Disabled', { exact: true })).toBeVisible();
    await expect(row).toContainText(`by ${admin.email}.`);
    await choose('Enable');
    await expect(toast(page, 'Enabled')).toBeVisible();
    await expect(row.getByText('Disabled', { exact: true })).toBeHidden();
  },
);

test('a user changes their password from any screen', { tag: ['@once', '@long'] }, async ({ page, testApp }) => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  await testApp.signIn(page, customer);
  // The test expects a refused request. It uses another tab, because the browser logs such a request as an error on the console, and a
  // console error in the first tab fails the test.
  const tab = await page.context().newPage();
  await tab.goto(`${testApp.url}/customer`);
  await tab.route('**/account-dialog-*', (route) => route.abort(), { times: 1 });
  await tab.getByRole('button', { name: 'Account' }).click();
  await expect(toast(tab, 'The account could not be opened. Check your connection and try again.')).toBeVisible();
  await tab.locator('.toast-close').click();
  const dialog = tab.getByRole('dialog', { name: 'Account' });
  // A browser may cache the failed load of a script. The second attempt then reloads the page, and the third attempt opens the dialog.
  await expect(async () => {
    await tab.getByRole('button', { name: 'Account' }).click({ timeout: 3000 });
    await expect(dialog.getByText(customer.email)).toBeVisible({ timeout: 3000 });
  }).toPass();
  await dialog.getByLabel('Current Password').fill('Wrong-Word-1');
  await dialog.getByLabel('New Password').fill('Three-Sheep');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByText('Password must contain at least one number')).toBeVisible();
  await dialog.getByLabel('New Password').fill('Three-Sheep-42');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByText('This is not your current password.')).toBeVisible();
  await tab.locator('.toast-close').click();
  await dialog.getByLabel('Current Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(toast(tab, 'Password changed')).toBeVisible();
  await expect(dialog).toBeHidden();
  await tab.getByRole('button', { name: 'Logout' }).click();
  await tab.getByLabel('Email').fill(customer.email);
  await tab.getByRole('textbox', { name: 'Password' }).fill('Three-Sheep-42');
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await expect(tab.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
});

test(
  '"Sign out everywhere" asks for a confirmation, and then ends every session of the user',
  { tag: ['@once', '@long'] },
  async ({ page, testApp, browser }) => {
    const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
    const lost = await browser.newPage();
    await testApp.signIn(lost, customer);
    await testApp.signIn(page, customer);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await lost.reload();
    await expect(lost.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await lost.context().close();
  },
);

test(
  'when another person signs in in another tab, the tabs of the previous person show and save nothing of theirs any more (reliability abuse)',
  { tag: ['@once', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const [first, second] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
    const openForm = async () => {
      await testApp.signIn(page, first, '/customer/contact-info');
      await page.getByLabel('First Name').fill('Shira');
    };
    const firstName = page.getByLabel('First Name');
    const tab = await page.context().newPage();

    await openForm();
    await tab.goto(`${testApp.url}/customer`);
    // A message that arrives too late changes nothing.
    const asked = page.waitForResponse(`${testApp.url}/api/user`);
    await tab.evaluate(`new BroadcastChannel('feastday-user').postMessage(null)`);
    await asked;
    await expect(firstName).toHaveValue('Shira');
    await tab.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await expect(firstName).toBeHidden();

    await openForm();
    await testApp.signIn(tab, second, '/customer/contact-info');
    await expect(page.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
    await expect(page.getByText(second.email)).toBeVisible();
    await expect(firstName).toBeHidden();

    // A tab that does not hear of the sign-in cannot save.
    const session = await page.context().cookies();
    await tab.close();
    await openForm();
    await page.context().addCookies(session);
    await page.getByRole('button', { name: 'Save Contact Information' }).click();
    await expect(toast(page, '401: Somebody else has signed in with this browser. Please reload the page.')).toBeVisible();
    const names = await testApp.db.selectFrom('contacts').select('firstName').execute();
    expect(names).toEqual([{ firstName: 'Rivka' }, { firstName: 'Rivka' }]);
  },
);
