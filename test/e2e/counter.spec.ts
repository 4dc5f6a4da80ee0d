// These tests use the pick-up counter screen: they serve three families by keyboard, lose and regain the network, get refused entries, use
// a scale, and see the changes of another station.
import type { Locator } from '@playwright/test';
import { cents } from '../../src/domain/money.ts';
import { weigh } from '../data/order-rows.ts';
import { axeFaults, sidewaysScroll } from './accessible.ts';
import {
  countsOnDevice,
  crowdedDay,
  look,
  NOTHING_ON_DEVICE,
  readyForOffline,
  recorded,
  serve,
  textOnDevice,
  withoutNetwork,
} from './counter/counter-day.ts';
import { shownText } from './counter/shown-text.ts';
import { simulatedScale } from './counter/simulated-scale.ts';
import { expect, test } from './fixtures.ts';

test.use({ allowedComplaint: /ERR_INTERNET_DISCONNECTED|status of 409/ });

test('three families are served by keyboard, two of them without a network and with a page reload; nothing is lost or duplicated (contract §14) @desk', async ({
  page,
  context,
  testApp,
}) => {
  const day = await crowdedDay(testApp);
  await testApp.signIn(page, day.distributor, `/distributor/distribution/${day.distribution.id}`);
  await page.getByRole('link', { name: 'Counter' }).click();
  await readyForOffline(page);
  await serve(page, 'Abramov', ['4.5', '5,5']);
  await expect(page.getByText('1 of 3 picked up')).toBeVisible();
  await expect.poll(() => recorded(testApp, day)).toMatchObject([{ paid: [10_800], pickedUp: true }, { paid: [] }, { paid: [] }]);

  // While this station has no network, another station weighs a unit. This station cannot receive that weight until it has a network again.
  await withoutNetwork(context, async () => {
    await expect(page.getByText('The counter goes on', { exact: false })).toBeVisible();
    await serve(page, 'Becker', ['5', '5']);
    await page.reload();
    await expect(page.getByRole('button', { name: 'No network 4 waiting' })).toBeVisible();
    await expect(page.getByText('2 of 3 picked up')).toBeVisible();
    await weigh(testApp.db, day.orders[2]?.lines[0], [4.9], day.agent);
    await serve(page, 'Cohen', ['6', '6']);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('8 entries of the counter are not with the server yet.');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  await expect(page.getByRole('alert')).toContainText('2 entries were refused');
  await page.getByRole('button', { name: 'Look at them' }).click();
  const refused = page.getByRole('region', { name: 'Refused' }).getByRole('listitem');
  await expect(refused.first()).toContainText('Cohen, Rivka · Brisket 1/2: 6 lb');
  await expect(refused.first()).toContainText('Brisket 1/2 is 4.9 now');
  await expect(refused.nth(1)).toContainText('Cohen, Rivka · $128.00, Cash');
  await expect(refused.nth(1)).toContainText('The payment is above the balance: $117.00.');
  expect(await axeFaults(page)).toEqual([]);
  await refused.first().getByRole('button', { name: 'Try again' }).click();
  await expect(refused).toHaveCount(1);
  await expect(refused.first()).toContainText('$128.00');
  await expect
    .poll(async () => (await testApp.db.selectFrom('actual_quantities').selectAll().where('actualQuantity', '=', 6).execute()).length)
    .toBe(2);
  await refused.first().getByRole('button', { name: 'Try again' }).click();
  await expect(refused).toHaveCount(0);
  await expect
    .poll(() => recorded(testApp, day))
    .toEqual([
      { paid: [10_800], pickedUp: true },
      { paid: [10_800], pickedUp: true },
      { paid: [12_800], pickedUp: true },
    ]);

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(/\/auth/);
  await expect.poll(() => countsOnDevice(page)).toEqual(NOTHING_ON_DEVICE);
});

test(
  'a pay button that has ignored Enter says so and does not move; the next name, typed there, moves the focus to the search, and pays nothing (reliability abuse) @desk',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const day = await crowdedDay(testApp);
    await testApp.signIn(page, day.distributor, day.path);
    const search = page.getByRole('combobox', { name: 'Find a family' });
    const pay = page.getByRole('button', { name: /^Pay \$[\d.]+ in cash and hand over$/ });
    const type = async (text: string): Promise<void> => {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await expect(search).toBeFocused();
    for (const text of ['Abramov', '4.5', '5.5']) await type(text);
    await expect(pay).toBeFocused();
    const message = page.getByText('Nothing is recorded yet. Press Enter again.');
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const place = await pay.boundingBox();
      await pay.evaluate((button) => {
        button.blur();
        button.focus({ preventScroll: true });
        button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      });
      await expect(message).toBeVisible();
      expect([await pay.boundingBox(), await axeFaults(page)]).toEqual([place, []]);
      await expect(message).toBeHidden();
    }
    await look(page);
    await page.keyboard.type('becker');
    await look(page);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Nothing is recorded. What you typed was not in the search field').first()).toBeVisible();
    await expect(search).toBeFocused();
    await expect(search).toHaveValue('becker');
    for (const text of ['3.2', '3.3', '']) {
      await type(text);
      await look(page);
    }
    expect(await recorded(testApp, day)).toEqual(day.orders.map(() => ({ paid: [], pickedUp: false })));
  },
);

test('a scale fills the units that are not weighed yet, and stays connected for the next family (contract §14) @desk', async ({
  page,
  testApp,
}) => {
  const day = await crowdedDay(testApp);
  const scale = await simulatedScale(page);
  await testApp.signIn(page, day.distributor, day.path);
  for (const [turn, name] of ['Abramov', 'Becker'].entries()) {
    await page.getByRole('combobox', { name: 'Find a family' }).fill(name);
    await page.keyboard.press('Enter');
    if (turn === 0) await page.getByRole('button', { name: 'Connect scale' }).click();
    await expect(page.getByRole('button', { name: 'Disconnect scale' })).toBeVisible();
    await scale.place('0004.75');
    await expect(page.getByRole('spinbutton', { name: 'Brisket 1/2' })).toHaveValue('4.75');
    await scale.place('0005.25');
    await expect(page.getByRole('button', { name: 'Pay $108.00 in cash and hand over' })).toBeVisible();
    await look(page);
    await page.getByRole('button', { name: 'Pay $108.00 in cash and hand over' }).click();
    await expect.poll(async () => (await recorded(testApp, day))[turn]).toEqual({ paid: [10_800], pickedUp: true });
  }
  // A weight in kilograms is refused, because the application does not convert it to pounds.
  await page.getByRole('combobox', { name: 'Find a family' }).fill('Cohen');
  await page.keyboard.press('Enter');
  await scale.send('ST,+0002.00 kg');
  await expect(page.getByText('The scale weighs in kg, the product is sold by the lb.', { exact: false }).first()).toBeVisible();
});

test(
  'a weight of a second station appears within 3 seconds; a family with missing weights is handed over only after a confirmation; Undo reverses the payment (contract §14)',
  { tag: '@once' },
  async ({ page, testApp }) => {
    const day = await crowdedDay(testApp);
    const [first] = day.orders;
    await testApp.signIn(page, day.distributor, day.path);
    const search = page.getByRole('combobox', { name: 'Find a family' });
    await search.fill(`FD1:${first?.id}`);
    await search.press('Enter');
    const unit = page.getByRole('spinbutton', { name: 'Brisket 1/2' });
    // On a phone, the keyboard is open already, because the user has typed into the search.
    await expect(unit).toBeFocused();
    await expect(page.getByRole('heading', { name: 'Abramov, Rivka' })).toBeInViewport();
    const bar = page.locator('[data-family]');
    await expect(bar).toHaveText('Abramov, Rivka');
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    for (const shown of [page.getByRole('button', { name: 'Online' }), bar]) await expect(shown).toBeInViewport({ ratio: 1 });
    await weigh(testApp.db, first?.lines[0], [4.75], day.agent);
    await expect(unit).toHaveValue('4.75', { timeout: 3000 });

    await look(page);
    await page.getByRole('button', { name: 'Hand over' }).click();
    await expect(page.getByRole('alertdialog', { name: 'Hand over with 1 unit not weighed and $105.50 not paid?' })).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('spinbutton', { name: 'Brisket 2/2' }).fill('50');
    await page.keyboard.press('Enter');
    await expect(page.getByText('at least 10 times the estimate', { exact: false })).toBeVisible();
    await page.getByRole('spinbutton', { name: 'Brisket 2/2' }).fill('5.25');
    await page.keyboard.press('Enter');
    expect(await axeFaults(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await look(page);
    await page.getByRole('button', { name: 'Pay $108.00 in cash and hand over' }).click();
    await expect.poll(async () => (await recorded(testApp, day))[0]).toEqual({ paid: [10_800], pickedUp: true });
    // The order was closed by the hand-over. Undo opens it again.
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { name: 'Abramov, Rivka' })).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Pay $108.00 in cash and hand over' })).toBeInViewport({ ratio: 1 });
    await expect.poll(async () => (await recorded(testApp, day))[0]).toEqual({ paid: [10_800, -10_800], pickedUp: false });

    // The distribution now stops accepting weights. The device must then delete the data of the families.
    await testApp.db.updateTable('distributions').set({ acceptActuals: false }).where('id', '=', day.distribution.id).execute();
    await expect(page.getByText('This distribution is not accepting actual quantities.')).toBeVisible();
    expect(await textOnDevice(page)).not.toMatch(/Abramov|Rivka|Passover/);
  },
);

test(
  'on a small desktop screen, a fully weighed order opens at its top, its pay button is visible, and the product names fit into one line (contract §14) @desk',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const day = await crowdedDay(testApp);
    const [first] = day.orders;
    await testApp.db.updateTable('products').set({ name: 'Short ribs, English cut' }).where('name', '=', 'Brisket').execute();
    await weigh(testApp.db, first?.lines[0], [4.5, 5.5], day.agent);
    await page.setViewportSize({ width: 1024, height: 768 });
    await testApp.signIn(page, day.distributor, day.path);
    await page.getByRole('combobox', { name: 'Find a family' }).fill('Abramov');
    await page.keyboard.press('Enter');
    const pay = page.getByRole('button', { name: 'Pay $108.00 in cash and hand over' });
    await expect(pay).toBeFocused();
    for (const shown of [page.getByRole('heading', { name: 'Abramov, Rivka' }), pay]) await expect(shown).toBeInViewport({ ratio: 1 });
    const lines = await page
      .getByText('Short ribs, English cut', { exact: true })
      .first()
      .evaluate((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return range.getClientRects().length;
      });
    expect(lines).toBe(1);
  },
);

