// These tests check the data that the pick-up counter screen stores on the device. In some, two stations record a payment for the same
// order; in others, the session ends.
import { weigh } from '../data/order-rows.ts';
import { contactOf, LONG_TEXTS } from '../fixtures/long-contacts.ts';
import { axeFaults } from './accessible.ts';
import {
  countsOnDevice,
  crowdedDay,
  NOTHING_ON_DEVICE,
  readyForOffline,
  recorded,
  serve,
  textOnDevice,
  withoutNetwork,
  look,
} from './counter/counter-day.ts';
import { expect, test } from './fixtures.ts';

test.use({ allowedComplaint: /ERR_INTERNET_DISCONNECTED|ChunkLoadError|status of 409/ });

test('two stations pay the same order without a network: one payment is recorded, and the other station shows that the cash must be given back (contract §14) @desk', async ({
  page,
  context,
  browser,
  testApp,
}) => {
  const day = await crowdedDay(testApp);
  await weigh(testApp.db, day.orders[0]?.lines[0], [4.5, 5.5], day.agent);
  const other = await (await browser.newContext()).newPage();
  await testApp.signIn(page, day.distributor, day.path);
  await testApp.signIn(other, day.agent, day.path.replace('/distributor/', '/agent/'));
  const stations = [page, other];
  for (const station of stations) {
    await expect(station.getByText('0 of 3 picked up')).toBeVisible();
    await readyForOffline(station);
  }
  await Promise.all([context, other.context()].map((each) => each.setOffline(true)));
  for (const station of stations) {
    await serve(station, 'Abramov', []);
    await expect(station.getByRole('button', { name: 'No network 2 waiting' })).toBeVisible();
  }
  await Promise.all([context, other.context()].map((each) => each.setOffline(false)));

  for (const station of stations) await expect(station.getByText(/^\d+ waiting$/)).toHaveCount(0);
  expect((await recorded(testApp, day))[0]).toEqual({ paid: [10_800], pickedUp: true });
  const alerts = stations.map((station) => station.getByRole('alert').filter({ hasText: '1 entry was refused' }));
  const refused = await Promise.all(alerts.map((alert) => alert.count()));
  expect(refused.toSorted((a, b) => a - b)).toEqual([0, 1]);
  const late = refused[0] === 1 ? page : other;
  await look(late);
  await late.getByRole('button', { name: 'Look at it' }).click();
  const entry = late.getByRole('region', { name: 'Refused' }).getByRole('listitem');
  await expect(entry).toContainText('Abramov, Rivka · $108.00, Cash');
  await expect(entry).toContainText('The payment is above the balance: $0.00.');
  await expect(entry).toContainText('You hold $108.00 (Cash) that no order has.');
  await entry.getByRole('button', { name: 'Discard' }).click();
  await expect(late.getByRole('alertdialog')).toContainText('Give $108.00 back to the family first');
  await late.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(entry).toHaveCount(0);
  expect((await recorded(testApp, day))[0]?.paid).toEqual([10_800]);
  await other.context().close();
});

test(
  "when the session ends, the counter deletes the families' names from the device; unsent entries are sent after the next sign-in of the same person (contract §14) @desk",
  { tag: '@long' },
  async ({ page, context, testApp }) => {
    const day = await crowdedDay(testApp);
    const endSessions = () => testApp.db.deleteFrom('session_store').execute();
    await weigh(testApp.db, day.orders[0]?.lines[0], [4.5, 5.5], day.agent);
    await testApp.signIn(page, day.distributor, day.path);
    await expect(page.getByText('0 of 3 picked up')).toBeVisible();
    await readyForOffline(page);
    await withoutNetwork(context, async () => {
      await serve(page, 'Abramov', []);
      await endSessions();
    });
    await page.waitForURL(/\/auth/);
    expect(await textOnDevice(page)).toContain('"picked-up"');
    expect(await textOnDevice(page)).not.toMatch(/Abramov|Rivka|Passover/);
    expect((await recorded(testApp, day))[0]).toEqual({ paid: [], pickedUp: false });

    await testApp.signIn(page, day.distributor, day.path);
    await expect.poll(async () => (await recorded(testApp, day))[0]).toEqual({ paid: [10_800], pickedUp: true });
    await expect(page.getByText('1 of 3 picked up')).toBeVisible();

    await endSessions();
    await page.waitForURL(/\/auth/);
    await expect.poll(() => countsOnDevice(page)).toEqual(NOTHING_ON_DEVICE);
  },
);

