// Simulates a first visit on a phone with a slow connection, and measures when the first content and the main content are painted.
import type { Browser, Page } from '@playwright/test';
import { median } from '../figures.ts';
import { PHONE, visit } from './browser.ts';
import type { Figure } from './print.ts';
import { CUSTOMER, DISTRIBUTOR, ORDER_PAGES, type SeededServers } from './seed.ts';

/** The bandwidth in bytes per second and the round-trip time in milliseconds with which Lighthouse simulates a phone. */
const LINE = { downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, latency: 150 };
const SLOWED = 4;
const VISITS = 3;
const SCREENS: readonly { page: string; path: string; userId?: number; awaited: string }[] = [
  { page: 'sign-in', path: '/auth', awaited: 'input' },
  { page: 'order page, 200 products', path: ORDER_PAGES[0].path, userId: CUSTOMER, awaited: 'li fieldset input' },
  { page: 'distributor dashboard', path: '/distributor', userId: DISTRIBUTOR, awaited: 'main h1' },
];

interface Screen {
  readonly something: number;
  readonly content: number;
}
const screenOf = (page: Page): Promise<Screen> =>
  page.evaluate(() => ({
    something: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    content: window.probe.appeared,
  }));

export async function measureSlowLine(browser: Browser, { url, bareUrl }: SeededServers): Promise<Figure[]> {
  const look = (address: string, awaited: string, userId?: number): Promise<Screen> =>
    visit(
      browser,
      { address, awaited, viewport: PHONE, slowed: SLOWED, line: LINE, ...(userId === undefined ? {} : { userId }) },
      screenOf,
    );
  const figures: Figure[] = [];
  for (const { page, path, userId, awaited } of SCREENS) {
    const ours: Screen[] = [];
    const bare: Screen[] = [];
    for (let n = 0; n < VISITS; n++) {
      ours.push(await look(url + path, awaited, userId));
      bare.push(await look(bareUrl, 'input'));
    }
    const of = (name: string, limit: number, one: (screen: Screen) => number): Figure => ({
      figure: `${page}, phone, slow line, 4 x slower, ${name}`,
      unit: 'ms',
      limit,
      ours: median(ours.map(one)),
      bare: median(bare.map(one)),
    });
    figures.push(
      of('something stands there', 1000, ({ something }) => something),
      of('its content', 2500, ({ content }) => content),
    );
  }
  return figures;
}