for (const [kind, firstName, product] of [
  ['a name with an invisible character', 'Rivka 9\u061c', 'Brisket'],
  ['names that are read from right to left', 'Rivka רבקה', 'חזה 2'],
] as const)
  test(
    `the figures beside ${kind} are displayed in their order at the counter (reliability abuse) @desk`,
    { tag: '@long' },
    async ({ page, context, testApp }) => {
      const day = await crowdedDay(testApp);
      // The name may have been stored before the server removed the invisible character.
      await testApp.db.updateTable('contacts').set({ firstName }).where('lastName', '=', 'Abramov').execute();
      await testApp.db.updateTable('products').set({ name: product }).where('name', '=', 'Brisket').execute();
      await testApp.signIn(page, day.agent, day.path.replace('distributor', 'agent'));
      await readyForOffline(page);
      const step = page.locator('output').filter({ hasText: /paid in cash|lb/ });
      await withoutNetwork(context, async () => {
        await expect(page.getByText('The counter goes on', { exact: false })).toBeVisible();
        await page.getByRole('combobox', { name: 'Find a family' }).fill('Abramov');
        await page.keyboard.press('Enter');
        await page.getByRole('spinbutton').first().fill('6');
        await page.keyboard.press('Enter');
        expect(await shownText(step)).toMatch(/ 1\/2: 6 lb$/);
        await page.getByRole('spinbutton').nth(1).fill('6');
        await page.keyboard.press('Enter');
        await look(page);
        await page.getByRole('button', { name: 'Pay $128.00 in cash and hand over' }).click();
        await expect(step).toContainText('handed over');
        expect(await shownText(step)).toMatch(/: \$128\.00 paid in cash, handed over$/);
        await weigh(testApp.db, day.orders[0]?.lines[0], [4.9], day.distributor);
      });
      await page.getByRole('button', { name: 'Look at them' }).click();
      const titles = page.getByRole('region', { name: 'Refused' }).getByRole('listitem').locator('p:first-child');
      await expect(titles).toHaveCount(2);
      expect(await shownText(titles.first())).toMatch(/^Abramov, Rivka .* · .* 1\/2: 6 lb$/);
      expect(await shownText(titles.nth(1))).toMatch(/^Abramov, Rivka .* · \$128\.00, Cash$/);
    },
  );

