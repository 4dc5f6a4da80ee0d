// An agent must set up a second factor, and does so in the browser. The agent then signs in with a passkey and with a recovery code
// (contract §19).
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { buildApi } from '../../src/api.ts';
import { readEnv } from '../../src/server/operations/env.ts';
import { makeAgent, makeDistributor } from '../data/factories.ts';
import { codeAt } from '../data/second-factors.ts';
import { axeFaults, sidewaysScroll } from './accessible.ts';
import { expect, PASSWORD, test, type E2eApp } from './fixtures.ts';
import { toast } from './placed-orders.ts';

/** Serves the application under the host name `localhost`, because browsers create no passkeys for an IP address. */
async function serveAtLocalhost({ db }: E2eApp): Promise<{ url: string; stop: () => Promise<void> }> {
  const env = readEnv({});
  const app = await buildApi({ db, env, now: () => new Date() }, pino({ level: 'silent' }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  env.publicUrl = `http://localhost:${(app.server.address() as AddressInfo).port}`;
  return { url: env.publicUrl, stop: () => app.close() };
}

test(
  'an agent sets up the required second factor, and signs in with a passkey and with a recovery code (contract §19)',
  { tag: ['@once', '@long'] },
  async ({ page, testApp, isMobile }) => {
    const agent = await makeAgent(testApp.db, await makeDistributor(testApp.db));
    await testApp.signIn(page, agent);
    await page.goto('about:blank');
    await page.context().clearCookies();
    await testApp.db.updateTable('users').set({ requireSecondFactor: true }).where('id', '=', agent.id).execute();
    const { url, stop } = await serveAtLocalhost(testApp);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const authenticator = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const;
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...authenticator, isUserVerified: true, automaticPresenceSimulation: true },
    });
    const isFine = async () => {
      // The markup is the same on a phone, so axe checks it only on a desktop.
      if (!isMobile) expect(await axeFaults(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
    };
    const typePassword = async () => {
      await page.goto(`${url}/auth`);
      await page.getByLabel('Email').fill(agent.email);
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    const isIn = async () => {
      await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    };

    await typePassword();
    await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
    await isFine();
    await page.getByRole('button', { name: 'Set up a code app' }).click();
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    const secret = ((await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '').replaceAll(' ', '');
    await isFine();
    await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, new Date()));
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Recovery codes', { exact: true })).toBeVisible();
    const codes = await page.locator('main li').allTextContents();
    expect(codes).toHaveLength(10);
    await isFine();
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await file).suggestedFilename()).toBe('feastday-recovery-codes.txt');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeHidden();

    await page.getByRole('button', { name: 'Account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Account' });
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(isMobile ? dialog.getByText('Add a passkey', { exact: true }) : dialog.getByLabel('Name', { exact: true })).toBeFocused();
    await dialog.getByLabel('Name', { exact: true }).fill('My phone');
    await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(toast(page, 'Second factor added')).toBeVisible();
    await expect(dialog.getByText('My phone')).toBeVisible();
    await expect(dialog.getByText('10 recovery codes left')).toBeVisible();
    await isFine();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await isIn();

    await typePassword();
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
    await isFine();
    await page.getByRole('button', { name: 'Use passkey' }).click();
    await isIn();

    await typePassword();
    await page.getByRole('button', { name: 'Use a code of my app' }).click();
    await expect(isMobile ? page.getByRole('heading', { name: 'One more step' }) : page.getByLabel('Code', { exact: true })).toBeFocused();
    await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute('autocomplete', 'one-time-code');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Enter the six digits')).toBeVisible();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill((codes[0] ?? '').toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await isIn();
    // Removes the virtual authenticator from the page, which the next test uses too.
    await devtools.detach();
    // The page may still be loading a file from this server.
    await page.waitForLoadState('networkidle');
    await stop();
  },
);
