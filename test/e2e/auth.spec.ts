// These tests sign in as each role, reset a password in two steps, and join as a new customer (spec §2, §4; contract §3).
import type { Page } from '@playwright/test';
import { hashOfToken } from '../../src/server/auth/token.ts';
import { hashPassword } from '../../src/server/auth/password.ts';
import { makeAdmin, makeAgent, makeCustomer, makeDistributor } from '../data/factories.ts';
import { toast } from './placed-orders.ts';
import { expect, PASSWORD, test, type E2eApp } from './fixtures.ts';

const HOUR = 3_600_000;
const pathOf = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search;
const password = (page: Page) => page.getByRole('textbox', { name: 'Password', exact: true });
const signInHeading = (page: Page) => page.getByRole('heading', { name: 'Welcome back' });

/**
 * Opens another tab for refused requests. The browser logs such a request as an error on the console, and a console error in the first tab
 * fails the test.
 */
const otherTab = (page: Page): Promise<Page> => page.context().newPage();

async function rivka(testApp: E2eApp) {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  await testApp.db
    .updateTable('users')
    .set({ password: await hashPassword(PASSWORD) })
    .where('id', '=', customer.id)
    .execute();
  return customer;
}

async function mailedToken(testApp: E2eApp, customer: { id: number }, livesFor: number): Promise<string> {
  const token = `token-of-${customer.id}`;
  const set = { resetPasswordToken: hashOfToken(token), resetPasswordExpires: new Date(Date.now() + livesFor).toISOString() };
  await testApp.db.updateTable('users').set(set).where('id', '=', customer.id).execute();
  return token;
}

async function tryToSignIn(page: Page, email: string, given: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await password(page).fill(given);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test(
  "signing in opens the home page of the user's role, and screens of another role redirect to that page (spec §2)",
  { tag: '@once' },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const homes = [
      [await makeAdmin(testApp.db), '/'],
      [distributor, '/distributor'],
      [await makeAgent(testApp.db, distributor), '/agent'],
      [await makeCustomer(testApp.db, distributor), '/customer'],
    ] as const;
    for (const [place, [person, home]] of homes.entries()) {
      await testApp.signInByForm(page, person);
      expect(pathOf(page)).toBe(home);
      const [, elsewhere] = homes[(place + 1) % homes.length] ?? [];
      await page.goto(`${testApp.url}${elsewhere}`);
      await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
      expect(pathOf(page)).toBe(home);
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(signInHeading(page)).toBeVisible();
      await page.goto(testApp.url + home);
      await expect(signInHeading(page)).toBeVisible();
      expect(pathOf(page)).toBe('/auth');
    }
  },
);

test('the sign-in form has a heading, an e-mail field and a password field; a panel beside it is shown on large screens only (spec §1, §2; contract §1)', async ({
  page,
  testApp,
  isMobile,
}) => {
  await page.goto(`${testApp.url}/auth`);
  await expect(signInHeading(page)).toBeVisible();
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(password(page)).toHaveAttribute('type', 'password');
  const tagLine = page.getByText('A platform to place your holiday orders.');
  if (isMobile) await expect(tagLine).toBeHidden();
  else await expect(tagLine).toBeVisible();
  await expect(page).toHaveTitle(/Feastday/);
});

test('an unknown path opens a page that says that the path does not exist (spec §2)', { tag: '@once' }, async ({ page, testApp }) => {
  await page.goto(`${testApp.url}/nowhere`);
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Feastday' })).toHaveAttribute('href', '/auth');
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
});

