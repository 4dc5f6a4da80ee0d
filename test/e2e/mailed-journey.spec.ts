// An admin invites a distributor. The distributor follows the link in the mail, imports customers, and writes to the customers who have not
// ordered. The mail worker's code renders all mails.
import { makeAdmin, makeDistribution, makeProduct } from '../data/factories.ts';
import { makeOrder } from '../data/order-rows.ts';
import { mailbox } from './mailbox.ts';
import { choose, dialog, plan, toastWith } from './people.ts';
import { expect, test } from './fixtures.ts';
import { openDialog } from './email-writing.ts';

const CUSTOMERS = Array.from({ length: 300 }, (_, index) => `family${index}@home.example;Dina;Cohen ${index}`);

test(
  'an invited distributor follows the link, imports 300 customers and writes to those without an order',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    await testApp.signIn(page, await makeAdmin(testApp.db));
    await page.getByRole('button', { name: 'Add Distributor' }).click();
    await dialog(page).getByLabel('Email').fill('office@bethel.example');
    await dialog(page).getByRole('button', { name: 'Add Distributor' }).click();
    await expect(toastWith(page, 'Distributor created successfully')).toBeVisible();
    await page.getByRole('button', { name: 'Logout' }).click();
    // The reply to the sign-out deletes the session's cookie. Without this wait, it could delete the cookie of the next person.
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();

    const [invitation] = await mailbox(testApp);
    expect(invitation?.to).toBe('office@bethel.example');
    const token = /\/auth\?token=([\w-]+)/.exec(invitation?.text ?? '')?.[1] ?? '';
    await page.goto(`${testApp.url}/auth?token=${token}`);
    await page.getByLabel('New Password').fill('Three-Sheep-42');
    await page.getByRole('button', { name: 'Set your password' }).click();
    await expect(page.getByRole('heading', { name: 'Distributor Dashboard' })).toBeVisible();

    await page.goto(`${testApp.url}/distributor?tab=customers`);
    await choose(page, `\uFEFFE-Mail;firstName;lastName\r\n${CUSTOMERS.join('\r\n')}\r\n`);
    await expect.poll(() => plan(page)).toBe('New 300 Known 0 No e-mail 0 Problem 0');
    await dialog(page).getByRole('button', { name: 'Import and invite 300 customers' }).click();
    await expect(toastWith(page, 'Created 300 out of 300 customers')).toBeVisible();
    expect(new Set((await mailbox(testApp)).map((mail) => mail.to)).size).toBe(300);

    const distributor = await testApp.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'office@bethel.example')
      .executeTakeFirstOrThrow();
    const distribution = await makeDistribution(testApp.db, distributor);
    const product = await makeProduct(testApp.db, distribution);
    const customers = await testApp.db.selectFrom('users').selectAll().where('role', '=', 'customer').orderBy('id').execute();
    for (const customer of customers.slice(0, 4)) await makeOrder(testApp.db, distribution, customer, [[product, 1]]);

    await page.goto(`${testApp.url}/distributor/distribution/${distribution.id}`);
    await openDialog(page);
    await dialog(page).getByRole('button', { name: 'Without an order' }).click();
    await dialog(page).getByLabel('Subject').fill('Last call');
    await page.frameLocator('.tox-edit-area iframe').locator('body').pressSequentially('Ordering closes on Friday.');
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await dialog(page).getByRole('button', { name: 'Send Emails' }).click();
    await expect(toastWith(page, '296 e-mails are on their way.')).toBeVisible();
    const letters = await mailbox(testApp);
    const withoutOrder = customers.slice(4).map((customer) => customer.email);
    expect(letters.map((mail) => mail.to).toSorted()).toEqual(withoutOrder.toSorted());
    expect(new Set(letters.map((mail) => mail.subject))).toEqual(new Set(['Last call']));
  },
);
