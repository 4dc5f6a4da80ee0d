// The dialogs of the dashboard load the code of their forms on demand. The tests press keys before the form of a dialog is loaded, and
// right after the user has typed into one of its fields.
import { makeDistributor } from '../data/factories.ts';
import { expect, test } from './fixtures.ts';

test(
  'keys that are typed while the form of a dialog is loading do not close the dialog, and the loaded form focuses its first field @desk',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const form = Promise.withResolvers<void>();
    await page.route('**/assets/create-form-*.js', (route) => form.promise.then(() => route.continue()));
    await testApp.signIn(page, await makeDistributor(testApp.db), `/distributor`);
    await page.getByRole('button', { name: 'Create Distribution' }).first().click();
    await expect(page.getByRole('dialog').locator('.skeleton').first()).toBeVisible();
    await page.keyboard.type('Passover 2028');
    form.resolve();
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  },
);

test(
  'the Escape key right after typing in a dialog asks before it discards the typing @desk',
  { tag: '@long' },
  async ({ page, testApp }) => {
    await testApp.signIn(page, await makeDistributor(testApp.db), `/distributor`);
    for (const [button, field] of [
      ['Create Distribution', 'Name'],
      ['Organization', 'City'],
    ] as const) {
      await page.getByRole('button', { name: button }).first().click();
      await page.getByRole('dialog').getByLabel(field).fill('Bethel');
      await page.keyboard.press('Escape');
      await expect(page.getByText('Discard what you typed?')).toBeVisible();
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
    }
  },
);
