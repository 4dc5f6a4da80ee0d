// Contains functions that tests of the Send Email dialog share.
import type { FrameLocator, Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Send Email' });
/** Finds a toast by its class. While a dialog is open, a query by role does not find toasts, although screen readers announce them. */
export const toast = (page: Page, text: string): Locator => page.locator('.toast').getByText(text, { exact: true });
export const editorOf = (page: Page): FrameLocator => dialogOf(page).frameLocator('.tox iframe');

export async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Send Email' }).click();
  await expect(editorOf(page).locator('body')).toBeVisible();
  // The editor is visible before it is ready. Text that is typed before it is ready would be lost.
  await page.waitForFunction(
    () => (globalThis as { tinymce?: { activeEditor?: { initialized: boolean } } }).tinymce?.activeEditor?.initialized,
  );
  return dialogOf(page);
}

export async function write(page: Page, subject: string, content: string): Promise<void> {
  await dialogOf(page).getByLabel('Subject').fill(subject);
  await editorOf(page).locator('body').click();
  await page.keyboard.type(content);
}