/** Changes the stored time of the last read, so that the device seems to have read the families this many hours ago. */
const lastReadHoursAgo = (hours: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('feastday-counter');
    opening.onerror = () => reject(opening.error ?? new Error('not opened'));
    opening.onsuccess = () => {
      const writing = opening.result.transaction('snapshots', 'readwrite');
      const each = writing.objectStore('snapshots').openCursor();
      each.onsuccess = () => {
        each.result?.update({ ...each.result.value, readAt: Date.now() - hours * 3_600_000 });
        each.result?.continue();
      };
      writing.oncomplete = () => {
        opening.result.close();
        resolve();
      };
    };
  });

test(
  'a device that had no network for longer than a session lasts shows no families any more (contract §14) @desk',
  { tag: '@long' },
  async ({ page, context, testApp }) => {
    const day = await crowdedDay(testApp);
    await testApp.signIn(page, day.distributor, day.path);
    await expect(page.getByText('0 of 3 picked up')).toBeVisible();
    await readyForOffline(page);
    await page.getByRole('button', { name: 'Online' }).click();
    await expect(page.getByRole('dialog').getByText('Ready without network')).toBeVisible();
    await page.keyboard.press('Escape');
    await withoutNetwork(context, async () => {
      await page.evaluate(lastReadHoursAgo, 12.1);
      await page.reload();
      await expect(page.getByRole('alert')).toContainText('Feastday could not be reached.');
      expect(await textOnDevice(page)).not.toMatch(/Abramov|Rivka|Passover/);
    });
  },
);

