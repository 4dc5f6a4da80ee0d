// Simulates many customers who order a scarce product at the same time, on two servers of one database (contract §12). test/limits.test.ts
// runs both servers in one process, and test/reliability/load/limits.ts runs them in two processes. Every function throws an error when a
// check fails.
import assert from 'node:assert/strict';
import { run } from '../../src/server/database/db.ts';
import type { Row } from '../../src/server/database/schema.ts';
import { createLimiter } from '../../src/server/queues/limiter.ts';
import type { Person } from '../test-app.ts';
import { makeCustomer, makeDistribution, makeProduct } from './factories.ts';
import type { TestDb } from '../database/test-db.ts';

const LIMIT = 100;
const AT_ONCE = 64;
/**
 * Staff start their changes when this share of the customers has begun to order. If ordering closes, staff start just before the closing,
 * so that their changes and the closing overlap.
 */
const STAFF_AFTER = 0.2;
const STAFF_BEFORE_CLOSING = 0.65;
const CLOSE_AFTER = 0.7;

/** Sends a request to one of the two servers, chosen at random, and returns the status of the response. */
export type Send = (by: Person, method: 'POST' | 'DELETE' | 'PATCH', path: string, payload?: object) => Promise<number>;

export interface Crowd {
  readonly db: TestDb;
  readonly distributor: Person;
  readonly people: readonly Person[];
  readonly send: Send;
}

export const ENDS = ['until it is sold out', 'until ordering is closed'] as const;

interface Sale extends Crowd {
  readonly distribution: Row<'distributions'>;
  readonly product: Row<'products'>;
}

const chance = (share: number): boolean => Math.random() < share;
const upTo = (most: number): number => 1 + Math.floor(Math.random() * most);

async function orderedUnits({ db, product }: Sale): Promise<number> {
  const text = 'SELECT coalesce(sum(quantity), 0)::int AS units FROM order_products WHERE "productId" = $1';
  return (await run<{ units: number }>(db, text, [product.id]))[0]?.units ?? 0;
}

const CUSTOMERS_CHANGES = `SELECT coalesce(json_agg(json_build_array(a.id, a.quantity, a."updatedAt") ORDER BY a.id), '[]')::text AS changes
  FROM order_product_audit a JOIN order_products l ON l.id = a."orderProductId" WHERE l."productId" = $1 AND a."updatedBy" <> $2`;

/** Returns the changes of quantities that customers have saved, as JSON. Changes by staff are not among them. */
async function customersChanges({ db, distributor, product }: Sale): Promise<string> {
  return (await run<{ changes: string }>(db, CUSTOMERS_CHANGES, [product.id, distributor.id]))[0]?.changes ?? '';
}

/**
 * Simulates one customer, who orders the product. Depending on chance, the customer then lowers the order, or joins the waiting list,
 * orders a held unit and leaves the waiting list.
 */
async function order({ distribution, product, send }: Sale, person: Person): Promise<void> {
  const place = (quantity: number) =>
    send(person, 'POST', '/orders', { distributionId: distribution.id, products: [{ productId: product.id, quantity }] });
  const quantity = upTo(3);
  const isPlaced = (await place(quantity)) < 300;
  if (!isPlaced && chance(0.5))
    await send(person, 'POST', `/distributions/${distribution.id}/waiting`, { productId: product.id, quantity });
  if (isPlaced && quantity > 1 && chance(0.4)) await place(quantity - 1);
  if (!isPlaced && chance(0.5)) await place(1);
  if (!isPlaced && chance(0.1)) await send(person, 'DELETE', `/distributions/${distribution.id}/waiting/${product.id}`);
}

/** Simulates the staff, who change the orders of ten customers, and then remove the product from all orders. */
async function changeByStaff({ distributor, distribution, product, people, send }: Sale): Promise<void> {
  for (const person of people.slice(0, 10)) {
    const products = [{ productId: product.id, quantity: upTo(4) - 1 }];
    await send(distributor, 'POST', '/distributor/order', { customerId: person.id, distributionId: distribution.id, products });
  }
  await send(distributor, 'POST', `/distributions/${distribution.id}/clear-product-quantities`, { productId: product.id });
}

interface Entry {
  readonly quantity: number;
  readonly heldQuantity: number;
}
const entriesOf = ({ db, product }: Sale): Promise<Entry[]> =>
  run<Entry>(db, 'SELECT quantity, "heldQuantity" FROM waiting_list WHERE "productId" = $1 ORDER BY id', [product.id]);

/**
 * Checks that the free units are held for the first customers on the waiting list, and that another customer can order the units that are
 * left, but no more.
 */
async function checkSettled(sale: Sale): Promise<void> {
  const { db, distributor, distribution, product, send } = sale;
  const entries = await entriesOf(sale);
  let free = LIMIT - (await orderedUnits(sale));
  for (const { quantity, heldQuantity } of entries) {
    assert.equal(heldQuantity, Math.min(quantity, free), 'free units are held in the order of the waiting list');
    free -= heldQuantity;
  }
  const late = await makeCustomer(db, distributor);
  const place = (quantity: number) =>
    send(late, 'POST', '/orders', { distributionId: distribution.id, products: [{ productId: product.id, quantity }] });
  assert.equal(await place(free + 1), 409);
  if (free > 0) assert.equal(await place(free), 201);
  const heldUnits = entries.reduce((sum, { heldQuantity }) => sum + heldQuantity, 0);
  assert.equal((await orderedUnits(sale)) + heldUnits, LIMIT, 'every unit is ordered or held');
}

/**
 * Lets all customers order, 64 of them at the same time. Meanwhile, staff change orders and set the product to 0 in all orders. If `end` is
 * 'until ordering is closed', ordering closes while customers still order and staff still change orders. The number of ordered units must
 * never exceed the product's limit.
 */
export async function sellScarce(crowd: Crowd, end: (typeof ENDS)[number]): Promise<void> {
  const { db, distributor, people, send } = crowd;
  const distribution = await makeDistribution(db, distributor);
  const product = await makeProduct(db, distribution, { name: 'Brisket', total_limit: LIMIT });
  const sale: Sale = { ...crowd, distribution, product };
  const limiter = createLimiter({ concurrency: AT_ONCE, maxQueued: people.length });
  const isClosing = end === 'until ordering is closed';
  let byStaff: Promise<void> | undefined;
  let changesAtClosing: string | undefined;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) assert.ok((await orderedUnits(sale)) <= LIMIT, 'more is ordered than the limit');
  })();
  const ordering = people.map((person, index) =>
    limiter(async () => {
      if (index === Math.floor(people.length * (isClosing ? STAFF_BEFORE_CLOSING : STAFF_AFTER))) byStaff = changeByStaff(sale);
      if (isClosing && index === Math.floor(people.length * CLOSE_AFTER)) {
        // Ordering closes while staff are changing orders, so that some of their changes can come before the closing and some after it.
        assert.equal(await send(distributor, 'PATCH', `/distributions/${distribution.id}`, { orderingOpen: false }), 200);
        changesAtClosing = await customersChanges(sale);
      }
      await order(sale, person);
    }),
  );
  await Promise.all(ordering);
  await byStaff;
  isOver = true;
  await watching;
  if (isClosing) assert.equal(await customersChanges(sale), changesAtClosing, 'no customer orders after the closing');
  else await checkSettled(sale);
}
