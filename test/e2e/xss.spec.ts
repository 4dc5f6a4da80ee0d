// Strings written by users must never run as scripts (reliability R28). The tests put attacks (payloads) into every string that users can
// write. Then they open every screen and mail that shows these strings. npm test uses samples of the 150 payloads and
// of the screens, and npm run hostile-texts uses all of them.
import type { Page } from '@playwright/test';
import { enqueueAll } from '../../src/server/mail/outbox.ts';
import { sanitizeMailHtml } from '../../src/server/mail/html.ts';
import { XSS_PAYLOADS } from '../fixtures/xss-payloads.ts';
import { sampleOf } from '../setup/sampling.ts';
import { NONE, openAll, payloadsIn, watch } from './script-executions.ts';
import { SURFACES } from './xss-screens.ts';
import { FOREIGN_WORD, hostilePeople, hostileSale, hostileScreens, payload, PAYLOADS } from './hostile-data.ts';
import { mailbox } from './mailbox.ts';
import { expect, test, type E2eApp } from './fixtures.ts';
import { dialogOf, openDialog } from './email-writing.ts';

test.setTimeout(240_000);
const ALL = PAYLOADS.length;

/**
 * Signs the user in, and then replaces the user's e-mail address by one that contains a payload, because some screens show the user's own
 * e-mail address.
 */
async function signInAs(page: Page, testApp: E2eApp, { id, email }: { id: number; email: string }): Promise<void> {
  await page.context().clearCookies();
  await testApp.signIn(page, { email });
  await testApp.db
    .updateTable('users')
    .set({ email: `own${id}${payload(id)}@own.test`.toLowerCase() })
    .where('id', '=', id)
    .execute();
}

test('the browser never runs a script from user-written text, on any screen', { tag: '@desk' }, async ({ page, testApp }) => {
  expect([XSS_PAYLOADS.length, new Set(XSS_PAYLOADS).size]).toEqual([150, 150]);
  const { counts } = await watch(page);
  const made = await hostileScreens(testApp.db);
  for (const [role, surfaces] of Object.entries(SURFACES)) {
    await signInAs(page, testApp, made[role as keyof typeof SURFACES]);
    const drawn = new Set(sampleOf(surfaces, Math.ceil(surfaces.length / 10)));
    for (const { at, shows, act } of surfaces.filter((surface) => drawn.has(surface))) {
      const place = `${at(made)} ${act?.name ?? ''}`;
      await page.goto(testApp.url + at(made));
      await act?.(page);
      await expect.poll(() => payloadsIn(page), place).toBeGreaterThanOrEqual(shows);
      expect([place, await counts()]).toEqual([place, NONE]);
      expect([place, (await page.content()).includes(FOREIGN_WORD)]).toEqual([place, false]);
    }
  }
});

const inBody = (html: string): string => `<!doctype html><body><p>Hello</p>${html}</body>`;

