// At the pick-up counter, nothing moves under the pointer when the connection changes or an entry is refused. If something else moves a button
// there, a click at this moment presses nothing.
import type { Page } from '@playwright/test';
import { cents } from '../../src/domain/money.ts';
import { pay, weigh } from '../data/order-rows.ts';
import { crowdedDay, readyForOffline, recorded, look } from './counter/counter-day.ts';
import { expect, test } from './fixtures.ts';

test.use({ allowedComplaint: /ERR_INTERNET_DISCONNECTED|status of 502|status of 409/ });

/** Returns where the buttons and the found families are in the window. */
const places = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main button:not([hidden]), [role="option"]')]
      .filter((element) => element.getClientRects().length > 0 && element.closest('.group') === null)
      .map((element) => {
        const { left, top } = element.getBoundingClientRect();
        return `${element.textContent} ${Math.round(left)} ${Math.round(top)}`;
      }),
  );

const notice = (page: Page, text: string) => page.getByText(`${text} The counter goes on`, { exact: false });

test(
  'neither the found families nor the buttons of the payment move when the network is lost, or when the server fails (reliability abuse)',
  { tag: '@long' },
  async ({ page, context, testApp }, info) => {
    const day = await crowdedDay(testApp);
    await weigh(testApp.db, day.orders[0]?.lines[0], [4.5, 5.5], day.agent);
    await testApp.signIn(page, day.distributor, day.path);
    await readyForOffline(page);
    const search = page.getByRole('combobox', { name: 'Find a family' });
    for (const shown of ['search', 'family']) {
      await search.fill('Abramov');
      if (shown === 'family') await page.keyboard.press('Enter');
      await expect(shown === 'family' ? page.getByRole('button', { name: 'Pay only' }) : page.getByRole('option')).toBeVisible();
      const before = await places(page);
      await context.setOffline(true);
      await expect(notice(page, 'No network.')).toBeVisible();
      expect(await places(page)).toEqual(before);
      await page.screenshot({ path: info.outputPath(`${shown}-offline.png`) });
      await context.setOffline(false);
      await expect(notice(page, 'No network.')).toHaveCount(0);
      await context.route('**/api/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
      await expect(notice(page, 'The server has a problem.')).toBeVisible();
      expect(await places(page)).toEqual(before);
      await page.screenshot({ path: info.outputPath(`${shown}-502.png`) });
      await context.unroute('**/api/**');
      await expect(notice(page, 'The server has a problem.')).toHaveCount(0);
      expect(await places(page)).toEqual(before);
    }
  },
);

for (const shown of ['search', 'family'])
  test(
    `nothing moves when an entry is refused while staff look at the ${shown} (reliability abuse)`,
    { tag: '@long' },
    async ({ page, testApp }, info) => {
      await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 1024 });
      const day = await crowdedDay(testApp);
      for (const order of day.orders) await weigh(testApp.db, order.lines[0], [4.5, 5.5], day.agent);
      await testApp.signIn(page, day.distributor, day.path);
      const search = page.getByRole('combobox', { name: 'Find a family' });
      await search.fill('Abramov');
      await search.press('Enter');
      let send = (): void => undefined;
      const isSent = new Promise<void>((resolve) => (send = resolve));
      await page.route('**/payments', async (route) => {
        await isSent;
        await route.fulfill({ status: 409, headers: { 'x-request-id': 'id-1' }, body: 'The payment is above the balance: $0.00.' });
      });
      await look(page);
      await page.getByRole('button', { name: 'Pay $108.00 in cash and hand over' }).click();
      await search.fill('Becker');
      if (shown === 'family') await page.keyboard.press('Enter');
      await expect(shown === 'family' ? page.getByRole('button', { name: 'Pay only' }) : page.getByRole('option')).toBeVisible();
      const before = await places(page);
      send();
      await expect(page.getByRole('alert')).toContainText('1 entry was refused');
      expect(await places(page)).toEqual(before);
      await page.screenshot({ path: info.outputPath('refused.png') });
      await look(page);
      await page.getByRole('button', { name: 'Look at it' }).click();
      await expect(page.getByRole('dialog')).toContainText('The payment is above the balance: $0.00.');
    },
  );

