// Measures long tables on a desktop, and their cards on a phone. The figures are the time to the first rows, the time of a key press in a
// filter, the number of rendered rows, and the longest task while scrolling.
import type { Browser, Page } from '@playwright/test';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../figures.ts';
import { DESK, painted, PHONE, visit } from './browser.ts';
import { timesOfKeys } from './keys.ts';
import type { Figure } from './print.ts';
import { DISTRIBUTOR, type SeededServers } from './seed.ts';

const ROW = 'tr[aria-rowindex], li[aria-posinset]';
const TABLES = [
  { name: 'customers, 10,000 rows', path: '/distributor?tab=customers', call: '/api/users/customer', column: 'Email', text: 'customer99' },
  {
    name: 'report, 12,000 rows',
    path: '/distributor/distribution/1000?tab=report',
    call: '/report',
    column: 'Product',
    text: 'product 19',
  },
] as const;
const LOOKS = [
  { look: 'desk', viewport: DESK },
  { look: 'phone', viewport: PHONE },
] as const;
const WHEELS = 40;

/** Measures the time from the last byte of the response to the frame that shows the first rows. */
async function firstRows(page: Page, call: string): Promise<number> {
  const at = await painted(page);
  return await page.evaluate(
    ({ path, shown }) => {
      const reads = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      // The measured time begins when the response with the last page of the list has arrived. The client loads a long list page by page,
      // and shows the list only after the last page.
      return shown - (reads.findLast(({ name }) => new URL(name).pathname.endsWith(path))?.responseEnd ?? Number.NaN);
    },
    { path: call, shown: at },
  );
}

async function openFilter(page: Page, column: string): Promise<void> {
  const tools = page.locator('summary').filter({ hasText: 'Sort and filter' });
  if (await tools.isVisible()) await tools.click();
  const filter = page.getByRole('textbox', { name: `Filter by ${column}` });
  if (!(await filter.isVisible())) await page.getByRole('button', { name: `Filter by ${column}` }).click();
  await filter.focus();
}

/** Returns the duration of the longest task while scrolling; 0 when no task takes 50 ms. */
async function longestTaskOfScrolling(page: Page): Promise<number> {
  await page.locator(ROW).first().hover();
  await pause(300);
  await page.evaluate(() => (window.probe.longTasks = []));
  for (let wheel = 0; wheel < WHEELS; wheel++) {
    await page.mouse.wheel(0, wheel < WHEELS / 2 ? 400 : 4000);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  }
  await pause(300);
  return await page.evaluate(() => Math.max(0, ...window.probe.longTasks));
}

async function measured(page: Page, { call, column, text }: (typeof TABLES)[number]) {
  const rows = await firstRows(page, call);
  await pause(500);
  const scrolling = await longestTaskOfScrolling(page);
  const elements = await page.locator('tbody tr, li[aria-posinset]').count();
  await page.evaluate(() => scrollTo(0, 0));
  await openFilter(page, column);
  // The first typed letters may leave the visible rows unchanged. The measurement therefore observes the whole page content, including the
  // filter field.
  const keys = await timesOfKeys(page, 'main', text.split(''));
  return { rows, scrolling, elements, key: percentile(keys, 1) };
}

export async function measureTables(browser: Browser, { url, bareUrl }: SeededServers): Promise<Figure[]> {
  const bare = await visit(browser, { address: bareUrl, awaited: 'input' }, async (page) => {
    await page.locator('input').focus();
    return percentile(await timesOfKeys(page, 'output', 'product 19'.split('')), 1);
  });
  const figures: Figure[] = [];
  for (const table of TABLES) {
    for (const { look, viewport } of LOOKS) {
      const opened = { address: url + table.path, userId: DISTRIBUTOR, viewport, awaited: ROW };
      const { rows, scrolling, elements, key } = await visit(browser, opened, (page) => measured(page, table));
      const about = `${table.name}, ${look}`;
      figures.push(
        { figure: `${about}, data to first rows`, unit: 'ms', limit: 200, ours: rows, bare: null },
        { figure: `${about}, key in a filter to its rows, worst`, unit: 'ms', limit: 50, ours: key, bare },
        { figure: `${about}, row elements in the page`, unit: '', limit: 100, ours: elements, bare: null },
        { figure: `${about}, longest task while scrolling (0: none of 50 ms)`, unit: 'ms', limit: 50, ours: scrolling, bare: null },
      );
    }
  }
  return figures;
}
