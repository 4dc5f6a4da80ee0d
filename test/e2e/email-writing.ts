// The Send Email dialog, for the tests that write in it.
import type { FrameLocator, Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Send Email' });
/** An open dialog hides the toasts from roles; they are announced all the same. */
export const toast = (page: Page, text: string): Locator => page.locator('.toast').getByText(text, { exact: true });
export const editorOf = (page: Page): FrameLocator => dialogOf(page).frameLocator('.tox iframe');

export async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Send Email' }).click();
  await expect(editorOf(page).locator('body')).toBeVisible();
  // Visible comes before ready: what is put in between goes away with the editor's own start.
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
