import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Row } from '../../server/database/schema.ts';
import { run, transaction } from '../../server/database/db.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { removeWeight, saveActuals } from '../actuals/contract.ts';
import { changeDistribution } from '../distributions/contract.ts';
import { addSlot, changeSlot } from '../slots/contract.ts';
import { listCounterOrders, readCounter, type CounterState } from './contract.ts';
import { findChanges } from './queries.ts';
import { withQueryBuilder } from '../../../test/database/test-db.ts';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let order: Awaited<ReturnType<typeof makeOrder>>;

beforeEach(async () => {
  const { db } = testApp;
  distributor = await makeDistributor(db);
  agent = await makeAgent(db, distributor);
  customer = await makeCustomer(db, distributor, { firstName: 'Zev', lastName: 'Adler', phone: '555-0177' });
  distribution = await makeDistribution(db, distributor, { name: 'Passover', acceptActuals: true });
  brisket = await makeProduct(db, distribution, { name: 'Brisket', unit_qty: 5, product_code: 101, unit_qty_is_estimate: true });
  order = await makeOrder(db, distribution, customer, [[brisket, 2]]);
});

async function read(since?: string, by = distributor, page: Record<string, string> = {}): Promise<CounterState> {
  const call = await testApp.as(by);
  return await call(readCounter, { params: { id: distribution.id }, query: { ...(since === undefined ? {} : { since }), ...page } });
}
/**
 * Returns a mark (features/counter/contract.ts) since which nothing has changed. While any transaction runs in the database server, each
 * read returns again all changes since that transaction began. This function therefore repeats the read until it returns no change.
 */
async function quietMark(): Promise<string> {
  const { mark } = await read();
  return (await read(mark)).changed?.length === 0 ? mark : await quietMark();
}
const changedSince = async (since: string): Promise<number[] | undefined> => (await read(since)).changed?.map(({ id }) => id);
const addOrders = async (count: number) =>
  await sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
      SELECT 'many' || n || '-' || ${distribution.id}::int || '@mail.test', 'customer', ${distributor.id} FROM generate_series(1, ${count}::int) n RETURNING id)
    INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy") SELECT ${distributor.id}, ${distribution.id}, id, id FROM u`.execute(
    testApp.db,
  );
/** Adds a line of one unit for each of `count` new products to the orders, and returns the ids of the lines. */
const addLines = async (orderIds: readonly number[], count: number) =>
  (
    await sql<{ id: number }>`WITH added AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price)
        SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100 FROM generate_series(1, ${count}::int) n RETURNING id)
      INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
        SELECT ${distributor.id}, ${distribution.id}, o, id, 1, 1 FROM added, unnest(${orderIds}::int[]) o RETURNING id`.execute(testApp.db)
  ).rows;
/** Reads all pages of the changes since the mark `since`, and returns the number of orders of each page and the ids of all. */
async function changedInPages(since: string, limit = '5000') {
  const sizes: number[] = [];
  const ids: number[] = [];
  for (let after: string | undefined = '0'; after !== undefined;) {
    const { changed } = await read(since, distributor, { limit, after });
    if (!changed) throw new Error('The changes were refused.');
    sizes.push(changed.length);
    ids.push(...changed.map(({ id }) => id));
    after = changed.at(-1)?.key;
  }
  return { sizes, ids };
}

describe('the list of families for the counter (contract §14)', () => {
  test('lists each family with its order lines, its weights and who recorded them, and its payments', async () => {
    await weigh(testApp.db, order.lines[0], [4.87], customer);
    await pay(testApp.db, distribution, { orderId: order.id, amount: 1200, by: distributor });
    const families = await (await testApp.as(agent))(listCounterOrders, { params: { id: distribution.id } });
    expect(families).toEqual([
      {
        id: order.id,
        customerId: customer.id,
        firstName: 'Zev',
        lastName: 'Adler',
        phone: '555-0177',
        email: customer.email,
        note: null,
        slot: null,
        pickedUpAt: null,
        lines: [
          {
            orderProductId: order.lines[0]?.id,
            productId: brisket.id,
            quantity: 2,
            actuals: [{ sortOrder: 0, actualQuantity: 4.87, byRole: 'customer' }],
          },
        ],
        payments: [expect.objectContaining({ amount: 1200, feeAmount: 0, paymentMethod: 'Cash', reversesId: null })],
      },
    ]);
  });

  test('is read in pages; the last row of a full page has the key of the next page', async () => {
    const second = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 1]]);
    const call = await testApp.as(distributor);
    const page = (query: Record<string, string>) => call(listCounterOrders, { params: { id: distribution.id }, query });
    expect((await page({ limit: '1' })).map(({ id, key }) => [id, key])).toEqual([[order.id, String(order.id)]]);
    expect((await page({ limit: '5', after: String(order.id) })).map(({ id, key }) => [id, key])).toEqual([[second.id, undefined]]);
  });

  test("is not found for another distributor's distribution", async () => {
    const other = await testApp.as(await makeDistributor(testApp.db));
    await expect(other(readCounter, { params: { id: distribution.id } })).rejects.toMatchObject({ status: 404 });
    await expect(other(listCounterOrders, { params: { id: distribution.id } })).rejects.toMatchObject({ status: 404 });
  });
});