test(
  'the browser never runs a script from user-written text in a mail or on the page behind its link',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, customers, first } = await hostilePeople(testApp.db);
    const { order } = await hostileSale(testApp.db, { distributor, customers });
    await testApp.signIn(page, distributor);
    const replyTo = distributor.email;
    const mails = customers.map(({ email: to }, index) => ({ to, replyTo, subject: payload(index), html: inBody(payload(index)) }));
    const users = PAYLOADS.map((_, index) => ({
      email: `new${index}@home.example`,
      firstName: payload(index),
      lastName: payload(index + 1),
    }));
    const headers = { origin: testApp.url };
    const post = async (path: string, data: object): Promise<void> => {
      const answer = await page.request.post(`${testApp.url}${path}`, { data, headers });
      expect([path, answer.status()]).toEqual([path, path.includes('users') ? 201 : 200]);
    };
    await post('/api/send-emails', mails);
    await post('/api/emails/test', { subject: payload(1), html: inBody(payload(2)) });
    await post('/api/users/customer', { users, replyTo, invite: 'now' });
    const whom = { userId: first.id, distributorId: distributor.id };
    await enqueueAll(testApp.db, [
      { kind: 'reset', ...whom },
      { kind: 'exists', ...whom },
      { kind: 'confirmation', ...whom, orderId: order.id },
    ]);
    const letters = await mailbox(testApp);
    expect(letters).toHaveLength(ALL + 1 + ALL + 3);
    expect(new Set(letters.map(({ subject }) => subject)).size).toBeGreaterThan(ALL);
    expect(PAYLOADS.filter((text) => !letters.some(({ subject }) => subject === text))).toEqual([]);

    const { unsubscribeToken } = await testApp.db.selectFrom('users').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow();
    const behindLinks: string[] = [];
    for (const name of PAYLOADS) {
      await testApp.db.updateTable('organizations').set({ name }).execute();
      behindLinks.push(await (await page.request.get(`${testApp.url}/api/unsubscribe/${unsubscribeToken}`)).text());
    }
    behindLinks.push(await (await page.request.post(`${testApp.url}/api/unsubscribe/${unsubscribeToken}`)).text());
    const cleaned = await Promise.all(PAYLOADS.map(async (html) => inBody(await sanitizeMailHtml(`<p>Hello</p>${html}`))));

    const watched = await watch(page);
    expect(
      await openAll(
        page,
        watched,
        letters.map(({ html }) => html),
      ),
    ).toBe(0);
    expect(await openAll(page, watched, behindLinks)).toBe(0);
    expect(await openAll(page, watched, cleaned)).toBe(0);
    expect(await watched.counts()).toMatchObject({ asked: 0, reported: 0 });

    // The mails are also shown in the log of e-mails. The page behind the unsubscribe link is opened too, with its content security policy.
    await page.goto(`${testApp.url}/distributor?tab=customers`);
    await openDialog(page);
    await dialogOf(page).getByRole('tab', { name: 'Log' }).click();
    await expect.poll(() => payloadsIn(page)).toBe(ALL);
    await page.goto(`${testApp.url}/api/unsubscribe/${unsubscribeToken}`);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
  },
);

// The test uses pages that it opens itself, because the attacks log errors on the console, and console errors in the usual page fail the
// test.
test(
  'scripts in the text of an e-mail never run in the editor; on a page without sanitizing, the same scripts do run',
  { tag: ['@desk', '@long'] },
  async ({ context, testApp }) => {
    const raw = await context.newPage();
    expect(await openAll(raw, await watch(raw), XSS_PAYLOADS.map(inBody))).toBeGreaterThanOrEqual(80);

    const page = await context.newPage();
    const { counts } = await watch(page);
    const { distributor } = await hostilePeople(testApp.db);
    await testApp.signIn(page, distributor, `/distributor?tab=customers`);
    await openDialog(page);
    await page.evaluate((payloads) => {
      const { tinymce } = globalThis as unknown as { tinymce: { activeEditor: { setContent: (html: string) => void } } };
      for (const html of payloads) tinymce.activeEditor.setContent(html);
      const ends = '</iframe></select></noscript></object></button></marquee>';
      tinymce.activeEditor.setContent(`<p>Hello</p>${payloads.map((html) => `<div>${html}${ends}</div>`).join('')}`);
    }, PAYLOADS);
    await dialogOf(page).getByLabel('Subject').fill('Hello');
    await dialogOf(page).getByRole('button', { name: 'Preview' }).click();
    await expect(dialogOf(page).frameLocator('iframe[title="Preview of the e-mail"]').getByRole('heading')).toHaveText('Hello');
    const preview = dialogOf(page).getByTitle('Preview of the e-mail');
    await expect(preview).not.toHaveAttribute(
      'srcdoc',
      /<(script|iframe|img|svg|video|audio|object|embed|input|select|details|meta|base)\b/,
    );
    // This test ignores reported violations of the content security policy: Chromium reports one for every event handler in HTML, even if it
    // only parses the HTML.
    expect(await counts()).toMatchObject({ run: 0, asked: 0 });
  },
);
