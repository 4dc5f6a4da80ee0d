// Lists the visual states of a distribution's tabs for info, products and fees (spec §2; contract §4).
import type { Page } from '@playwright/test';
import type { VisualState, VisualStateData } from './setup/visual-state.ts';
import { EDIT_ONE_PRODUCT, after, at, offline, press, reads, refused, saved, type, unanswered, waits, type Step } from './setup/steps.ts';

type Which = 'open' | 'weighing' | 'past' | 'draft';
const tab =
  (name: string, of: Which = 'open') =>
  (ids: VisualStateData): string =>
    `/distributor/distribution/${ids[of]}?tab=${name}`;

const inDialog =
  (name: string | RegExp): Step =>
  async (page) =>
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const choose =
  (text: string, name = 'products.csv'): Step =>
  async (page) =>
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** A file with new products, a changed product and two invalid rows. One of the new products has no price, and one is sold by weight. */
const MIXED = `product_code,name,description,product_group,unit_price,unit_qty,uom,unit_qty_is_estimate,max_order_qty,colour
1001,"Brisket, first cut",Lean and even,Beef,17.49,5,lb,true,3,red
7101,Grape juice,From Concord grapes,Wine,6.50,1,bottle,false,12,
7102,Honey cake,,Bakery,,1,each,false,0,
7103,Whole carp,Cleaned,Fish,8.99,4,lb,yes,2,
7104,Herring,,Fish,cheap,1,jar,false,0,
7105,,,Fish,4.00,0,jar,false,0,
`;
const LONG = `product_code,name,product_group,unit_price\n${Array.from({ length: 40 }, (_, n) => `${7200 + n},Honey cake no. ${n + 1},Bakery,${n + 1}.50`).join('\n')}\n`;

const products = '**/api/distributions/*/products';
/** Replies to saves in place of the server, so that nothing is saved. Every save succeeds except that of the second new product. */
const added: Step = async (page: Page) =>
  await page.route(`${products}**`, (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    const fields = route.request().postDataJSON() as { name: string };
    if (fields.name === 'Honey cake') return route.fulfill({ status: 400, body: 'Name is too long', contentType: 'text/plain' });
    return route.fulfill({ status: 201, json: { ...fields, id: 900, distributionId: 1, price: 650, total_ordered: 0 } });
  });
const save: Step = inDialog(/^Save \d+ products?$/);

const table = (ids: VisualStateData): string => `${tab('products')(ids)}&edit=table`;
/** Pastes several lines of text into the cell of this product and column. */
const paste =
  (product: string, column: number, text: string): Step =>
  async (page) => {
    await page.getByRole('row', { name: product }).first().locator(`[data-column="${column}"]`).click();
    // A click edits the cell. Escape ends the editing, so that the text is pasted into the cell and not into its input.
    await page.keyboard.press('Escape');
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  };
/** Simulates that all products have limits, because the table has no column for limits otherwise. */
const limited: Step = async (page) =>
  await page.route(products, async (route) => {
    if (route.request().method() !== 'GET') return await route.fallback();
    const reply = await route.fetch();
    const rows = (await reply.json()) as object[];
    return await route.fulfill({ response: reply, json: rows.map((row) => ({ ...row, total_limit: 400, left: 400 })) });
  });
/** Simulates that another person changes the price of the first product before the user saves. */
const changedElsewhere: Step = async (page) =>
  await page.route(products, async (route) => {
    if (route.request().method() === 'PATCH')
      return await route.fulfill({
        status: 409,
        body: 'Brisket was changed by somebody else meanwhile. Nothing is saved.',
        contentType: 'text/plain',
      });
    const reply = await route.fetch();
    const [first, ...others] = (await reply.json()) as { unit_price: number }[];
    return await route.fulfill({ response: reply, json: [{ ...first, unit_price: 1999 }, ...others] });
  });

