// A distributor is moved to another installation with the other kind of database, and is then deleted in the old installation. Meanwhile,
// customers of other distributors order in both installations. All reports of the moved distributor must be the same before and after the
// move, and saves of other customers may become only a little slower.
import { join } from 'node:path';
import { routes } from '../../../src/api.ts';
import { run } from '../../../src/server/database/db.ts';
import { makeAdmin } from '../../data/factories.ts';
import { withoutIds } from '../../database/without-ids.ts';
import { fillOrders } from '../load/crowd.ts';
import { failuresOf, isLittleSlower, p95, saveFor, saveWhile } from '../load/paced-saves.ts';
import { counted, type Database, type Outcome, type Setting } from '../reliability-test.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, type Product, type ProductResponse } from '../setup/product.ts';
import { createShop, signedIn, withDb, type Buyer, type Shop } from '../setup/orders-and-customers.ts';
import { told } from './moved-backup.ts';

const ORDERS = 3000;
const LINES = 12;
const OTHERS = 10;

interface Installation {
  readonly place: TestDatabase;
  readonly product: Product;
  /** A distribution of another distributor, in which customers order during the move. */
  readonly others: Shop;
}

async function openInstallation(on: Database, customers: number): Promise<Installation> {
  const place = await openTestDatabase(on);
  const product = await startProduct(place);
  return { place, product, others: await createShop(place, customers) };
}

/** These statements insert what a distribution has after its pick-up day: contacts, weights, payments, an audit trail, and mails. */
const DETAILS = [
  `INSERT INTO contacts ("userId", "firstName", "lastName", address, city, state, zip, phone)
    SELECT id, 'Rivka', 'Abramov ' || id, '1 Elm St', 'Teaneck', 'NJ', '07666', '555-0100' FROM users u WHERE "distributorId" = $1
      AND NOT EXISTS (SELECT FROM contacts c WHERE c."userId" = u.id)`,
  `UPDATE distributions SET "acceptActuals" = true WHERE "distributorId" = $1`,
  `UPDATE products SET unit_qty_is_estimate = true WHERE "distributorId" = $1 AND id % 3 = 0`,
  `INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
    SELECT l.id, unit, 1 + (l.id % 97) / 100.0, $1 FROM order_products l JOIN products p ON p.id = l."productId" AND p.unit_qty_is_estimate,
      generate_series(0, l.quantity - 1) unit WHERE l."distributorId" = $1`,
  `INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy")
    SELECT l.id, l.quantity, o."customerId" FROM orders o JOIN order_products l ON l."orderId" = o.id WHERE o."distributorId" = $1`,
  `INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", description, "createdBy", "updatedBy")
    SELECT "distributorId", "distributionId", id, 100 + id % 900, 'Check', 'No. ' || id, $1, $1 FROM orders WHERE "distributorId" = $1 AND id % 2 = 0`,
  `INSERT INTO emails ("from", "to", subject, html, status, kind, "distributorId", "userId", "orderId")
    SELECT 'shop@test.example', u.email, 'Your order', repeat('<p>Brisket</p>', 200), 'sent', 'confirmation', o."distributorId", u.id, o.id
      FROM orders o JOIN users u ON u.id = o."customerId" WHERE o."distributorId" = $1`,
];

async function openMovingShop(place: TestDatabase, orders: number): Promise<Shop> {
  const shop = await createShop(place, 1, LINES);
  await fillOrders(place, shop, orders);
  await withDb(place, async (db) => {
    for (const text of DETAILS) await run(db, text, [shop.distributor.id]);
  });
  return shop;
}

/**
 * The reads that are not compared, because they differ after a move. Uploads that can be undone are not moved. The reply for the pick-up
 * counter contains the field `mark`, which depends on the database. The progress covers only the last minutes.
 */
const LEFT_OUT = ['product-uploads', 'counter-orders', 'progress'].map((name) => `/api/distributions/:id/${name}`);
const REPORTS = routes
  .map(({ endpoint }) => endpoint)
  .filter(({ method, roles, path }) => method === 'GET' && roles.includes('distributor') && !LEFT_OUT.includes(path))
  .map(({ path }) => path.replace(':role', 'customer'))
  .filter((path) => path.startsWith('/api/distributions/:id') || ['/api/users/customer', '/api/organization'].includes(path));

async function reportsOf({ product }: Installation, { cookie }: Buyer, distributionId: number): Promise<Map<string, string>> {
  const reports = new Map<string, string>();
  for (const path of REPORTS) {
    const { status, text } = await product.ask({ path: path.replace(':id', String(distributionId)), cookie });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    reports.set(path, JSON.stringify(withoutIds(JSON.parse(text))));
  }
  return reports;
}

