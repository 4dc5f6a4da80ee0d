// A product has a limited number of units. The tests cover the number of units left on the order page, the waiting list, and the units held
// for a waiting customer (contract §12).
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder } from '../data/order-rows.ts';
import { expect, test } from './fixtures.ts';

test(
  'a customer joins the waiting list of a sold-out product, and orders the units that are held for the customer (contract §12)',
  { tag: '@once' },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const distribution = await makeDistribution(testApp.db, distributor, { name: 'Passover 2030', date: '2030-04-18' });
    const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', total_limit: 3 });
    const customer = await makeCustomer(testApp.db, distributor);
    await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 3]]);

    await testApp.signIn(page, customer, `/customer/order/${distribution.id}`);
    await expect(page.getByText('None left', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^More / })).toBeDisabled();
    await page.getByRole('button', { name: 'Join the waiting list for Brisket' }).click();
    const joining = page.getByRole('dialog', { name: 'Join the waiting list for Brisket' });
    await joining.getByRole('spinbutton').fill('2');
    await joining.getByRole('button', { name: 'Join the waiting list' }).click();
    await expect(joining).toBeHidden();
    await expect(page.getByText('You are waiting for 2.')).toBeVisible();

    // The distributor sees the waiting list, and raises the limit of the product.
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=products`);
    await expect(page.getByRole('heading', { name: 'Waiting list' })).toBeVisible();
    await page.getByRole('button', { name: 'Edit Brisket' }).click();
    await page.getByRole('dialog').getByLabel('Limit').fill('5');
    await page.getByRole('dialog').getByRole('button', { name: 'Save Product' }).click();
    await expect(page.getByText('Product updated successfully').first()).toBeVisible();
    await expect(page.getByText(/^2 until /).filter({ visible: true })).toBeVisible();

    await testApp.signIn(page, customer, `/customer/order/${distribution.id}`);
    await expect(page.getByText(/^2 held for you until /)).toBeVisible();
    await page.getByRole('spinbutton', { name: 'Quantity of Brisket' }).fill('3');
    await expect(page.getByRole('spinbutton', { name: 'Quantity of Brisket' })).toHaveValue('2');
    await page.getByRole('button', { name: 'Place Order' }).click();
    await expect(page.getByText('Order placed successfully').first()).toBeVisible();
    expect(await testApp.db.selectFrom('waiting_list').selectAll().execute()).toEqual([]);

    // The customer joins the waiting list again, and leaves it.
    await page.goto(`${testApp.url}/customer/order/${distribution.id}`);
    await page.getByRole('button', { name: 'Join the waiting list for Brisket' }).click();
    await joining.getByRole('button', { name: 'Join the waiting list' }).click();
    await page.getByRole('button', { name: 'Leave the waiting list for Brisket' }).click();
    await expect(page.getByRole('button', { name: 'Join the waiting list for Brisket' })).toBeVisible();
    expect(await testApp.db.selectFrom('waiting_list').selectAll().execute()).toEqual([]);
  },
);
