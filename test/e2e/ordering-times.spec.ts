// The distributor sets when ordering closes and when families pick up their orders. A family sees both times, and ordering closes while its
// order page is open.
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { expect, test } from './fixtures.ts';

const HOUR = 3_600_000;

test(
  'a distributor types times in the organization’s time zone; a customer chooses a pick-up time and orders until the closing time (contract §11, §16)',
  { tag: ['@once', '@long'] },
  async ({ page, testApp }) => {
    const distributor = await makeDistributor(testApp.db);
    const customer = await makeCustomer(testApp.db, distributor);
    const distribution = await makeDistribution(testApp.db, distributor, { name: 'Passover 2030', date: '2030-04-18' });
    await makeProduct(testApp.db, distribution, { name: 'Brisket' });

    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}`);
    await page.getByRole('button', { name: 'Set times' }).click();
    const times = page.getByRole('dialog', { name: 'When customers order' });
    await times.getByLabel('Time zone').selectOption('America/New_York');
    await times.getByLabel('Ordering closes').fill('2030-03-10T02:30');
    await times.getByRole('button', { name: 'Save' }).click();
    await expect(times.getByText('This time does not exist: the clocks go forward over it.')).toBeVisible();
    await times.getByLabel('Ordering closes').fill('2029-11-04T01:30');
    await times.getByRole('button', { name: 'The second' }).click();
    await times.getByLabel('Ordering closes').fill('2030-04-04T20:00');
    await expect(times.getByRole('button', { name: 'The second' })).toBeHidden();
    await times.getByLabel('Reminder, hours before closing').fill('24');
    await times.getByRole('button', { name: 'Save' }).click();
    await expect(times).toBeHidden();
    await expect(page.getByText('Closes Thu, Apr 4, 8:00 PM')).toBeVisible();
    await expect(page.getByText('24 hours before closing')).toBeVisible();

    await page.getByRole('button', { name: 'Add pick-up time' }).click();
    const adding = page.getByRole('dialog', { name: 'Add pick-up time' });
    await adding.getByLabel('Label').fill('Sunday morning');
    await adding.getByLabel('Start').fill('2030-04-14T09:00');
    await adding.getByLabel('Capacity').fill('1');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Pick-up times' }).getByText('Sun, Apr 14, 9:00 AM · 0 of 1 taken')).toBeVisible();
    expect(await testApp.db.selectFrom('distributions').select(['closesAt', 'remindHours']).executeTakeFirstOrThrow()).toEqual({
      closesAt: '2030-04-05T00:00:00.000Z',
      remindHours: 24,
    });

    await testApp.signIn(page, customer);
    await expect(page.getByText('Order until Thu, Apr 4, 8:00 PM')).toBeVisible();
    await page.getByRole('link', { name: 'Order Now' }).click();
    await expect(page.getByText('Order until Thu, Apr 4, 8:00 PM')).toBeVisible();
    await page.getByRole('spinbutton', { name: 'Quantity of Brisket' }).fill('2');
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.getByLabel('Note').fill('No bones, please');
    await page.getByRole('button', { name: 'Place Order' }).click();
    await expect(page.getByRole('radio', { name: /Sunday morning/ })).toBeFocused();
    await page.getByRole('radio', { name: /Sunday morning/ }).check();
    await page.getByRole('button', { name: 'Place Order' }).click();
    await expect(page.getByText('Order placed successfully').first()).toBeVisible();
    const [order] = await testApp.db.selectFrom('orders').select(['note', 'slotId']).execute();
    expect(order).toEqual({ note: 'No bones, please', slotId: expect.any(Number) });

    // Ordering closes while the family's order page is open. The clock of the page is set forward to the closing time.
    await page.clock.install();
    const closeIn = (milliseconds: number) =>
      testApp.db
        .updateTable('distributions')
        .set({ closesAt: new Date(Date.now() + milliseconds).toISOString() })
        .execute();
    await closeIn(HOUR);
    await page.goto(`${testApp.url}/customer/order/${distribution.id}`);
    await expect(page.getByRole('spinbutton', { name: 'Quantity of Brisket' })).toHaveValue('2');
    await closeIn(0);
    await page.clock.fastForward(HOUR + 2000);
    await expect(page.getByText('This distribution no longer takes orders')).toBeVisible();
  },
);
