// The tests add, find, invite, unlock, correct and disable people in the lists of customers and agents (spec §2, §5, §8; contract §3).
import { makeAgent, makeCustomer, makeDistributor } from '../data/factories.ts';
import { dialog, choose, customersIn, mailsTo, menu, openTab, toastWith, rowOf } from './people.ts';
import { expect, test } from './fixtures.ts';

test('a distributor adds a customer, who is then listed; adding the same customer again is refused (spec §1, §2, §5; contract §3)', async ({
  page,
  testApp,
}) => {
  const distributor = await makeDistributor(testApp.db);
  await openTab(page, testApp, distributor);
  await expect(page.getByRole('heading', { name: 'Customers' })).toBeVisible();
  await expect(page.getByText('Manage your customer accounts')).toBeVisible();
  await expect(page.getByText('No customers found. Add one to get started.')).toBeVisible();

  await page.getByRole('button', { name: 'Send Email' }).click();
  await expect(dialog(page).getByText('There is nobody to write to here yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  await page.getByRole('button', { name: 'Add Customer' }).click();
  await expect(dialog(page).getByText('They get an e-mail with a link to set a password.')).toBeVisible();
  await page.getByLabel('Email').fill('nobody');
  await dialog(page).getByRole('button', { name: 'Add Customer' }).click();
  await expect(dialog(page).getByText('Invalid email address')).toBeVisible();
  await dialog(page).getByLabel('Email').fill(' Rivka@Home.example ');
  await dialog(page).getByLabel('First Name').fill('Rivka');
  await dialog(page).getByLabel('Last Name').fill('Abramov');
  const request = page.waitForRequest(/\/api\/users\/customer$/);
  await dialog(page).getByRole('button', { name: 'Add Customer' }).click();
  expect((await request).postDataJSON()).toMatchObject({ users: [{ email: 'rivka@home.example' }] });
  await expect(toastWith(page, 'Created 1 out of 1 customers')).toBeVisible();
  await expect(toastWith(page, 'Customer created successfully')).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  const row = rowOf(page, 'rivka@home.example');
  await expect(row).toContainText('Abramov, Rivka');
  await expect(row).toContainText('Invited');
  await expect(page.getByText('1 customer', { exact: true })).toBeVisible();
  expect(await mailsTo(testApp, 'rivka@home.example')).toEqual([{ kind: 'invitation', replyTo: distributor.email }]);

  await page.getByRole('button', { name: 'Add Customer' }).click();
  await dialog(page).getByLabel('Email').fill('rivka@home.example');
  await dialog(page).getByRole('button', { name: 'Add Customer' }).click();
  await expect(dialog(page).getByText('This e-mail address already has an account.')).toBeVisible();
  await expect(toastWith(page, 'No customers new were created')).toBeVisible();
  expect(await customersIn(testApp)).toBe(1);
});

test('a distributor adds an agent on the tab labeled Users (spec §1, §2, §8)', async ({ page, testApp }) => {
  const distributor = await makeDistributor(testApp.db);
  await openTab(page, testApp, distributor);
  await page.getByRole('tab', { name: 'Agents' }).click();
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
  await expect(page.getByText('Manage your user accounts')).toBeVisible();
  await expect(page.getByText('No users found. Add one to get started.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Bulk Operations' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Add User' }).click();
  await dialog(page).getByLabel('Email').fill('packer@home.example');
  await dialog(page).getByRole('button', { name: 'Add User' }).click();
  await expect(toastWith(page, 'Created 1 out of 1 users')).toBeVisible();
  await expect(toastWith(page, 'User created successfully')).toBeVisible();
  await expect(rowOf(page, 'packer@home.example')).toBeVisible();
});

test(
  'an import file without an email column is refused; a customer who is imported with "invite later" gets no mail until invited from the row\'s menu (spec §5; contract §3)',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    await openTab(page, testApp, distributor);
    await choose(page, 'name,city\nRivka,Teaneck\n');
    await expect(dialog(page).getByText('This file has no email column. Its columns are: name, city.')).toBeVisible();
    await expect(dialog(page).locator('dl')).toHaveText(
      'Needed columnemailOptional columnsfirstName, lastName, address, city, state, zip, phone',
    );
    await expect(
      dialog(page).getByText(
        'Rows of customers you already have are dropped. Rows without an e-mail address are dropped unless you choose otherwise in the next step. Excel and Google Sheets files must be saved as CSV.',
      ),
    ).toBeVisible();
    await expect(dialog(page).getByRole('button', { name: 'Download template' })).toBeVisible();
    const file = dialog(page).getByLabel('Choose a CSV file');
    await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('email\n') });
    await expect(dialog(page).getByText('This file has no customers, only a header row.')).toBeVisible();
    await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('email\nlater@home.example\n') });
    await expect(dialog(page).getByText('1 row in the file. Nothing is saved yet.')).toBeVisible();
    await expect(dialog(page).getByText('Line 2: no name yet')).toBeVisible();
    await expect(dialog(page).getByText('Everybody new gets an e-mail with a link to set a password. Replies go to you.')).toBeVisible();
    await dialog(page).getByRole('button', { name: 'Invite later' }).click();
    await expect(dialog(page).getByText('No e-mail goes out. Send the invitation later, from the menu of a row.')).toBeVisible();
    await dialog(page).getByRole('button', { name: 'Import 1 customer' }).click();
    await expect(dialog(page).getByText('No invitation was mailed yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(rowOf(page, 'later@home.example')).toContainText('Not invited');
    expect(await mailsTo(testApp, 'later@home.example')).toEqual([]);
    await menu(page, 'later@home.example', 'Send invitation');
    await expect(toastWith(page, 'Invitation sent')).toBeVisible();
    await expect(toastWith(page, 'It is on the way to later@home.example.')).toBeVisible();
    await expect(rowOf(page, 'later@home.example')).not.toContainText('Not invited');
    expect(await mailsTo(testApp, 'later@home.example')).toEqual([{ kind: 'invitation', replyTo: distributor.email }]);
  },
);

test(
  'the Email filter of the customers table opens with a button and matches any part of the address, in upper or lower case (spec §2)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const rivka = await makeCustomer(testApp.db, distributor);
    const other = await makeCustomer(testApp.db, distributor);
    await openTab(page, testApp, distributor);
    await expect(page.getByRole('columnheader')).toHaveText(['ID', 'Email', 'Name', 'Actions']);
    await expect(page.getByLabel('Filter by Email').and(page.getByRole('textbox'))).toHaveCount(0);
    await page.getByRole('button', { name: 'Filter by Email' }).click();
    await page.getByRole('textbox', { name: 'Filter by Email' }).fill(rivka.email.slice(0, -13).toUpperCase());
    await expect(rowOf(page, rivka.email)).toBeVisible();
    await expect(rowOf(page, other.email)).toHaveCount(0);
    await expect(page.getByText('1 of 2 customers', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Filter by Email', exact: true }).click();
    await expect(rowOf(page, other.email)).toBeVisible();
    await makeAgent(testApp.db, distributor);
    await page.getByRole('tab', { name: 'Agents' }).click();
    await expect(page.getByRole('columnheader')).toHaveText(['ID', 'Email', 'Name', 'Actions']);
  },
);

test(
  "the Unlock button in a customer's row unlocks a locked customer, who can then sign in (spec §2, §4; contract §3)",
  { tag: '@long' },
  async ({ page, testApp, browser }) => {
    const distributor = await makeDistributor(testApp.db);
    const rivka = await makeCustomer(testApp.db, distributor);
    await openTab(page, testApp, distributor);
    await expect(rowOf(page, rivka.email)).toBeVisible();
    await expect(page.getByRole('button', { name: /^Unlock/ })).toHaveCount(0);
    const lockedUntil = new Date(Date.now() + 600_000).toISOString();
    await testApp.db.updateTable('users').set({ loginAttempts: 5, lockedUntil }).where('id', '=', rivka.id).execute();
    await page.reload();
    await expect(rowOf(page, rivka.email)).toContainText('Locked');
    await page.getByRole('button', { name: `Unlock ${rivka.email}` }).click();
    await expect(toastWith(page, 'Unlocked')).toBeVisible();
    await expect(toastWith(page, `${rivka.email} was not invited yet: send the invitation to set a password.`)).toBeVisible();
    await expect(rowOf(page, rivka.email)).not.toContainText('Locked');
    const hers = await browser.newContext();
    await testApp.signInByForm(await hers.newPage(), rivka);
    await hers.close();
  },
);

test(
  "the menu of a user's row signs out or disables the user at once, and enables the user again (contract §3)",
  { tag: '@long' },
  async ({ page, testApp, browser }) => {
    const distributor = await makeDistributor(testApp.db);
    const rivka = await makeCustomer(testApp.db, distributor);
    const hers = await browser.newContext();
    const herPage = await hers.newPage();
    await testApp.signInByForm(herPage, rivka);
    await openTab(page, testApp, distributor);
    await page.getByRole('button', { name: `More actions for ${rivka.email}` }).click();
    await expect(page.getByRole('menuitem')).toHaveText(['Sign out everywhere', 'Edit contact', 'Download data', 'Forget', 'Disable']);
    await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await expect(toastWith(page, 'Signed out everywhere')).toBeVisible();
    await expect(toastWith(page, `${rivka.email} has to sign in again on every device.`)).toBeVisible();
    await herPage.reload();
    await expect(herPage).toHaveURL(/\/auth$/);
    await testApp.signIn(herPage, rivka);
    await page.getByRole('button', { name: `More actions for ${rivka.email}` }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    const question = page.getByRole('alertdialog', { name: `Disable ${rivka.email}?` });
    await expect(question).toContainText(
      'They are signed out everywhere at once and cannot sign in until you enable them again. What they ordered stays as it is.',
    );
    await question.getByRole('button', { name: 'Disable' }).click();
    await expect(toastWith(page, 'Disabled')).toBeVisible();
    await expect(toastWith(page, `${rivka.email} is signed out and cannot sign in.`)).toBeVisible();
    await expect(rowOf(page, rivka.email)).toContainText('Disabled');
    await herPage.reload();
    await expect(herPage).toHaveURL(/\/auth$/);
    await menu(page, rivka.email, 'Enable');
    await expect(toastWith(page, 'Enabled')).toBeVisible();
    await expect(toastWith(page, `${rivka.email} can sign in again.`)).toBeVisible();
    await expect(rowOf(page, rivka.email)).not.toContainText('Disabled');
    await testApp.signInByForm(herPage, rivka);
    await hers.close();
  },
);

test(
  'correcting a mistyped e-mail address before the first sign-in sends a new invitation (contract §3)',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const rivka = await makeCustomer(testApp.db, distributor);
    await openTab(page, testApp, distributor);
    await menu(page, rivka.email, 'Correct address');
    const field = dialog(page).getByLabel('Email');
    await expect(field).toHaveValue(rivka.email);
    await expect(
      dialog(page).getByText('A new invitation goes to the new address. What was mailed to the old one stops working.'),
    ).toBeVisible();
    await field.fill('rivka@right.example');
    await dialog(page).getByRole('button', { name: 'Save and invite' }).click();
    await expect(toastWith(page, 'Address corrected')).toBeVisible();
    await expect(toastWith(page, 'An invitation is on the way to rivka@right.example.')).toBeVisible();
    await expect(rowOf(page, 'rivka@right.example')).toContainText('Invited');
    await expect(rowOf(page, rivka.email)).toHaveCount(0);
    expect(await mailsTo(testApp, 'rivka@right.example')).toEqual([{ kind: 'invitation', replyTo: distributor.email }]);
  },
);

test(
  'closing the menu of a row, or a dialog of that menu, returns the focus to the row',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const rivka = await makeCustomer(testApp.db, distributor);
    await openTab(page, testApp, distributor);
    const button = page.getByRole('button', { name: `More actions for ${rivka.email}` });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'Correct address' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByLabel('Email')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: 'Disable' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
  },
);