test(
  'on a phone, the hint that no till is open is in the bar with the pay button, and the bar covers no field and no button (contract §15)',
  { tag: '@phone' },
  async ({ page, testApp }) => {
    const day = await crowdedDay(testApp);
    await weigh(testApp.db, day.orders[0]?.lines[0], [4.5, 5.5], day.distributor);
    const { distributorId, id: distributionId } = day.distribution;
    await testApp.db
      .insertInto('tills')
      .values({ distributorId, distributionId, userId: day.agent.id, float: cents(0) })
      .execute();
    await testApp.signIn(page, day.distributor, day.path);
    await page.getByRole('combobox', { name: 'Find a family' }).fill('Abramov');
    await page.keyboard.press('Enter');
    const pay = page.getByRole('button', { name: 'Pay $108.00 in cash and hand over' });
    const hint = page.getByText('You have no open till: this payment will belong to none.');
    const bar = page.getByRole('region', { name: 'Balance' });
    for (const shown of [pay, hint, bar.getByRole('button', { name: 'Open my till' })]) await expect(shown).toBeInViewport({ ratio: 1 });
    await expect(hint).toHaveCount(1);
    const top = (await bar.boundingBox())?.y ?? 0;
    const bottomOf = async (shown: Locator): Promise<number> => {
      const box = await shown.boundingBox();
      return (box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0);
    };
    for (const label of ['Amount', 'Cash given']) {
      await page.evaluate(() => scrollTo(0, 0));
      await page.getByLabel(label).focus();
      await expect.poll(() => bottomOf(page.getByLabel(label))).toBeLessThan(top);
    }
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => bottomOf(page.getByRole('button', { name: 'Hand over without payment' }))).toBeLessThan(top);
    expect(await sidewaysScroll(page)).toBe(0);
  },
);