const OPENS: Record<string, VisualState['open']> = {
  'info-typed': at(tab('distribution-info'), type('Name', 'Passover 2027, first pick-up')),
  'info-nameless': at(tab('distribution-info'), type('Name', ''), press('Save')),
  'info-leave': at(tab('distribution-info'), type('Name', 'Passover'), press('Back to Dashboard')),
  'info-undo': at(
    tab('distribution-info'),
    saved('**/api/distributions/*', 200, { id: 1, name: 'Passover 2027', date: '2027-04-15' }),
    press('Unpublish'),
    reads('Distribution updated successfully'),
  ),
  'info-refused': at(
    tab('distribution-info'),
    saved('**/api/distributions/*', 409, 'Ordering is closed'),
    press('Unpublish'),
    reads('409: Ordering is closed'),
  ),
  'info-offline': at(tab('distribution-info'), offline),
  'detail-loading': after(unanswered('**/api/distributions'), waits(tab('distribution-info'))),
  'detail-failed': after(refused('**/api/distributions'), at(tab('distribution-info'))),

  'products-no-match': at(tab('products'), type('Search products', 'smoked'), reads('No products match "smoked".')),
  'products-search': at(tab('products'), type('Search products', 'cut')),
  'products-loading': after(unanswered(products), waits(tab('products'))),
  'products-failed': after(refused(products), at(tab('products'))),
  'products-table': at(table, reads('Edit products')),
  'products-table-typed': at(table, reads('Edit products'), paste('Brisket', 3, '12,50\nmuch\n-3'), reads(/cannot be saved/)),
  'products-table-low-limit': after(
    limited,
    at(table, reads('Edit products'), paste('Brisket', 9, '1\n0'), reads(/below what is ordered/)),
  ),
  'products-table-conflict': at(
    table,
    reads('Edit products'),
    paste('Brisket', 3, '12,50\n14'),
    changedElsewhere,
    press(/^Save 2 changes/),
    press(/^Change the prices?$/),
    reads('Changed by somebody else meanwhile'),
  ),
  'product-faults': at(
    tab('products'),
    press('Add Product'),
    type('Unit price, $', 'much'),
    type('Unit quantity', '0'),
    inDialog('Add Product'),
  ),
  'product-by-weight': at(
    tab('products'),
    press('Add Product'),
    type('Name', 'Whole carp'),
    type('Product code', '7103'),
    type('Unit price, $', '8.99'),
    type('Unit quantity', '4'),
    type('Unit of measure', 'lb'),
    async (page) => await page.getByLabel('The quantity is an estimate').check(),
  ),
  'product-discard': at(tab('products'), press('Add Product'), type('Name', 'Whole carp'), inDialog('Cancel')),
  'reprice-question': at(
    tab('products'),
    press(EDIT_ONE_PRODUCT),
    type('Unit price, $', '18.99'),
    inDialog('Save Product'),
    reads(/^This re-prices/),
  ),
  'clear-question': at(tab('products'), press(/^Clear quantities of/), reads(/cannot be undone/)),
  'upload-refused': at(tab('products'), press('Upload CSV'), choose('colour;size\nred;1\n'), reads(/name/)),
  'upload-check': at(tab('products'), press('Upload CSV'), choose(MIXED), reads('The rows')),
  'upload-check-long': at(tab('products'), press('Upload CSV'), choose(LONG), reads('The first 8 rows')),
  'upload-saving': at(
    tab('products'),
    press('Upload CSV'),
    choose(LONG),
    reads('The first 8 rows'),
    unanswered('**/api/distributions/*/products'),
    save,
    reads('Saving products'),
  ),
  'upload-result': at(
    tab('products'),
    added,
    press('Upload CSV'),
    choose(LONG),
    reads('The first 8 rows'),
    save,
    reads('40 products saved.'),
  ),
  'upload-failed': at(
    tab('products'),
    added,
    press('Upload CSV'),
    choose(MIXED),
    reads('The rows'),
    save,
    press('Change the price'),
    reads(/^Failed to save/),
  ),
  'upload-left': at(
    tab('products'),
    added,
    press('Upload CSV'),
    choose(MIXED),
    reads('The rows'),
    save,
    press('Change the price'),
    reads(/^Failed to save/),
    press('Close'),
  ),

  'fee-faults': at(tab('fees'), type('Amount', 'much'), type('Sort order', 'first'), press('Add Fee')),
  'fee-question': at(tab('fees'), type('Name', 'Delivery'), type('Amount', '7.50'), press('Add Fee'), reads(/^This re-prices/)),
  'fee-delete': at(tab('fees'), press(/^Delete the fee/), reads(/^This re-prices/)),
  'fee-deleted': at(
    tab('fees'),
    saved('**/api/distributions/*/fees/*', 204, ''),
    press(/^Delete the fee/),
    press('Delete Fee'),
    reads('Fee deleted successfully'),
  ),
  'fees-loading': after(unanswered('**/api/distributions/*/fees'), waits(tab('fees'))),
  'fees-failed': after(refused('**/api/distributions/*/fees'), at(tab('fees'))),
  'price-changes-none': at(tab('fees', 'past'), press('Price changes'), reads('No price or fee has changed since the first order.')),
  'group-order': at(tab('products'), press('Order of groups'), press('Move Beef down')),
  'price-changes-products': at(tab('products'), press('Price changes'), reads('When')),
};

export const CATALOGUE_STATES: readonly VisualState[] = Object.entries(OPENS).map(([name, open]) => ({
  name,
  as: 'distributor',
  rows: 'few',
  open,
}));
