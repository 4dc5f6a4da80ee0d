// Sends requests at the same time and checks the database after each round. This is the short form of the reliability tests R6 and R8.
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeDistribution } from '../src/features/distributions/contract.ts';
import { run, transaction } from '../src/server/database/db.ts';
import type { Row } from '../src/server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { linesOf, makeOrder } from './data/order-rows.ts';
import { iterations } from './setup/iterations.ts';
import { waitForLockWaiters } from './database/lock-waits.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let wine: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
});

const post = (by: Person, products: { productId: number; quantity: number }[], { version, key }: { version?: number; key?: string } = {}) =>
  testApp.request(by, {
    method: 'POST',
    url: '/api/orders',
    headers: key === undefined ? {} : { 'idempotency-key': key },
    payload: { distributionId: distribution.id, products, ...(version === undefined ? {} : { version }) },
  });
const quantities = async () => new Map((await linesOf(testApp.db, distribution.id)).map((line) => [line.customerId, line.quantity]));
const crowd = (count: number) => Promise.all(Array.from({ length: count }, () => makeCustomer(testApp.db, distributor)));

/**
 * Sends all saves, and runs `change` when a random number of them have got their responses. Returns all responses, and the quantities in
 * the database right after `change` was done.
 */
async function during(saves: (() => ReturnType<typeof post>)[], change: () => Promise<unknown>) {
  const after = 1 + Math.floor(Math.random() * (saves.length * 0.8));
  let answered = 0;
  let changed: Promise<Map<number, number>> | undefined;
  const answers = await Promise.all(
    saves.map(async (save) => {
      const answer = await save();
      if ((answered += 1) === after) changed = change().then(quantities);
      return answer;
    }),
  );
  return { answers, atChange: await changed };
}

const CHANGES = [
  ['closing', 20, { orderingOpen: false }],
  ['unpublishing', 10, { published: false }],
] as const;

/**
 * Changes a distribution while `count` customers save their orders in it. Each response must agree with what the database then contains.
 */
async function changeAmid(count: number, body: (typeof CHANGES)[number][2]): Promise<void> {
  distribution = await makeDistribution(testApp.db, distributor);
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
  const people = everybody.slice(0, count);
  // Every third customer already has an order. Every second customer sends the save with an idempotency key.
  for (const person of people.filter((__, index) => index % 3 === 0)) await makeOrder(testApp.db, distribution, person, [[wine, 1]]);
  const had = await quantities();
  const saves = people.map((person, index) => {
    const options = index % 2 ? { key: `key-${distribution.id}-${index}` } : {};
    return () => post(person, [{ productId: wine.id, quantity: 2 }], options);
  });
  const call = await testApp.as(distributor);
  const { answers, atChange } = await during(saves, () => call(changeDistribution, { params: { id: distribution.id }, body }));

  const now = await quantities();
  expect(now).toEqual(atChange);
  for (const [index, person] of people.entries()) {
    const answer = answers[index];
    const old = had.get(person.id);
    if (answer?.statusCode === (old === undefined ? 201 : 200)) expect(now.get(person.id)).toBe(2);
    else {
      const unpublished = old === undefined ? [404, 'Distribution not found'] : [409, 'This distribution is not published at the moment'];
      const refusal = 'published' in body ? unpublished : [409, 'Ordering is closed'];
      expect([answer?.statusCode, answer?.body]).toEqual(refusal);
      expect(now.get(person.id)).toBe(old);
    }
  }
}

let everybody: Person[];
describe('closing or unpublishing a distribution while customers save', () => {
  test.each(CHANGES)(
    "%s, %i times, every tenth time with two hundred saves: no order is written after the change, and each save's response matches the database (contract §5)",
    { timeout: iterations(300_000, 1_200_000) },
    async (_, times, body) => {
      everybody = await crowd(200);
      const few = iterations(10, 1);
      for (let round = 0; round < iterations(times, 20); round++) await changeAmid(round % few === 0 ? 200 : 20, body);
    },
  );
});

test('closing a distribution waits for a delayed save, so that nothing is written after the distribution has closed (contract §5)', async () => {
  const { id } = await makeOrder(testApp.db, distribution, customer, [[wine, 1]]);
  const call = await testApp.as(distributor);
  const [save, closed] = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [id]);
    const saving = post(customer, [{ productId: wine.id, quantity: 2 }]);
    await waitForLockWaiters(testApp.db);
    const closing = call(changeDistribution, { params: { id: distribution.id }, body: { orderingOpen: false } }).then(quantities);
    await waitForLockWaiters(testApp.db, 2);
    return [saving, closing] as const;
  }).then((both) => Promise.all(both));
  expect([save.statusCode, closed.get(customer.id), (await quantities()).get(customer.id)]).toEqual([200, 2, 2]);
});

