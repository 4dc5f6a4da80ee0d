// These tests import and download a distributor's catalogue as a spreadsheet (spec §8, contract §4).
import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { asCsvBytes, catalogueRows, type FileDialect } from '../fixtures/catalogue.ts';
import { sampleOf } from '../setup/sampling.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

type Rows = Record<string, string>[];

async function openProducts(
  page: Page,
  testApp: E2eApp,
  product?: Parameters<typeof makeProduct>[2],
): Promise<{ id: number; distributorId: number }> {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  // The server caches the list of products when the page opens, so the product must exist before.
  if (product) await makeProduct(testApp.db, distribution, product);
  await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=products`);
  return distribution;
}

async function choose(page: Page, name: string, bytes: Uint8Array | string): Promise<void> {
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  await page.getByLabel('Choose a CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) });
}

/** Parses a file with Papa Parse directly, instead of the application's own reader. */
const parsed = (file: string): Rows => Papa.parse<Rows[number]>(file.replace(/^\uFEFF/, ''), { header: true, skipEmptyLines: true }).data;

async function downloadedBy(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

const downloadProducts = (page: Page) => downloadedBy(page, () => page.getByRole('button', { name: 'Download CSV' }).click());
const plan = async (page: Page): Promise<string> => (await page.getByRole('dialog').locator('dl').innerText()).replace(/\s+/g, ' ');
const byName = (rows: Rows) => rows.toSorted((a, b) => Number(a['name']?.split('no. ')[1]) - Number(b['name']?.split('no. ')[1]));

const SAVED: readonly [string, FileDialect][] = [
  ['with a byte-order mark, CRLF and quoted line breaks', { encoding: 'utf-8', separator: ',', lineEnd: '\r\n', bom: true }],
  ['with semicolons', { encoding: 'utf-8', separator: ';', lineEnd: '\n', bom: false }],
  ['in Windows-1252', { encoding: 'windows-1252', separator: ';', lineEnd: '\r\n', bom: false }],
];

for (const [how, dialect] of sampleOf(SAVED, 1)) {
  test(
    `500 products saved ${how} are imported, downloaded unchanged, and imported again without changes (spec §2, §8, §9; contract §4)`,
    { tag: ['@desk', '@long'] },
    async ({ page, testApp }) => {
      const rows = catalogueRows(500, 2027);
      const { id } = await openProducts(page, testApp);
      await choose(page, 'catalogue.csv', asCsvBytes(rows, dialect));
      await expect.poll(() => plan(page)).toBe('New 500 Update 0 Unchanged 0 Problem 0');
      expect(await testApp.db.selectFrom('products').select('id').execute()).toEqual([]);
      await page.getByRole('button', { name: 'Save 500 products' }).click();
      await expect(page.getByText('Bulk product update completed').first()).toBeVisible({ timeout: 50_000 });
      await page.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByText('500 products in 4 groups')).toBeVisible();

      const file = await downloadProducts(page);
      expect(file.name).toBe(`products-${id}.csv`);
      const written = byName(parsed(file.text)).map(({ id: productId, ...row }) => ({ ...row, hasId: Number(productId) > 0 }));
      const guarded = (text: string | null) => (text !== null && /^[=-]/.test(text) ? `'${text}` : (text ?? ''));
      expect(written).toEqual(
        rows.map((row) => ({
          hasId: true,
          product_code: row.product_code === null ? '' : String(row.product_code),
          name: row.name,
          description: guarded(row.description),
          product_group: row.product_group,
          unit_price: `${Math.floor(row.unit_price / 100)}.${String(row.unit_price % 100).padStart(2, '0')}`,
          unit_qty: String(row.unit_qty),
          uom: row.uom ?? '',
          unit_qty_is_estimate: String(row.unit_qty_is_estimate),
          max_order_qty: String(row.max_order_qty),
        })),
      );

      await choose(page, file.name, file.text);
      await expect.poll(() => plan(page)).toBe('New 0 Update 0 Unchanged 500 Problem 0');
      await expect(page.getByText('Matched with products of this distribution: 500 rows by id.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Nothing to save' })).toBeDisabled();
    },
  );
}

