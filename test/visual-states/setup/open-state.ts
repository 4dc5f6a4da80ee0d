// Opens a visual state in a browser. Each worker process creates each data set only once, and signs each user in only once.
import type { BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { openSession } from '../../../src/server/auth/session.ts';
import { serve, test as base, type Served } from '../../e2e/fixtures.ts';
import type { Rows, VisualState, VisualStateData, Who } from './visual-state.ts';
import type { Tenant } from './tenant.ts';
import { makeFew } from './data-few.ts';
import { makeMany } from './data-many.ts';
import { makeNone } from './data-none.ts';

const MAKERS = { none: makeNone, few: makeFew, many: makeMany };

interface Shown {
  readonly ids: VisualStateData;
  readonly cookieOf: (who: Who) => Promise<string>;
}

/** Returns a function that calls `make` only once for each key and then returns the same value. */
function once<Key, Value>(make: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const made = new Map<Key, Promise<Value>>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

async function shownOf({ db, url }: Served, rows: Rows): Promise<Shown> {
  const { people, ...places }: Tenant & Omit<VisualStateData, 'url' | 'db'> = await MAKERS[rows](db);
  const rules = { customerIdleDays: 7, secure: false };
  const cookieOf = once(async (who: Who) => (await openSession(db, people[who], undefined, { now: new Date(), rules })).cookie);
  return { ids: { ...places, people, db, url }, cookieOf };
}

/**
 * A function that opens a visual state on a device. It reuses browser contexts, so that the application's files stay in the browser's
 * cache.
 */
export type OpenState = (state: VisualState, device: BrowserContextOptions) => Promise<Page>;

/** Returns whether an error on the console is expected. Some visual states cause errors on purpose, for example a failed call. */
const isMeant = (text: string): boolean => /Failed to load resource|net::ERR_/.test(text);

function inPage(): void {
  window.print = () => undefined;
  // A frame without an origin, such as a sandboxed preview, has no storage to clear.
  if (globalThis.origin === 'null') return;
  // The storage is cleared when a state is opened. Otherwise, the screen would offer drafts and counter entries of an earlier visual state.
  if (sessionStorage.length === 0) {
    localStorage.clear();
    indexedDB.deleteDatabase('feastday-counter');
  }
  sessionStorage.setItem('seen', 'yes');
}

interface OfWorker {
  shown: (rows: Rows) => Promise<Shown>;
  contextOf: (device: BrowserContextOptions) => Promise<BrowserContext>;
}

export const test = base.extend<{ open: OpenState }, OfWorker>({
  shown: [
    async ({ server }, provide) => {
      const served: Served[] = [];
      const shown = once(async (rows: Rows) => {
        const one = await serve(server);
        served.push(one);
        return await shownOf(one, rows);
      });
      await provide(shown);
      for (const { stop } of served) await stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],

  contextOf: [
    async ({ browser }, provide) => {
      const contexts = new Map<string, BrowserContext>();
      await provide(async (device) => {
        const key = JSON.stringify(device);
        const context = contexts.get(key) ?? (await browser.newContext(device));
        contexts.set(key, context);
        // Requests of the previous state may still reach the server. Without cookies, they cannot save anything.
        await context.clearCookies();
        for (const page of context.pages()) {
          page.once('dialog', (asks) => void asks.accept());
          await page.goto('about:blank');
          await page.close();
        }
        await context.setOffline(false);
        return context;
      });
      for (const context of contexts.values()) await context.close();
    },
    { scope: 'worker' },
  ],

  // Turns off the fixture that watches the console of the usual page, because visual states use other pages. The fixture `open` watches
  // those.
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern which fixtures the function uses
  quietConsole: async ({}, provide) => await provide(undefined),

  open: async ({ shown, contextOf }, provide) => {
    const complaints: string[] = [];
    await provide(async ({ name, as, rows, open }, device) => {
      const { ids, cookieOf } = await shown(rows);
      const context = await contextOf(device);
      if (as !== 'nobody') await context.addCookies([{ name: 'sid', value: await cookieOf(as), url: ids.url }]);
      const page = await context.newPage();
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !isMeant(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.addInitScript(inPage);
      await open(page, ids).catch((error: unknown) => {
        throw new Error(`The visual state ${name} was not reached.`, { cause: error });
      });
      return page;
    });
    if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('\n')}`);
  },
});
