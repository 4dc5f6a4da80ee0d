// Navigates between two pages whose scripts and data are cached, and measures the time from the click to the frame that shows the other
// page's content.
import type { Browser, Page } from '@playwright/test';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../figures.ts';
import { visit } from './browser.ts';
import type { Figure } from './print.ts';
import { CUSTOMER, DISTRIBUTOR, type SeededServers } from './seed.ts';

const LIMIT_MS = 300;
const TURNS = 5;

interface Way {
  readonly name: string;
  readonly link: string;
  /** The selector of an element that exists only on the target page, and only when its data is shown. */
  readonly shown: string;
}
interface Walk {
  readonly path: string;
  readonly userId: number;
  readonly there: Way;
  readonly back: Way;
}

const WALKS: readonly Walk[] = [
  {
    path: '/customer',
    userId: CUSTOMER,
    there: { name: 'customer dashboard to order page', link: 'a[href="/customer/order/1"]', shown: 'li fieldset input' },
    back: { name: 'order page to customer dashboard', link: 'a[href="/customer"]', shown: 'a[href="/customer/order/1"]' },
  },
  {
    path: '/distributor',
    userId: DISTRIBUTOR,
    there: {
      name: 'distributor dashboard to distribution',
      link: 'a[href="/distributor/distribution/1"]',
      shown: 'form input[type="date"]',
    },
    back: { name: 'distribution to distributor dashboard', link: 'a[href="/distributor"]', shown: 'a[href="/distributor/distribution/1"]' },
  },
];

async function timeOf(page: Page, link: string, shown: string): Promise<number> {
  await pause(200);
  await page.evaluate((selector) => {
    window.probe.appeared = 0;
    addEventListener('click', () => setTimeout(() => window.probe.await(selector)), { once: true });
  }, shown);
  await page.locator(link).first().click();
  await page.waitForFunction(() => window.probe.appeared > 0, undefined, { polling: 20 });
  return await page.evaluate(() => window.probe.appeared - window.probe.acted);
}

async function walk(page: Page, { there, back }: Walk): Promise<{ there: number[]; back: number[] }> {
  const times = { there: [] as number[], back: [] as number[] };
  for (let turn = 0; turn <= TURNS; turn++) {
    const [forth, home] = [await timeOf(page, there.link, there.shown), await timeOf(page, back.link, back.shown)];
    // The first navigation to the other page and back is not counted, because it loads the scripts of both pages.
    if (turn > 0) {
      times.there.push(forth);
      times.back.push(home);
    }
  }
  return times;
}

export async function measureRoutes(browser: Browser, { url, bareUrl }: SeededServers): Promise<Figure[]> {
  const bare = await visit(browser, { address: bareUrl, awaited: '#first' }, async (page) => {
    const times: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) times.push(await timeOf(page, 'button', turn % 2 === 0 ? '#other' : '#first'));
    return percentile(times, 1);
  });
  const figures: Figure[] = [];
  for (const walked of WALKS) {
    const opened = { address: url + walked.path, userId: walked.userId, awaited: walked.there.link };
    const times = await visit(browser, opened, (page) => walk(page, walked));
    for (const way of ['there', 'back'] as const) {
      const figure = `${walked[way].name}, click to its content, worst of ${TURNS}`;
      figures.push({ figure, unit: 'ms', limit: LIMIT_MS, ours: percentile(times[way], 1), bare });
    }
  }
  return figures;
}
