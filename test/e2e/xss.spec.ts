// Data never runs: 150 payloads in every text that a person can write, on every screen and in every mail that shows it.
import type { Page } from '@playwright/test';
import { cleanHtml } from '../../src/server/mail-html.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../factories.ts';
import { XSS_PAYLOADS } from '../fixtures/xss-payloads.ts';
import { makeOrder } from '../order-rows.ts';
import { dialog } from './people.ts';
import { expect, test, type BrowserWorld } from './world.ts';

const MAX_NAME = 200;
const payload = (index: number): string => (XSS_PAYLOADS[index % XSS_PAYLOADS.length] ?? '').slice(0, MAX_NAME);

/** Counts what runs, what asks, and what the policy reports. */
async function watched(page: Page): Promise<() => Promise<number[]>> {
  let asked = 0;
  page.on('dialog', (shown) => {
    asked += 1;
    void shown.dismiss();
  });
  const counts = { run: 0, reported: 0 };
  await page.exposeFunction('countRun', () => void (counts.run += 1));
  await page.exposeFunction('countReport', () => void (counts.reported += 1));
  await page.addInitScript(() => {
    const outside = globalThis as unknown as { xss: () => void; countRun: () => void; countReport: () => void };
    outside.xss = () => outside.countRun();
    addEventListener('securitypolicyviolation', () => outside.countReport());
  });
  return async () => {
    await page.waitForTimeout(150);
    return [counts.run, asked, counts.reported];
  };
}

async function hostileWorld(world: BrowserWorld) {
  const { db } = world;
  const distributor = await makeDistributor(db);
  const agent = await makeAgent(db, distributor);
  const organization = { name: payload(0), address: payload(1), city: payload(2), state: payload(3), zip: payload(4), phone: payload(5) };
  await db
    .insertInto('organizations')
    .values({ distributorId: distributor.id, ...organization })
    .execute();
  const distribution = await makeDistribution(db, distributor, { name: payload(6) });
  await makeFee(db, distribution, { name: payload(7) });
  const products = [];
  for (let index = 0; index < XSS_PAYLOADS.length; index++) {
    const values = { name: payload(index), description: payload(index + 1), uom: payload(index + 2), product_group: payload(index % 3) };
    products.push(await makeProduct(db, distribution, { ...values, unit_qty_is_estimate: index % 2 === 0, product_code: 5000 + index }));
  }
  const customers = [];
  for (let index = 0; index < 50; index++) {
    const contact = { firstName: payload(index * 3), lastName: payload(index * 3 + 1), address: payload(index * 3 + 2) };
    customers.push(await makeCustomer(db, distributor, contact));
  }
  for (const [index, customer] of customers.entries()) {
    await makeOrder(
      db,
      distribution,
      customer,
      products.slice(index * 3, index * 3 + 3).map((product) => [product, 1] as const),
    );
  }
  await db
    .insertInto('emails')
    .values(XSS_PAYLOADS.map((subject, index) => ({ ...sentMail, subject, response: payload(index), distributorId: distributor.id })))
    .execute();
  return { distributor, agent, distribution, customer: customers[0] ?? distributor };
}
const sentMail = { from: '', to: 'x@test.example', html: '', kind: 'bulk' as const, status: 'failed' as const };

test('nothing that a person wrote runs on any screen', { tag: '@desk' }, async ({ page, world }) => {
  test.setTimeout(120_000);
  const counted = await watched(page);
  const { distributor, agent, distribution, customer } = await hostileWorld(world);
  const detail = `/distributor/distribution/${distribution.id}`;
  const shown: [typeof distributor, string[]][] = [
    [
      distributor,
      [
        '/distributor',
        '/distributor?tab=customers',
        detail,
        ...['products', 'fees', 'customers', 'report'].map((tab) => `${detail}?tab=${tab}`),
      ],
    ],
    [agent, ['/agent', `/agent/distribution/${distribution.id}`]],
    [customer, ['/customer', `/customer/order/${distribution.id}`, '/customer/contact-info']],
  ];
  for (const [person, addresses] of shown) {
    await world.signIn(page, person);
    for (const address of addresses) {
      await page.goto(world.url + address);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect([address, ...(await counted())]).toEqual([address, 0, 0, 0]);
    }
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/auth');
  }
  await world.signIn(page, distributor);
  await page.goto(`${world.url}${detail}?tab=products`);
  await expect(page.getByRole('cell', { name: '<script>window.xss()</script>' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Send Email' }).click();
  await dialog(page).getByRole('tab', { name: 'Earlier e-mails' }).click();
  await expect(dialog(page).getByText('<svg onload=window.xss()>').first()).toBeVisible();
  expect(await counted()).toEqual([0, 0, 0]);
});

test('nothing that a distributor writes into a mail runs where it is read', { tag: '@desk' }, async ({ page }) => {
  const counted = await watched(page);
  await page.goto('about:blank');
  for (const hostile of XSS_PAYLOADS) await page.setContent(`<!doctype html><body>${await cleanHtml(`<p>Hello</p>${hostile}`)}</body>`);
  expect(await counted()).toEqual([0, 0, 0]);
  // The watch works: the same page counts what is not cleaned.
  await page.setContent(`<!doctype html><body><img src=x onerror="window.xss()"></body>`);
  await expect.poll(counted).toEqual([1, 0, 0]);
});