describe('the state of the counter and its changes (contract §14)', () => {
  test('contains products, fees, and whether the viewer may take payments', async () => {
    await makeFee(testApp.db, distribution, { name: 'Delivery' });
    const state = await read();
    expect(state).toMatchObject({
      distribution: { name: 'Passover', acceptActuals: true },
      viewer: { id: distributor.id, mayTakePayments: true, needsTill: false },
    });
    expect(state.catalogue?.products.map(({ name }) => name)).toEqual(['Brisket']);
    expect(state.catalogue?.fees.map(({ name }) => name)).toEqual(['Delivery']);
    expect(state.changed).toBeNull();
    expect((await read(undefined, agent)).viewer).toEqual({ id: agent.id, mayTakePayments: false, needsTill: false });
    await testApp.db.updateTable('users').set({ mayTakePayments: true }).where('id', '=', agent.id).execute();
    expect((await read(undefined, agent)).viewer.mayTakePayments).toBe(true);
  });

  test('leaves out families and a catalogue that did not change', async () => {
    const mark = await quietMark();
    expect(await read(mark)).toMatchObject({ catalogue: null, changed: [] });
  });

  const CHANGES: Record<string, () => Promise<unknown>> = {
    'a weight': async () => weigh(testApp.db, order.lines[0], [4.87], agent),
    'a payment': async () => pay(testApp.db, distribution, { orderId: order.id, amount: 100, by: distributor }),
    'a pick-up': async () =>
      testApp.db
        .updateTable('orders')
        .set({ pickedUpAt: new Date().toISOString(), pickedUpBy: agent.id })
        .where('id', '=', order.id)
        .execute(),
    'a name': async () => testApp.db.updateTable('contacts').set({ lastName: 'Baum' }).where('userId', '=', customer.id).execute(),
  };
  test.each(Object.keys(CHANGES))('contains only the family that this change concerns: %s', async (name) => {
    await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 1]]);
    const mark = await quietMark();
    await CHANGES[name]?.();
    expect(await changedSince(mark)).toEqual([order.id]);
  });

  test('contains the family whose pick-up time was renamed (contract §16)', async () => {
    const { db } = testApp;
    await makeOrder(db, distribution, await makeCustomer(db, distributor), [[brisket, 1]]);
    const call = await testApp.as(distributor);
    const place = { id: distribution.id };
    const slot = await call(addSlot, { params: place, body: { label: 'Sunday', startsAt: '2028-04-09T14:00:00Z', capacity: 5 } });
    await db.updateTable('orders').set({ slotId: slot.id }).where('id', '=', order.id).execute();
    const mark = await quietMark();
    await call(changeSlot, { params: { ...place, slotId: slot.id }, body: { label: 'Monday' } });
    expect((await read(mark)).changed).toMatchObject([{ id: order.id, slot: 'Monday, Sun, Apr 9, 2:00 PM UTC' }]);
  });

  test('contains the family whose weight was removed', async () => {
    const call = await testApp.as(distributor);
    const [orderProductId = 0] = order.lines.map(({ id }) => id);
    await call(saveActuals, { params: { orderId: order.id }, body: { [`${orderProductId}-0`]: 4.87 } });
    const mark = await quietMark();
    await call(removeWeight, { params: { orderId: order.id }, body: { orderProductId, index: 0 } });
    expect((await read(mark)).changed).toMatchObject([{ id: order.id, lines: [{ actuals: [] }] }]);
  });

  test('contains a family that has just ordered', async () => {
    const mark = await quietMark();
    const second = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 1]]);
    expect(await changedSince(mark)).toEqual([second.id]);
  });

  test("contains a family whose change began before the client's last read and was committed after it", async () => {
    let mark = '';
    await transaction(testApp.db, async (db) => {
      await weigh(withQueryBuilder(db), order.lines[0], [4.87], agent);
      // The transaction that is open here began first. This order is created by a second transaction, which commits before the first one.
      await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 1]]);
      ({ mark } = await read());
    });
    expect(await changedSince(mark)).toContain(order.id);
  });

  test('contains the catalogue again after a price changed', async () => {
    const { mark } = await read();
    await sql`UPDATE distributions SET "catalogueVersion" = "catalogueVersion" + 1 WHERE id = ${distribution.id}`.execute(testApp.db);
    await sql`UPDATE products SET unit_price = 1100 WHERE id = ${brisket.id}`.execute(testApp.db);
    expect((await read(mark)).catalogue?.products).toMatchObject([{ unit_price: 1100 }]);
  });

  test('tells the client to read everything again when its position (mark) is of another database, or when the changes do not fit into one reply and the client does not ask for pages', async () => {
    const { mark } = await read();
    expect((await read('9000000000000000000.0')).changed).toBeNull();
    await addOrders(251);
    expect((await read(mark)).changed).toBeNull();
  });

  test('contains an order of a million units that need not be weighed, so that its customer cannot make every station read all orders again (reliability abuse)', async () => {
    const mark = await quietMark();
    const wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
    const large = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[wine, 1_000_000]]);
    expect(await changedSince(mark)).toEqual([large.id]);
  });

  test('are read in pages of at most 250 orders when the client asks for pages, so that hundreds of changed orders do not make every station read all orders again (reliability abuse)', async () => {
    const mark = await quietMark();
    await weigh(testApp.db, order.lines[0], [4.87], agent);
    await addOrders(300);
    const { sizes, ids } = await changedInPages(mark);
    expect(sizes).toEqual([250, 51]);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect([new Set(ids).size, ids[0]]).toEqual([301, order.id]);
    expect((await changedInPages(mark, '200')).sizes).toEqual([200, 101]);
  });

  test('are read in pages of whole orders that have at most 15,000 lines, weights and payments together (reliability abuse)', async () => {
    const mark = await quietMark();
    await addOrders(4);
    const added = (await changedSince(mark)) ?? [];
    const lines = (await addLines(added, 4000)).map(({ id }) => id);
    expect(await changedInPages(mark)).toEqual({ sizes: [3, 1], ids: added });
    expect((await read(mark)).changed).toBeNull();
    // With 8,000 weights, or 4,000 payments more, two orders do not fit into one page.
    const more = [
      sql`INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy") SELECT id, n, 1, ${agent.id}
        FROM unnest(${lines}::int[]) id, generate_series(0, 1) n`,
      sql`INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdBy", "updatedBy")
        SELECT ${distributor.id}, ${distribution.id}, id, 1, 'Cash', ${agent.id}, ${agent.id} FROM unnest(${added}::int[]) id, generate_series(1, 4000)`,
    ];
    for (const statement of more) {
      await statement.execute(testApp.db);
      expect(await changedInPages(mark)).toEqual({ sizes: [1, 1, 1, 1], ids: added });
      await sql`DELETE FROM actual_quantities`.execute(testApp.db);
    }
  });

  test('are refused, also in pages, when more than 2,000 orders have changed; the client then reads all orders again', async () => {
    const { mark } = await read();
    await addOrders(2001);
    expect((await read(mark, distributor, { limit: '5000' })).changed).toBeNull();
  });

  test('are searched in one read for all stations, whatever their marks are, because each read compares all orders (reliability abuse)', async () => {
    const first = await quietMark();
    await weigh(testApp.db, order.lines[0], [4.87], agent);
    const last = await quietMark();
    const find = async (since: string) => (await findChanges(testApp.db, { userId: agent.id }, distribution, { since })).ids;
    const before = testApp.db.poolStats().statements;
    const finding = await transaction(testApp.db, async (db) => {
      await run(db, 'LOCK TABLE slots IN ACCESS EXCLUSIVE MODE', []);
      const found = Array.from({ length: 20 }, () => find(last));
      await pause(300);
      return { found };
    });
    expect(await Promise.all(finding.found)).toEqual(finding.found.map(() => '{}'));
    // Each of the twenty also reads its new mark. The transaction has three statements.
    expect(testApp.db.poolStats().statements - before).toBeLessThan(28);
    expect(await Promise.all([find(first), find(last)])).toEqual([`{${order.id}}`, '{}']);
  });

  test('are refused with status 400 when the client sends an invalid position (mark)', async () => {
    await expect(read('soon')).rejects.toMatchObject({ status: 400 });
  });

  test('contains no family while the distribution accepts no actual quantities', async () => {
    const { mark } = await read();
    const call = await testApp.as(distributor);
    await call(changeDistribution, { params: { id: distribution.id }, body: { acceptActuals: false } });
    expect(await read(mark)).toMatchObject({ distribution: { acceptActuals: false }, catalogue: null, changed: null });
    // A counter that is reading the list would take an empty page for its end.
    const reading = (await testApp.as(agent))(listCounterOrders, { params: { id: distribution.id } });
    await expect(reading).rejects.toMatchObject({ status: 409, text: 'This distribution is not accepting actual quantities.' });
  });

  test('stay free of conflicts when a weight is sent twice under one idempotency key; another weight based on the same outdated value gets 409', async () => {
    const call = await testApp.as(distributor);
    const [orderProductId = 0] = order.lines.map(({ id }) => id);
    const key = `${orderProductId}-0`;
    const send = (weight: number, idempotencyKey: string) =>
      call(saveActuals, { params: { orderId: order.id }, body: { [key]: weight, [`${key}-was`]: null }, idempotencyKey });
    const first = await send(4.87, 'one');
    // The second request states that no weight is recorded yet, although the first request recorded one. Without the Idempotency-Key, the
    // server would refuse the second request.
    expect(await send(4.87, 'one')).toEqual(first);
    await expect(send(4.9, 'two')).rejects.toMatchObject({ status: 409 });
  });
});
