// The HTML page itself requests the first API data of its screen, while the scripts are still loading (server/web/route-preloads.ts).
import type { Page } from '@playwright/test';
import { ROUTE_PRELOADS } from '../../src/route-preloads.ts';
import { openSession } from '../../src/server/auth/session.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder } from '../data/order-rows.ts';
import { expect, test, type E2eApp } from './fixtures.ts';
import type { Person } from '../test-app.ts';

async function enter(page: Page, { db, url }: E2eApp, person: Person): Promise<void> {
  const rules = { customerIdleDays: 7, secure: false };
  const { cookie } = await openSession(db, person, undefined, { now: new Date(), rules });
  await page.context().addCookies([{ name: 'sid', value: cookie, url }]);
}

const named = (page: Page) => page.locator('script[data-reads]');
const untaken = (page: Page) => page.evaluate(() => globalThis.prefetched?.size);

test(
  "the page requests the first data of a screen once, before the screen's script runs, and the screen uses that response @desk",
  { tag: '@long' },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
    const people = { customer: await makeCustomer(testApp.db, distributor), distributor, agent: await makeAgent(testApp.db, distributor) };
    const order = await makeOrder(testApp.db, distribution, people.customer, [[await makeProduct(testApp.db, distribution), 2]]);
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    for (const role of ['customer', 'distributor', 'agent'] as const) {
      await enter(page, testApp, people[role]);
      for (const { path, reads } of ROUTE_PRELOADS.filter((look) => look.role === role)) {
        const ids = path.includes('/orders/') ? [order.id] : [distribution.id, people.customer.id];
        const numbers = [...path.matchAll(/:\w+/g)].map((_, place) => ids[place] ?? 0);
        const address = numbers.reduce((filled, id) => filled.replace(/:\w+/, String(id)), path);
        asked.length = 0;
        // The test delays the client's main script, so only the HTML page itself can have sent these requests.
        const client = Promise.withResolvers<undefined>();
        await page.route('**/assets/index-*.js', (route) => client.promise.then(() => route.continue()));
        const opened = page.goto(testApp.url + address);
        await expect.poll(() => reads(...numbers).filter((read) => !asked.includes(read)), `${address} asks ahead`).toEqual([]);
        client.resolve(undefined);
        await opened;
        await page.unroute('**/assets/index-*.js');
        await expect(named(page)).toHaveAttribute('data-reads', reads(...numbers).join(' '));
        await expect.poll(() => untaken(page), `${address} takes what it named`).toBe(0);
        // Only what was requested after this page counts: the previous page may still have preloaded scripts before that.
        expect(asked.slice(asked.indexOf(address)).find((path) => path.startsWith('/assets/'))).toContain('/prefetch-');
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        expect(reads(...numbers).map((read) => [read, asked.filter((one) => one === read).length])).toEqual(
          reads(...numbers).map((read) => [read, 1]),
        );
      }
    }
    await page.goto(`${testApp.url}/customer`);
    await expect(page).toHaveURL(/\/agent$/);
    expect(asked.filter((one) => one === '/api/contact')).toEqual([]);
  },
);

test('when scripts do not load, the HTML page says so after ten seconds @desk', async ({ page, testApp }) => {
  await page.route('**/assets/index-*.js', () => undefined);
  await page.goto(`${testApp.url}/auth`, { waitUntil: 'commit' });
  const sentence = page.getByText('This takes longer than usual. Please load the page again.');
  await expect(page.locator('main svg')).toBeVisible();
  await expect(sentence).toBeHidden();
  const spinner = await page.locator('main svg').boundingBox();
  expect(spinner?.y, 'the spinner stands in the middle').toBeGreaterThan(100);
  await sentence.evaluate((element) => {
    for (const animation of element.getAnimations()) {
      if (animation.effect?.getTiming().delay === 10_000) animation.finish();
    }
  });
  await expect(sentence).toBeVisible();
});

test(
  'the loading shell of the HTML page has the colors that the user has chosen on this device @desk',
  { tag: '@long' },
  async ({ page, testApp }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await enter(page, testApp, await makeAgent(testApp.db, await makeDistributor(testApp.db)));
    await page.goto(`${testApp.url}/agent`);
    await page.getByRole('button', { name: 'Colors: as the system' }).click();
    await page.getByRole('button', { name: 'Colors: light' }).click();
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    const round = () => page.locator('meta[name="theme-color"]').evaluateAll((all) => all.map((one) => one.getAttribute('media')));
    expect(await round(), 'what a phone draws round it').toEqual(['not all', 'all']);
    await page.route('**/assets/*', () => undefined);
    await page.goto(`${testApp.url}/agent`, { waitUntil: 'commit' });
    await expect(page.locator('main.loading-shell')).toBeVisible();
    expect(await ground()).toBe(dark);
    await page.unroute('**/assets/*');
    await page.goto(`${testApp.url}/agent`);
    await page.getByRole('button', { name: 'Colors: dark' }).click();
    expect(await round()).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']);
    await page.route('**/assets/*', () => undefined);
    await page.goto(`${testApp.url}/agent`, { waitUntil: 'commit' });
    await expect(page.locator('main.loading-shell')).toBeVisible();
    expect(await ground(), 'the system’s again').not.toBe(dark);
  },
);

test(
  'while the stylesheet is still loading, the HTML page already shows the loading shell @desk',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const styles = Promise.withResolvers<undefined>();
    await page.route('**/assets/*.css', (route) => styles.promise.then(() => route.continue()));
    const scripts = page.waitForResponse(/\/auth-page-/);
    await page.goto(`${testApp.url}/auth`, { waitUntil: 'commit' });
    const painted = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
    await expect.poll(painted).toBe(1);
    await expect(page.locator('main svg')).toHaveCSS('width', '32px');
    const spinner = await page.locator('main svg').boundingBox();
    expect(spinner?.y, 'it stands in the middle').toBeGreaterThan(100);
    await scripts;
    // The screen must wait for its styles, although its script is loaded. If it did not wait, it would appear within these 300 ms.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    await expect(page.locator('main.loading-shell')).toBeVisible();
    styles.resolve(undefined);
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  },
);
