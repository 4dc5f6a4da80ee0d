// Fewer units of a product were delivered than the customers have ordered. The test checks the preview of the new quantities, and the
// orders after the change.
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder, pay, weigh } from '../data/order-rows.ts';
import { expect, test } from './fixtures.ts';

test.use({ allowedComplaint: /status of 409/ });

test('a distributor previews a short delivery, then applies it: orders are lowered and mails are queued (contract §16)', async ({
  page,
  testApp,
}) => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor, { orderingOpen: false });
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket' });
  for (const [lastName, quantity] of [
    ['Abramov', 4],
    ['Levy', 2],
  ] as const)
    await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor, { lastName }), [[brisket, quantity]]);

  await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=products`);
  await page.getByRole('button', { name: 'More actions for Brisket' }).click();
  await page.getByRole('menuitem', { name: 'Short delivery' }).click();
  const dialog = page.getByRole('dialog', { name: 'Short delivery of Brisket' });
  await dialog.getByLabel('Units that came').fill('6');
  await dialog.getByRole('button', { name: 'Show who gets how many' }).click();
  await expect(dialog.getByText('Enter a whole number below 6.')).toBeVisible();
  await dialog.getByLabel('Units that came').fill('4');
  await dialog.getByLabel('Units that came').press('Enter');
  const shares = dialog.getByRole('list', { name: 'Who gets how many' }).getByRole('listitem');
  await expect(shares).toHaveText(['Abramov, Rivka4 → 3', 'Levy, Rivka2 → 1']);
  await dialog.getByRole('button', { name: 'First come, first served' }).click();
  await expect(shares).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Show who gets how many' }).click();
  await expect(shares).toHaveText(['Levy, Rivka2 → 0', 'Abramov, Rivka4']);
  await dialog.getByRole('button', { name: 'Lower 1 order' }).click();
  await expect(page.getByText('1 order lowered', { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
  const lines = await testApp.db.selectFrom('order_products').select(['quantity', 'originalQuantity']).orderBy('id').execute();
  expect(lines).toEqual([
    { quantity: 4, originalQuantity: 4 },
    { quantity: 0, originalQuantity: 2 },
  ]);
  expect(await testApp.db.selectFrom('emails').select('kind').execute()).toEqual([{ kind: 'short-delivery' }]);
});

test(
  'before a short delivery takes units from families who have paid, been weighed or gone home, the preview says how many they are (contract §16)',
  { tag: '@long' },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const distribution = await makeDistribution(testApp.db, distributor, { orderingOpen: false });
    const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_qty_is_estimate: true });
    const orderOf = async (lastName: string) =>
      await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor, { lastName }), [[brisket, 2]]);
    const [, levy, cohen] = [await orderOf('Abramov'), await orderOf('Levy'), await orderOf('Cohen')];
    for (const { id: orderId, lines } of [levy, cohen]) {
      await weigh(testApp.db, lines[0], [5.5, 6], distributor);
      await pay(testApp.db, distribution, { orderId, amount: 20_000, by: distributor });
    }
    const pickUp = ({ id }: { id: number }) => {
      const pickedUp = { pickedUpAt: new Date().toISOString(), pickedUpBy: distributor.id };
      return testApp.db.updateTable('orders').set(pickedUp).where('id', '=', id).execute();
    };
    await pickUp(cohen);

    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=products`);
    await page.getByRole('button', { name: 'More actions for Brisket' }).click();
    await page.getByRole('menuitem', { name: 'Short delivery' }).click();
    const dialog = page.getByRole('dialog', { name: 'Short delivery of Brisket' });
    await dialog.getByLabel('Units that came').fill('1');
    await dialog.getByLabel('Units that came').press('Enter');
    await expect(dialog.getByRole('status')).toHaveText(
      'This lowers 3 orders, 2 of them with payments, 2 of them with recorded weights of this product, 1 of them picked up.' +
        'Recorded weights of units that fall away are dropped. This cannot be undone.',
    );
    const shares = dialog.getByRole('list', { name: 'Who gets how many' });
    await expect(shares.getByRole('listitem').filter({ hasText: 'Cohen' })).toContainText('with a payment, picked up');
    await expect(shares.getByRole('listitem').filter({ hasText: 'Abramov' })).not.toContainText(/payment|picked up/);

    // Meanwhile another station hands an order over.
    await pickUp(levy);
    await dialog.getByRole('button', { name: 'Lower 3 orders' }).click();
    await expect(page.locator('.toast')).toContainText('409: Orders of this product were changed meanwhile. Look at the preview again.');
    await dialog.getByRole('button', { name: 'Show who gets how many' }).click();
    await expect(dialog.getByRole('status')).toContainText('2 of them picked up');
    await dialog.getByRole('button', { name: 'Lower 3 orders' }).click();
    await expect(page.getByText('3 orders lowered', { exact: true })).toBeVisible();
  },
);
