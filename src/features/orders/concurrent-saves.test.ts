// Tests concurrent saves of the same customer. The test can delay the statement that saves an order.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { placeCustomerOrder, placeOrder } from './contract.ts';
import type { SaveOutcome } from './queries.ts';

const saves = vi.hoisted(() => ({
  started: [] as number[],
  outcomes: [] as SaveOutcome[],
  wait: (_customerId: number): Promise<void> => Promise.resolve(),
}));
vi.mock('./queries.ts', async (original) => {
  const queries = await original<typeof import('./queries.ts')>();
  const saveOrder: typeof queries.saveOrder = async (db, viewer, order) => {
    saves.started.push(order.item.customerId);
    await saves.wait(order.item.customerId);
    const result = await queries.saveOrder(db, viewer, order);
    saves.outcomes.push(result.outcome);
    return result;
  };
  return { ...queries, saveOrder };
});

const testApp = setupTestApp();
let distributor: Person;
let customer: Person;
let other: Person;
let distribution: Row<'distributions'>;
let product: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  [customer, other] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  distribution = await makeDistribution(testApp.db, distributor);
  product = await makeProduct(testApp.db, distribution);
  Object.assign(saves, { started: [], outcomes: [], wait: () => Promise.resolve() });
});
const bodyOf = (quantity: number) => ({ distributionId: distribution.id, products: [{ productId: product.id, quantity }] });
const order = async (person: Person, quantity: number, key?: string): Promise<[status: number, version?: number]> => {
  const answer = await testApp.request(person, {
    method: placeOrder.method,
    url: placeOrder.path,
    headers: key === undefined ? {} : { 'idempotency-key': key },
    payload: bodyOf(quantity),
  });
  return answer.statusCode < 300 ? [answer.statusCode, answer.json<{ version: number }>().version] : [answer.statusCode];
};

/** The saves of `customer` wait until the returned function is called. */
function delaySaves(): () => void {
  const running = Promise.withResolvers<void>();
  saves.wait = (customerId) => (customerId === customer.id ? running.promise : Promise.resolve());
  return running.resolve;
}
const startedByCustomer = () => saves.started.filter((id) => id === customer.id);

describe('concurrent saves of one customer', () => {
  test('run one after the other, so that a batch has at most one of them; other customers do not wait (reliability abuse)', async () => {
    const endDelay = delaySaves();
    const own = [1, 2, 3, 4, 5, 6].map((quantity) => order(customer, quantity, quantity % 2 ? `key-${quantity}` : undefined));
    expect(await order(other, 1)).toEqual([201, 1]);
    expect(await order(other, 2)).toEqual([200, 2]);
    expect(startedByCustomer()).toHaveLength(1);
    endDelay();
    const replies = await Promise.all(own);
    expect(new Set(replies.map(([, version]) => version))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });

  test('are validated one after the other with the current order, so that none has to be validated again', async () => {
    await Promise.all([1, 2, 3, 4, 5, 6].map((quantity) => order(customer, quantity)));
    expect(saves.outcomes).toEqual(Array(6).fill('saved'));
  });

  test('do not wait for a save that was refused', async () => {
    expect(await order(customer, -1)).toEqual([400]);
    expect(await order(customer, 0)).toEqual([400]);
    expect(await order(customer, 1)).toEqual([201, 1]);
  });

  test('wait for a running save whose client has disconnected (reliability abuse)', async () => {
    const url = new URL(placeOrder.path, await testApp.app.listen({ port: 0, host: '127.0.0.1' }));
    const cookie = await testApp.cookieOf(customer);
    const endDelay = delaySaves();
    const closed = new Promise((resolve) => testApp.app.server.once('connection', (socket) => socket.once('close', resolve)));
    const client = new AbortController();
    const headers = { cookie, 'content-type': 'application/json' };
    const lost = fetch(url, { method: 'POST', body: JSON.stringify(bodyOf(1)), headers, signal: client.signal }).catch(() => 'lost');
    await expect.poll(startedByCustomer).toHaveLength(1);
    client.abort();
    expect(await lost).toBe('lost');
    await closed;
    const next = order(customer, 2);
    expect(await order(other, 1)).toEqual([201, 1]);
    expect(startedByCustomer()).toHaveLength(1);
    endDelay();
    expect(await next).toEqual([200, 2]);
  });
});

test('the locks of an outdated save in a transaction are released before the order is saved again, because two such saves could otherwise deadlock (reliability abuse)', async () => {
  const { db } = testApp;
  await order(customer, 1);
  await db.updateTable('products').set({ total_limit: 10 }).where('id', '=', product.id).execute();
  const free: unknown[] = [];
  const attempts = [
    () => db.updateTable('orders').set({ version: 2 }).where('distributionId', '=', distribution.id).execute(),
    async () => {
      free.push(await db.selectFrom('products').select('id').where('id', '=', product.id).forUpdate().skipLocked().execute());
      free.push(await db.selectFrom('distributions').select('id').where('id', '=', distribution.id).forUpdate().skipLocked().execute());
    },
  ];
  saves.wait = async () => void (await attempts.shift()?.());
  const saved = await testApp.request(distributor, {
    method: placeCustomerOrder.method,
    url: placeCustomerOrder.path,
    headers: { 'idempotency-key': 'key-of-staff' },
    payload: { ...bodyOf(3), customerId: customer.id },
  });
  expect([saved.statusCode, saves.outcomes.slice(1)]).toEqual([200, ['outdated', 'saved']]);
  expect(free).toEqual([[{ id: product.id }], [{ id: distribution.id }]]);
});
