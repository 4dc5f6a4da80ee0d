// Uses the page by keyboard only. A function fails when it cannot reach an element by pressing Tab a limited number of times, or when the
// focus is lost.
import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const MOST = 40;

/** Waits until the focus has moved. Tab lists and dialogs move it after the key event. */
const settled = (page: Page): Promise<void> => page.evaluate(() => new Promise((done) => setTimeout(() => setTimeout(done))));

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluateAll((found) => document.activeElement !== null && found.includes(document.activeElement as HTMLElement));

/** Returns what a screen reader would announce for the focused element. */
const focusOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element === null || element === document.body ? 'nothing' : element.outerHTML.slice(0, 160);
  });

/** Presses Tab until the target has the focus. In a tab list, it presses the arrow keys. */
export async function reach(target: Locator, most = MOST): Promise<void> {
  await expect(target.first()).toBeVisible();
  const page = target.page();
  await settled(page);
  const isTab = (await target.first().getAttribute('role')) === 'tab';
  for (let presses = 0; presses < most; presses += 1) {
    if (await hasFocus(target)) return;
    const isOnTabs = isTab && (await hasFocus(page.getByRole('tab')));
    await page.keyboard.press(isOnTabs ? 'ArrowRight' : 'Tab');
    await settled(page);
  }
  throw new Error(`${String(target)} is not reached in ${most} presses; the focus is on ${await focusOf(page)}.`);
}

export async function press(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await reach(target);
  await target.page().keyboard.press(key);
}

/** Replaces the text of a field. */
export async function type(target: Locator, text: string): Promise<void> {
  await reach(target);
  await target.page().keyboard.press('ControlOrMeta+a');
  await target.page().keyboard.type(text);
}

/** Opens the file chooser of the operating system. */
export async function chooseFile(target: Locator, name: string, text: string): Promise<void> {
  const page = target.page();
  // The listener is added before the key press, because the browser would otherwise open its own dialog.
  const opened = page.waitForEvent('filechooser');
  opened.catch(() => undefined);
  await reach(target);
  await page.keyboard.press('Space');
  await (await opened).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

/** Checks that an element has the focus after a dialog has closed or a button was removed. */
export const keepsFocus = (page: Page): Promise<void> => expect.poll(() => focusOf(page)).not.toBe('nothing');
