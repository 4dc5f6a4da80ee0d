// Simulates a person at a station of the pick-up counter, who serves families in a browser. It notes the entries that the screen has shown
// as recorded.
import type { Locator, Page } from '@playwright/test';
import { openDevice, type Device } from './browser.ts';
import { waitUntil } from '../reliability-test.ts';
import type { Network } from './network.ts';

/** An entry that the screen has shown as recorded. Weights are in hundredths, and payments in cents. */
export type Entry =
  | { readonly kind: 'weight'; readonly unit: string; readonly value: number }
  | { readonly kind: 'payment'; readonly orderId: number; readonly value: number }
  | { readonly kind: 'mark'; readonly orderId: number };

export const keyOf = (entry: Entry): string =>
  entry.kind === 'weight'
    ? `weight ${entry.unit} ${entry.value}`
    : entry.kind === 'payment'
      ? `payment ${entry.orderId} ${entry.value}`
      : `mark ${entry.orderId}`;

/** An entry of the counter's queue. The browser sends the entries of this queue to the server. */
interface Queued {
  readonly status: 'waiting' | 'sending' | 'sent' | 'refused';
  readonly orderId: number;
  readonly reason?: string;
  readonly write: {
    readonly kind: string;
    readonly orderProductId: number;
    readonly index: number;
    readonly weight: number;
    readonly amount: number;
  };
}

export interface StationOptions {
  readonly network: Network;
  readonly path: string;
  readonly user: { readonly id: number; readonly cookie: string };
  /** The number of tabs. The person uses a different tab for each family, one after the other. */
  readonly tabs: number;
  /** Returns the weight to type, in hundredths. Two stations never type the same weight. */
  readonly weight: () => number;
}

