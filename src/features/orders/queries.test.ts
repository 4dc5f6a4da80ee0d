import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import { transaction, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { linesOf, makeOrder, weigh } from '../../../test/data/order-rows.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { addProduct } from '../products/contract.ts';
import { placeOrder } from './contract.ts';
import { findOrderState } from '../order-state/queries.ts';
import { newOrderId, saveOrder, type OrderWrite } from './queries.ts';
import { withQueryBuilder } from '../../../test/database/test-db.ts';
import { nextCatalogueVersion } from '../distributions/queries.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;

beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  wine = await makeProduct(testApp.db, distribution);
});

async function place(...quantities: [product: Row<'products'>, quantity: number][]): Promise<void> {
  const products = quantities.map(([product, quantity]) => ({ productId: product.id, quantity }));
  await (
    await testApp.as(customer)
  )(placeOrder, { body: { distributionId: distribution.id, products } });
}

test('the server writes one audit row with the author for each changed quantity, and no audit row for an unchanged line (contract §5)', async () => {
  await place([brisket, 1], [wine, 4]);
  await place([brisket, 2], [wine, 4]);
  await place([wine, 4]);
  await place([wine, 6]);
  const line = { customerId: customer.id };
  expect(await linesOf(testApp.db, distribution.id)).toEqual([
    { ...line, productId: brisket.id, quantity: 0, originalQuantity: 0, audit: [1, 2, 0], by: Array(3).fill(customer.id) },
    { ...line, productId: wine.id, quantity: 6, originalQuantity: 6, audit: [4, 6], by: Array(2).fill(customer.id) },
  ]);
});

test('originalQuantity stays the quantity that the customer last requested, also after staff set another one', async () => {
  await place([wine, 4]);
  await testApp.db.updateTable('order_products').set({ quantity: 1 }).where('productId', '=', wine.id).execute();
  expect(await linesOf(testApp.db, distribution.id)).toMatchObject([{ quantity: 1, originalQuantity: 4 }]);
  await place([wine, 3]);
  expect(await linesOf(testApp.db, distribution.id)).toMatchObject([{ quantity: 3, originalQuantity: 3, audit: [4, 3] }]);
});

test('when a customer requests the quantity that staff had set, only originalQuantity changes, without an audit row', async () => {
  const { lines } = await makeOrder(testApp.db, distribution, customer, [[wine, 4]]);
  await testApp.db
    .updateTable('order_products')
    .set({ quantity: 2 })
    .where('id', '=', lines[0]?.id ?? 0)
    .execute();
  await place([wine, 2]);
  expect(await linesOf(testApp.db, distribution.id)).toMatchObject([{ quantity: 2, originalQuantity: 2, audit: [] }]);
});

test('the server deletes the weights of exactly the units that a lowered quantity removes (contract §6)', async () => {
  const { lines } = await makeOrder(testApp.db, distribution, customer, [
    [brisket, 3],
    [wine, 1],
  ]);
  await weigh(testApp.db, lines[0], [1.25, 2.5, 3.125], distributor);
  await place([brisket, 2], [wine, 1]);
  const kept = await testApp.db.selectFrom('actual_quantities').select(['sortOrder', 'actualQuantity']).orderBy('sortOrder').execute();
  expect(kept).toEqual([
    { sortOrder: 0, actualQuantity: 1.25 },
    { sortOrder: 1, actualQuantity: 2.5 },
  ]);
  await place([wine, 2]);
  expect(await testApp.db.selectFrom('actual_quantities').select('id').execute()).toEqual([]);
});

/**
 * Returns the data to save for an order with this quantity of wine. It contains the current state of the order, with which the server has
 * validated it.
 */
async function wineFor(person: Person, quantity: number, by = person.id): Promise<OrderWrite> {
  const stateQuery = {
    tenantId: distributor.id,
    customerId: person.id,
    distributionId: distribution.id,
    products: [{ productId: wine.id, quantity }],
    slotIds: [],
  };
  const state = await findOrderState(testApp.db, stateQuery);
  if (!state) throw new Error('the distribution is there');
  const { version, products: judgedBy } = state;
  const id = state.orderId ?? (await newOrderId(testApp.db));
  const lines = [{ productId: wine.id, quantity, originalQuantity: quantity, isAudited: true }];
  const item = { id, customerId: person.id, version: version + 1, updatedBy: by, needsOpenOrdering: true, judgedBy, lines };
  return { distributionId: distribution.id, item };
}
const saveOne = (write: OrderWrite) => saveOrder(testApp.db, { tenantId: distributor.id }, write);
const outcomeOf = (write: OrderWrite) => saveOne(write).then(({ outcome }) => outcome);
const versionOf = async (person: Person) =>
  (await testApp.db.selectFrom('orders').select('version').where('customerId', '=', person.id).executeTakeFirst())?.version;