test("when a product's maximum is lowered while forty customers save, no order that is saved afterwards exceeds the maximum (contract §5)", async () => {
  const people = await crowd(40);
  const saves = people.map((person) => () => post(person, [{ productId: wine.id, quantity: 5 }]));
  const url = `/api/distributions/${distribution.id}/products/${wine.id}`;
  const { answers, atChange } = await during(saves, () =>
    testApp.request(distributor, { method: 'PATCH', url, payload: { name: 'Wine', max_order_qty: 3 } }),
  );
  const now = await quantities();
  expect(now).toEqual(atChange);
  for (const [index, person] of people.entries()) {
    const answer = answers[index];
    expect([answer?.statusCode, answer?.statusCode === 400 ? answer.body : now.get(person.id)]).toEqual(
      now.has(person.id) ? [201, 5] : [400, 'Wine: at most 3 can be ordered.'],
    );
  }
});

describe('two windows of one customer that save at the same time', () => {
  test('twenty concurrent saves without a version create one version each, and the last order and the audit rows are complete (contract §5)', async () => {
    const others = [await makeProduct(testApp.db, distribution), await makeProduct(testApp.db, distribution)];
    const products = (save: number) => [wine, ...others].map(({ id }, index) => ({ productId: id, quantity: 100 * index + save }));
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => post(customer, products(index + 1))));
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => b - a)).toEqual([201, ...Array<number>(19).fill(200)]);

    const byVersion = answers.map((answer) => answer.json()).toSorted((a, b) => a.version - b.version);
    expect(byVersion.map((order) => order.version)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    const lines = await linesOf(testApp.db, distribution.id);
    expect(lines.map(({ productId, quantity }) => ({ productId, quantity }))).toEqual(byVersion.at(-1).products);
    for (const [index, line] of lines.entries()) {
      expect(line.originalQuantity).toBe(line.quantity);
      // An audit trail gets at most three rows for changes within a minute. The fourth and later changes overwrite the newest of these
      // rows.
      expect(line.audit).toEqual([byVersion[0], byVersion[1], byVersion.at(-1)].map((order) => order.products[index].quantity));
    }
  });

  test('of two changes of the same order version, one is saved and the other is refused; the next save succeeds', async () => {
    await makeOrder(testApp.db, distribution, customer, [[wine, 1]]);
    for (let round = 1; round <= iterations(10, 100); round++) {
      const pair = [2 * round, 2 * round + 1].map((quantity) => post(customer, [{ productId: wine.id, quantity }], { version: round }));
      const [won, lost] = (await Promise.all(pair)).toSorted((a, b) => a.statusCode - b.statusCode);
      expect([won?.statusCode, won?.json().version]).toEqual([200, round + 1]);
      expect([lost?.statusCode, lost?.body]).toEqual([409, 'This order was changed elsewhere. Reload to see it.']);
      expect((await quantities()).get(customer.id)).toBe(won?.json().products[0].quantity);
    }
  });

  test('a first order placed twice at once is one order (spec §3)', async () => {
    for (const person of await crowd(10)) {
      const pair = [1, 2].map((quantity) => post(person, [{ productId: wine.id, quantity }]));
      const [changed, placed] = (await Promise.all(pair)).toSorted((a, b) => a.statusCode - b.statusCode);
      expect([placed?.statusCode, placed?.json().version, changed?.statusCode, changed?.json().version]).toEqual([201, 1, 200, 2]);
      expect(placed?.json().id).toBe(changed?.json().id);
      expect((await quantities()).get(person.id)).toBe(changed?.json().products[0].quantity);
    }
  });

  test('a first order placed twice at once with version 0 is saved once and refused once', async () => {
    for (const person of await crowd(10)) {
      const pair = [1, 2].map((quantity) => post(person, [{ productId: wine.id, quantity }], { version: 0 }));
      const answers = await Promise.all(pair);
      expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([201, 409]);
    }
  });

  test('ten concurrent saves with an idempotency key each all succeed', async () => {
    for (let round = 0; round < iterations(1, 1000); round++) {
      const saves = Array.from({ length: 10 }, (_, index) => ({ quantity: 10 * round + index + 1, key: `own-${round}-${index}` }));
      const answers = await Promise.all(saves.map(({ quantity, key }) => post(customer, [{ productId: wine.id, quantity }], { key })));
      const versions = answers.map((answer) => answer.json().version).toSorted((a, b) => a - b);
      expect(versions).toEqual(Array.from({ length: 10 }, (_, index) => 10 * round + index + 1));
    }
  });
});

