// A mailing stops because a reply is lost or the server refuses a call (spec §2 Send Email dialog, contract §2).
import type { Page } from '@playwright/test';
import { makeOrders } from './placed-orders.ts';
import { expect, test, type E2eApp } from './fixtures.ts';
import { openDialog, toast, write } from './email-writing.ts';

test.use({ allowedComplaint: /status of 429/ });

/** Opens a distribution with three customers, of whom two have not paid, and writes an e-mail to all of them. */
async function writeToAll(page: Page, testApp: E2eApp) {
  const made = await makeOrders(testApp);
  await testApp.db.deleteFrom('emails').execute();
  await testApp.signIn(page, made.distributor, `/distributor/distribution/${made.distribution.id}`);
  const dialog = await openDialog(page);
  await write(page, 'Pick-up', 'At noon.');
  return dialog;
}

const recipients = (testApp: E2eApp) => testApp.db.selectFrom('emails').select('to').execute();

/** Simulates a lost reply: the e-mails reach the server, but the page gets a network error. */
const loseReply = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const real = window.fetch;
    window.fetch = async (...request) => {
      const reply = await real(...request);
      if (request[0] !== '/api/send-emails') return reply;
      window.fetch = real;
      throw new TypeError('Failed to fetch');
    };
  });

test('repeating a send call after a lost response sends nobody two e-mails', { tag: ['@desk', '@long'] }, async ({ page, testApp }) => {
  const dialog = await writeToAll(page, testApp);
  await loseReply(page);
  await dialog.getByRole('button', { name: 'Send Emails' }).click();
  await expect(dialog.getByText('The server has not confirmed any e-mail: 3 people are left.')).toBeVisible();
  await expect(dialog.getByText('Sending has stopped')).toBeVisible();
  await expect(dialog.getByText('Try again: nobody gets the e-mail a second time.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Back to the e-mail' })).toHaveCount(0);
  expect(await recipients(testApp)).toHaveLength(3);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(toast(page, '3 e-mails are on their way.')).toBeVisible();
  expect(await recipients(testApp)).toHaveLength(3);
});

test(
  'after a lost response, the dialog can be closed, and the rest of the page works',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const dialog = await writeToAll(page, testApp);
    await loseReply(page);
    await dialog.getByRole('button', { name: 'Send Emails' }).click();
    await expect(dialog.getByText('Sending has stopped')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('tab', { name: 'Products' }).click();
    await expect(page.getByRole('tab', { name: 'Products' })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/auth$/);
  },
);

test(
  'after the server has refused the first call, the e-mail keeps its group of recipients',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const dialog = await writeToAll(page, testApp);
    await dialog.getByRole('button', { name: /^Not paid/ }).click();
    await page.route('**/api/send-emails', (route) =>
      route.fulfill({ status: 429, body: 'Too many', headers: { 'x-request-id': 'id-1' } }),
    );
    await dialog.getByRole('button', { name: 'Send Emails' }).click();
    await expect(dialog.getByText('Nothing has been sent yet: 2 people are left.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Back to the e-mail' }).click();
    await expect(dialog.getByRole('button', { name: /^Not paid/ })).toHaveAttribute('aria-pressed', 'true');
  },
);

test(
  'while the recipients are read again before a mailing, the e-mail can be neither discarded nor sent a second time',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const dialog = await writeToAll(page, testApp);
    const reading = Promise.withResolvers<void>();
    await page.route('**/customer-report*', async (route) => {
      await reading.promise;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Send Emails' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog.locator('[inert]').getByRole('button', { name: 'Cancel', includeHidden: true })).toBeAttached();
    reading.resolve();
    await expect(toast(page, '3 e-mails are on their way.')).toBeVisible();
    expect(await recipients(testApp)).toHaveLength(3);
  },
);
