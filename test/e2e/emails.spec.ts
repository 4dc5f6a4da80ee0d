// A distributor writes mails to customers. The tests cover the recipients, the content and the log of e-mails (spec §2 Send Email dialog,
// contract §8).
import type { Page } from '@playwright/test';
import { UNREAD_VALUE_MS } from '../../src/client/hooks/use-unread.ts';
import { makeCustomer, makeDistributor } from '../data/factories.ts';
import { pay } from '../data/order-rows.ts';
import { makeOrders, orderIdOf, rows } from './placed-orders.ts';
import { expect, test, type E2eApp } from './fixtures.ts';
import { editorOf, openDialog, toast, write } from './email-writing.ts';

/** Creates a distribution with three customers, two of whom have ordered, and opens its page as the distributor. */
async function atDistribution(page: Page, testApp: E2eApp) {
  const made = await makeOrders(testApp);
  await testApp.db.deleteFrom('emails').execute();
  await testApp.signIn(page, made.distributor, `/distributor/distribution/${made.distribution.id}`);
  return made;
}

const mailRows = (testApp: E2eApp) =>
  testApp.db.selectFrom('emails').select(['kind', 'to', 'userId', 'replyTo', 'subject', 'html', 'status']).orderBy('id').execute();

test(
  'sending needs a subject and content; Cancel asks only about typed text (spec §2, §5)',
  { tag: '@long' },
  async ({ page, testApp }) => {
    await atDistribution(page, testApp);
    let dialog = await openDialog(page);
    await dialog.getByRole('tab', { name: 'Log' }).click();
    await expect(dialog.getByText('No e-mails yet. What you send, and every invitation and confirmation, is listed here.')).toBeVisible();
    await dialog.getByRole('tab', { name: 'Write' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);

    dialog = await openDialog(page);
    const preview = dialog.getByRole('button', { name: 'Preview' });
    const send = dialog.getByRole('button', { name: /^Send to Selected Contacts$|^Send Emails$/ });
    const bothAre = async (state: 'enabled' | 'disabled'): Promise<void> => {
      for (const button of [preview, send]) await expect(button).toBeEnabled({ enabled: state === 'enabled' });
    };
    await bothAre('disabled');
    await dialog.getByLabel('Subject').fill('Pick-up');
    await bothAre('disabled');
    await editorOf(page).locator('body').click();
    await page.keyboard.type('   ');
    await bothAre('disabled');
    await page.keyboard.type('At noon.');
    await bothAre('enabled');
    await dialog.getByLabel('Subject').fill('  ');
    await bothAre('disabled');

    await dialog.getByLabel('Subject').fill('Pick-up');
    await preview.click();
    await expect(dialog.getByTitle('Preview of the e-mail')).toBeVisible();
    await expect(send).toBeEnabled();
    await dialog.getByRole('button', { name: 'Back' }).click();

    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard this e-mail?' });
    await expect(question).toContainText('What you wrote is thrown away. To keep it for later, close the dialog with the cross instead.');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(editorOf(page).locator('body')).toContainText('At noon.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toHaveCount(0);
    await openDialog(page);
    await expect(editorOf(page).locator('body')).not.toContainText('At noon.');
  },
);

test('a distributor mails only the customers without an order, after a preview and a test mail (spec §1, §2, §7, §8)', async ({
  page,
  testApp,
}) => {
  const { distributor, distribution, dina, moshe } = await atDistribution(page, testApp);
  const late = await makeCustomer(testApp.db, distributor, { firstName: 'Sol', lastName: 'Benaroch' });
  const dialog = await openDialog(page);
  const group = dialog.getByRole('group', { name: 'Recipients' });
  await expect(group.getByRole('button')).toHaveText([/All\s*4/, /With an order\s*2/, /Without an order\s*2/, /Not paid\s*2/, /By person/]);
  await group.getByRole('button', { name: 'Without an order' }).click();
  await write(page, 'Last call', 'Ordering closes on Friday.');
  await dialog.getByRole('button', { name: 'Preview' }).click();

  await expect(dialog.getByText('Nothing is sent yet. This is what 2 people will get.')).toBeVisible();
  await expect(
    dialog.getByText('An e-mail to many must say where it comes from: enter your postal address under Organization on the dashboard.'),
  ).toBeVisible();
  await expect(dialog.getByRole('term')).toHaveText(['To', 'Reply to', 'Subject']);
  await expect(dialog.getByText('Sol Benaroch')).toBeVisible();
  await expect(dialog.getByText('and 1 more person, each in an e-mail of their own')).toBeVisible();
  await expect(dialog.getByRole('definition').filter({ hasText: distributor.email })).toBeVisible();
  const preview = dialog.getByTitle('Preview of the e-mail');
  await expect(preview).toHaveAttribute('sandbox', '');
  await expect(preview).toHaveAttribute('srcdoc', /Unsubscribe from e-mails like this/);
  await expect(preview).toHaveAttribute('srcdoc', /Last call<\/h1>\s*<div[^>]*><p>Ordering closes on Friday\.<\/p>/);

  await dialog.getByRole('button', { name: 'Send a test to me' }).click();
  await expect(toast(page, `A test is on its way to ${distributor.email}.`)).toBeVisible();
  const written = { subject: 'Last call', html: '<p>Ordering closes on Friday.</p>', replyTo: distributor.email, status: 'queued' };
  expect(await mailRows(testApp)).toEqual([{ ...written, kind: 'test', to: distributor.email, userId: distributor.id }]);

  await dialog.getByRole('button', { name: 'Send Emails' }).click();
  await expect(toast(page, '2 e-mails are on their way.')).toBeVisible();
  expect((await mailRows(testApp)).slice(1)).toEqual([
    { ...written, kind: 'bulk', to: late.email, userId: late.id },
    { ...written, kind: 'bulk', to: dina.email, userId: dina.id },
  ]);
  await expect(dialog.getByRole('group', { name: 'State' })).toContainText(/Queued\s*3/);

  // After sending, the dialog has no draft left. When the distributor opens it from a view of the customers tab, the customers of that view
  // are selected.
  const orderId = await orderIdOf(testApp, moshe);
  await pay(testApp.db, distribution, { orderId, amount: 10_000, by: distributor });
  await page.goto(`${testApp.url}/distributor/distribution/${distribution.id}?tab=customers&view=not-paid`);
  await openDialog(page);
  await expect(dialog.getByLabel('Subject')).toHaveValue('');
  await expect(group.getByRole('button', { pressed: true })).toHaveText(/Not paid\s*1/);
  await dialog.getByRole('button', { name: '1 person', exact: true }).click();
  await expect(dialog.getByRole('checkbox', { name: 'Abramov, Rivka' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(1);
});

test(
  'before an e-mail to a group that has changed is sent, staff see the preview (spec §2)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, distribution, moshe } = await atDistribution(page, testApp);
    await page.goto(`${testApp.url}/distributor/distribution/${distribution.id}?tab=customers&view=not-paid`);
    const dialog = await openDialog(page);
    await write(page, 'Not paid', 'Please pay.');
    const orderId = await orderIdOf(testApp, moshe);
    await pay(testApp.db, distribution, { orderId, amount: 10_000, by: distributor });
    await dialog.getByRole('button', { name: 'Send Emails' }).click();
    await expect(toast(page, 'Nothing is sent yet, because the recipients have changed. Please check them.')).toBeVisible();
    await expect(dialog.getByText('Nothing is sent yet. This is what 1 person will get.')).toBeVisible();
    expect(await mailRows(testApp)).toEqual([]);
    // For a second, the preview ignores presses that were meant for the button before.
    await page.waitForTimeout(UNREAD_VALUE_MS + 50);
    await dialog.getByRole('button', { name: 'Send to Selected Contacts' }).click();
    await expect(toast(page, '1 e-mail is on its way.')).toBeVisible();
  },
);

test(
  'an e-mail goes to the new address of a person whose address was corrected while the e-mail was written (spec §2)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { moshe } = await atDistribution(page, testApp);
    const dialog = await openDialog(page);
    await write(page, 'Your cooler', 'It is still here.');
    await dialog.getByRole('button', { name: 'By person' }).click();
    await dialog.getByRole('checkbox', { name: 'Adler, Moshe' }).check();
    await testApp.db.updateTable('users').set({ email: 'corrected@mail.test' }).where('id', '=', moshe.id).execute();
    await dialog.getByRole('button', { name: 'Send to Selected Contacts' }).click();
    await expect(toast(page, '1 e-mail is on its way.')).toBeVisible();
    expect((await mailRows(testApp)).map(({ to }) => to)).toEqual(['corrected@mail.test']);
  },
);

test(
  'a distributor finds and chooses one person by name, and mails only that person (spec §2)',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const { moshe } = await atDistribution(page, testApp);
    const dialog = await openDialog(page);
    await write(page, 'Your cooler', 'It is still here.');
    await dialog.getByRole('button', { name: 'By person' }).click();
    await expect(dialog.getByText('Choose at least one recipient.')).toBeVisible();
    const send = dialog.getByRole('button', { name: 'Send to Selected Contacts' });
    await expect(send).toBeDisabled();
    const search = dialog.getByRole('textbox', { name: 'Search people' });
    await search.fill('zz ');
    await expect(dialog.getByText('Nobody matches "zz".')).toBeVisible();
    await search.fill('adler');
    await expect(dialog.getByRole('list', { name: 'People' }).getByRole('listitem')).toHaveText([`Adler, Moshe ${moshe.email}`]);
    await dialog.getByRole('checkbox', { name: 'Adler, Moshe' }).check();
    await send.click();
    await expect(toast(page, '1 e-mail is on its way.')).toBeVisible();
    expect((await mailRows(testApp)).map(({ to }) => to)).toEqual([moshe.email]);
  },
);

test('a distributor writes to all customers from the dashboard (spec §2)', { tag: ['@desk', '@long'] }, async ({ page, testApp }) => {
  const { distributor, rivka, moshe, dina } = await makeOrders(testApp);
  const foreign = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  await testApp.db.deleteFrom('emails').execute();
  await testApp.signIn(page, distributor, `/distributor?tab=customers`);
  const dialog = await openDialog(page);
  await expect(dialog.getByRole('group', { name: 'Recipients' }).getByRole('button')).toHaveText([/All\s*3/, /By person/]);
  await write(page, 'A sweet new year', 'To all of you.');
  await expect(dialog.getByText('3 people, each in an e-mail of their own')).toBeVisible();
  await dialog.getByRole('button', { name: 'Send Emails' }).click();
  await expect(toast(page, '3 e-mails are on their way.')).toBeVisible();
  const reached = (await mailRows(testApp)).map(({ to }) => to);
  expect(reached.toSorted()).toEqual([rivka.email, moshe.email, dina.email].toSorted());
  expect(reached).not.toContain(foreign.email);
});

test(
  'the e-mail dialog keeps a draft after closing and reloading, and deletes it at sign-out',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const { distributor, distribution } = await atDistribution(page, testApp);
    const dialog = await openDialog(page);
    await write(page, 'Pick-up', 'At noon.');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toHaveCount(0);
    await page.reload();
    await openDialog(page);
    await expect(dialog.getByLabel('Subject')).toHaveValue('Pick-up');
    await expect(editorOf(page).locator('body')).toContainText('At noon.');
    await expect(dialog.getByRole('button', { name: 'Preview' })).toBeEnabled();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(/\/auth$/);
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}`);
    await openDialog(page);
    await expect(dialog.getByLabel('Subject')).toHaveValue('');
  },
);

const STATES = [
  ['queued', 'Queued', ''],
  ['sending', 'Sending', ''],
  ['sent', 'Sent', '250 Ok'],
  ['failed', 'Failed', '550 No such mailbox'],
  ['unknown', 'Unknown', 'The connection broke'],
  ['suppressed', 'Not sent', 'Unsubscribed'],
] as const;

/** Creates one mail in each state, as the mail worker stores it. The failed one has the address of its user, so it can be sent again. */
async function makeMails({ db }: E2eApp, { distributor, rivka }: Awaited<ReturnType<typeof makeOrders>>): Promise<void> {
  const same = { kind: 'bulk', from: 'mail@feastday.test', subject: 'Pick-up', html: '<p>At noon.</p>' } as const;
  await db.updateTable('users').set({ email: 'failed@test.example' }).where('id', '=', rivka.id).execute();
  const mails = STATES.map(([status, , answer]) => ({
    ...same,
    to: `${status}@test.example`,
    status,
    response: answer || null,
    success: status === 'sent',
    distributorId: distributor.id,
    userId: rivka.id,
  }));
  const invitation = {
    ...same,
    kind: 'invitation',
    to: 'invited@test.example',
    subject: 'Welcome',
    status: 'sent',
    success: true,
  } as const;
  await db
    .insertInto('emails')
    .values([...mails, { ...invitation, distributorId: distributor.id, userId: rivka.id }])
    .execute();
}

test(
  'the log shows the states of e-mails, and sends failed ones again (contract §8)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const made = await atDistribution(page, testApp);
    await makeMails(testApp, made);
    const dialog = await openDialog(page);
    await dialog.getByRole('tab', { name: 'Log' }).click();
    const line = (status: string) => rows(page).filter({ hasText: `${status}@test.example` });
    for (const [status, word, answer] of STATES) {
      await expect(line(status)).toContainText(word);
      await expect(line(status)).toContainText(answer);
    }
    await expect(dialog.getByRole('button', { name: /^Send again to/ })).toHaveCount(2);

    await dialog.getByRole('button', { name: 'Send again to failed@test.example' }).click();
    await expect(toast(page, 'The e-mail is on its way again.')).toBeVisible();
    await expect(line('failed')).toContainText('Queued');
    expect((await mailRows(testApp)).find(({ to }) => to === 'failed@test.example')?.status).toBe('queued');

    await expect(line('unknown')).toContainText('It may have arrived or not: ask before you send it again.');
    const kinds = dialog.getByRole('group', { name: 'Kind' });
    await kinds.getByRole('button', { name: 'Automatic' }).click();
    await expect(rows(page)).toHaveText([/invited@test.example/]);
    await expect(rows(page)).toContainText('Welcome');
    await expect(rows(page)).toContainText('Invitation');
    await kinds.getByRole('button', { name: 'Written by you' }).click();
    await expect(rows(page)).toHaveCount(STATES.length);

    await dialog.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Unknown' }).click();
    await expect(rows(page)).toHaveCount(1);
    await dialog.getByRole('group', { name: 'State' }).getByRole('button', { name: 'All' }).click();
    await dialog.getByRole('textbox', { name: /To/ }).fill('SENT@');
    await expect(rows(page)).toHaveCount(1);

    await testApp.db.updateTable('emails').set({ response: '250 Accepted' }).where('status', '=', 'sent').execute();
    await dialog.getByRole('button', { name: 'Refresh' }).click();
    await expect(line('sent')).toContainText('250 Accepted');
  },
);
