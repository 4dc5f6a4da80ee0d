// Tests orders of products that have a limit (contract §12).
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { HOUR } from '../../domain/durations.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { placeCustomerOrder, placeOrder, readOrderPageData } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let other: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  [customer, other] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket, first cut', total_limit: 5 });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
});

type Sent = [method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object];
async function send(person: Person, [method, url, payload]: Sent): Promise<[number, unknown]> {
  const answer = await testApp.request(person, { method, url, ...(payload ? { payload } : {}) });
  return [answer.statusCode, answer.statusCode < 300 ? answer.json() : answer.body];
}
const bodyOf = (briskets: number, wines = 0) => ({
  distributionId: distribution.id,
  products: [
    { productId: wine.id, quantity: wines },
    { productId: brisket.id, quantity: briskets },
  ],
});
const order = (person: Person, ...quantities: [number, number?]) => send(person, ['POST', placeOrder.path, bodyOf(...quantities)]);
const orderByStaff = (person: Person, briskets: number, fields: object = {}) =>
  send(distributor, ['POST', placeCustomerOrder.path, { ...bodyOf(briskets), customerId: person.id, ...fields }]);
const setLimit = (total_limit: number | null) =>
  send(distributor, ['PATCH', `/api/distributions/${distribution.id}/products/${brisket.id}`, { total_limit }]);
const productsFor = async (person: Person) =>
  (await send(person, ['GET', `/api/distributions/${distribution.id}/products`]))[1] as {
    id: number;
    total_limit: number | null;
    left: number | null;
  }[];
const leftFor = async (person: Person) => (await productsFor(person)).find(({ id }) => id === brisket.id)?.left;

describe('a limit of a product (contract §12)', () => {
  test('causes the refusal of an order that exceeds the units left; the message names the units left, and nothing is saved', async () => {
    expect((await order(other, 2))[0]).toBe(201);
    expect(await order(customer, 4, 1)).toEqual([409, 'Only 3 left of Brisket, first cut.']);
    expect(await send(customer, ['GET', `/api/orders/${distribution.id}`])).toEqual([200, null]);
    expect((await order(customer, 3, 1))[0]).toBe(201);
    expect(await order(other, 3)).toEqual([409, 'None left of Brisket, first cut.']);
  });

  test('allows an order to be lowered, and to be raised within the units left, even when more is ordered than the limit allows', async () => {
    await order(customer, 5);
    expect((await setLimit(2))[0]).toBe(200);
    expect((await order(customer, 4))[0]).toBe(200);
    expect(await order(customer, 5)).toEqual([409, 'None left of Brisket, first cut.']);
    expect((await order(customer, 1))[0]).toBe(200);
    expect((await order(customer, 2))[0]).toBe(200);
    expect(await order(customer, 3)).toEqual([409, 'None left of Brisket, first cut.']);
    expect((await setLimit(null))[0]).toBe(200);
    expect((await order(customer, 3))[0]).toBe(200);
  });

  test('can be exceeded by staff after a confirmation; the audit trail records the confirmation', async () => {
    await order(other, 4);
    expect(await orderByStaff(customer, 3)).toEqual([409, 'Only 1 left of Brisket, first cut.']);
    expect((await orderByStaff(customer, 3, { beyondLimits: [brisket.id] }))[0]).toBe(201);
    const trail = testApp.db
      .selectFrom('order_audit')
      .select(['before', 'after', 'updatedBy'])
      .where('distributionId', '=', distribution.id);
    expect(await trail.execute()).toEqual([{ before: {}, after: { beyondLimits: ['Brisket, first cut'] }, updatedBy: distributor.id }]);
    expect((await orderByStaff(customer, 1, { beyondLimits: [brisket.id] }))[0]).toBe(200);
    expect(await trail.execute()).toHaveLength(1);
  });

  test('can be exceeded by staff only for the products that the confirmation names; nothing is saved otherwise', async () => {
    await order(other, 5);
    const lamb = await makeProduct(testApp.db, distribution, { name: 'Lamb', total_limit: 1 });
    const products = [brisket, lamb].map(({ id: productId }) => ({ productId, quantity: 2 }));
    const save = (beyondLimits: number[]) => orderByStaff(customer, 1, { products, beyondLimits });
    expect(await save([])).toEqual([409, 'None left of Brisket, first cut.']);
    expect(await save([brisket.id])).toEqual([409, 'Only 1 left of Lamb.']);
    expect(await save([lamb.id])).toEqual([409, 'None left of Brisket, first cut.']);
    expect((await save([brisket.id, lamb.id]))[0]).toBe(201);
    const trail = await testApp.db.selectFrom('order_audit').select('after').where('distributionId', '=', distribution.id).execute();
    expect(trail).toEqual([{ after: { beyondLimits: ['Brisket, first cut', 'Lamb'] } }]);
  });

  test('cannot be exceeded by a customer who sends the field that is reserved for staff', async () => {
    expect(await send(customer, ['POST', placeOrder.path, { ...bodyOf(6), beyondLimits: [brisket.id] }])).toEqual([
      409,
      'Only 5 left of Brisket, first cut.',
    ]);
  });

  test('does not count the units of an order after all its quantities were set to 0, so that other customers can order them', async () => {
    await order(other, 5);
    const body = { productId: brisket.id, product_code: null };
    expect((await send(distributor, ['POST', `/api/distributions/${distribution.id}/clear-product-quantities`, body]))[0]).toBe(200);
    expect((await order(customer, 5))[0]).toBe(201);
  });

  test('is never exceeded by concurrent customers, who together can order all units of the product', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => makeCustomer(testApp.db, distributor)));
    const answers = await Promise.all(people.map((person) => order(person, 1, 1)));
    expect(answers.filter(([status]) => status === 201)).toHaveLength(5);
    expect(answers.filter(([status]) => status !== 201)).toEqual(Array(25).fill([409, 'None left of Brisket, first cut.']));
  });
});

