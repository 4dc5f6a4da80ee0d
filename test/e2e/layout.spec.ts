// These tests check that aligned elements stay aligned and that nothing overflows its container, even with long names and on narrow
// screens.
import type { Locator } from '@playwright/test';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../data/factories.ts';
import { contactOf, LONG_TEXTS } from '../fixtures/long-contacts.ts';
import { makeOrder, pay, weigh } from '../data/order-rows.ts';
import { expect, test } from './fixtures.ts';

/** Returns the position of the baseline of the element's first line. */
const baselineOf = (text: Locator): Promise<number> =>
  text.evaluate((element) => {
    const mark = document.createElement('span');
    mark.style.display = 'inline-block';
    element.prepend(mark);
    const { bottom } = mark.getBoundingClientRect();
    mark.remove();
    return bottom;
  });

test('a long fee name without spaces wraps inside the order panel (spec §2)', { tag: ['@desk', '@long'] }, async ({ page, testApp }) => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  await makeProduct(testApp.db, distribution);
  await makeFee(testApp.db, distribution, { name: 'Supercalifragilisticexpialidociousness'.repeat(3) });
  await testApp.signIn(page, await makeCustomer(testApp.db, distributor));
  await page.goto(`${testApp.url}/customer/order/${distribution.id}`);
  const panel = page.getByRole('region', { name: 'Your order' });
  await expect(panel).toContainText('Supercali');
  expect(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test(
  "on a phone, a customer’s name is aligned with the balance, and staff edit an order with the same buttons as on the customer's order page (spec §2; contract §10)",
  { tag: ['@phone', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const distribution = await makeDistribution(testApp.db, distributor);
    const beef = await makeProduct(testApp.db, distribution, { name: 'Brisket', product_group: 'Beef' });
    await makeProduct(testApp.db, distribution, { name: 'Merlot', product_group: 'Wine' });
    const customer = await makeCustomer(testApp.db, distributor, { firstName: 'Rivka', lastName: 'Abramov' });
    await makeOrder(testApp.db, distribution, customer, [[beef, 1]]);
    await testApp.signIn(page, distributor);
    await page.goto(`${testApp.url}/distributor/distribution/${distribution.id}?tab=customers`);
    const [name, balance] = [page.getByText('Abramov, Rivka', { exact: true }), page.locator('dt', { hasText: 'Balance' })];
    await expect(name).toBeVisible();
    expect(Math.abs((await baselineOf(name)) - (await baselineOf(balance)))).toBeLessThan(0.6);

    await testApp.signIn(page, await makeAgent(testApp.db, distributor));
    await page.goto(`${testApp.url}/agent/edit-order/${distribution.id}/${customer.id}`);
    const brisket = page.getByRole('group', { name: 'Brisket', exact: true });
    await brisket.getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('spinbutton', { name: 'Quantity of Brisket' })).toHaveValue('2');
    await page.getByRole('group', { name: 'Categories' }).getByRole('button', { name: 'Wine' }).click();
    await expect(page.getByRole('group', { name: 'Merlot', exact: true })).toBeVisible();
    await expect(brisket).toHaveCount(0);
    await page.getByRole('button', { name: /^Ordered/ }).click();
    await expect(brisket).toBeVisible();
    await page.getByRole('button', { name: 'Update Order' }).click();
    await page.waitForURL(`**/agent/distribution/${distribution.id}`);
    const lines = await testApp.db.selectFrom('order_products').select('quantity').where('productId', '=', beef.id).execute();
    expect(lines).toEqual([{ quantity: 2 }]);
  },
);

test(
  "at a desk, the actions of a customer's row are visible when orders have pick-up times and notes (contract §16)",
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
    const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
    const customer = await makeCustomer(testApp.db, distributor, { firstName: 'Rivka', lastName: 'Abramov' });
    const { id } = await makeOrder(testApp.db, distribution, customer, [[brisket, 1]]);
    const slot = {
      distributorId: distributor.id,
      distributionId: distribution.id,
      label: 'Sunday afternoon',
      startsAt: '2027-04-11T18:00:00Z',
    };
    const { id: slotId } = await testApp.db
      .insertInto('slots')
      .values({ ...slot, capacity: 40 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await testApp.db.updateTable('orders').set({ slotId, note: 'Ring twice, please.' }).where('id', '=', id).execute();
    await testApp.signIn(page, distributor);
    await page.goto(`${testApp.url}/distributor/distribution/${distribution.id}?tab=customers`);
    await expect(page.getByText('Ring twice, please.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Record payment of Abramov, Rivka' })).toBeInViewport({ ratio: 1 });
  },
);

test(
  'customers with very long names do not push the columns and buttons of other customers off the screen (reliability abuse)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { db } = testApp;
    const distributor = await makeDistributor(db);
    const distribution = await makeDistribution(db, distributor, { acceptActuals: true });
    const brisket = await makeProduct(db, distribution, { unit_qty_is_estimate: true });
    for (const text of [...LONG_TEXTS, 'Rivka']) {
      const customer = await makeCustomer(db, distributor, contactOf(text));
      const order = await makeOrder(db, distribution, customer, [[brisket, 1]]);
      for (const line of order.lines) await weigh(db, line, [2], distributor);
      await pay(db, distribution, { orderId: order.id, amount: 100, by: distributor });
    }
    await testApp.signIn(page, distributor);
    const home = `/distributor/distribution/${distribution.id}`;
    for (const path of [
      `${home}?tab=customers`,
      `${home}?tab=payments`,
      '/distributor?tab=customers',
      `${home}?tab=actuals`,
      `${home}/report?tab=packing&packing=product`,
    ]) {
      await page.goto(testApp.url + path);
      const row = page.getByRole('row').filter({ hasText: 'Rivka' });
      await expect(row).toBeVisible();
      expect(await row.evaluate((element) => element.getBoundingClientRect().right), path).toBeLessThanOrEqual(1280);
    }
    const order = await db.selectFrom('orders').select('customerId').orderBy('id').executeTakeFirstOrThrow();
    await page.goto(`${testApp.url}/distributor/edit-order/${distribution.id}/${order.customerId}`);
    await expect(page.getByRole('button', { name: 'Update Order' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
  },
);