test(
  'the found families do not move when a step is sent, when another station hands one of them over, and when the time to undo is over (reliability abuse)',
  { tag: '@long' },
  async ({ page, testApp }, info) => {
    const day = await crowdedDay(testApp);
    await weigh(testApp.db, day.orders[0]?.lines[0], [4.5, 5.5], day.agent);
    await page.clock.install();
    await testApp.signIn(page, day.distributor, day.path);
    const search = page.getByRole('combobox', { name: 'Find a family' });
    await search.fill('Abramov');
    await search.press('Enter');
    let send = (): void => undefined;
    const isSent = new Promise<void>((resolve) => (send = resolve));
    await page.route('**/payments', async (route) => {
      await isSent;
      await route.continue();
    });
    await look(page);
    await page.getByRole('button', { name: 'Pay $108.00 in cash and hand over' }).click();
    await search.fill('e');
    await expect(page.getByRole('button', { name: 'Online 2 waiting' })).toBeVisible();
    const optionsNow = async () =>
      (await places(page)).filter((place) => place.includes('Order')).map((place) => place.replace('Picked up', ''));
    const before = await optionsNow();
    expect(before).toHaveLength(3);
    send();
    await expect(page.getByRole('button', { name: 'Online', exact: true })).toBeVisible();
    expect(await optionsNow()).toEqual(before);
    await testApp.db
      .updateTable('orders')
      .set({ pickedUpAt: new Date().toISOString(), pickedUpBy: day.agent.id })
      .where('id', '=', day.orders[1]?.id ?? 0)
      .execute();
    await expect(async () => {
      await page.clock.fastForward(5000);
      await expect(page.getByText('Picked up')).toHaveCount(2, { timeout: 500 });
    }).toPass();
    expect(await optionsNow()).toEqual(before);
    await page.screenshot({ path: info.outputPath('undo.png') });
    await page.clock.fastForward(31_000);
    await expect(page.getByRole('button', { name: /^Undo/ })).toBeHidden();
    expect(await optionsNow()).toEqual(before);
    await page.screenshot({ path: info.outputPath('undo-is-over.png') });
  },
);

/**
 * Waits until a control moves, and then clicks where its lower edge was. Returns the label of what is there now. The mouse of Playwright could be
 * too slow on a busy machine.
 */
const clickWhenMoved = (page: Page, name: string): Promise<string> =>
  page.evaluate(async (label) => {
    const find = (): HTMLElement | undefined =>
      [...document.querySelectorAll<HTMLElement>('button, input')].find((control) => (control.ariaLabel ?? control.textContent) === label);
    const topOf = (): number => find()?.getBoundingClientRect().top ?? 0;
    find()?.scrollIntoView({ block: 'end' });
    const before = find()?.getBoundingClientRect() ?? new DOMRect();
    while (Math.abs(topOf() - before.top) < 1) await new Promise(requestAnimationFrame);
    const clientX = before.left + 20;
    const clientY = before.bottom - 4;
    const target = document.elementFromPoint(clientX, clientY);
    const init = { bubbles: true, cancelable: true, clientX, clientY, detail: 1 };
    for (const event of [new PointerEvent('pointerdown', init), new MouseEvent('mousedown', init), new PointerEvent('click', init)])
      target?.dispatchEvent(event);
    return target?.textContent ?? '';
  }, name);

test(
  'a click where "Hand over without payment" was until another station recorded a payment records nothing; a later click does (reliability abuse) @desk',
  { tag: '@long' },
  async ({ page, testApp }) => {
    await page.setViewportSize({ width: 1280, height: 1024 });
    const day = await crowdedDay(testApp);
    for (const order of day.orders) await weigh(testApp.db, order.lines[0], [4.5, 5.5], day.agent);
    await testApp.signIn(page, day.distributor, day.path);
    await page.getByRole('combobox', { name: 'Find a family' }).fill('Becker');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Pay only' })).toBeVisible();
    const clicked = clickWhenMoved(page, 'Hand over without payment');
    await pay(testApp.db, day.distribution, { orderId: day.orders[1]?.id ?? 0, amount: cents(5000), by: day.agent });
    expect(await clicked).toMatch(/^Pay .* and hand over$/);
    await expect(page.getByText('This click was ignored', { exact: true })).toBeVisible();
    expect((await recorded(testApp, day))[1]).toEqual({ paid: [5000], pickedUp: false });
    await look(page);
    await page.getByRole('button', { name: 'Pay $58.00 in cash and hand over' }).click();
    await expect.poll(async () => (await recorded(testApp, day))[1]).toEqual({ paid: [5000, 5800], pickedUp: true });
  },
);
