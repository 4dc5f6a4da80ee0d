// Lists the screens that show strings written by users, for each role. Each entry contains the path, the minimum number of payloads that
// the screen must show, and the actions that come first.
import { expect, type Page } from '@playwright/test';
import Papa from 'papaparse';
import { payload, PAYLOADS, type HostileScreens } from './hostile-data.ts';
import { choose, dialog } from './people.ts';
import { EDIT_ONE_PRODUCT } from '../visual-states/setup/steps.ts';
import { dialogOf, editorOf, openDialog } from './email-writing.ts';

export interface Surface {
  readonly at: (testApp: HostileScreens) => string;
  readonly shows: number;
  readonly act?: (page: Page) => Promise<unknown>;
}
const ALL = PAYLOADS.length;
/** The number of payloads on one page of the audit trail, which shows at most 100 rows. */
const PAGE = Math.min(100, ALL);
/** The number of products that are sold by estimated weight: every second product. */
const WEIGHED = ALL / 2;

const press =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> =>
    await page.getByRole('button', { name }).first().click();
const inRow = (text: string | RegExp, item: string) => async (page: Page) => {
  await page
    .getByRole('button', { name: /^More actions for/ })
    .nth(5)
    .click();
  await page.getByRole('menuitem', { name: item }).click();
  await expect(page.getByRole('alertdialog')).toContainText(text);
};

const csv = (row: (index: number) => object): Buffer => Buffer.from(Papa.unparse(PAYLOADS.map((_, index) => row(index))));
const chooseCustomers = (page: Page): Promise<void> =>
  choose(
    page,
    csv((index) => ({ email: `new${index}@home.example`, firstName: payload(index), lastName: payload(index + 1) })),
  );
async function chooseProducts(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const buffer = csv((index) => ({
    name: payload(index),
    description: payload(index + 1),
    product_group: payload(index + 2),
    unit_price: 1,
  }));
  await page.getByLabel('Choose a CSV file').setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer });
}
async function saveProducts(page: Page): Promise<void> {
  await chooseProducts(page);
  await dialog(page)
    .getByRole('button', { name: /^Save \d+ products/ })
    .click();
  await expect(page.getByText('Bulk product update completed').first()).toBeVisible({ timeout: 100_000 });
}
/** Types payloads into the fields of the Send Email dialog. Typed payloads are plain text, not markup. */
async function writeAll(page: Page): Promise<void> {
  await openDialog(page);
  await dialogOf(page).getByLabel('Subject').fill(payload(0));
  await editorOf(page).locator('body').click();
  await page.keyboard.insertText(PAYLOADS.join(' '));
  await dialogOf(page)
    .getByRole('button', { name: /each in an e-mail of their own/ })
    .click();
}
async function previewAll(page: Page): Promise<void> {
  await writeAll(page);
  await dialogOf(page).getByRole('button', { name: 'Preview' }).click();
  await expect(dialogOf(page).frameLocator('iframe[title="Preview of the e-mail"]').getByRole('heading')).toHaveText(payload(0));
}
async function openHistory(page: Page): Promise<void> {
  await page.getByText('History', { exact: true }).click();
  await expect(page.getByRole('table', { name: 'History' })).toBeVisible();
}
async function openLog(page: Page): Promise<void> {
  await openDialog(page);
  await dialogOf(page).getByRole('tab', { name: 'Log' }).click();
}

async function previewCopy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await dialog(page).getByText('As they were weighed').click();
}
/** Opens the dialog of a short delivery, and shows the preview of how many units each customer gets. */
async function previewShares(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^More actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Short delivery' }).click();
  await dialog(page).getByLabel('Units that came').fill('1');
  await dialog(page).getByRole('button', { name: 'Show who gets how many' }).click();
}

const sale = ({ sale: { id } }: HostileScreens): string => `/distributor/distribution/${id}`;

