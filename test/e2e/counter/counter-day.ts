// Contains functions that the browser tests of the pick-up counter screen share. They create a distribution on its pick-up day, and read
// what the server has recorded and what the browser has stored.
import type { BrowserContext, Page } from '@playwright/test';
import { cents } from '../../../src/domain/money.ts';
import { UNREAD_MS } from '../../../src/client/hooks/use-unread.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../data/factories.ts';
import { makeOrder } from '../../data/order-rows.ts';
import { expect, type E2eApp } from '../fixtures.ts';

export async function crowdedDay(testApp: E2eApp) {
  const { db } = testApp;
  const distributor = await makeDistributor(db);
  const agent = await makeAgent(db, distributor, { mayTakePayments: true });
  const distribution = await makeDistribution(db, distributor, { name: 'Passover 2027', orderingOpen: false, acceptActuals: true });
  const brisket = await makeProduct(db, distribution, {
    name: 'Brisket',
    product_code: 1001,
    unit_qty: 5,
    unit_price: cents(1000),
    unit_qty_is_estimate: true,
  });
  const matzah = await makeProduct(db, distribution, { name: 'Matzah', unit_price: cents(500), uom: null });
  await makeFee(db, distribution, { name: 'Hall', amount: 300 });
  const orders = [];
  for (const lastName of ['Abramov', 'Becker', 'Cohen']) {
    const customer = await makeCustomer(db, distributor, { firstName: 'Rivka', lastName });
    orders.push(
      await makeOrder(db, distribution, customer, [
        [brisket, 2],
        [matzah, 1],
      ]),
    );
  }
  return { distributor, agent, distribution, orders, path: `/distributor/distribution/${distribution.id}/counter` };
}

export type Day = Awaited<ReturnType<typeof crowdedDay>>;

/** Returns for each family the payments, and whether the order is marked as picked up. */
export async function recorded({ db }: E2eApp, { orders }: Day) {
  const of = orders.map(({ id }) => id);
  const payments = await db
    .selectFrom('payments')
    .select(['orderId', 'amount', 'reversesId'])
    .where('orderId', 'in', of)
    .orderBy('id')
    .execute();
  const marks = await db.selectFrom('orders').select(['id', 'pickedUpAt']).where('id', 'in', of).execute();
  return orders.map(({ id }) => ({
    paid: payments.filter(({ orderId }) => orderId === id).map(({ amount }) => Number(amount)),
    pickedUp: marks.some((mark) => mark.id === id && mark.pickedUpAt !== null),
  }));
}

/** Waits until the service worker has stored the files of the pick-up counter screen, and is not just being replaced or updated. */
export const readyForOffline = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(async () =>
        (await navigator.serviceWorker.getRegistrations()).some(
          ({ active, installing, waiting }) => active?.state === 'activated' && installing === null && waiting === null,
        ),
      ),
    )
    .toBe(true);

/** Waits as a person does who looks at what has changed. A faster click, which was meant for the earlier screen, may be ignored. */
export const look = (page: Page): Promise<void> => page.waitForTimeout(UNREAD_MS + 50);

export async function serve(page: Page, name: string, weights: readonly string[]): Promise<void> {
  await expect(page.getByRole('combobox', { name: 'Find a family' })).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  for (const weight of weights) {
    await page.keyboard.type(weight);
    // The second event is the repeat of a key that is held down. It must not press the pay button.
    await page.keyboard.down('Enter');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
  }
  await expect(page.getByRole('button', { name: /^Pay \$[\d.]+ in cash and hand over$/ })).toBeFocused();
  await look(page);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${name}, Rivka`, { exact: false }).first()).toBeVisible();
}

/** Runs `work` while the browser has no network. The browser then logs each failed request on the console. */
export async function withoutNetwork(context: BrowserContext, work: () => Promise<void>): Promise<void> {
  await context.setOffline(true);
  await work();
  await context.setOffline(false);
}

/** Returns everything that the browser has stored for the page's origin, as one string. */
export const textOnDevice = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const read = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('not read'));
      });
    const kept: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await read(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        kept.push(name, store, await read(database.transaction(store).objectStore(store).getAll()));
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      kept.push(name, ...(await cache.keys()).map(({ url }) => url));
    }
    return JSON.stringify(kept);
  });

/** Returns how many databases, caches, service workers and storage entries the browser keeps for the page's origin. */
export const countsOnDevice = (page: Page) =>
  page.evaluate(async () => ({
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    storage: Object.keys(localStorage).length + Object.keys(sessionStorage).length,
  }));
export const NOTHING_ON_DEVICE = { databases: 0, caches: 0, workers: 0, storage: 0 };
