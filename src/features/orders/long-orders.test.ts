// An order with many lines does not delay the orders of other people (reliability, "abuse").
import { beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { readInQueue } from '../../server/http/report-queue.ts';
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

const save = async (person: Person, lines: number, key?: string): Promise<number> => {
  const { method, path: url } = person === distributor ? placeCustomerOrder : placeOrder;
  const order = { distributionId: distribution.id, products: products.slice(0, lines).map(({ id }) => ({ productId: id, quantity: 1 })) };
  const payload = person === distributor ? { ...order, customerId: customer.id } : order;
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return (await testApp.request(person, { method, url, payload, headers })).statusCode;
};

test.each([
  ['sent by its customer', () => save(customer, 101), 201],
  ['sent by its customer with an Idempotency-Key', () => save(customer, 101, 'key-of-a-long-order'), 201],
  ['sent by staff', () => save(distributor, 101), 201],
  [
    'that its customer reduces to one line',
    async () => {
      await makeOrder(
        testApp.db,
        distribution,
        customer,
        products.map((product) => [product, 2]),
      );
      return await save(customer, 1);
    },
    200,
  ],
])(
  'an order with more than 100 lines, %s, waits in the queue of expensive reads, and shorter orders do not wait (reliability abuse)',
  async (_, saveLong, status) => {
    const held = Promise.withResolvers<void>();
    const reading = readInQueue({ distributorId: distributor.id, signal: new AbortController().signal }, () => held.promise);
    let isDone = false;
    const long = saveLong().finally(() => (isDone = true));
    for (let shorter = 0; shorter < 3; shorter++) expect(await save(await makeCustomer(testApp.db, distributor), 100)).toBe(201);
    expect(isDone).toBe(false);
    held.resolve();
    await reading;
    expect(await long).toBe(status);
  },
);