test('the server does not write an order that was checked against an outdated state of the catalogue or the distribution', async () => {
  const save = async () => {
    const write = await wineFor(customer, 1);
    return () => outcomeOf(write);
  };
  const [beforeCatalogue, beforeClosing] = [await save(), await save()];
  const open = testApp.db.updateTable('distributions').where('id', '=', distribution.id);
  await testApp.db.updateTable('products').set({ max_order_qty: 5 }).where('id', '=', wine.id).execute();
  await open.set({ catalogueVersion: 2 }).execute();
  expect(await beforeCatalogue()).toBe('outdated');
  const afterCatalogue = await save();
  await open.set({ orderingOpen: false }).execute();
  expect(await afterCatalogue()).toBe('outdated');
  expect(await beforeClosing()).toBe('outdated');
  expect(await linesOf(testApp.db, distribution.id)).toEqual([]);
});

test('the server accepts an order although other products, or the names of ordered products, have changed since it was checked (contract §5)', async () => {
  const write = await wineFor(customer, 3);
  const changed = testApp.db.updateTable('products');
  await changed
    .set({ max_order_qty: 1, unit_price: cents(1) })
    .where('id', '=', brisket.id)
    .execute();
  await changed.set({ name: 'Red wine' }).where('id', '=', wine.id).execute();
  await testApp.db.updateTable('distributions').set({ catalogueVersion: 7 }).where('id', '=', distribution.id).execute();
  expect(await outcomeOf(write)).toBe('saved');
});

test.each([{ max_order_qty: 2 }, { unit_price: cents(1234) }, { unit_qty: 9 }])(
  "the server does not write an order when the product change %j is committed while the order waits for the distribution's lock (contract §5)",
  async (change) => {
    const write = await wineFor(customer, 3);
    const saving = await transaction(testApp.db, async (db) => {
      await nextCatalogueVersion(db, distribution.id);
      const saving = outcomeOf(write);
      await waitForLockWaiters(testApp.db);
      await withQueryBuilder(db).updateTable('products').set(change).where('id', '=', wine.id).execute();
      return { saving };
    });
    expect(await saving.saving).toBe('outdated');
    expect(await linesOf(testApp.db, distribution.id)).toEqual([]);
  },
);

test('the server accepts an order while the catalogue changes continuously (contract §5)', async () => {
  const staff = await testApp.as(distributor);
  const own = await testApp.as(customer);
  const seen = { isDone: false, changes: 0 };
  const changeAllTheTime = async (n: number): Promise<void> => {
    for (; !seen.isDone; seen.changes++) {
      await staff(addProduct, { params: { id: distribution.id }, body: { name: `Pie ${n}.${seen.changes}` } });
    }
  };
  const changing = [1, 2, 3, 4].map(changeAllTheTime);
  const versions: (number | undefined)[] = [];
  for (let quantity = 1; quantity <= 60 || seen.changes <= 60; quantity++) {
    const body = { distributionId: distribution.id, products: [{ productId: wine.id, quantity }] };
    versions.push((await own(placeOrder, { body })).version);
  }
  seen.isDone = true;
  await Promise.all(changing);
  expect(versions).toEqual(versions.map((_, n) => n + 1));
});

test('the server writes concurrent orders of three customers, each with its own lines, audit rows and confirmation', async () => {
  const people = [customer, await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  for (const [round, version] of [
    [0, 1],
    [10, 2],
  ] as const) {
    const writes = await Promise.all(people.map((person, index) => wineFor(person, round + index + 1)));
    const saved = await Promise.all(writes.map((write) => outcomeOf(write)));
    expect(saved).toEqual(['saved', 'saved', 'saved']);
    expect(await Promise.all(people.map(versionOf))).toEqual([version, version, version]);
  }
  expect(await linesOf(testApp.db, distribution.id)).toEqual(
    people.map(({ id }, index) => ({
      customerId: id,
      productId: wine.id,
      quantity: 11 + index,
      originalQuantity: 11 + index,
      audit: [1 + index, 11 + index],
      by: [id, id],
    })),
  );
  const mails = await testApp.db
    .selectFrom('orders as o')
    .innerJoin('emails as m', 'm.orderId', 'o.id')
    .select(['o.customerId', 'm.userId', 'm.kind'])
    .where('o.distributionId', '=', distribution.id)
    .orderBy('o.customerId')
    .execute();
  // Each customer ordered twice and gets two mails; the second one is sent later (contract §8).
  expect(mails).toEqual(people.flatMap(({ id }) => Array(2).fill({ customerId: id, userId: id, kind: 'confirmation' })));
});

test('when one customer saves twice at the same time, the server writes one save and reports the other one as outdated', async () => {
  for (const version of [1, 2]) {
    const writes = [await wineFor(customer, version * 10 + 1), await wineFor(customer, version * 10 + 2)];
    const saved = await Promise.all(writes.map((write) => outcomeOf(write)));
    expect([...saved, await versionOf(customer)]).toEqual(['saved', 'outdated', version]);
  }
  expect(await linesOf(testApp.db, distribution.id)).toMatchObject([{ quantity: 21, audit: [11, 21] }]);
});

test('a save that the database refuses does not make the other orders of the same batch fail', async () => {
  const other = await makeCustomer(testApp.db, distributor);
  const writes = [await wineFor(customer, 1), await wineFor(other, 2, 2_000_000_000)];
  const [own, refused] = await Promise.allSettled(writes.map((write) => outcomeOf(write)));
  expect(own).toMatchObject({ status: 'fulfilled', value: 'saved' });
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: '23503' } });
  expect(await linesOf(testApp.db, distribution.id)).toMatchObject([{ customerId: customer.id, quantity: 1 }]);
});

