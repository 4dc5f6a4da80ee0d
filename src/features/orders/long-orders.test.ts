// An order with many lines does not delay the orders of other people (reliability, "abuse").
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { placeCustomerOrder, placeOrder } from './contract.ts';

const testApp = setupTestApp();
let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let products: Row<'products'>[];
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  products = await Promise.all(Array.from({ length: 101 }, () => makeProduct(testApp.db, distribution)));
});

const orderOf = (lines: number) => ({
  distributionId: distribution.id,
  products: products.slice(0, lines).map(({ id }) => ({ productId: id, quantity: 1 })),
});
/** Staff send a long order of this customer. */
const saveFor = async ({ id: customerId }: Person, staff: Person): Promise<number> => {
  const { method, path: url } = placeCustomerOrder;
  return (await testApp.request(staff, { method, url, payload: { ...orderOf(101), customerId } })).statusCode;
};
const save = async (person: Person, lines: number, key?: string): Promise<number> => {
  const { method, path: url } = person === distributor ? placeCustomerOrder : placeOrder;
  const payload = person === distributor ? { ...orderOf(lines), customerId: customer.id } : orderOf(lines);
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return (await testApp.request(person, { method, url, payload, headers })).statusCode;
};

async function reduce(by: Person): Promise<number> {
  await makeOrder(
    testApp.db,
    distribution,
    customer,
    products.map((product) => [product, 2]),
  );
  return await save(by, 1);
}

test.each([
  ['sent by its customer', () => save(customer, 101), 201],
  ['sent by its customer with an Idempotency-Key', () => save(customer, 101, 'key-of-a-long-order'), 201],
  ['sent by staff', () => save(distributor, 101), 201],
  ['that its customer reduces to one line', () => reduce(customer), 200],
  ['that staff reduce to one line', () => reduce(distributor), 200],
])(
  'an order with more than 100 lines, %s, waits in the queue of expensive reads, and shorter orders do not wait (reliability abuse)',
  { tags: ['long'] },
  async (_, saveLong, status) => {
    const held = Promise.withResolvers<void>();
    const reading = runInQueue({ distributorId: distributor.id, signal: new AbortController().signal }, () => held.promise);
    let isDone = false;
    const long = saveLong().finally(() => (isDone = true));
    for (let shorter = 0; shorter < 3; shorter++) expect(await save(await makeCustomer(testApp.db, distributor), 100)).toBe(201);
    expect(isDone).toBe(false);
    held.resolve();
    await reading;
    expect(await long).toBe(status);
  },
);

/** Waits until all requests that were sent wait in a queue: they then send no statements to the database. */
async function allQueued(): Promise<void> {
  const sent = (): number => testApp.db.poolStats().statements;
  for (let before = -1; before !== sent(); await pause(300)) before = sent();
}

test('the lists of staff, and the long orders of other staff, do not wait for all long orders of one agent (reliability abuse)', async () => {
  const families = await Promise.all(Array.from({ length: 5 }, () => makeCustomer(testApp.db, distributor)));
  const agent = await makeAgent(testApp.db, distributor);
  const strangers = await Promise.all(Array.from({ length: 5 }, () => makeDistributor(testApp.db)));
  const { signal } = new AbortController();
  // Each of these reads keeps the queue from starting another one for two seconds, so that all saves can arrive in it.
  const held = Promise.withResolvers<void>();
  const reads = strangers.map(({ id }) => runInQueue({ distributorId: id, signal }, () => held.promise));
  const done: string[] = [];
  const saves = families.slice(1).map(async (family) => {
    expect(await saveFor(family, agent)).toBe(201);
    done.push('agent');
  });
  await allQueued();
  const others = [
    runInQueue({ distributorId: distributor.id, signal }, async () => void done.push('list')),
    saveFor(families[0] ?? customer, distributor).then(() => done.push('distributor')),
  ];
  await allQueued();
  held.resolve();
  await Promise.all([...reads, ...saves, ...others]);
  expect(done.indexOf('list')).toBeLessThan(2);
  expect(done.indexOf('distributor')).toBeLessThan(4);
});
