// Contains functions that the tests of a distributor's customers and agents share.
import type { Locator, Page } from '@playwright/test';
import type { makeDistributor } from '../data/factories.ts';
import type { E2eApp } from './fixtures.ts';

type Distributor = Awaited<ReturnType<typeof makeDistributor>>;

export async function openTab(page: Page, testApp: E2eApp, distributor: Distributor, tab = 'customers'): Promise<void> {
  await testApp.signIn(page, distributor, `/distributor?tab=${tab}`);
}

export const dialog = (page: Page): Locator => page.getByRole('dialog');
/**
 * Finds a toast by its class. A query by role would not find it while an open dialog hides the rest of the page from assistive technology.
 */
export const toastWith = (page: Page, text: string | RegExp): Locator => page.locator('.toast').getByText(text, { exact: true });

/** Finds a person's row on a desktop, or the person's card on a phone. */
export const rowOf = (page: Page, email: string): Locator =>
  page
    .getByRole('table')
    .getByRole('row')
    .or(page.getByRole('list', { name: /^(Customers|Users)$/ }).getByRole('listitem'))
    .filter({ hasText: email });

export async function menu(page: Page, email: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

export async function choose(page: Page, bytes: string | Uint8Array, name = 'people.csv'): Promise<void> {
  await page.getByRole('button', { name: 'Bulk Operations' }).click();
  await dialog(page)
    .getByLabel('Choose a CSV file')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) });
}

export const plan = async (page: Page): Promise<string> => (await dialog(page).locator('dl').innerText()).replace(/\s+/g, ' ');
export const mailsTo = (testApp: E2eApp, email: string) =>
  testApp.db
    .selectFrom('emails')
    .innerJoin('users', 'users.id', 'emails.userId')
    .select(['kind', 'replyTo'])
    .where('users.email', '=', email)
    .orderBy('emails.id')
    .execute();
export const customersIn = async (testApp: E2eApp): Promise<number> =>
  (await testApp.db.selectFrom('users').select('id').where('role', '=', 'customer').execute()).length;
