// A distributor starts a rehearsal, an agent serves a family at its counter, and one click deletes the rehearsal.
import { sql } from 'kysely';
import { makeDayToRehearse } from '../data/rehearsal/day-to-rehearse.ts';
import { axeFaults, sidewaysScroll } from './accessible.ts';
import { look } from './counter/counter-day.ts';
import { expect, test } from './fixtures.ts';
import type { TestDb } from '../database/test-db.ts';

/** Returns the first order of which no unit is weighed yet, with the number of its units that must be weighed. */
async function waitingFamily(db: TestDb, distributionId: number): Promise<{ orderId: number; units: number }> {
  const text = sql<{ orderId: number; units: number }>`SELECT l."orderId", sum(l.quantity)::int AS units
    FROM order_products l JOIN products p ON p.id = l."productId"
    WHERE l."distributionId" = ${distributionId} AND p.unit_qty_is_estimate GROUP BY 1
    HAVING NOT bool_or(EXISTS (SELECT FROM actual_quantities w WHERE w."orderProductId" = l.id)) ORDER BY 1 LIMIT 1`;
  const [family] = (await text.execute(db)).rows;
  if (!family) throw new Error('no family waits');
  return family;
}

test(
  'a distributor starts a rehearsal, an agent serves a family in it, and one click deletes it (contract §14) @once',
  { tag: '@long' },
  async ({ page, browser, testApp }) => {
    const { distributor, agent, original } = await makeDayToRehearse(testApp.db);
    await testApp.signIn(page, distributor, `/distributor/distribution/${original.id}`);
    await page.getByRole('button', { name: 'Start rehearsal' }).click();
    await expect(page.getByRole('heading', { name: 'Rehearsal: Passover', level: 1 })).toBeVisible();
    const banner = page.getByRole('complementary', { name: 'Rehearsal' });
    await expect(banner).toContainText('The families are invented, no e-mail is sent');
    await expect(page.getByRole('tab')).toHaveText([/Info/, 'Customers', 'Report', 'Payments', 'Actuals']);
    await expect(page.getByRole('button', { name: /Send Email|Copy/ })).toHaveCount(0);
    expect([await axeFaults(page), await sidewaysScroll(page)]).toEqual([[], 0]);
    const rehearsal = page.url();

    const context = await browser.newContext();
    const hall = await context.newPage();
    await testApp.signIn(hall, agent);
    const row = hall.getByRole('listitem').filter({ hasText: 'Rehearsal: Passover' });
    await expect(row).toContainText('Rehearsal');
    await row.getByRole('link').click();
    await hall.getByRole('link', { name: 'Counter' }).click();
    await expect(hall.getByRole('complementary', { name: 'Rehearsal' })).toBeVisible();
    await expect(hall.getByText('8 of 40 picked up')).toBeVisible();
    const { orderId, units } = await waitingFamily(testApp.db, Number(rehearsal.split('/').at(-1)));
    await hall.getByRole('combobox', { name: 'Find a family' }).fill(`FD1:${orderId}`);
    await hall.keyboard.press('Enter');
    await hall.getByRole('heading', { name: 'Money' }).waitFor();
    for (let unit = 0; unit < units; unit++) {
      await hall.keyboard.type('5');
      await hall.keyboard.press('Enter');
    }
    const pay = hall.getByRole('button', { name: /^Pay \$[\d.]+ in cash and hand over$/ });
    await expect(pay).toBeFocused();
    await look(hall);
    await pay.click();
    await expect(hall.getByText('9 of 40 picked up')).toBeVisible();
    await context.close();

    await banner.getByRole('button', { name: 'Delete rehearsal' }).click();
    await page.waitForURL(/\/distributor$/);
    await expect(page.getByRole('listitem').filter({ hasText: 'Passover' })).toHaveCount(1);
    await expect(page.getByText('Rehearsal: Passover')).toHaveCount(0);
  },
);