/** Lets an admin enable the moved distributor, and signs the distributor in. */
async function openMoved({ place, product }: Installation, distributorId: number): Promise<{ distributor: Buyer; distributionId: number }> {
  const { admin, distributionId, email } = await withDb(place, async (db) => {
    const [found] = await run<{ id: number; email: string }>(
      db,
      `SELECT d.id, u.email FROM distributions d JOIN users u ON u.id = d."distributorId" WHERE u.id = $1`,
      [distributorId],
    );
    return { admin: await signedIn(db, await makeAdmin(db)), distributionId: found?.id ?? 0, email: found?.email ?? '' };
  });
  const path = `/api/distributors/${distributorId}/enable`;
  const { status } = await product.ask({ method: 'POST', path, cookie: admin.cookie });
  if (status !== 204) throw new Error(`the moved distributor is not enabled: ${status}`);
  const distributor = await withDb(place, (db) => signedIn(db, { id: distributorId, email, role: 'distributor' }));
  return { distributor, distributionId };
}

interface Move {
  readonly distributorId: number;
  readonly seconds: Readonly<Record<string, number>>;
}

async function move(here: Installation, there: Installation, shop: Shop, tell: Setting['tell']): Promise<Move> {
  const id = String(shop.distributor.id);
  const file = join(here.place.dataDir, 'moved.tenant.gz');
  const seconds: Record<string, number> = {};
  const step = async ({ place }: Installation, ...args: string[]): Promise<string> => {
    const began = performance.now();
    const line = await told('start-tenant.ts', place, ...args);
    seconds[args[0] ?? ''] = Math.round((performance.now() - began) / 100) / 10;
    tell(line);
    return line;
  };
  await step(here, 'close', id);
  await step(here, 'export', id, file);
  const [, distributorId = ''] = /has the id (\d+)/.exec(await step(there, 'import', file)) ?? [];
  await step(here, 'delete', id, file);
  return { distributorId: Number(distributorId), seconds };
}

const LEFT = `SELECT (SELECT count(*) FROM users WHERE id = $1 OR "distributorId" = $1) + (SELECT count(*) FROM orders WHERE "distributorId" = $1)
  + (SELECT count(*) FROM emails WHERE "distributorId" = $1) AS rows`;

const rowsLeft = async ({ place }: Installation, { distributor }: Shop): Promise<number> =>
  Number((await withDb(place, (db) => run<{ rows: number }>(db, LEFT, [distributor.id])))[0]?.rows);

export async function movedTenant({ on, runs, tell }: Setting): Promise<Outcome> {
  const here = await openInstallation(on, OTHERS);
  // The target installation already has more customers than the source, so that the moved rows get other ids.
  const there = await openInstallation(on === 'embedded' ? 'given' : 'embedded', OTHERS + 2);
  const both = [here, there];
  const shop = await openMovingShop(here.place, runs(ORDERS));
  const before = await reportsOf(here, shop.distributor, shop.distributionId);
  const measureQuiet = async (): Promise<number[]> =>
    (await Promise.all(both.map(({ product, others }) => saveFor(runs(10), [product], others)))).map(p95);
  const quietBefore = await measureQuiet();
  let isOver = false;
  const saving = both.map(({ product, others }) => saveWhile(() => !isOver, [product], others));
  const { distributorId, seconds } = await move(here, there, shop, tell).finally(() => (isOver = true));
  const saves: ProductResponse[][] = await Promise.all(saving);
  // The time of a save without a move is measured again after the move, because other programs on the machine may have started meanwhile.
  // The longer time counts.
  const quiet = (await measureQuiet()).map((ms, index) => Math.max(ms, quietBefore[index] ?? 0));
  const { distributor, distributionId } = await openMoved(there, distributorId);
  const after = await reportsOf(there, distributor, distributionId);
  const left = await rowsLeft(here, shop);
  for (const { product, place } of both) {
    await product.stop();
    await place.close();
  }
  const differing = [...before].filter(([path, text]) => after.get(path) !== text).map(([path]) => path);
  const [failed, during] = [failuresOf(saves.flat()), saves.map(p95)];
  const isUnnoticed = during.every((ms, index) => isLittleSlower(ms, quiet[index] ?? 0));
  const times = Object.entries(seconds).map(([step, duration]) => `${step} ${duration} s`);
  const line = [
    `${counted(runs(ORDERS), 'orders')} from ${on} to the other kind: ${times.join(', ')}`,
    `${before.size} reports, ${differing.length} that differ${differing.length > 0 ? ` (${differing.join(', ')})` : ''}, ${left} rows left`,
    `${counted(saves.flat().length, 'saves')} of others, ${failed} failed, p95 ${during.join(' and ')} ms, quiet ${quiet.join(' and ')} ms`,
  ].join('; ');
  return { line, holds: differing.length === 0 && left === 0 && failed === 0 && isUnnoticed };
}