/** This expression tells whether the service worker has stored the files of the screen. */
const IS_READY = `navigator.serviceWorker.getRegistrations().then((all) => all.some(({ active }) => active?.state === 'activated'))`;
const READ_QUEUE = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('feastday-counter');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const all = opening.result.transaction('writes').objectStore('writes').getAll();
    all.onsuccess = () => {
      opening.result.close();
      resolve(all.result);
    };
  };
})`;
const LABEL_MS = 8000;
const cents = (text: string): number => Number(text.replaceAll(/[^\d]/g, ''));

export class Station {
  readonly entries: Entry[] = [];
  readonly #options: StationOptions;
  readonly #device: Device;
  #pages: Page[] = [];
  #turn = 0;

  private constructor(options: StationOptions, device: Device) {
    this.#options = options;
    this.#device = device;
  }

  static async open(options: StationOptions): Promise<Station> {
    const station = new Station(options, await openDevice());
    const { user, network } = options;
    const expires = Date.now() / 1000 + 12 * 3600;
    await station.#device.context().addCookies([{ name: 'sid', value: user.cookie, url: network.url, expires }]);
    await station.openTabs();
    // The service worker must have stored the files of the screen, because the browser is later killed without a network.
    await waitUntil(async () => await station.page.evaluate<boolean>(IS_READY), 'the files of the counter are not stored', 200);
    return station;
  }

  get page(): Page {
    const page = this.#pages[this.#turn % this.#pages.length];
    if (!page) throw new Error('the station has no tab');
    return page;
  }

  async openTabs(): Promise<void> {
    while (this.#pages.length < this.#options.tabs) {
      const page = await this.#device.context().newPage();
      this.#pages.push(page);
      await page.goto(this.#options.network.url + this.#options.path);
      await searchOf(page).waitFor({ timeout: 60_000 });
    }
  }

  /** Closes the newest tabs until `left` tabs are open. */
  async closeTabs(left: number): Promise<void> {
    while (this.#pages.length > left) await this.#pages.pop()?.close();
  }

  get newest(): Page {
    const page = this.#pages.at(-1);
    if (!page) throw new Error('the station has no tab');
    return page;
  }

  /** Waits until every tab has read the latest changes. */
  async settle(): Promise<void> {
    await this.page.waitForTimeout(6000);
  }

  /**
   * Stops the service worker, as a browser does after some seconds without work. While Playwright is attached to a service worker, the
   * browser keeps it running. A new version then takes over only at the next page load, and Chromium may send this page load to the old
   * version, which never replies.
   */
  async #stopServiceWorker(): Promise<void> {
    const session = await this.#device.context().newCDPSession(this.page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await session.detach();
  }

  async reload(): Promise<void> {
    await this.#stopServiceWorker();
    await this.page.reload({ timeout: 60_000 });
    await searchOf(this.page).waitFor({ timeout: 60_000 });
  }

  async killAndRestart(): Promise<void> {
    this.#pages = [];
    await this.#device.killAndRestart();
    await this.openTabs();
  }

  async queue(): Promise<Queued[]> {
    return await this.page.evaluate<Queued[]>(READ_QUEUE);
  }

  async waiting(): Promise<number> {
    return (await this.queue()).filter(({ status }) => status === 'waiting' || status === 'sending').length;
  }

  /** Returns the number of entries in each state of the queue, and the connection state that each tab shows. */
  async describeQueue(): Promise<string> {
    const states = Object.entries(Object.groupBy(await this.queue(), ({ status }) => status));
    const shown = await Promise.all(this.#pages.map((page) => page.getByRole('button', { name: /^(Online|No network)/ }).innerText()));
    return [...states.map(([status, all]) => `${all.length} ${status}`), ...shown].join(', ').replaceAll('\n', ' ');
  }

  async refused(): Promise<{ entry: Entry; reason: string }[]> {
    const refused = (await this.queue()).filter(({ status }) => status === 'refused');
    return refused.map(({ orderId, reason = '', write }) => {
      const { kind, orderProductId, index, weight, amount } = write;
      if (kind === 'weight') return { reason, entry: { kind, unit: `${orderProductId}-${index}`, value: Math.round(weight * 100) } };
      return { reason, entry: kind === 'payment' ? { kind, orderId, value: amount } : { kind: 'mark', orderId } };
    });
  }

  async visibleRefused(): Promise<string[]> {
    const { page } = this;
    await page.bringToFront();
    await page.getByRole('button', { name: /^(Online|No network)/ }).click();
    await page.getByRole('dialog').waitFor();
    const entries = await page.getByRole('region', { name: 'Refused' }).getByRole('listitem').allInnerTexts();
    await page.keyboard.press('Escape');
    return entries;
  }

  /** Opens the order and returns the balance that the screen shows, in cents. */
  async balanceOf(orderId: number): Promise<number> {
    await this.#find(orderId);
    const box = this.page.getByText('Balance', { exact: true }).locator('..');
    const text = await box.innerText();
    return /Paid in full/.test(text) ? 0 : cents(text) * (/refund/i.test(text) ? -1 : 1);
  }

  /** Serves a family in the next tab: types the missing weights, takes the payment and hands the order over. */
  async serve(orderId: number): Promise<void> {
    this.#turn += 1;
    const { page } = this;
    await page.bringToFront();
    await this.#find(orderId);
    const name = await page.getByRole('heading', { level: 2 }).first().innerText();
    for (const field of await page.getByRole('spinbutton').all()) await this.#weigh(field);
    const main = page.locator('button[type="submit"][form]');
    const question = page.getByRole('alertdialog');
    const handedOver = page
      .locator('output')
      .filter({ hasText: new RegExp(`^${name}: (\\$[\\d,.]+ paid in cash, )?(change \\$[\\d,.]+, )?handed over`) });
    // The other station may hand this order over, or may already have done so. There is then nothing to do.
    if ((await main.count()) === 0 || !(await succeeds(main.click({ timeout: LABEL_MS })))) return;
    if (!(await succeeds(question.or(handedOver).first().waitFor({ timeout: LABEL_MS })))) return;
    if (await question.isVisible()) await question.getByRole('button', { name: 'Hand over' }).click();
    await handedOver.waitFor();
    const [, paid] = /: (\$[\d,.]+) paid/.exec(await handedOver.innerText()) ?? [];
    if (paid !== undefined) this.entries.push({ kind: 'payment', orderId, value: cents(paid) });
    this.entries.push({ kind: 'mark', orderId });
  }

  async #find(orderId: number): Promise<void> {
    const search = searchOf(this.page);
    await search.fill(`FD1:${orderId}`);
    await search.press('Enter');
    await this.page.getByText(new RegExp(`^Order ${orderId}( ·|$)`)).waitFor();
  }

  async #weigh(field: Locator): Promise<void> {
    if ((await field.inputValue()) !== '') return;
    const value = this.#options.weight();
    const text = String(value / 100);
    const [unit, label] = [await field.getAttribute('id'), await field.getAttribute('aria-label')];
    await field.fill(text);
    await field.press('Enter');
    const shown = this.page.locator('output').filter({ hasText: `${label}: ${text} lb` });
    if ((await succeeds(shown.waitFor({ timeout: LABEL_MS }))) && unit !== null) this.entries.push({ kind: 'weight', unit, value });
    else await field.fill('');
  }
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const searchOf = (page: Page): Locator => page.getByRole('combobox', { name: 'Find a family' });