describe('the units left of a product (contract §12)', () => {
  test('are null without a limit; after every order, staff and customers read the current number', async () => {
    expect((await productsFor(customer)).map(({ id, total_limit, left }) => [id, total_limit, left])).toEqual([
      [brisket.id, 5, 5],
      [wine.id, null, null],
    ]);
    await order(other, 2);
    expect(await leftFor(distributor)).toBe(3);
    expect([await leftFor(customer), await leftFor(other)]).toEqual([3, 3]);
    await order(other, 4);
    expect(await leftFor(customer)).toBe(1);
    expect((await setLimit(2))[1]).toMatchObject({ total_limit: 2, left: 0 });
    expect(await leftFor(customer)).toBe(0);
  });

  test('on the Edit Order page include those on hold for its customer, and are read outside the queue of expensive reads (contract §12; reliability abuse)', async () => {
    await testApp.db
      .insertInto('waiting_list')
      .values({
        distributorId: distributor.id,
        distributionId: distribution.id,
        customerId: customer.id,
        productId: brisket.id,
        quantity: 2,
        heldQuantity: 2,
        heldUntil: new Date(Date.now() + HOUR).toISOString(),
      })
      .execute();
    const [counting, counted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { query } = testApp.db;
    const statements = vi.spyOn(testApp.db, 'query').mockImplementation(async (text, values) => {
      if (text.includes('units_left')) {
        counting.resolve();
        await counted.promise;
      }
      return await query(text, values);
    });
    onTestFinished(() => statements.mockRestore());
    const call = await testApp.as(distributor);
    const read = async ({ id }: Person) => {
      const page = await call(readOrderPageData, { params: { distributionId: distribution.id, customerId: id } });
      return page.distributionProducts.map((product) => [product.id, product.left]);
    };
    const pages = Promise.all([read(customer), read(other)]);
    const first = await Promise.race([counting.promise, pages]);
    expect(first).toBe(undefined);
    const { signal } = new AbortController();
    expect(await runInQueue({ distributorId: distributor.id, signal }, async () => 'not delayed')).toBe('not delayed');
    counted.resolve();
    const rows = (left: number) => [
      [brisket.id, left],
      [wine.id, null],
    ];
    expect(await pages).toEqual([rows(5), rows(3)]);
  });

  test('are included in the reply to adding a product', async () => {
    const [status, product] = await send(distributor, [
      'POST',
      `/api/distributions/${distribution.id}/products`,
      { name: 'Lamb', total_limit: 7 },
    ]);
    expect([status, product]).toMatchObject([201, { total_limit: 7, left: 7 }]);
  });

  test.each([
    [0, 'Limit must be at least 1'],
    [1_000_001, 'Limit is too large'],
  ])('are not changed by the invalid limit %s, which is refused with the message: %s', async (total_limit, sentence) => {
    expect(await setLimit(total_limit)).toEqual([400, sentence]);
  });
});
