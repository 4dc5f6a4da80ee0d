// At the pick-up counter, nothing moves under the pointer when the connection changes.
import type { Page } from '@playwright/test';
import { weigh } from '../data/order-rows.ts';
import { crowdedDay, readyForOffline } from './counter/counter-day.ts';
import { expect, test } from './fixtures.ts';

test.use({ allowedComplaint: /ERR_INTERNET_DISCONNECTED|status of 502/ });

/** Returns where the buttons and the found families are in the window. */
const places = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main button:not([hidden]), [role="option"]')]
      .filter((element) => element.getClientRects().length > 0 && element.closest('.group') === null)
      .map((element) => {
        const { left, top } = element.getBoundingClientRect();
        return `${element.textContent} ${Math.round(left)} ${Math.round(top)}`;
      }),
  );

const notice = (page: Page, text: string) => page.getByText(`${text} The counter goes on`, { exact: false });

test('neither the found families nor the buttons of the payment move when the network is lost, or when the server fails (reliability abuse)', async ({
  page,
  context,
  testApp,
}, info) => {
  const day = await crowdedDay(testApp);
  await weigh(testApp.db, day.orders[0]?.lines[0], [4.5, 5.5], day.agent);
  await testApp.signIn(page, day.distributor, day.path);
  await readyForOffline(page);
  const search = page.getByRole('combobox', { name: 'Find a family' });
  for (const shown of ['search', 'family']) {
    await search.fill('Abramov');
    if (shown === 'family') await page.keyboard.press('Enter');
    await expect(shown === 'family' ? page.getByRole('button', { name: 'Pay only' }) : page.getByRole('option')).toBeVisible();
    const before = await places(page);
    await context.setOffline(true);
    await expect(notice(page, 'No network.')).toBeVisible();
    expect(await places(page)).toEqual(before);
    await page.screenshot({ path: info.outputPath(`${shown}-offline.png`) });
    await context.setOffline(false);
    await expect(notice(page, 'No network.')).toHaveCount(0);
    await context.route('**/api/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await expect(notice(page, 'The server has a problem.')).toBeVisible();
    expect(await places(page)).toEqual(before);
    await page.screenshot({ path: info.outputPath(`${shown}-502.png`) });
    await context.unroute('**/api/**');
    await expect(notice(page, 'The server has a problem.')).toHaveCount(0);
    expect(await places(page)).toEqual(before);
  }
});
