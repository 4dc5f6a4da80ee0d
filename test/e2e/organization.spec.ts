// These tests cover the distributor's name and postal address, and the join link (contract §3).
import { makeDistributor } from '../data/factories.ts';
import { dialog, openTab, toastWith } from './people.ts';
import { expect, test } from './fixtures.ts';

test('the join link is turned on, copied, printed, renewed and turned off (contract §3)', async ({ page, testApp, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    Object.assign(globalThis, { printed: 0 });
    globalThis.print = () => void ((globalThis as unknown as { printed: number }).printed += 1);
  });
  const distributor = await makeDistributor(testApp.db);
  await openTab(page, testApp, distributor);
  await page.getByRole('button', { name: 'Join Link' }).click();
  await expect(
    dialog(page).getByText(
      'With this link people become your customers by themselves: they enter their e-mail address and get a mail to set a password.',
    ),
  ).toBeVisible();
  await expect(dialog(page).getByText('Joining is turned off. Only you can add customers.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Turn on' }).click();
  const field = dialog(page).getByLabel('Join link', { exact: true });
  await expect(field).toHaveValue(/\/auth\?join=[\w-]{12}$/);
  const first = await field.inputValue();
  await dialog(page).getByRole('button', { name: 'Copy' }).click();
  await expect(toastWith(page, 'Join link copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);

  await dialog(page).getByRole('button', { name: 'Print' }).click();
  expect(await page.evaluate(() => (globalThis as unknown as { printed: number }).printed)).toBe(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.print-sheet').getByText(first)).toBeVisible();
  await expect(page.locator('.print-sheet').getByLabel('QR code of the join link')).toBeVisible();
  await expect(page.locator('.print-sheet').getByText('Place your holiday order online')).toBeVisible();
  await expect(page.locator('.print-sheet').getByRole('listitem')).toHaveText([
    'Scan the code, or type the address into your browser.',
    'Enter your e-mail address.',
    'Open the mail you get, set a password, and order.',
  ]);
  await expect(page.locator('#root')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await expect(page.locator('.print-sheet')).toBeHidden();

  await dialog(page).getByRole('button', { name: 'Renew' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Make a new join link?');
  await expect(question).toContainText(
    'The link you have now stops working, also where it is printed or mailed. Customers who have joined stay.',
  );
  await question.getByRole('button', { name: 'Renew' }).click();
  await expect(toastWith(page, 'Join link renewed')).toBeVisible();
  await expect(field).not.toHaveValue(first);
  const code = (await field.inputValue()).split('join=')[1];
  expect(await testApp.db.selectFrom('organizations').select('joinCode').execute()).toEqual([{ joinCode: code }]);
  await dialog(page).getByRole('button', { name: 'Turn off' }).click();
  await expect(question).toContainText('Turn the join link off?');
  await expect(question).toContainText(
    'It stops working for good, also where it is printed or mailed; turning it on again makes a new one. Customers who have joined stay.',
  );
  await question.getByRole('button', { name: 'Turn off' }).click();
  await expect(toastWith(page, 'Join link turned off')).toBeVisible();
  await expect(dialog(page).getByText('Joining is turned off.')).toBeVisible();
  expect(await testApp.db.selectFrom('organizations').select('joinCode').execute()).toEqual([{ joinCode: null }]);
});

test(
  "the organization's data is saved, and the page asks before unsaved typing is lost (contract §3)",
  { tag: '@long' },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    await testApp.signIn(page, distributor);
    await expect(page.getByText('Printed orders and e-mails show your name and postal address.')).toBeVisible();
    await page.getByRole('button', { name: 'Enter name and address' }).click();
    await expect(dialog(page).getByText('Your name and postal address, as printed orders and e-mails show them.')).toBeVisible();
    const values = {
      Name: 'Bethel Foods',
      Address: '1 Elm St',
      City: 'Teaneck',
      State: 'NJ',
      'ZIP Code': '07666',
      'Phone Number': '555-0100',
    };
    for (const [label, value] of Object.entries(values)) await dialog(page).getByLabel(label, { exact: true }).fill(value);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(toastWith(page, 'Organization saved')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Enter name and address' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Organization' }).click();
    await expect(dialog(page).getByLabel('Name', { exact: true })).toHaveValue('Bethel Foods');
    const saved = await testApp.db.selectFrom('organizations').select(['name', 'address', 'city', 'state', 'zip', 'phone']).execute();
    expect(saved).toEqual([{ name: 'Bethel Foods', address: '1 Elm St', city: 'Teaneck', state: 'NJ', zip: '07666', phone: '555-0100' }]);
  },
);
