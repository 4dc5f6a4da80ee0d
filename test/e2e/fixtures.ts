// Defines the fixtures of the browser tests. Each test runs the application on a new database. An error on the page's console fails the
// test.
import { test as base, type Page } from '@playwright/test';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { buildApi } from '../../src/api.ts';
import { readEnv } from '../../src/server/operations/env.ts';
import { hashPassword } from '../../src/server/auth/password.ts';
import { ROLES } from '../../src/domain/accounts/roles.ts';
import { openSession } from '../../src/server/auth/session.ts';
import { foreignCanariesIn } from '../tenant-leak-canaries.ts';
import { copyOf } from '../database/postgres-server.ts';
import { preparedServer, type PreparedServer } from '../environments/browser-server.ts';
import { forgetHistory, resetBrowserContext } from '../setup/reset-browser-context.ts';
import { openTestDb, type TestDb } from '../database/test-db.ts';

export const PASSWORD = 'Holiday2027';

interface Server extends PreparedServer {
  readonly password: string;
}

export interface E2eApp {
  readonly db: TestDb;
  readonly url: string;
  /** Signs this user in without the sign-in form, and opens `path` or the user's home page. All users get the password PASSWORD. */
  readonly signIn: (page: Page, person: { email: string }, path?: string) => Promise<void>;
  /** Signs the user in through the sign-in form. */
  readonly signInByForm: (page: Page, person: { email: string }) => Promise<void>;
}

/**
 * Returns whether a console message is the browser's own message about a response with status 401. Such responses are specified (contract
 * §10). Every other message fails the test.
 */
const isSpecified = (text: string): boolean => text.includes('status of 401');

export interface Served extends Pick<E2eApp, 'db' | 'url'> {
  readonly stop: () => Promise<void>;
}

/** Starts the application on a new database. */
export async function serve(server: Server): Promise<Served> {
  const { database, drop } = await copyOf(server.template, server.connection);
  const { db, close } = openTestDb({ ...server.connection, database });
  const app = await buildApi({ db, env: readEnv({}), now: () => new Date() }, pino({ level: 'silent' }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const stop = async (): Promise<void> => {
    // Chromium keeps unused connections open, and the server would wait for them when it stops.
    app.server.closeAllConnections();
    await app.close();
    await close();
    await drop();
  };
  return { db, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, stop };
}

async function cookieOf(db: TestDb, email: string): Promise<string> {
  const user = await db.selectFrom('users').select(['id', 'role']).where('email', '=', email).executeTakeFirstOrThrow();
  const rules = { customerIdleDays: readEnv({}).sessionDays, secure: false };
  return (await openSession(db, user, undefined, { now: new Date(), rules })).cookie;
}

/** Waits until the fonts are loaded, because a font that loads during a click may move the button under the pointer. */
const fontsOf = (page: Page): Promise<void> => page.evaluate(() => document.fonts.ready.then(() => undefined));

interface Fixtures {
  testApp: E2eApp;
  quietConsole: undefined;
  allowedComplaint: RegExp | null;
}

export const test = base.extend<Fixtures, { server: Server }>({
  /** A test may set this pattern to allow console messages that the browser logs, such as failed requests without a network. */
  allowedComplaint: [null, { option: true }],

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern which fixtures the function uses
  server: [async ({}, provide) => await provide({ ...preparedServer(), password: await hashPassword(PASSWORD) }), { scope: 'worker' }],

  page: async ({ page }, provide) => {
    await forgetHistory(page);
    await provide(page);
  },

  testApp: async ({ server, context }, provide) => {
    const { db, url, stop } = await serve(server);
    const signedIn = new Map<Page, string>();
    const givePassword = async (page: Page, { email }: { email: string }): Promise<void> => {
      signedIn.set(page, email);
      await db.updateTable('users').set({ password: server.password }).where('role', 'in', ROLES).execute();
    };
    const signIn: E2eApp['signIn'] = async (page, person, path = '/') => {
      await givePassword(page, person);
      await page.context().addCookies([{ name: 'sid', value: await cookieOf(db, person.email), url, httpOnly: true, sameSite: 'Lax' }]);
      await page.goto(new URL(path, url).href);
      if (path === '/') await page.getByRole('button', { name: 'Logout' }).waitFor();
      await fontsOf(page);
    };
    const signInByForm: E2eApp['signInByForm'] = async (page, person) => {
      await givePassword(page, person);
      await page.goto(`${url}/auth`);
      await page.getByLabel('Email').fill(person.email);
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL((address) => address.pathname !== '/auth');
      await fontsOf(page);
    };
    await provide({ db, url, signIn, signInByForm });
    for (const [page, email] of signedIn) {
      // The page is searched for the data of other tenants. The pages of admins are not searched, because admins may see the distributors
      // of all tenants.
      const shown = page.isClosed() || email.startsWith('admin') ? '' : await page.content();
      const foreign = foreignCanariesIn(email, shown);
      if (foreign.length > 0) throw new Error(`The page of ${email} shows words of other tenants: ${foreign.join(', ')}`);
      if (page.isClosed()) continue;
      const kept = String(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'));
      const secrets = (await page.context().cookies()).filter(({ httpOnly }) => httpOnly).map(({ value }) => value);
      if ([PASSWORD, ...secrets].some((secret) => kept.includes(secret)))
        throw new Error(`The browser of ${email} keeps a password or session.`);
    }
    await resetBrowserContext(context, url);
    await stop();
  },

  quietConsole: [
    async ({ page, allowedComplaint }, provide) => {
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (
          ['error', 'warning'].includes(message.type()) &&
          !isSpecified(message.text()) &&
          allowedComplaint?.test(message.text()) !== true
        )
          complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await provide(undefined);
      if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('\n')}`);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
