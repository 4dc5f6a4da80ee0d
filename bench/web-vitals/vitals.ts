// Measures the Core Web Vitals of the order page with 200 products (goal 21 of docs/performance.md), with the processor slowed down four
// times.
import type { Browser, Page } from '@playwright/test';
import { percentile } from '../figures.ts';
import { PHONE, visit } from './browser.ts';
import type { Figure } from './print.ts';
import { CUSTOMER, ORDER_PAGES, type SeededServers } from './seed.ts';

const SLOWED = 4;
const VISITS = 4;
const SHARE = 0.75;

interface Vitals {
  readonly lcp: number;
  readonly inp: number;
  readonly cls: number;
  readonly ttfb: number;
}

/** Simulates the typical start of an order: the user chooses a category, presses plus several times, and types a quantity. */
async function order(page: Page): Promise<void> {
  for (const chip of ['Poultry', 'Fish'])
    await page
      .getByRole('radio', { name: chip })
      .or(page.getByRole('button', { name: chip }))
      .first()
      .click();
  const more = page.getByRole('button', { name: /^More / });
  for (let tap = 0; tap < 6; tap++) await more.nth(tap % 3).click();
  await page
    .getByRole('spinbutton', { name: /^Quantity of / })
    .first()
    .focus();
  for (const key of '12') await page.keyboard.press(key);
}

async function vitalsOf(page: Page, act: (page: Page) => Promise<void>): Promise<Vitals> {
  await page.waitForLoadState('networkidle');
  await act(page);
  await page.waitForTimeout(300);
  return await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const { largestPaint, layoutShift, interactions } = window.probe;
    return { lcp: largestPaint, inp: Math.max(0, ...interactions), cls: layoutShift, ttfb: navigation?.responseStart ?? Number.NaN };
  });
}

export async function measureVitals(browser: Browser, { url, bareUrl }: SeededServers): Promise<Figure[]> {
  const ours: Vitals[] = [];
  const bare: Vitals[] = [];
  const { path } = ORDER_PAGES[0];
  for (let n = 0; n < VISITS; n++) {
    const opened = { viewport: PHONE, slowed: SLOWED };
    ours.push(
      await visit(browser, { ...opened, address: url + path, userId: CUSTOMER, awaited: 'li fieldset input' }, (page) =>
        vitalsOf(page, order),
      ),
    );
    bare.push(
      await visit(browser, { ...opened, address: bareUrl, awaited: 'input' }, (page) =>
        vitalsOf(page, async () => await page.getByRole('button').click()),
      ),
    );
  }
  const of = (name: string, limit: number, unit: Figure['unit'], one: (vitals: Vitals) => number): Figure => ({
    figure: `order page, 200 products, phone, ${SLOWED} x slower, ${name}, 75th percentile`,
    unit,
    limit,
    ours: percentile(ours.map(one), SHARE),
    bare: percentile(bare.map(one), SHARE),
  });
  return [
    of('LCP', 1250, 'ms', ({ lcp }) => lcp),
    of('INP', 100, 'ms', ({ inp }) => inp),
    of('CLS', 0.02, '', ({ cls }) => cls),
    of('TTFB', 100, 'ms', ({ ttfb }) => ttfb),
  ];
}