test(
  'a user who leaves the counter without a network sees how many entries wait, and signing out then clears the device at once and ends the session when the network is back (contract §14) @desk',
  { tag: '@long' },
  async ({ page, context, testApp }) => {
    const day = await crowdedDay(testApp);
    await weigh(testApp.db, day.orders[0]?.lines[0], [4.5, 5.5], day.agent);
    // The test first opens the tills page while there is a network, so that the browser loads the scripts of this page and of the banner
    // about waiting entries.
    await testApp.signIn(page, day.distributor, day.path);
    await page.getByRole('button', { name: 'Tills and more' }).click();
    await page.getByRole('menuitem', { name: 'Tills' }).click();
    await expect(page.getByRole('heading', { name: 'Tills' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to the counter' }).click();
    await expect(page.getByText('0 of 3 picked up')).toBeVisible();
    await readyForOffline(page);
    await withoutNetwork(context, async () => {
      await serve(page, 'Abramov', []);
      await look(page);
      await page.getByRole('button', { name: 'Tills and more' }).click();
      await page.getByRole('menuitem', { name: 'Tills' }).click();
      await expect(page.getByText('2 entries of the counter wait')).toBeVisible();
      expect(await axeFaults(page)).toEqual([]);
      await page.getByRole('link', { name: 'Open the counter' }).click();
      await page.getByRole('button', { name: 'Logout' }).click();
      await page.getByRole('button', { name: 'Sign out and lose them' }).click();
      await page.waitForURL(/\/auth/);
      await expect(page.getByText('Signed out on this device').first()).toBeVisible();
      await expect(page.getByText('your session ends as soon as this device is online again', { exact: false }).first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await expect.poll(() => countsOnDevice(page)).toEqual({ ...NOTHING_ON_DEVICE, storage: 1 });
      expect(await textOnDevice(page)).not.toMatch(/Abramov|Rivka|Passover/);
    });
    await expect.poll(() => countsOnDevice(page)).toEqual(NOTHING_ON_DEVICE);
    expect(await testApp.db.selectFrom('session_store').selectAll().execute()).toEqual([]);
    expect((await recorded(testApp, day))[0]).toEqual({ paid: [], pickedUp: false });
  },
);

test(
  'while a proxy replies 401 to all requests, the counter can be reloaded and left: the families and the service worker stay (contract §14; reliability abuse) @desk',
  { tag: '@long' },
  async ({ page, context, testApp }) => {
    const day = await crowdedDay(testApp);
    await testApp.signIn(page, day.distributor, day.path);
    await expect(page.getByText('0 of 3 picked up')).toBeVisible();
    await readyForOffline(page);
    const proxy = { status: 401, body: 'Sign in to the Wi-Fi', contentType: 'text/plain' };
    await context.route('**/api/**', (route) => route.fulfill(proxy));
    await page.reload();
    await expect(page.getByText('0 of 3 picked up')).toBeVisible();
    await page.getByRole('link', { name: 'Back' }).click();
    await expect(page.getByText('This could not be loaded')).toBeVisible();
    await context.unroute('**/api/**');
    await withoutNetwork(context, async () => {
      await page.goto(testApp.url + day.path);
      await expect(page.getByText('0 of 3 picked up')).toBeVisible();
    });
  },
);

test(
  'without a network, a page that cannot be opened from the counter links to the counter, and its reload opens the counter (contract §14) @desk',
  { tag: '@long' },
  async ({ page, context, testApp }) => {
    const day = await crowdedDay(testApp);
    await testApp.signIn(page, day.distributor, day.path);
    await expect(page.getByText('0 of 3 picked up')).toBeVisible();
    await readyForOffline(page);
    const openControlRoom = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Tills and more' }).click();
      await page.getByRole('menuitem', { name: 'Control room' }).click();
      await expect(page.getByText('Feastday could not be reached.', { exact: false })).toBeVisible();
    };
    await withoutNetwork(context, async () => {
      await openControlRoom();
      await expect(page.getByText('You are offline. This page opens when the connection is back.')).toBeVisible();
      await page.getByRole('link', { name: 'Open the counter' }).click();
      await expect(page.getByText('0 of 3 picked up')).toBeVisible();
      await openControlRoom();
      await page.reload();
      await page.waitForURL((url) => url.pathname === day.path);
      await expect(page.getByText('0 of 3 picked up')).toBeVisible();
      await page.goto(new URL(day.path.replace('/counter', '?tab=payments'), testApp.url).href);
      await page.waitForURL((url) => url.pathname === day.path);
      await expect(page.getByText('0 of 3 picked up')).toBeVisible();
    });
  },
);

test(
  'on a phone, a name that cannot be broken widens neither the counter after a payment nor the dialog of the entries (reliability abuse) @phone',
  { tag: '@long' },
  async ({ page, context, testApp }) => {
    const day = await crowdedDay(testApp);
    const [order] = day.orders;
    const name = LONG_TEXTS.at(-1) ?? '';
    const customer = testApp.db
      .selectFrom('orders')
      .select('customerId')
      .where('id', '=', order?.id ?? 0);
    await testApp.db.updateTable('contacts').set(contactOf(name)).where('userId', '=', customer).execute();
    await weigh(testApp.db, order?.lines[0], [4.5, 5.5], day.agent);
    await testApp.signIn(page, day.distributor, day.path);
    await readyForOffline(page);
    const widthsOfPageAndScreen = () => page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    await withoutNetwork(context, async () => {
      await page.getByRole('combobox', { name: 'Find a family' }).fill(name);
      await page.keyboard.press('Enter');
      await page.getByLabel('Cash given').fill('500');
      await look(page);
      await page.getByRole('button', { name: /^Pay \$/ }).click();
      await expect(page.getByText('Change to give back')).toBeVisible();
      expect(await widthsOfPageAndScreen()).toEqual([390, 390]);
      await look(page);
      await page.getByRole('button', { name: /^No network/ }).click();
      await expect(
        page
          .getByRole('dialog')
          .getByText(/\u1100/)
          .first(),
      ).toBeVisible();
      expect(await widthsOfPageAndScreen()).toEqual([390, 390]);
      await expect(page.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
    });
  },
);
