// A distributor imports customers from a spreadsheet (spec §5, §8).
import { readFile } from 'node:fs/promises';
import { makeDistributor } from '../data/factories.ts';
import { choose, customersIn, dialog, mailsTo, openTab, toastWith, plan } from './people.ts';
import { downloaded, rows } from './placed-orders.ts';
import { expect, test } from './fixtures.ts';

/**
 * Returns a file in the form in which Excel saves it in Europe: with a byte-order mark, semicolons and CRLF. The file has 300 rows, and
 * every fifteenth row is invalid.
 */
function excelFile(): string {
  const bad = ['no address', 'two@@home.example', 'blank @home.example', 'c1@home.example'];
  const lines = Array.from({ length: 300 }, (_, n) => {
    const email = n % 15 === 14 ? bad[Math.floor(n / 15) % 4] : `c${n}@home.example`;
    return `${email};Émile;Lévy ${n};"12; Elm St";Teaneck;NJ;07666;555-${n}`;
  });
  return `\uFEFF${['E-Mail;First Name;LASTNAME;Address;City;State;ZIP;Phone', ...lines].join('\r\n')}\r\n`;
}

test(
  'the import of customers creates 280 of 300 customers of an Excel file and returns 20 with reasons; a second import skips everybody (spec §1, §2, §5, §8, §9)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    await openTab(page, testApp, distributor);
    await choose(page, excelFile(), 'Kunden.csv');
    await expect.poll(() => plan(page)).toBe('New 280 Known 0 No e-mail 0 Problem 20');
    await expect(dialog(page).getByText('The column e-mail is read as email.')).toBeVisible();
    await expect(dialog(page).getByText('15 rows: Invalid email address (lines 16, 31, 46, 76, 91, …)')).toBeVisible();
    await expect(dialog(page).getByText('5 rows: This e-mail address is in the list twice. (lines 61, 121, 181, 241, 301)')).toBeVisible();
    expect(await customersIn(testApp)).toBe(0);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog(page).getByRole('button', { name: 'Import and invite 280 customers' }).click(),
    ]);
    await expect(toastWith(page, 'Created 280 out of 300 customers')).toBeVisible();
    await expect(toastWith(page, 'Customer created successfully')).toBeVisible();
    await expect(dialog(page).getByText('Created 280 out of 300 customers')).toBeVisible();
    expect(file.suggestedFilename()).toBe('failed-to-save.csv');
    const failed = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(failed).toHaveLength(21);
    expect(failed.slice(0, 2)).toEqual([
      '\uFEFFemail,firstName,lastName,address,city,state,zip,phone,reason',
      'no address,Émile,Lévy 14,"12; Elm St",Teaneck,NJ,07666,555-14,Invalid email address',
    ]);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(rows(page)).toHaveCount(280);
    const contacts = await testApp.db
      .selectFrom('contacts')
      .select(['firstName', 'address', 'zip'])
      .where('lastName', '=', 'Lévy 7')
      .execute();
    expect(contacts).toEqual([{ firstName: 'Émile', address: '12; Elm St', zip: '07666' }]);
    expect(await mailsTo(testApp, 'c7@home.example')).toEqual([{ kind: 'invitation', replyTo: distributor.email }]);

    await page.getByRole('button', { name: 'Bulk Operations' }).click();
    const exported = await downloaded(page, dialog(page).getByRole('link', { name: 'Download Customers' }));
    expect(exported.name).toBe('customers.csv');
    expect(exported.text).toMatch(/^\uFEFFID,Email,First name,Last name,Phone\r\n\d+,c0@home\.example,Émile,Lévy 0,[^\r]*\r\n/);
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();

    await choose(page, exported.text.replace('c5@home.example', ' '), exported.name);
    await expect.poll(() => plan(page)).toBe('New 0 Known 279 No e-mail 1 Problem 0');
    await expect(dialog(page).getByText('279 rows dropped: a customer already.')).toBeVisible();
    await expect(dialog(page).getByText('1 row dropped: no e-mail address.')).toBeVisible();
    await dialog(page).getByRole('button', { name: 'Finish' }).click();
    await expect(toastWith(page, 'No customers new were created')).toBeVisible();
    await expect(
      dialog(page).getByText('280 rows in the file: 279 dropped (a customer already), 1 dropped (no e-mail address).'),
    ).toBeVisible();
    expect(await customersIn(testApp)).toBe(280);
  },
);

