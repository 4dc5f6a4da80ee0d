import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeSlot } from '../../../test/data/factories.ts';
import { linesOf, makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, runSingle, transaction, type Db } from '../../server/database/db.ts';
import { assertFound } from '../../server/errors.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import type { Row } from '../../server/database/schema.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { MAX_BULK_PER_MAILBOX } from '../emails/contract.ts';
import { clearLines, enqueueShortDeliveries, listOrderedLines, quantitiesHashOf, saveShares } from './queries.ts';

const testApp = setupTestApp();

test('one mailbox gets at most 250 mails about short deliveries and bulk mails of a distributor in a day; above that, the units are still divided, and only this person gets no mail (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const product = await makeProduct(testApp.db, distribution);
  const [person, other] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  for (const customer of [person, other]) await makeOrder(testApp.db, distribution, customer, [[product, 3]]);
  const of = { distributorId: distributor.id, replyTo: distributor.email, createdAt: testApp.time.toISOString() };
  const earlier = { ...of, kind: 'bulk' as const, status: 'sent' as const, from: '', to: person.email, subject: '', html: '' };
  await testApp.db
    .insertInto('emails')
    .values(Array.from({ length: MAX_BULK_PER_MAILBOX - 1 }, () => earlier))
    .execute();
  const post = async (url: string, payload: object) => (await testApp.request(distributor, { method: 'POST', url, payload })).statusCode;
  const informed = async () => {
    const mails = testApp.db.selectFrom('emails').select('userId').where('kind', '=', 'short-delivery').orderBy('id');
    return (await mails.execute()).map(({ userId }) => userId);
  };
  const share = (units: number) =>
    post(`/api/distributions/${distribution.id}/products/${product.id}/share`, { units, rule: 'proportional', notify: true });
  expect(await share(2)).toBe(200);
  expect(await informed()).toEqual([person.id, other.id]);
  expect(await share(0)).toBe(200);
  expect(await informed()).toEqual([person.id, other.id, other.id]);
  expect((await linesOf(testApp.db, distribution.id)).map(({ quantity }) => quantity)).toEqual([0, 0]);
  const mail = { to: person.email, replyTo: distributor.email, subject: 'Hi', html: '<p>Hello</p>' };
  expect(await post('/api/send-emails', [mail])).toBe(429);
});

