// Simulates a member of staff who serves one family after the other in a browser at the counter, by keyboard or by touch, and counts keys
// or taps. Elements are found by CSS selectors and coordinates, because locators by role would use more time of the slowed processor than
// the screen itself.
import type { Browser, CDPSession, Page } from '@playwright/test';

export const DISTRIBUTION = 2000;
export const UNITS = 5;
const SLOWED = 4;
const READING_MS = 400;
const MAX_QUEUE_MS = 600_000;
const PATH = `/distributor/distribution/${DISTRIBUTION}/counter`;

export interface Station {
  readonly page: Page;
  readonly session: CDPSession;
  /** The number of taps or pressed keys. The digits of the weights do not count. */
  actions: number;
  /** The number of navigations since the page was opened. */
  loads: number;
  /** Milliseconds that the simulated person has spent reading amounts. The benchmark subtracts them from the measured time. */
  readingMs: number;
}

const SEARCH = '[role="combobox"]';
const FIELD = '[role="spinbutton"]';
const MAIN = 'button[type="submit"][form]';
const weightOf = (family: number, unit: number): string => `${4 + ((family * 7 + unit * 3) % 20) / 10}`;

/** Returns the processor time in milliseconds that the page has used so far. */
export async function busyMs({ session }: Station): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

export async function openStation(browser: Browser, url: string, isTablet: boolean): Promise<Station> {
  const viewport = isTablet ? { width: 820, height: 1180 } : { width: 1280, height: 800 };
  const context = await browser.newContext({ viewport, isMobile: isTablet, hasTouch: isTablet });
  await context.addCookies([{ name: 'sid', value: 's1', url }]);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(url + PATH);
  await page.locator(SEARCH).waitFor();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  const station = { page, session, actions: 0, loads: 0, readingMs: 0 };
  page.on('load', () => (station.loads += 1));
  return station;
}

const until = (station: Station, selector: string, text = ''): Promise<void> =>
  station.page.locator(selector, { hasText: text }).first().waitFor();

async function press(station: Station, keys: string): Promise<void> {
  station.actions += keys === 'Enter' ? 1 : keys.length;
  if (keys === 'Enter') await station.page.keyboard.press(keys);
  else await station.page.keyboard.type(keys);
}

/** Waits as long as a person needs to read the amount. The screen ignores an Enter that is pressed earlier. */
async function readAmount(station: Station): Promise<void> {
  const begun = performance.now();
  await station.page.waitForTimeout(READING_MS);
  station.readingMs += performance.now() - begun;
}

export async function serveByKeyboard(station: Station, orderId: number, family: number): Promise<void> {
  const { page } = station;
  // Without #, a short order number could be a weight, so the search would ask for a second Enter.
  await press(station, `#${orderId}`);
  await press(station, 'Enter');
  await until(station, `${FIELD}:focus`);
  for (let unit = 0; unit < UNITS; unit++) {
    await page.keyboard.type(weightOf(family, unit));
    await press(station, 'Enter');
  }
  await until(station, `${MAIN}:focus`, 'Pay $');
  await readAmount(station);
  await press(station, 'Enter');
  await until(station, `${SEARCH}:focus`);
}

/**
 * The source of a function that returns the middle of an element on the screen. The function scrolls to the element only when another
 * element covers that point.
 */
const POINT = `(selector, index) => {
  const element = document.querySelectorAll(selector)[index];
  const middle = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const { x, y } = middle();
  if (!element.contains(document.elementFromPoint(x, y))) element.scrollIntoView({ block: 'center' });
  return middle();
}`;

async function tap(station: Station, selector: string, index = 0): Promise<void> {
  station.actions += 1;
  const { x, y } = await station.page.evaluate<{ x: number; y: number }>(`(${POINT})(${JSON.stringify(selector)}, ${index})`);
  await station.page.touchscreen.tap(x, y);
}

export async function serveByTouch(station: Station, orderId: number, family: number): Promise<void> {
  const { page } = station;
  await tap(station, SEARCH);
  station.actions += String(orderId).length;
  await page.keyboard.type(String(orderId));
  await until(station, '[role="option"]');
  await tap(station, '[role="option"]');
  await until(station, FIELD);
  for (let unit = 0; unit < UNITS; unit++) {
    await tap(station, FIELD, unit);
    await page.keyboard.type(weightOf(family, unit));
  }
  await until(station, MAIN, 'Pay $');
  await tap(station, MAIN);
  await page.locator(FIELD).first().waitFor({ state: 'detached' });
}

/** Waits until the browser has sent all entries of its queue. The browser delays them while keys are typed without a pause. */
export const untilSent = async ({ page }: Station): Promise<void> =>
  await page.getByText(/^\d+ waiting$/).waitFor({ state: 'detached', timeout: MAX_QUEUE_MS });

/** Serves families without a network, then returns the milliseconds until all their entries are sent. */
export async function serveOffline(station: Station, orders: readonly number[]): Promise<number> {
  const context = station.page.context();
  await context.setOffline(true);
  for (const [family, orderId] of orders.entries()) await serveByKeyboard(station, orderId, family);
  const begun = performance.now();
  await context.setOffline(false);
  await untilSent(station);
  return performance.now() - begun;
}