test('the page stays usable while 5,000 customers are imported', { tag: ['@desk', '@long'] }, async ({ page, testApp }) => {
  await page.addInitScript(() => {
    const stalls: number[] = [];
    Object.assign(globalThis, { stalls });
    new PerformanceObserver((list) => stalls.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
  });
  const distributor = await makeDistributor(testApp.db);
  await openTab(page, testApp, distributor);
  const lines = Array.from({ length: 5000 }, (_, n) => `c${n}@home.example,Rivka,Adler ${n},1 Elm St,Teaneck,NJ,07666,555-0100`);
  const chosen = Date.now();
  await choose(page, ['email,firstName,lastName,address,city,state,zip,phone', ...lines].join('\r\n'));
  await expect.poll(() => plan(page)).toBe('New 5000 Known 0 No e-mail 0 Problem 0');
  const started = Date.now();
  // The test delays the responses, because the import could otherwise finish before the test clicks.
  let mayGoOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => (mayGoOn = resolve));
  let calls = 0;
  await page.route('**/api/users/customer', async (route) => {
    if (route.request().method() === 'POST') {
      calls += 1;
      await gate;
    }
    await route.continue();
  });
  await dialog(page).getByRole('button', { name: 'Import and invite 5,000 customers' }).click();
  await expect(page.getByRole('progressbar', { name: 'Creating customers' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue in the background' }).click();
  await expect(page.getByText('0 of 5000')).toBeVisible();
  await page.getByRole('tab', { name: 'Agents' }).click();
  await page.getByRole('button', { name: 'Add User' }).click();
  await dialog(page).getByLabel('Email').fill('typed.meanwhile@home.example');
  const released = Date.now();
  mayGoOn();
  await expect(toastWith(page, 'Created 5000 out of 5000 customers')).toBeVisible({ timeout: 60_000 });
  const done = Date.now();
  await expect(dialog(page).getByLabel('Email')).toHaveValue('typed.meanwhile@home.example');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('tab', { name: 'Customers' }).click();
  await expect(page.getByText('Their invitations are on the way.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Customers' })).toHaveAttribute('aria-rowcount', '5001');
  expect(calls).toBe(1);
  expect(await customersIn(testApp)).toBe(5000);
  const stalls = await page.evaluate(() => (globalThis as unknown as { stalls: number[] }).stalls);
  process.stdout.write(
    `5,000 customers: checked in ${started - chosen} ms, created in ${done - released} ms; longest stall of the page ${Math.max(0, ...stalls).toFixed(0)} ms\n`,
  );
});

test(
  'an upload of customers is undone; a customer who has signed in since stays and is named',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    await openTab(page, testApp, await makeDistributor(testApp.db));
    await choose(page, 'email,firstName,lastName\nnoam@home.example,Noam,Berkowitz\nlea@home.example,Lea,Fishman\n');
    await dialog(page).getByRole('button', { name: 'Import and invite 2 customers' }).click();
    await expect(dialog(page).getByText(/^Last upload, .*: 2 customers added\.$/)).toBeVisible();
    await testApp.db.updateTable('users').set({ lastLoginAt: new Date().toISOString() }).where('email', '=', 'lea@home.example').execute();
    await dialog(page).getByRole('button', { name: 'Undo this upload' }).click();
    await page.getByRole('alertdialog', { name: 'Undo the last upload?' }).getByRole('button', { name: 'Undo this upload' }).click();
    await expect(toastWith(page, '1 customer removed. 1 stayed.')).toBeVisible();
    await expect(dialog(page).getByRole('listitem').filter({ hasText: 'Fishman, Lea' })).toHaveText('Fishman, Leahas signed in');
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText('lea@home.example');
  },
);
