// Contains functions that use the page by keyboard only. They fail when an element cannot be reached with a limited number of Tab presses.
import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const MOST = 40;

/** Waits until the focus has moved. In tab lists and dialogs, the focus moves a moment after the key event. */
const settled = (page: Page): Promise<void> => page.evaluate(() => new Promise((done) => setTimeout(() => setTimeout(done))));

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluateAll((found) => document.activeElement !== null && found.includes(document.activeElement as HTMLElement));

/** Returns the HTML of the focused element, or 'nothing' if no element has the focus. */
const focusOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element === null || element === document.body ? 'nothing' : element.outerHTML.slice(0, 160);
  });

/** Presses Tab until `target` has the focus. If `target` is a tab, it presses the arrow key once the focus is on one of the tabs. */
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

/** Moves the focus to a field and replaces its text. */
export async function type(target: Locator, text: string): Promise<void> {
  await reach(target);
  await target.page().keyboard.press('ControlOrMeta+a');
  await target.page().keyboard.type(text);
}

/** Chooses a file in the file chooser, which it opens by keyboard. */
export async function chooseFile(target: Locator, name: string, text: string): Promise<void> {
  const page = target.page();
  // The listener must be added before the key press. Without a listener, the browser would open its own dialog.
  const opened = page.waitForEvent('filechooser');
  opened.catch(() => undefined);
  await reach(target);
  await page.keyboard.press('Space');
  await (await opened).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

/** Checks that some element has the focus. When a dialog closes or a button disappears, the focus must not get lost. */
export const keepsFocus = (page: Page): Promise<void> => expect.poll(() => focusOf(page)).not.toBe('nothing');
