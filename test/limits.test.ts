// A crowd orders a scarce product on two servers of one database (contract §12; reliability "limits"), in the short form.
import { inject, afterEach, expect, test } from 'vitest';
import { pino } from 'pino';
import { buildApi } from '../src/api.ts';
import { openSession } from '../src/server/auth/session.ts';
import { openDb, run } from '../src/server/database/db.ts';
import { createLimiter } from '../src/server/http/limiter.ts';
import type { Row } from '../src/server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { iterations } from './setup/iterations.ts';
import { setupTestApp, type Person } from './test-app.ts';

const world = setupTestApp();

const LIMIT = 100;
const AT_ONCE = 64;
const CUSTOMERS = iterations(120, 1000);

let stopSecond = async (): Promise<void> => undefined;
afterEach(() => stopSecond());

/** A second server on the same database, with connections and caches of its own. */
async function startSecond() {
  const [{ database } = { database: '' }] = await run<{ database: string }>(world.db, 'SELECT current_database() AS database', []);
  const opened = openDb({ ...inject('postgres').connection, database }, () => undefined);
  const app = await buildApi({ db: opened.db, env: world.env, now: () => world.time }, pino({ level: 'silent' }));
  stopSecond = async () => {
    await app.close();
    await opened.close();
  };
  return app;
}

interface Rush {
  readonly distributor: Person;
  readonly distribution: Row<'distributions'>;
  readonly product: Row<'products'>;
  /** Sends a request to a random one of the two servers; returns its status. */
  readonly send: (by: Person, method: 'POST' | 'DELETE' | 'PATCH', path: string, payload?: object) => Promise<number>;
}

async function prepare(): Promise<Rush> {
  const second = await startSecond();
  const distributor = await makeDistributor(world.db);
  const distribution = await makeDistribution(world.db, distributor);
  const product = await makeProduct(world.db, distribution, { name: 'Brisket', total_limit: LIMIT });
  const cookies = new Map<number, string>();
  const cookieOf = async (person: Person): Promise<string> => {
    const rules = { customerIdleDays: world.env.sessionDays, secure: false };
    const cookie = cookies.get(person.id) ?? (await openSession(world.db, person, undefined, { now: world.time, rules })).cookie;
    cookies.set(person.id, cookie);
    return `sid=${cookie}`;
  };
  const send: Rush['send'] = async (by, method, path, payload) => {
    const headers = { cookie: await cookieOf(by) };
    // A database without time says that nothing was done; the client repeats.
    for (;;) {
      const app = Math.random() < 0.5 ? world.app : second;
      const answer = await app.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) });
      expect([200, 201, 204, 400, 404, 409, 503], answer.body).toContain(answer.statusCode);
      if (answer.statusCode !== 503) return answer.statusCode;
    }
  };
  return { distributor, distribution, product, send };
}

const chance = (share: number): boolean => Math.random() < share;
const upTo = (most: number): number => 1 + Math.floor(Math.random() * most);

const orderedUnits = async ({ product }: Rush): Promise<number> => {
  const [sum] = await run<{ units: number }>(
    world.db,
    'SELECT coalesce(sum(quantity), 0)::int AS units FROM order_products WHERE "productId" = $1',
    [product.id],
  );
  return sum?.units ?? 0;
};

/** One customer orders, joins the waiting list, orders the held units, lowers the order and leaves the list. */
async function order(rush: Rush, person: Person): Promise<void> {
  const { distribution, product, send } = rush;
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

/** Staff correct orders of customers, within the limit, and clear the product once. */
async function disturb({ distributor, distribution, product, send }: Rush, people: readonly Person[]): Promise<void> {
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
const entriesOf = ({ product }: Rush): Promise<Entry[]> =>
  run<Entry>(world.db, 'SELECT quantity, "heldQuantity" FROM waiting_list WHERE "productId" = $1 ORDER BY id', [product.id]);

/** Checks that no unit is oversold, and that free units are held for the first customers on the list, so that none stays unsold. */
async function expectSettled(rush: Rush, isOpen: boolean): Promise<void> {
  const ordered = await orderedUnits(rush);
  expect(ordered).toBeLessThanOrEqual(LIMIT);
  if (!isOpen) return;
  const entries = await entriesOf(rush);
  let free = LIMIT - ordered;
  for (const { quantity, heldQuantity } of entries) {
    expect(heldQuantity).toBe(Math.min(quantity, free));
    free -= heldQuantity;
  }
  const late = await makeCustomer(world.db, rush.distributor);
  const body = { distributionId: rush.distribution.id, products: [{ productId: rush.product.id, quantity: free + 1 }] };
  expect(await rush.send(late, 'POST', '/orders', body)).toBe(409);
  if (free > 0)
    expect(await rush.send(late, 'POST', '/orders', { ...body, products: [{ productId: rush.product.id, quantity: free }] })).toBe(201);
  expect((await orderedUnits(rush)) + entries.reduce((sum, { heldQuantity }) => sum + heldQuantity, 0)).toBe(LIMIT);
}

test.each(['until it is sold out', 'until ordering is closed'])(
  'a crowd on two servers never orders more than the limit, and what comes free is held in order, %s (contract §12)',
  { timeout: 600_000 },
  async (end) => {
    for (let round = 0; round < iterations(1, 10); round++) {
      const rush = await prepare();
      const people: Person[] = [];
      for (let index = 0; index < CUSTOMERS; index++) people.push(await makeCustomer(world.db, rush.distributor));
      const limiter = createLimiter({ concurrency: AT_ONCE, maxQueued: CUSTOMERS });
      let isOver = false;
      const watching = (async () => {
        while (!isOver) expect(await orderedUnits(rush)).toBeLessThanOrEqual(LIMIT);
      })();
      const isClosing = end === 'until ordering is closed';
      const closed = Promise.withResolvers<number>();
      const days = people.map((person, index) =>
        limiter(async () => {
          if (isClosing && index === Math.floor(CUSTOMERS * 0.7)) {
            expect(await rush.send(rush.distributor, 'PATCH', `/distributions/${rush.distribution.id}`, { orderingOpen: false })).toBe(200);
            closed.resolve(await orderedUnits(rush));
          }
          await order(rush, person);
        }),
      );
      await Promise.all([...days, ...(isClosing ? [] : [disturb(rush, people)])]);
      isOver = true;
      await watching;
      if (isClosing) expect(await orderedUnits(rush)).toBe(await closed.promise);
      await expectSettled(rush, !isClosing);
      await stopSecond();
      stopSecond = async () => undefined;
    }
  },
);
