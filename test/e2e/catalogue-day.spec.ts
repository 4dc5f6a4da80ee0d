// These tests change a product that customers have ordered: its picture, its price, and its removal from all orders (spec §2, contract §4).
import sharp from 'sharp';
import { cents } from '../../src/domain/money.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder, pay } from '../data/order-rows.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

async function makeDay(testApp: E2eApp) {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const brisket = await makeProduct(testApp.db, distribution, {
    name: 'Brisket',
    product_code: 4711,
    unit_price: cents(1699),
    unit_qty: 5,
  });
  const wine = await makeProduct(testApp.db, distribution, { name: 'Wine', product_group: 'Beef' });
  const customer = await makeCustomer(testApp.db, distributor);
  const order = await makeOrder(testApp.db, distribution, customer, [[brisket, 2]]);
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 1]]);
  await pay(testApp.db, distribution, { orderId: order.id, amount: 1000, by: distributor });
  return { distributor, distribution, customer, wine };
}

test(
  "a picture is saved with its product, and customers see it under the product's name (contract §4)",
  { tag: '@phone' },
  async ({ page, testApp }) => {
    const { distributor, distribution, customer } = await makeDay(testApp);
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=products`);
    await page.getByRole('button', { name: 'Edit Brisket' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('PNG, JPEG or WebP, up to 2 MB. Shown wherever product code 4711 is sold.')).toBeVisible();
    await dialog.getByLabel('Product code').fill('');
    await expect(dialog.getByText('A picture goes with a product code. Type a code first.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Choose a picture' })).toBeDisabled();
    await dialog.getByLabel('Product code').fill('4711');

    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });
    const choose = dialog.getByLabel('Picture file');
    await choose.setInputFiles(file('huge.jpg', Buffer.alloc(2 * 1024 * 1024 + 1)));
    await expect(dialog.getByText('This file is larger than 2 MB. Make the picture smaller and choose it again.')).toBeVisible();
    await choose.setInputFiles({ name: 'list.png', mimeType: 'image/png', buffer: Buffer.from('Brisket, first cut') });
    await expect(dialog.getByText('This file is not a picture that can be read. Choose a PNG, JPEG or WebP file.')).toBeVisible();
    const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#a33' } })
      .jpeg()
      .toBuffer();
    await choose.setInputFiles(file('brisket.jpg', photo));
    await expect(dialog.getByRole('img', { name: 'The chosen picture' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Save Product' }).click();
    await expect(page.getByText('Product updated successfully').first()).toBeVisible();

    await page.getByRole('button', { name: 'Edit Brisket' }).click();
    await expect(dialog.getByRole('img', { name: 'The present picture' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(dialog.getByRole('img')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.context().clearCookies();
    await testApp.signIn(page, customer, `/customer/order/${distribution.id}`);
    await page.getByRole('button', { name: 'Brisket', exact: true }).click();
    const picture = page.getByRole('img', { name: 'Picture of Brisket' });
    await expect(picture).toBeVisible();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([640, 427]);
    await page.keyboard.press('Escape');
    await expect(picture).toBeHidden();
  },
);

test(
  'a confirmation appears before a price or fee change re-prices orders, and before a product is cleared from all orders; the dialog "Price changes" lists the new price and the new fee (spec §2, §8)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, distribution, wine } = await makeDay(testApp);
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=products`);
    await page.getByRole('button', { name: 'Edit Brisket' }).click();
    await page.getByLabel('Unit price').fill('17.99');
    await page.getByRole('button', { name: 'Save Product' }).click();
    const asking = page.getByRole('alertdialog');
    await expect(asking.getByText('Unit price $16.99 → $17.99')).toBeVisible();
    await expect(asking.getByText('This re-prices 2 orders, 1 of them with a payment.')).toBeVisible();
    // The dialog shows what the brisket in the order costs before and after the change: 3 × 5 lb × $16.99, and 3 × 5 lb × $17.99.
    await expect(asking.getByRole('definition')).toHaveText(['Abramov, Rivka; Abramov, Rivka', 'Abramov, Rivka', '$254.85 → $269.85']);
    await asking.getByRole('button', { name: 'Change the price' }).click();
    await expect(page.getByText('Product updated successfully').first()).toBeVisible();

    await page.getByRole('tab', { name: 'Fees' }).click();
    await page.getByLabel('Name').fill('Delivery');
    await page.getByLabel('Amount').fill('5');
    await page.getByRole('button', { name: 'Add Fee' }).click();
    await expect(asking.getByText('This re-prices 2 orders, 1 of them with a payment.')).toBeVisible();
    await asking.getByRole('button', { name: 'Add Fee' }).click();
    await expect(page.getByText('Fee added successfully').first()).toBeVisible();
    await page.getByRole('button', { name: 'Price changes' }).click();
    const list = page.getByRole('dialog', { name: 'Price changes' });
    await expect(list.getByText('Fee added: $5.00')).toBeVisible();
    await expect(list.getByText('Unit price $16.99 → $17.99')).toBeVisible();
    await expect(list.getByText(distributor.email)).toHaveCount(2);
    await list.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('tab', { name: 'Products' }).click();
    await page.getByRole('button', { name: `Clear quantities of ${wine.name}` }).click();
    await expect(page.getByText('No orders', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('This product has no ordered units.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Clear quantities of Brisket' }).click();
    await expect(
      asking.getByText('Every ordered quantity of Brisket becomes 0: 3 units in 2 orders, 1 of them with a payment.'),
    ).toBeVisible();
    await expect(asking.getByText('This cannot be undone.')).toBeVisible();
    await asking.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Clear quantities of Brisket' }).click();
    await asking.getByRole('button', { name: 'Clear quantities' }).click();
    await expect(page.getByText('Cleared 3 units of Brisket from 2 orders.').first()).toBeVisible();
    const lines = await testApp.db.selectFrom('order_products').select(['quantity', 'originalQuantity']).orderBy('id').execute();
    expect(lines).toEqual([
      { quantity: 0, originalQuantity: 2 },
      { quantity: 0, originalQuantity: 1 },
    ]);
  },
);
