// A distributor creates a distribution, sets its fees, publishes it and closes ordering. Every tab is checked in light and dark, on a
// desktop and a phone.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { makeAgent, makeDistribution, makeDistributor } from '../data/factories.ts';
import { expectAccessible } from './accessible.ts';
import { makeOrders, order, rows, toast } from './placed-orders.ts';
import { expect, test } from './fixtures.ts';

function localToday(): string {
  const now = new Date();
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
}

test.describe('on a desktop', { tag: '@desk' }, () => {
  test('a distributor creates a distribution, renames it, adds fees and publishes it (spec §1, §2, §4, §5, §7, §8, §9; contract §7)', async ({
    page,
    testApp,
  }) => {
    const distributor = await makeDistributor(testApp.db);
    await testApp.signIn(page, distributor);
    await expect(page.getByRole('heading', { name: 'Distributor Dashboard' })).toBeVisible();
    await expect(page.getByText(`Welcome, ${distributor.email}`)).toBeVisible();
    await expect(page.getByText('No distributions found. Create one to get started.')).toBeVisible();
    await expect(page.getByRole('tab')).toHaveText(['Distributions', 'Customers', 'Agents']);
    await expect(page.getByRole('tab', { name: 'Distributions' })).toHaveAttribute('aria-selected', 'true');

    await page.getByRole('button', { name: 'Create Distribution' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create Distribution' });
    await expect(dialog.getByText('It stays a draft that customers do not see until you publish it.')).toBeVisible();
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await expect(dialog.getByLabel('Date')).toHaveValue(localToday());
    await dialog.getByRole('button', { name: 'Create Distribution' }).click();
    await expect(dialog.getByText('Name is required')).toBeVisible();
    await dialog.getByLabel('Name').fill('Passover 2027');
    await dialog.getByLabel('Date').fill('2027-04-15');
    await dialog.getByRole('button', { name: 'Create Distribution' }).click();
    await expect(toast(page, 'Success')).toBeVisible();
    await expect(toast(page, 'Distribution created successfully')).toBeVisible();
    const listed = page.getByRole('listitem').filter({ hasText: 'Passover 2027' });
    await expect(listed).toContainText('Thu, Apr 15, 2027');
    await expect(listed).toContainText('Draft');
    await listed.getByText('Manage Distribution').click();
    await expect(page).toHaveURL(/\/distributor\/distribution\/\d+$/);
    await expect(page.getByText(`Welcome, ${distributor.email}`)).toBeVisible();
    await expect(page.getByRole('tab')).toHaveText(['Info', 'Products', 'Fees', 'Customers', 'Report', 'Payments', 'Actuals']);
    await expect(page.getByRole('tab', { name: 'Info' })).toHaveAttribute('aria-selected', 'true');

    await page.getByLabel('Name').fill('Passover 5787');
    await page.getByLabel('Date').fill('2027-04-14');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(toast(page, 'Distribution updated successfully')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Passover 5787' })).toBeVisible();
    await expect(page.getByText('Wed, Apr 14, 2027')).toBeVisible();

    await page.getByRole('button', { name: 'Close Ordering' }).click();
    const closing = page.getByRole('alertdialog', { name: 'Close ordering for Passover 5787?' });
    await expect(closing).toContainText('It is not published yet: nobody has been able to order.');
    await closing.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(page.getByRole('banner').or(page.locator('header')).getByText('Published')).toBeVisible();
    await page.getByRole('button', { name: 'Unpublish' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: 'Unpublish' })).toBeVisible();
    await page.getByRole('button', { name: 'Accept Actuals', exact: true }).click();
    await page.getByRole('button', { name: 'Stop Accepting Actuals' }).click();
    await page.getByRole('button', { name: 'Accept Actuals', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Stop Accepting Actuals' })).toBeVisible();

    await page.getByRole('tab', { name: 'Fees' }).click();
    await expect(page).toHaveURL(/\?tab=fees$/);
    await expect(page.getByLabel('Type')).toHaveValue('flat');
    await expect(page.getByLabel('Amount')).toHaveValue('0');
    await expect(page.getByLabel('Sort order')).toHaveValue('0');
    await page.getByLabel('Amount').fill('-5');
    await page.getByLabel('Sort order').fill('-1');
    await page.getByRole('button', { name: 'Add Fee' }).click();
    for (const sentence of ['Name is required', 'Amount must be non-negative', 'Sort order must be non-negative']) {
      await expect(page.getByText(sentence)).toBeVisible();
    }
    await addFee(page, { name: 'Hall and ice', type: 'flat', amount: '5', order: '0' });
    await expect(page.getByText('come to different totals')).toHaveCount(0);
    await addFee(page, { name: 'Service', type: 'percent', amount: '3', order: '1' });
    await expect(page.getByRole('listitem').filter({ hasText: 'Hall and ice' })).toContainText('$5.00');
    await expect(page.getByRole('listitem').filter({ hasText: 'Service' })).toContainText('3%');
    // For a subtotal of $100.00, the total on the order page is $100.00 + $5.00 + 3% of $100.00. In print it is $105.00 + 3% of $105.00.
    await expect(page.getByRole('note')).toContainText('$108.00 on the order page and to $108.15 on the printed order');

    for (const [name, tab] of [
      ['Products', 'products'],
      ['Customers', 'customers'],
      ['Report', 'report'],
      ['Payments', 'payments'],
      ['Actuals', 'actuals'],
    ] as const) {
      await page.getByRole('tab', { name }).click();
      await expect(page).toHaveURL(new RegExp(`[?&]tab=${tab}$`));
      // A click must not show the focus ring, even if the user has typed before. Only keyboard focus shows it.
      expect(await page.getByRole('tab', { name }).evaluate((clicked) => clicked.matches(':focus:not(:focus-visible)'))).toBe(true);
    }
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(page).toHaveURL(`${testApp.url}/distributor`);
  });

  test(
    'before the deletion of a fee re-prices orders, the page asks for a confirmation; Undo then restores the fee (spec §2, §7, §8; contract §4)',
    { tag: '@long' },
    async ({ page, testApp }) => {
      const { distributor, distribution } = await makeOrders(testApp);
      await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=fees`);
      const service = page.getByRole('listitem').filter({ hasText: 'Service' });
      await page.getByRole('button', { name: 'Delete the fee Service' }).click();
      const question = page.getByRole('alertdialog', { name: 'Delete the fee Service?' });
      await expect(question).toContainText('This re-prices 2 orders, none of them paid yet.');
      await expect(question.getByRole('definition').first()).toHaveText('Abramov, Rivka; Adler, Moshe');
      await question.getByRole('button', { name: 'Cancel' }).click();
      await expect(service).toBeVisible();
      await page.getByRole('button', { name: 'Delete the fee Service' }).click();
      await question.getByRole('button', { name: 'Delete Fee' }).click();
      await expect(toast(page, 'Fee deleted successfully')).toBeVisible();
      await expect(service).toHaveCount(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(service).toContainText('3%');
      await expect(service).toContainText('Sort order 1');

      // The test adds a second fee with the same sort order. Undo is then no longer offered for the first fee, because the restored fee would
      // come after the second one and would be computed on another amount.
      await addFee(page, { name: 'Bags', type: 'flat', amount: '2.50', order: '1' }, 'Add Fee');
      await page.getByRole('button', { name: 'Delete the fee Service' }).click();
      await expect(question).toContainText(
        'It cannot be undone: added again, this fee would be charged after the others of its sort order.',
      );
      await question.getByRole('button', { name: 'Delete Fee' }).click();
      await expect(service).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    },
  );

  test('Close Ordering asks for a confirmation and says that closing is final; once confirmed, ordering is closed immediately (spec §1, §2, §4; contract §4, §10)', async ({
    page,
    testApp,
  }) => {
    const { distributor, distribution, dina, matzah } = await makeOrders(testApp);
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}`);
    await page.getByRole('button', { name: 'Close Ordering' }).click();
    const question = page.getByRole('alertdialog', { name: 'Close ordering for Passover 2027?' });
    await expect(question).toContainText('Ordering cannot be opened again.');
    await expect(question).toContainText('2 out of 3 orders placed.');
    await question.getByRole('button', { name: 'Close Ordering' }).click();
    await expect(toast(page, 'Distribution updated successfully')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Ordering Closed' })).toBeDisabled();
    await expect(page.getByText('Closed for customers, still editable by staff.')).toBeVisible();
    const late = { distributionId: distribution.id, products: [{ productId: matzah.id, quantity: 1 }] };
    expect(await order(testApp, dina, late)).toBe(409);

    await page.getByRole('link', { name: 'Who changed what' }).click();
    await expect(page.getByRole('heading', { name: 'Who changed what' })).toBeVisible();
    const closing = page.getByRole('row', { name: /Ordering closed/ });
    await expect(closing).toContainText(distributor.email);
    await page.getByLabel('Kind of change').selectOption('Payment');
    await expect(page.getByText('No change matches what you look for.')).toBeVisible();
    await expectAccessible(page, 'the audit trail');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Who or whose').fill(distributor.email);
    await expect(page.getByText('No older change is recorded.')).toBeVisible();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(`distribution-${distribution.id}-audit.csv`);
    expect(await readFile(await saved.path(), 'utf8')).toContain(`${distributor.email},distributor,Distribution,,,,,,Ordering closed`);
  });

  test(
    'an agent opens a distribution and reads its orders (spec §1, §2, §6; contract §10)',
    { tag: '@long' },
    async ({ page, testApp }) => {
      const { distributor, distribution } = await makeOrders(testApp);
      const lonely = await makeAgent(testApp.db, await makeDistributor(testApp.db));
      await testApp.signIn(page, lonely);
      await expect(page.getByText('No distributions found.', { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Logout' }).click();
      // The reply to the sign-out deletes the session's cookie. Without this wait, it could delete the cookie of the next person.
      await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();

      const agent = await makeAgent(testApp.db, distributor);
      await testApp.signIn(page, agent);
      await expect(page.getByRole('heading', { name: 'Agent Dashboard' })).toBeVisible();
      await expect(page.getByText(`Welcome, ${agent.email}`)).toBeVisible();
      await page.getByText('Open Distribution').click();
      await expect(page).toHaveURL(`${testApp.url}/agent/distribution/${distribution.id}`);
      await expect(page.getByText('2 out of 3 orders placed')).toBeVisible();
      await expect(rows(page).first()).toContainText('$111.23 est.');
      await page.getByText('Back to Dashboard').click();
      await expect(page).toHaveURL(`${testApp.url}/agent`);
    },
  );

  test(
    "the URL of an unknown distribution, or of another distributor's, leads to the dashboard (spec §2)",
    { tag: '@long' },
    async ({ page, testApp }) => {
      const { distributor } = await makeOrders(testApp);
      const foreign = await makeDistribution(testApp.db, await makeDistributor(testApp.db));
      await testApp.signIn(page, distributor);
      for (const id of ['abc', '1.5', '999999999999']) {
        await page.goto(`${testApp.url}/distributor/distribution/${id}`);
        await expect(page).toHaveURL(`${testApp.url}/distributor`);
      }
      await page.goto(`${testApp.url}/distributor/distribution/${foreign.id}`);
      await expect(page).toHaveURL(`${testApp.url}/distributor`);
    },
  );
});

async function addFee(page: Page, fee: { name: string; type: string; amount: string; order: string }, confirm?: string): Promise<void> {
  await page.getByLabel('Name').fill(fee.name);
  await page.getByLabel('Type').selectOption(fee.type);
  await page.getByLabel('Amount').fill(fee.amount);
  await page.getByLabel('Sort order').fill(fee.order);
  await page.getByRole('button', { name: 'Add Fee' }).click();
  if (confirm !== undefined) await page.getByRole('alertdialog').getByRole('button', { name: confirm }).click();
  await expect(toast(page, 'Fee added successfully')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('');
}

test(
  'below 768 px, rows are cards and a toast has the full width; from 768 px on, rows are a table and a toast is 420 px wide (spec §9)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, distribution } = await makeOrders(testApp);
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=customers`);
    const place = (): Promise<string[]> =>
      page.locator('.toast-viewport').evaluate((viewport) => {
        const { maxWidth, top, right } = getComputedStyle(viewport);
        return [maxWidth, top, right];
      });
    await page.setViewportSize({ width: 768, height: 800 });
    await expect(page.getByRole('table', { name: 'Customers' })).toBeVisible();
    // The toast appears at the top, below the top bar. At the bottom, it would cover the buttons of a dialog.
    expect(await place()).toEqual(['420px', '56px', '0px']);
    await page.setViewportSize({ width: 767, height: 800 });
    await expect(page.getByRole('listitem').filter({ hasText: 'Abramov, Rivka' })).toBeVisible();
    await expect(page.getByRole('table')).toHaveCount(0);
    expect(await place()).toEqual(['none', '0px', '0px']);
  },
);

test("on a phone, a customer's row is a card with the same fields", { tag: '@phone' }, async ({ page, testApp }) => {
  const { distributor, distribution, rivka } = await makeOrders(testApp);
  await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=customers`);
  const card = page.getByRole('listitem').filter({ hasText: 'Abramov, Rivka' });
  await expect(card).toContainText(rivka.email);
  await expect(card.getByRole('link', { name: '555-0100' })).toHaveAttribute('href', 'tel:555-0100');
  for (const fact of [/Items\s*3/, /Weights\s*0 of 2/, /Amount\s*\$111\.23 est\./, /Balance\s*\$111\.23/])
    await expect(card).toHaveText(fact);
});
