// Creates three customers, two of whom have ordered. Also contains functions that tests of the distributor's screens share.
import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { cents } from '../../src/domain/money.ts';
import { run } from '../../src/server/database/db.ts';
import { openSession } from '../../src/server/auth/session.ts';
import { readCsv } from '../../src/shared/csv/read-csv.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../data/factories.ts';
import type { Person } from '../test-app.ts';
import { expect, type E2eApp } from './fixtures.ts';

/** Places an order as the customer, with the same API call as the order page. Returns the status of the response. */
export async function order(testApp: E2eApp, customer: Person, body: object): Promise<number> {
  const rules = { customerIdleDays: 7, secure: false };
  const { cookie } = await openSession(testApp.db, customer, undefined, { now: new Date(), rules });
  const headers = { 'content-type': 'application/json', cookie: `sid=${cookie}` };
  const answer = await fetch(`${testApp.url}/api/orders`, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.status;
}

/** Creates a distribution with two products, a flat fee and a percent fee. Rivka and Moshe have ordered, Dina has not. */
export async function makeOrders(testApp: E2eApp) {
  const { db } = testApp;
  const distributor = await makeDistributor(db);
  const distribution = await makeDistribution(db, distributor, { name: 'Passover 2027' });
  const brisket = await makeProduct(db, distribution, {
    name: 'Brisket',
    product_code: 1001,
    unit_price: cents(1500),
    unit_qty: 3,
    unit_qty_is_estimate: true,
  });
  const matzah = await makeProduct(db, distribution, {
    name: 'Matzah',
    product_code: 2001,
    product_group: 'Dry goods',
    unit_price: cents(1299),
  });
  await makeFee(db, distribution, { name: 'Hall and ice', sort_order: 0, amount: 500 });
  await makeFee(db, distribution, { name: 'Service', sort_order: 1, type: 'percent', amount: 300 });
  const rivka = await makeCustomer(db, distributor);
  const moshe = await makeCustomer(db, distributor, { firstName: 'Moshe', lastName: 'Adler' });
  const dina = await makeCustomer(db, distributor, { firstName: 'Dina', lastName: 'Cohen' });
  const products = [
    { productId: brisket.id, quantity: 2 },
    { productId: matzah.id, quantity: 1 },
  ];
  expect(await order(testApp, rivka, { distributionId: distribution.id, products })).toBe(201);
  expect(await order(testApp, moshe, { distributionId: distribution.id, products: [{ productId: matzah.id, quantity: 3 }] })).toBe(201);
  return { distributor, distribution, brisket, matzah, rivka, moshe, dina };
}

/** Creates 400 more customers and 30 more products. Each of these customers orders all 30 products. */
export async function makeManyLines(testApp: E2eApp, distributor: { id: number }, distribution: { id: number }): Promise<void> {
  await run(
    testApp.db,
    `WITH p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price)
       SELECT $1, $2, 'Product ' || n, 100 FROM generate_series(1, 30) n RETURNING id),
     u AS (INSERT INTO users (email, role, "distributorId") SELECT 'many' || n || '@mail.test', 'customer', $1 FROM generate_series(1, 400) n RETURNING id),
     o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy") SELECT $1, $2, id, id FROM u RETURNING id)
     INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
       SELECT $1, $2, o.id, p.id, 1, 1 FROM o, p`,
    [distributor.id, distribution.id],
  );
}

export async function orderIdOf(testApp: E2eApp, customer: { id: number }): Promise<number> {
  const { id } = await testApp.db.selectFrom('orders').select('id').where('customerId', '=', customer.id).executeTakeFirstOrThrow();
  return id;
}

/** Downloads a file and returns its name and its cells. The header is the first row. */
export async function downloaded(page: Page, link: Locator): Promise<{ name: string; cells: string[][]; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const bytes = await readFile(await file.path());
  const { header, rows } = readCsv(bytes);
  const cells = rows.map((row) => header.map((column) => row.cells[column] ?? ''));
  return { name: file.suggestedFilename(), cells: [header, ...cells], text: bytes.toString('utf8') };
}

export const rows = (page: Page): Locator => page.getByRole('row').filter({ hasNot: page.getByRole('columnheader') });
export const toast = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: /Notification/ }).getByText(text, { exact: true });
