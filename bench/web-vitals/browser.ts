// Opens pages as a user, on a desktop or phone, optionally with a slowed processor.
import { chromium, type Browser, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from '../../scripts/chromium.ts';
import { installProbe } from './probe.ts';

export const startBrowser = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGS });

export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 375, height: 812 };

export interface Opened {
  readonly address: string;
  readonly userId?: number;
  readonly viewport?: { width: number; height: number };
  /** The factor by which the processor is slowed down. */
  readonly slowed?: number;
  /** The simulated connection: bytes per second in each direction, and the round-trip time in milliseconds. */
  readonly line?: { downloadThroughput: number; uploadThroughput: number; latency: number };
  /** The CSS selector of the element for which the visit waits. `probe.appeared` contains the time when the element was painted. */
  readonly awaited: string;
}

/**
 * Opens the page `opened` with an empty cache, waits until its awaited element is painted, calls `act` with the page, and closes the page.
 */
export async function visit<Result>(browser: Browser, opened: Opened, act: (page: Page) => Promise<Result>): Promise<Result> {
  const { address, userId, viewport = DESK, slowed = 1, line, awaited } = opened;
  const isPhone = viewport.width < DESK.width;
  const context = await browser.newContext({ viewport, isMobile: isPhone, hasTouch: isPhone });
  try {
    if (userId !== undefined) await context.addCookies([{ name: 'sid', value: `s${userId}`, url: new URL(address).origin }]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    if (slowed > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slowed });
    if (line) await session.send('Network.emulateNetworkConditions', { offline: false, ...line });
    await page.addInitScript(installProbe, awaited);
    await page.goto(address);
    await painted(page);
    return await act(page);
  } finally {
    await context.close();
  }
}

/** Waits until the awaited element is painted, and returns the time of the painting in milliseconds of the page's clock. */
export async function painted(page: Page): Promise<number> {
  await page.waitForFunction(() => window.probe.appeared > 0, undefined, { polling: 20 });
  return await page.evaluate(() => window.probe.appeared);
}