test("when a lowered quantity and the line's weights are saved at the same time, fifty times, the result equals one save after the other, and no removed unit has a weight", async () => {
  await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_qty_is_estimate: true });
  const orders = await Promise.all(
    (await crowd(50)).map(async (person) => ({ person, ...(await makeOrder(testApp.db, distribution, person, [[brisket, 3]])) })),
  );
  for (const [round, { person, id, lines }] of orders.entries()) {
    const lineId = lines[0]?.id ?? 0;
    const set = (quantity: number) =>
      round % 2
        ? post(person, [{ productId: brisket.id, quantity }])
        : testApp.request(distributor, {
            method: 'POST',
            url: '/api/distributor/order',
            payload: { customerId: person.id, distributionId: distribution.id, products: [{ productId: brisket.id, quantity }] },
          });
    const url = `/api/order-product-quantities/${id}`;
    const weigh = () =>
      testApp.request(distributor, { method: 'POST', url, payload: { [`${lineId}-0`]: 1, [`${lineId}-1`]: 2, [`${lineId}-2`]: 3 } });
    const lead = Math.random() * 8;
    const [lowered, weighed] = await Promise.all([pause(round % 3 ? lead : 0).then(() => set(1)), pause(round % 3 ? 0 : lead).then(weigh)]);
    expect(lowered.statusCode).toBe(200);
    const isFirst = weighed.statusCode === 200;
    if (!isFirst) expect([weighed.statusCode, weighed.body]).toEqual([400, `${lineId}-1 is not a unit of this order.`]);
    // The removed units are ordered again. They must not get their old weights back.
    expect((await set(3)).statusCode).toBe(200);
    const rowsOf = (table: 'actual_quantities' | 'actual_quantity_audit') =>
      testApp.db.selectFrom(table).select(['sortOrder', 'actualQuantity']).where('orderProductId', '=', lineId).orderBy('id').execute();
    expect(await rowsOf('actual_quantities')).toEqual(isFirst ? [{ sortOrder: 0, actualQuantity: 1 }] : []);
    const audit = (await rowsOf('actual_quantity_audit')).map((row) => `${row.sortOrder}: ${row.actualQuantity}`).toSorted();
    expect(audit).toEqual(isFirst ? ['0: 1', '1: 2', '1: null', '2: 3', '2: null'] : []);
  }
});

test('two members of staff weigh one order at once, fifty times: of two requests with different weights for one unit, the second is refused with 409', async () => {
  await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
  const agent = await makeAgent(testApp.db, distributor);
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_qty_is_estimate: true });
  for (const person of await crowd(iterations(50, 500))) {
    const { id, lines } = await makeOrder(testApp.db, distribution, person, [[brisket, 3]]);
    const lineId = lines[0]?.id ?? 0;
    const url = `/api/order-product-quantities/${id}`;
    const weigh = (by: Person, payload: Record<string, number | null>) => testApp.request(by, { method: 'POST', url, payload });
    const shared = (weight: number) => ({ [`${lineId}-1`]: weight, [`${lineId}-1-was`]: null });
    const answers = await Promise.all([
      weigh(distributor, { [`${lineId}-0`]: 1, ...shared(1.5) }),
      weigh(agent, { [`${lineId}-2`]: 2, ...shared(2.5) }),
    ]);
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const saved = await testApp.db
      .selectFrom('actual_quantities')
      .selectAll()
      .where('orderProductId', '=', lineId)
      .orderBy('sortOrder')
      .execute();
    const isFirst = answers[0]?.statusCode === 200;
    const [winner, kept] = isFirst
      ? [
          distributor,
          [
            [0, 1],
            [1, 1.5],
          ],
        ]
      : [
          agent,
          [
            [1, 2.5],
            [2, 2],
          ],
        ];
    expect(saved.map((row) => [row.sortOrder, row.actualQuantity, row.updatedBy])).toEqual(kept.map((row) => [...row, winner.id]));
    const audit = await testApp.db
      .selectFrom('actual_quantity_audit')
      .select('actualQuantity')
      .where('orderProductId', '=', lineId)
      .execute();
    expect(audit).toHaveLength(2);
    // The person whose request was refused now sends the other weights, based on the current values.
    const loser = isFirst ? agent : distributor;
    const own = isFirst ? { [`${lineId}-2`]: 2 } : { [`${lineId}-0`]: 1 };
    expect((await weigh(loser, own)).statusCode).toBe(200);
  }
});

test("when a customer and an agent weigh one order at once, the agent's weight is kept, whichever request comes first (contract §6)", async () => {
  await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
  const agent = await makeAgent(testApp.db, distributor);
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_qty_is_estimate: true });
  for (const person of await crowd(iterations(20, 500))) {
    const { id, lines } = await makeOrder(testApp.db, distribution, person, [[brisket, 1]]);
    const key = `${lines[0]?.id}-0`;
    const url = `/api/order-product-quantities/${id}`;
    const weigh = (by: Person, weight: number) =>
      testApp.request(by, { method: 'POST', url, payload: { [key]: weight, [`${key}-was`]: null } });
    const [ofCustomer, ofAgent] = await Promise.all([weigh(person, 1.5), weigh(agent, 2.5)]);
    expect([200, 409]).toContain(ofCustomer.statusCode);
    expect(ofAgent.statusCode).toBe(200);
    const saved = await testApp.db
      .selectFrom('actual_quantities')
      .select(['actualQuantity', 'updatedBy'])
      .where('orderProductId', '=', lines[0]?.id ?? 0)
      .execute();
    expect(saved).toEqual([{ actualQuantity: 2.5, updatedBy: agent.id }]);
  }
});