export const SURFACES: Readonly<Record<'admin' | 'distributor' | 'agent' | 'first', readonly Surface[]>> = {
  admin: [{ at: () => '/', shows: ALL }],
  distributor: [
    { at: () => '/distributor', shows: ALL },
    { at: () => '/distributor', shows: 7, act: press('Organization') },
    { at: () => '/distributor?tab=customers', shows: ALL },
    { at: () => '/distributor?tab=customers', shows: ALL, act: chooseCustomers },
    { at: () => '/distributor?tab=customers', shows: ALL, act: press('Join Link') },
    { at: () => '/distributor?tab=customers', shows: ALL, act: inRow(/@x\.test/, 'Disable') },
    { at: () => '/distributor?tab=agents', shows: ALL },
    { at: sale, shows: 1 },
    { at: sale, shows: WEIGHED, act: previewCopy },
    { at: sale, shows: ALL, act: writeAll },
    { at: sale, shows: 1, act: previewAll },
    { at: sale, shows: ALL, act: openLog },
    { at: (testApp) => `${sale(testApp)}?tab=products`, shows: ALL },
    { at: (testApp) => `${sale(testApp)}?tab=products`, shows: ALL, act: press(EDIT_ONE_PRODUCT) },
    { at: (testApp) => `${sale(testApp)}?tab=products`, shows: ALL, act: press(/^Clear /) },
    { at: (testApp) => `${sale(testApp)}?tab=products`, shows: ALL, act: chooseProducts },
    { at: ({ groups }) => `/distributor/distribution/${groups.id}?tab=products`, shows: ALL },
    { at: ({ groups }) => `/distributor/distribution/${groups.id}?tab=products`, shows: ALL, act: saveProducts },
    { at: ({ crowd }) => `/distributor/distribution/${crowd.id}?tab=products`, shows: ALL, act: previewShares },
    { at: ({ feeful }) => `/distributor/distribution/${feeful.id}?tab=products`, shows: ALL },
    { at: ({ feeful }) => `/distributor/distribution/${feeful.id}?tab=fees`, shows: ALL },
    // The click deletes the fee without a question, because nobody has ordered.
    { at: ({ feeful }) => `/distributor/distribution/${feeful.id}?tab=fees`, shows: ALL - 1, act: press(/^Delete the fee/) },
    { at: (testApp) => `${sale(testApp)}?tab=fees`, shows: ALL, act: press('Price changes') },
    { at: (testApp) => `${sale(testApp)}?tab=customers`, shows: ALL },
    { at: (testApp) => `${sale(testApp)}?tab=report`, shows: ALL },
    { at: (testApp) => `${sale(testApp)}?tab=payments`, shows: ALL },
    { at: (testApp) => `${sale(testApp)}?tab=payments`, shows: ALL, act: press(/^Reverse/) },
    { at: (testApp) => `${sale(testApp)}?tab=actuals`, shows: ALL },
    { at: (testApp) => `${sale(testApp)}/report`, shows: ALL },
    { at: (testApp) => `${sale(testApp)}/counter`, shows: 1 },
    { at: (testApp) => `${sale(testApp)}/control-room`, shows: 1 },
    { at: (testApp) => `${sale(testApp)}/tills`, shows: ALL },
    { at: (testApp) => `${sale(testApp)}/tills`, shows: ALL, act: press(/^Close till of/) },
    { at: (testApp) => `${sale(testApp)}/audit?kind=fee`, shows: PAGE },
    { at: (testApp) => `${sale(testApp)}/audit?kind=quantity`, shows: PAGE },
    { at: (testApp) => `${sale(testApp)}/print-orders`, shows: ALL },
    { at: ({ order }) => `/distributor/print-order/${order.id}`, shows: ALL },
    { at: (testApp) => `/distributor/edit-order/${testApp.sale.id}/${testApp.first.id}`, shows: ALL },
    { at: (testApp) => `/distributor/edit-order/${testApp.sale.id}/${testApp.first.id}`, shows: ALL, act: openHistory },
    { at: ({ order }) => `/distributor/orders/${order.id}/actual-quantities`, shows: WEIGHED },
  ],
  agent: [
    { at: () => '/agent', shows: ALL },
    { at: (testApp) => `/agent/distribution/${testApp.sale.id}`, shows: ALL },
    { at: (testApp) => `/agent/distribution/${testApp.sale.id}/counter`, shows: 1 },
    { at: ({ order }) => `/agent/print-order/${order.id}`, shows: ALL },
    { at: (testApp) => `/agent/edit-order/${testApp.sale.id}/${testApp.first.id}`, shows: ALL },
    { at: ({ order }) => `/agent/orders/${order.id}/actual-quantities`, shows: WEIGHED },
  ],
  first: [
    { at: () => '/customer', shows: ALL },
    { at: (testApp) => `/customer/order/${testApp.sale.id}`, shows: ALL },
    { at: ({ groups }) => `/customer/order/${groups.id}`, shows: ALL },
    // One fee is missing, because the test has clicked "Delete the fee" on an earlier screen.
    { at: ({ feeful }) => `/customer/order/${feeful.id}`, shows: ALL - 1 },
    { at: ({ order }) => `/customer/orders/${order.id}/actual-quantities`, shows: WEIGHED },
    { at: () => '/customer/contact-info', shows: 7 },
    { at: (testApp) => `/customer/print-order/${testApp.sale.id}`, shows: ALL },
    { at: (testApp) => `/customer/print-pricesheet/${testApp.sale.id}`, shows: ALL },
  ],
};