/** Takes a lock in a transaction of its own. Resolves to a function that releases the lock. */
async function holding(lock: (db: Db) => Promise<unknown>): Promise<() => Promise<void>> {
  const [taken, kept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = transaction(testApp.db, async (db) => {
    await lock(db);
    taken.resolve();
    await kept.promise;
  });
  await taken.promise;
  return async () => {
    kept.resolve();
    await ended;
  };
}

test('a save that waits for a locked row does not delay the other orders of the same batch', async () => {
  const people = [customer, await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  for (const person of people) await saveOne(await wineFor(person, 1));
  const writes = await Promise.all(people.map((person) => wineFor(person, 2)));
  const done: number[] = [];
  const letGo = await holding((db) =>
    withQueryBuilder(db).selectFrom('orders').select('id').where('customerId', '=', customer.id).forUpdate().execute(),
  );
  const saves = writes.map(async (write) => {
    const saved = await outcomeOf(write);
    done.push(write.item.customerId);
    return saved;
  });
  await Promise.all(saves.slice(1));
  expect(done).not.toContain(customer.id);
  await letGo();
  expect(await Promise.all(saves)).toEqual(['saved', 'saved', 'saved']);
});

test('while one distribution is locked, reads and saves in other distributions still get a connection; all orders are saved after the lock ends', async () => {
  const people = await Promise.all(Array.from({ length: 24 }, () => makeCustomer(testApp.db, distributor)));
  const letGo = await holding((db) =>
    withQueryBuilder(db).selectFrom('distributions').select('id').where('id', '=', distribution.id).forUpdate().execute(),
  );
  const saves = await Promise.all(people.map((person) => wineFor(person, 1)));
  const all = Promise.all(saves.map((write) => outcomeOf(write)));
  // After half a second, the batch of saves has stopped waiting for the lock, and each order waits for the lock alone.
  await setTimeout(500);
  const elsewhere = await makeDistribution(testApp.db, distributor);
  const bread = await makeProduct(testApp.db, elsewhere);
  const body = { distributionId: elsewhere.id, products: [{ productId: bread.id, quantity: 1 }] };
  expect((await testApp.request(customer, { method: 'POST', url: '/api/orders', payload: body })).statusCode).toBe(201);
  await letGo();
  expect(await all).toEqual(people.map(() => 'saved'));
});

test('the server writes and audits each changed line of an order in a batch once, however many lines the order has', async () => {
  const products = [wine, brisket, ...(await Promise.all(Array.from({ length: 40 }, () => makeProduct(testApp.db, distribution))))];
  const people = [customer, await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  const save = async (quantity: number) => {
    const writes = await Promise.all(people.map((person) => wineFor(person, quantity)));
    const lines = products.map(({ id }, index) => ({
      productId: id,
      quantity,
      originalQuantity: quantity,
      isAudited: quantity === 1 || index < products.length - 1,
    }));
    await Promise.all(writes.map(({ item, ...write }) => saveOne({ ...write, item: { ...item, lines } })));
  };
  await save(1);
  await save(2);
  const rows = await linesOf(testApp.db, distribution.id);
  expect(rows).toHaveLength(people.length * products.length);
  const last = products.at(-1)?.id;
  expect(
    rows.filter(({ quantity, audit, productId }) => quantity === 2 && audit.join() === (productId === last ? '1' : '1,2')),
  ).toHaveLength(rows.length);
});
