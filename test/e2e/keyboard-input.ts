// Hands on the keyboard, and on nothing else. What cannot be reached by Tab within so many presses fails, and so does a focus that is lost.
import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const MOST = 40;

/** Rows of tabs and dialogs move the focus in a turn of their own after the key. */
const settled = (page: Page): Promise<void> => page.evaluate(() => new Promise((done) => setTimeout(() => setTimeout(done))));

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluateAll((found) => document.activeElement !== null && found.includes(document.activeElement as HTMLElement));

/** What a person who cannot see the page would be told of the focus. */
const focusOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element === null || element === document.body ? 'nothing' : element.outerHTML.slice(0, 160);
  });

/** Walks on by Tab until the target has the focus; on a row of tabs by the arrow keys. */
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

/** In place of what stands there. */
export async function type(target: Locator, text: string): Promise<void> {
  await reach(target);
  await target.page().keyboard.press('ControlOrMeta+a');
  await target.page().keyboard.type(text);
}

/** A file chooser opens, which is the system's own. */
export async function chooseFile(target: Locator, name: string, text: string): Promise<void> {
  const page = target.page();
  // Before the first key: until the browser knows that somebody waits for it, it opens a chooser that nobody sees.
  const opened = page.waitForEvent('filechooser');
  opened.catch(() => undefined);
  await reach(target);
  await page.keyboard.press('Space');
  await (await opened).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

/** A dialog that closes, or a button that goes, hands the focus on. */
export const keepsFocus = (page: Page): Promise<void> => expect.poll(() => focusOf(page)).not.toBe('nothing');