test('the Products tab imports the valid rows of a file and returns the invalid ones with reasons (spec §5, §8, §9; contract §4)', async ({
  page,
  testApp,
}) => {
  await openProducts(page, testApp, { name: 'Brisket', product_code: 100, unit_qty: 5 });
  const file = [
    'product_code,name,unit_price,unit_qty,colour',
    '100,Brisket,12.50,5,red',
    '101,Turkey,3.25,1,white',
    '102,Duck,abc,1,',
    '103,Goose,-4,0,',
    '104,,1,1,',
    '105,Lamb,9',
    '106,"Veal, rolled",14,2,',
  ].join('\r\n');
  await choose(page, 'mixed.csv', file);
  await expect.poll(() => plan(page)).toBe('New 2 Update 1 Unchanged 0 Problem 4');
  await expect(page.getByText('Ignored column: colour.')).toBeVisible();
  await expect(page.getByText('1 row: Unit price must be positive (line 5)')).toBeVisible();
  const failed = await downloadedBy(page, () => page.getByRole('button', { name: 'Save 3 products' }).click());
  await expect(page.getByRole('dialog').getByText('Failed to save 4 of 7 products')).toBeVisible();
  expect(failed.name).toBe('failed-to-save.csv');
  expect(parsed(failed.text).map((row) => [row['product_code'], row['name'], row['unit_price'], row['reason']])).toEqual([
    ['102', 'Duck', 'abc', 'Unit price must be an amount in dollars such as 12.50, at most 10,000,000'],
    ['103', 'Goose', '-4', 'Unit price must be positive; Quantity must be at least 1'],
    ['104', '', '1', 'Name is required'],
    ['105', 'Lamb', '9', 'The row has 3 cells where the header has 5'],
  ]);
  await page.getByRole('button', { name: 'Done' }).click();
  const products = await testApp.db.selectFrom('products').select(['name', 'unit_price', 'unit_qty']).orderBy('name').execute();
  expect(products).toEqual([
    { name: 'Brisket', unit_price: 1250, unit_qty: 5 },
    { name: 'Turkey', unit_price: 325, unit_qty: 1 },
    { name: 'Veal, rolled', unit_price: 1400, unit_qty: 2 },
  ]);
});

test(
  'the page stays usable and shows the progress while an import saves 600 rows; the import continues in the background (spec §8)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    await page.addInitScript(() => {
      const stalls: number[] = [];
      Object.assign(globalThis, { stalls });
      new PerformanceObserver((list) => stalls.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
    });
    await openProducts(page, testApp);
    const rows = catalogueRows(600, 5);
    await choose(page, 'all.csv', asCsvBytes(rows, { encoding: 'utf-8', separator: ',', lineEnd: '\r\n', bom: true }));
    // The test delays most of the requests, because the import could otherwise end before the test has looked at its progress.
    const [looked, url] = [Promise.withResolvers<void>(), '**/api/distributions/*/products'];
    let sent = 0;
    await page.route(url, async (route) => {
      if (route.request().method() === 'POST' && ++sent > 100) await looked.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save 600 products' }).click();
    await expect(page.getByRole('progressbar', { name: 'Saving products' })).toBeVisible();
    await expect(page.getByText(/^Saving \d+\/600 .+ no\. \d+$/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Continue in the background' }).click();
    await page.getByRole('tab', { name: 'Fees' }).click();
    await expect(page.getByRole('tab', { name: 'Fees' })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('tab', { name: 'Products' }).click();
    await page.getByRole('button', { name: 'Add Product' }).click();
    await page.getByLabel('Name').fill('Typed meanwhile');
    await expect(page.getByLabel('Name')).toHaveValue('Typed meanwhile');
    await expect(page.getByText(/^[1-9]\d* of 600$/)).toBeVisible();
    const released = Date.now();
    looked.resolve();
    await page.unroute(url);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByText('Bulk product update completed').first()).toBeVisible({ timeout: 200_000 });
    const seconds = (Date.now() - released) / 1000;
    await expect(page.getByText('600 products in 4 groups')).toBeVisible();
    const stalls = await page.evaluate(() => (globalThis as unknown as { stalls: number[] }).stalls);
    process.stdout.write(
      `500 products saved in ${seconds.toFixed(1)} s; longest stall of the page ${Math.max(0, ...stalls).toFixed(0)} ms\n`,
    );
  },
);
