// Measures the time from a key press to the frame that shows the change caused by the key.
import type { Page } from '@playwright/test';
import { setTimeout as pause } from 'node:timers/promises';

/** How many milliseconds the measurement waits after a key press, so that it also records a late frame. */
const SETTLED_MS = 150;

/** Returns the milliseconds from each key press to the last frame that changed the elements of `selector`. */
export async function timesOfKeys(page: Page, selector: string, keys: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const key of keys) {
    await page.evaluate((watched) => window.probe.watch(watched), selector);
    await page.keyboard.press(key);
    await page.waitForFunction(() => window.probe.painted.length > 0, undefined, { polling: 20 });
    await pause(SETTLED_MS);
    times.push(await page.evaluate(() => (window.probe.painted.at(-1) ?? Number.NaN) - window.probe.acted));
  }
  return times;
}

/** Returns `count` keys, alternately a digit and Backspace, which deletes the digit again. Each key changes the text of a field. */
export const digits = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => (n % 2 === 0 ? String(1 + (n % 8)) : 'Backspace'));
