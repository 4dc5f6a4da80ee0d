// These tests check that toasts cover neither the head and the first field of a dialog nor the offline banner.
import type { Locator, Page } from '@playwright/test';
import { makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

/**
 * Prevents toasts from disappearing after 5,000 ms, because a busy machine may need more time for the test. Their position is not affected.
 */
function keepToasts(): void {
  const start = globalThis.setTimeout;
  const startUnlessToast = (handler: (...given: unknown[]) => void, delay?: number, ...given: unknown[]): number =>
    delay === 5000 ? 0 : Number(start(handler, delay, ...given));
  Object.assign(globalThis, { setTimeout: startUnlessToast });
}

async function atProducts(page: Page, testApp: E2eApp): Promise<void> {
  await page.addInitScript(keepToasts);
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor, { published: false });
  await makeProduct(testApp.db, distribution, { name: 'Brisket, first cut' });
  await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}`);
}

/** Publishes the distribution, which shows a toast with an Undo button. This toast is the tallest one in the application. */
async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(toastOf(page)).toContainText('Distribution updated successfully');
}

const toastOf = (page: Page): Locator => page.locator('.toast');

/** Waits until the animations of an element have ended, and returns the positions of its top and bottom. */
async function boxOf(locator: Locator): Promise<{ top: number; bottom: number }> {
  await locator.evaluate((element) => Promise.all(element.getAnimations({ subtree: true }).map((animation) => animation.finished)));
  const { top, bottom } = await locator.evaluate((element) => element.getBoundingClientRect());
  return { top, bottom };
}

test(
  'a toast covers neither the header nor the first field of a dialog that is opened while the toast is shown (contract §10)',
  { tag: '@long' },
  async ({ page, testApp }) => {
    await atProducts(page, testApp);
    await publish(page);
    await page.getByRole('tab', { name: 'Products' }).click();
    await page.getByRole('button', { name: 'Add Product' }).click();
    const dialog = page.getByRole('dialog');
    // Measures again until the positions are final: the form is loaded after the dialog has opened, and then the dialog grows and the toast
    // moves.
    await expect(async () => {
      const cross = await boxOf(dialog.getByRole('button', { name: 'Close' }));
      const title = await boxOf(dialog.getByRole('heading').first());
      const shown = await boxOf(toastOf(page));
      expect(shown.top).toBeGreaterThanOrEqual(Math.max(title.bottom, cross.bottom));
      expect((await boxOf(dialog.getByRole('textbox').first())).top).toBeGreaterThanOrEqual(shown.bottom);
    }).toPass();
  },
);

test(
  'a toast does not cover the offline banner, at the top of the page and after scrolling (contract §10)',
  { tag: '@long' },
  async ({ page, testApp }) => {
    await atProducts(page, testApp);
    await publish(page);
    // The test only simulates the loss of the network. If the browser really went offline, failed preloads of scripts would log errors.
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: false });
      dispatchEvent(new Event('offline'));
    });
    const banner = page.getByText('You are offline.');
    await expect(banner).toBeVisible();
    for (const y of [0, 10_000]) {
      await page.evaluate((to) => scrollTo(0, to), y);
      expect((await boxOf(toastOf(page))).top).toBeGreaterThanOrEqual((await boxOf(banner)).bottom);
    }
  },
);