test(
  'the sign-in form reports a wrong password in a toast and beside the form, and keeps the e-mail address (spec §8)',
  { tag: '@once' },
  async ({ page, testApp }) => {
    const customer = await rivka(testApp);
    await page.goto(`${testApp.url}/auth`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText('Invalid email address')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    await tryToSignIn(page, customer.email.toUpperCase(), 'Wrong-Word-1');
    await expect(toast(page, 'Login failed')).toBeVisible();
    await expect(toast(page, '401: Invalid email or password')).toBeVisible();
    await expect(page.getByRole('main').getByText('Invalid email or password')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(customer.email.toUpperCase());
    await expect(password(page)).toBeFocused();
    await password(page).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
    await expect(toast(page, 'Login failed')).toBeHidden();
  },
);

test('a user signs in by keyboard alone', { tag: ['@desk', '@long'] }, async ({ page, testApp }) => {
  const customer = await rivka(testApp);
  await page.goto(`${testApp.url}/auth`);
  await expect(signInHeading(page)).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.type(customer.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
});

test(
  'the sign-in form tells a user that the account is locked, and offers a password reset beside the form (contract §3)',
  { tag: ['@once', '@long'] },
  async ({ page, testApp }) => {
    const customer = await rivka(testApp);
    const lockedUntil = new Date(Date.now() + HOUR / 4).toISOString();
    await testApp.db.updateTable('users').set({ loginAttempts: 5, lockedUntil }).where('id', '=', customer.id).execute();
    const tab = await otherTab(page);
    await tab.goto(`${testApp.url}/auth`);
    await tryToSignIn(tab, customer.email, PASSWORD);
    const sentence = 'Too many attempts. Try again in 15 minutes, or reset your password.';
    await expect(toast(tab, 'Login failed')).toBeVisible();
    await expect(toast(tab, `429: ${sentence}`)).toBeVisible();
    await expect(tab.getByRole('main').getByText(sentence)).toBeVisible();
    await tab.getByRole('link', { name: 'Reset your password' }).click();
    await expect(tab.getByRole('heading', { name: 'Forgot your password?' })).toBeFocused();
    await expect(tab.getByLabel('Email')).toHaveValue(customer.email);
    await tab.goBack();
    await expect(signInHeading(tab)).toBeVisible();
  },
);

test(
  'every request for a password reset gets the same reply, and only the owner of an account gets a mail (spec §4, §5, §8)',
  { tag: ['@once', '@long'] },
  async ({ page, testApp }) => {
    const customer = await rivka(testApp);
    for (const email of [customer.email, 'nobody@test.example']) {
      await page.goto(`${testApp.url}/auth`);
      await page.getByRole('link', { name: 'Forgot password?' }).click();
      await page.getByLabel('Email').fill('rivka');
      await page.getByRole('button', { name: 'E-mail me a link' }).click();
      await expect(page.getByText('Invalid email address')).toBeVisible();
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'E-mail me a link' }).click();
      await expect(page.getByText('If an account exists with that email, you will receive password reset instructions.')).toBeVisible();
    }
    const mails = await testApp.db.selectFrom('emails').select(['kind', 'userId']).execute();
    expect(mails).toEqual([{ kind: 'reset', userId: customer.id }]);
  },
);

test(
  'a mailed link sets a new password; the page removes the token of the link from the URL (spec §2, §4, §5, §7, §8; contract §10)',
  { tag: '@once' },
  async ({ page, testApp }) => {
    const customer = await rivka(testApp);
    const token = await mailedToken(testApp, customer, HOUR);
    await page.goto(`${testApp.url}/auth?token=${token}`);
    await expect(page.getByRole('heading', { name: 'Reset Password', exact: true })).toBeVisible();
    await expect(page).toHaveURL(`${testApp.url}/auth`);
    const field = page.getByLabel('New Password', { exact: true });
    await expect(page.getByRole('textbox')).toHaveCount(1);
    await expect(field).toHaveAttribute('autocomplete', 'new-password');
    for (const [typed, sentence] of [
      ['Abc1', 'Password must be at least 8 characters'],
      ['three-sheep-42', 'Password must contain at least one uppercase letter'],
      ['THREE-SHEEP-42', 'Password must contain at least one lowercase letter'],
      ['Three-Sheep', 'Password must contain at least one number'],
    ] as const) {
      await field.fill(typed);
      await page.getByRole('button', { name: 'Reset Password' }).click();
      await expect(page.getByText(sentence)).toBeVisible();
      await expect(field).toBeFocused();
    }
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(field).toHaveAttribute('type', 'text');
    await field.fill('Three-Sheep-42');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(toast(page, 'Password has been reset. Please login with your new password.')).toBeVisible();
    await expect(toast(page, 'On this device you are signed in already.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(signInHeading(page)).toBeVisible();
    await tryToSignIn(page, customer.email, PASSWORD);
    await expect(toast(page, '401: Invalid email or password')).toBeVisible();
    await tryToSignIn(page, customer.email, 'Three-Sheep-42');
    await expect(page.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
  },
);

test('the link of an invitation sets a password and signs the user in (contract §3)', { tag: '@once' }, async ({ page, testApp }) => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  const token = `invite-${customer.id}`;
  const set = { invitationToken: hashOfToken(token), invitationExpires: new Date(Date.now() + HOUR).toISOString() };
  await testApp.db.updateTable('users').set(set).where('id', '=', customer.id).execute();
  await page.goto(`${testApp.url}/auth?token=${token}`);
  await expect(page.getByRole('heading', { name: 'Set your password' })).toBeVisible();
  await page.getByLabel('New Password', { exact: true }).fill('Three-Sheep-42');
  await page.getByRole('button', { name: 'Set your password' }).click();
  await expect(page.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
  await expect(toast(page, 'Your password is set, and you are signed in.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
});

test('the page of an expired link offers to request a new link (contract §3)', { tag: ['@once', '@long'] }, async ({ page, testApp }) => {
  const customer = await rivka(testApp);
  const token = await mailedToken(testApp, customer, -1000);
  const tab = await otherTab(page);
  await tab.goto(`${testApp.url}/auth?token=${token}`);
  // The page shows the error at once, before the user has typed anything.
  await expect(tab.getByRole('alert').getByText('This link is invalid or has expired.')).toBeVisible();
  await tab.getByLabel('New Password').fill('Three-Sheep-42');
  await tab.getByRole('button', { name: 'Reset Password' }).click();
  await expect(toast(tab, '400: This link is invalid or has expired.')).toBeVisible();
  await expect(tab.getByRole('main').getByText('This link is invalid or has expired.')).toBeVisible();
  await tab.getByLabel('Email').fill(customer.email);
  await tab.getByRole('button', { name: 'E-mail me a new link' }).click();
  await expect(tab.getByText('If an account exists with that email, you will receive password reset instructions.')).toBeVisible();
  await tab.getByRole('link', { name: 'Back to sign in' }).click();
  await expect(signInHeading(tab)).toBeVisible();
  expect(await testApp.db.selectFrom('emails').select('kind').execute()).toEqual([{ kind: 'reset' }]);
});

test(
  'a signed-in user opens a mailed link, sets the password and stays signed in (spec §2)',
  { tag: ['@once', '@long'] },
  async ({ page, testApp }) => {
    const customer = await rivka(testApp);
    await testApp.signIn(page, customer, `/auth?token=${await mailedToken(testApp, customer, HOUR)}`);
    await page.getByLabel('New Password').fill('Three-Sheep-42');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(page.getByRole('heading', { name: 'Customer Dashboard' })).toBeVisible();
  },
);

test(
  "joining through a distributor's join link stores a join request; an unknown code gets the same reply and stores nothing (contract §3)",
  { tag: '@once' },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    await testApp.db
      .insertInto('organizations')
      .values({
        distributorId: distributor.id,
        name: 'Beth El',
        address: '',
        city: '',
        state: '',
        zip: '',
        phone: '',
        joinCode: 'feast-4711',
      })
      .execute();
    for (const code of ['feast-4711', 'no-such-code']) {
      await page.goto(`${testApp.url}/auth?join=${code}`);
      await expect(page.getByRole('heading', { name: 'Join' })).toBeVisible();
      await page.getByLabel('Email').fill(` ${code}@Test.example `);
      await page.getByRole('button', { name: 'Join' }).click();
      await expect(page.getByText('Check your e-mail to finish joining.')).toBeVisible();
    }
    const joined = () => testApp.db.selectFrom('users').select(['email', 'distributorId']).where('role', '=', 'customer').execute();
    expect(await joined()).toEqual([]);
    const requests = await testApp.db.selectFrom('join_requests').select(['email', 'distributorId']).execute();
    expect(requests).toEqual([{ email: 'feast-4711@test.example', distributorId: distributor.id }]);
  },
);
