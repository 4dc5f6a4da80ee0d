// Measures typing quantities on the order page, and typing on the bare page, with the processor slowed down four times.
import type { Browser, Page } from '@playwright/test';
import { percentile } from '../figures.ts';
import { visit } from './browser.ts';
import { digits, timesOfKeys } from './keys.ts';
import type { Figure } from './print.ts';
import { CUSTOMER, ORDER_PAGES, type SeededServers } from './seed.ts';

const SLOWED = 4;
const KEYS = 50;
const FIELDS = 5;
const LIMIT_MS = 50;
const TOTAL = '[aria-label="Your order"] .figure';
const QUANTITY = 'li fieldset input';

async function intoFields(page: Page, inputs: string, shown: string): Promise<number[]> {
  const times: number[] = [];
  const fields = await page.locator(inputs).count();
  for (let field = 0; field < FIELDS; field++) {
    await page
      .locator(inputs)
      .nth(field % fields)
      .focus();
    times.push(...(await timesOfKeys(page, shown, digits(KEYS / FIELDS))));
  }
  return times;
}

export async function measureTyping(browser: Browser, { url, bareUrl }: SeededServers): Promise<Figure[]> {
  const bare = await visit(browser, { address: bareUrl, slowed: SLOWED, awaited: 'input' }, (page) => intoFields(page, 'input', 'output'));
  const figures: Figure[] = [];
  for (const { products, path } of ORDER_PAGES) {
    const opened = { address: url + path, userId: CUSTOMER, slowed: SLOWED, awaited: QUANTITY };
    const times = await visit(browser, opened, (page) => intoFields(page, QUANTITY, TOTAL));
    for (const [name, share] of [
      ['p50', 0.5],
      ['p95', 0.95],
      ['worst', 1],
    ] as const) {
      const figure = `order page, ${products} products, key to new total, ${SLOWED} x slower, ${name}`;
      figures.push({ figure, unit: 'ms', limit: LIMIT_MS, ours: percentile(times, share), bare: percentile(bare, share) });
    }
  }
  return figures;
}