/** Creates a distribution with a product of which each of `orders` customers has ordered two units. */
async function makeOrderedProduct(distributor: Person, orders: number): Promise<Row<'products'>> {
  const product = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor, { orderingOpen: false }));
  await sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
      SELECT 'family' || n || '-' || ${product.id}::int || '@mail.test', 'customer', ${distributor.id} FROM generate_series(1, ${orders}::int) n RETURNING id),
    o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
      SELECT ${distributor.id}, ${product.distributionId}, id, id FROM u RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, ${product.distributionId}, o.id, ${product.id}, 2, 2 FROM o`.execute(testApp.db);
  return product;
}
const viewerOf = ({ id }: Person) => ({ userId: id, tenantId: id }) as Viewer;

const clearProduct = async (db: Db, by: Viewer, product: Row<'products'>): Promise<void> =>
  clearLines(db, by, product, await listOrderedLines(db, product));

test.each([
  ['setting a product to 0 in all orders', 0, clearProduct],
  [
    'a short delivery',
    1,
    async (db: Db, by: Viewer, product: Row<'products'>) => {
      const shares = (await listOrderedLines(db, product)).map((line) => ({ ...line, gets: 1 }));
      await saveShares(db, by, product, shares);
    },
  ],
])(
  '%s saves at most 2,000 orders in one statement, because the time of a statement grows with the square of their number (reliability abuse)',
  { tags: ['long'] },
  async (_, left, change) => {
    const distributor = await makeDistributor(testApp.db);
    const product = await makeOrderedProduct(distributor, 2500);
    const saved: number[] = [];
    await transaction(testApp.db, async (db) => {
      const query: Db['query'] = (text, values) => {
        if (text.includes('save_orders_v3')) saved.push((JSON.parse(String(values[1])) as unknown[]).length);
        return db.query(text, values);
      };
      await change({ ...db, query }, viewerOf(distributor), product);
    });
    expect(saved).toEqual([2000, 500]);
    const quantities = (await linesOf(testApp.db, product.distributionId)).map(({ quantity }) => quantity);
    expect(quantities).toEqual(Array.from({ length: 2500 }, () => left));
    const mails = testApp.db
      .selectFrom('emails')
      .select('id')
      .where('distributorId', '=', distributor.id)
      .where('kind', '=', 'confirmation');
    // The distributor decides whether the customers are informed about a short delivery, so it queues no confirmations.
    expect(await mails.execute()).toHaveLength(left === 0 ? 2500 : 0);
  },
);

test('the mails about a short delivery are written in batches of 500, so that thousands of mails do not block the event loop; the limit of one mailbox holds across the batches (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const product = await makeOrderedProduct(distributor, 1200);
  const person = await makeCustomer(testApp.db, distributor);
  const shares = (await listOrderedLines(testApp.db, product)).map((line, place) => {
    // 300 of the addresses, in all batches, belong to the same mailbox.
    const email = place % 4 === 0 ? person.email.replace('@', `+${place}@`) : line.email;
    return { ...line, email, gets: 1 };
  });
  const written: number[] = [];
  const distribution = { name: 'Passover', date: '2027-04-15' };
  await transaction(testApp.db, async (db) => {
    const query: Db['query'] = (text, values) => {
      if (text.startsWith('INSERT INTO emails')) written.push((JSON.parse(String(values[0])) as unknown[]).length);
      return db.query(text, values);
    };
    const by = { ...viewerOf(distributor), email: distributor.email };
    await enqueueShortDeliveries({ ...db, query }, by, { distribution, product: 'Brisket', now: testApp.time }, shares);
  });
  expect(written).toEqual([500, 500, 150]);
  const mails = await testApp.db.selectFrom('emails').selectAll().where('distributorId', '=', distributor.id).execute();
  expect(mails.filter(({ to }) => to.includes('+'))).toHaveLength(MAX_BULK_PER_MAILBOX);
  expect(new Set(mails.map(({ subject }) => subject))).toEqual(new Set(['Less came of Brisket']));
  const own = shares[1];
  const [mail] = mails.filter(({ userId }) => userId === own?.customerId);
  expect(mail).toMatchObject({ to: own?.email, orderId: own?.orderId, kind: 'short-delivery', replyTo: distributor.email });
  expect(mail?.html).toBe(
    `<p>Less of Brisket came than was ordered. You get 1 instead of 2.</p><p>Passover, April 15, 2027. Order number ${own?.orderId}. Its amount is lower accordingly.</p>`,
  );
});

test('the hash of the quantities of thousands of orders gives other requests turns while it is computed (reliability abuse)', async () => {
  const full = { hasPayments: true, isPickedUp: true, lastWeighed: 0 };
  const shares = Array.from({ length: 5000 }, (_, index) => ({ ...full, orderId: index + 1, ordered: 1 + (index % 7), gets: 1 }));
  let turns = 0;
  let isDone = false;
  const countTurn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const hash = await quantitiesHashOf(shares);
  isDone = true;
  expect(turns).toBeGreaterThan(5);
  const quantities = JSON.stringify(
    shares.map(({ orderId, ordered }) => [orderId, ordered, ...(ordered > 1 ? [1, 1, 1, 0, 1] : [0, 0, 0, 0, 0])]),
  );
  expect(hash).toBe(createHash('sha256').update(quantities).digest('base64url'));
});

test(
  'changing thousands of orders reads a few rows of the audit for each line, also with plans that PostgreSQL made when the audit was small (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const distributor = await makeDistributor(testApp.db);
    const orders = 2000;
    const products = await Promise.all([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, orders].map((count) => makeOrderedProduct(distributor, count)));
    const [first, ...others] = products;
    const clear = (db: Db, product: Row<'products'> | undefined) =>
      clearProduct(db, viewerOf(distributor), assertFound(product, 'Product'));
    await run(testApp.db, 'TRUNCATE order_product_audit', []);
    await transaction(testApp.db, (db) => clear(db, first));
    // For a table of one page, PostgreSQL plans to read the whole table. It plans the statements of a trigger at their first executions.
    await run(testApp.db, 'VACUUM ANALYZE', []);
    const read = await transaction(testApp.db, async (db) => {
      for (const product of others) await clear(db, product);
      const text = `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'order_product_audit'`;
      return (await runSingle<{ rows: number }>(db, text, [])).rows;
    });
    expect(read).toBeLessThan(5 * orders);
  },
);

test(
  'listing thousands of orders reads each payment of the distribution once, and one weight for each order line (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const distributor = await makeDistributor(testApp.db);
    const orders = 2000;
    const product = await makeOrderedProduct(distributor, orders);
    for (const { id } of [product, await makeOrderedProduct(distributor, orders)]) {
      await sql`INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdBy", "updatedBy")
      SELECT "distributorId", "distributionId", "orderId", 1000, 'Cash', ${distributor.id}, ${distributor.id}
      FROM order_products WHERE "productId" = ${id}`.execute(testApp.db);
      await sql`INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
      SELECT id, n, 5, ${distributor.id} FROM order_products, generate_series(0, 1) n WHERE "productId" = ${id}`.execute(testApp.db);
    }
    await sql`ANALYZE payments, actual_quantities`.execute(testApp.db);
    const read = await transaction(testApp.db, async (db) => {
      const lines = await listOrderedLines(db, product);
      expect(lines.filter(({ hasPayments, lastWeighed }) => hasPayments && lastWeighed === 1)).toHaveLength(orders);
      const text = `SELECT sum(seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
      WHERE relname IN ('payments', 'actual_quantities')`;
      return (await runSingle<{ rows: number }>(db, text, [])).rows;
    });
    expect(read).toBeLessThanOrEqual(3 * orders);
  },
);

test.each([
  ['setting a product to 0 in all orders', 'clear-product-quantities', (productId: number) => ({ productId })],
  ['a short delivery', 'products/:productId/share', () => ({ units: 1, rule: 'first' })],
])(
  '%s waits in the queue of expensive reads, because it takes seconds if many orders have the product (reliability abuse)',
  async (_, path, bodyFor) => {
    const distributor = await makeDistributor(testApp.db);
    const distribution = await makeDistribution(testApp.db, distributor);
    const product = await makeProduct(testApp.db, distribution);
    await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[product, 3]]);
    const url = `/api/distributions/${distribution.id}/${path.replace(':productId', String(product.id))}`;
    const running = Promise.withResolvers<void>();
    const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
    let isDone = false;
    const changing = testApp.request(distributor, { method: 'POST', url, payload: bodyFor(product.id) }).finally(() => (isDone = true));
    await pause(300);
    expect(isDone).toBe(false);
    running.resolve();
    await other;
    expect((await changing).statusCode).toBe(200);
  },
);

test.each([
  ['setting a product to 0 in all orders', clearProduct],
  [
    'a short delivery',
    async (db: Db, by: Viewer, product: Row<'products'>) => {
      const shares = (await listOrderedLines(db, product)).map((line) => ({ ...line, gets: 0 }));
      await saveShares(db, by, product, shares);
    },
  ],
])('%s removes the pick-up times of the orders that have no units left (reliability abuse)', async (_, change) => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const [brisket, wine] = [await makeProduct(testApp.db, distribution), await makeProduct(testApp.db, distribution)];
  const slot = await makeSlot(testApp.db, distribution, { label: 'Noon' });
  const ids: number[] = [];
  for (const units of [0, 1]) {
    const customer = await makeCustomer(testApp.db, distributor);
    const order = await makeOrder(testApp.db, distribution, customer, [
      [brisket, 2],
      [wine, units],
    ]);
    ids.push(order.id);
  }
  await testApp.db
    .updateTable('orders')
    .set({ slotId: slot.id, note: 'Ring twice' })
    .where('distributionId', '=', distribution.id)
    .execute();
  await transaction(testApp.db, (db) => change(db, viewerOf(distributor), brisket));
  const orders = testApp.db
    .selectFrom('orders')
    .select(['id', 'slotId', 'note'])
    .where('distributionId', '=', distribution.id)
    .orderBy('id');
  expect(await orders.execute()).toEqual([
    { id: ids[0], slotId: null, note: 'Ring twice' },
    { id: ids[1], slotId: slot.id, note: 'Ring twice' },
  ]);
  const audit = testApp.db.selectFrom('order_audit').select(['orderId', 'before', 'after', 'updatedBy']);
  expect(await audit.where('distributionId', '=', distribution.id).execute()).toEqual([
    { orderId: ids[0], before: { slot: 'Noon' }, after: { slot: null }, updatedBy: distributor.id },
  ]);
});
