// All tests of a worker process use one browser context (`reuseContext` in playwright.config.ts). Playwright resets most of it before the
// next test: pages, cookies, storage, the cache, routes and scripts of the test. This file does the rest.
import type { BrowserContext, Page } from '@playwright/test';

/** Leaves the application before its server stops, so that no page sends requests to a server that has stopped. */
export async function resetBrowserContext(context: BrowserContext, origin: string): Promise<void> {
  const [page, ...others] = context.pages();
  for (const other of others) await other.close();
  if (page) {
    // Without a listener, Playwright confirms the question whether to leave a page with unsaved changes.
    page.removeAllListeners('dialog');
    await page.goto('about:blank');
    await withDevTools(page, async (devtools) => await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }));
  }
  await context.clearPermissions();
  await context.setOffline(false);
}

/** Deletes the URLs that this page had in earlier tests, because Feastday asks the browser for the previous page. */
export const forgetHistory = async (page: Page): Promise<void> =>
  await withDevTools(page, async (devtools) => await devtools.send('Page.resetNavigationHistory'));

type DevTools = Awaited<ReturnType<BrowserContext['newCDPSession']>>;

async function withDevTools(page: Page, what: (devtools: DevTools) => Promise<unknown>): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await what(devtools);
  await devtools.detach();
}
