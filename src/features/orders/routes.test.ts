import { beforeEach, describe, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { linesOf, makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { changeDistribution, readDistribution } from '../distributions/contract.ts';
import { listOrders, placeOrder, readOrder } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;

beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor, { name: 'Passover' });
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', max_order_qty: 3 });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
});

type Quantities = readonly (readonly [product: Row<'products'>, quantity: number])[];
const bodyOf = (quantities: Quantities, more: object = {}) => ({
  distributionId: distribution.id,
  products: quantities.map(([product, quantity]) => ({ productId: product.id, quantity })),
  ...more,
});
const post = (payload: object, by: Person | null = customer) => testApp.request(by, { method: 'POST', url: '/api/orders', payload });
const place = async (quantities: Quantities, more: object = {}) => await post(bodyOf(quantities, more));

async function expectRefused(payload: object, status: number, sentence: string): Promise<void> {
  const answer = await post(payload);
  expect([answer.statusCode, answer.body]).toEqual([status, sentence]);
  expect(await linesOf(testApp.db, distribution.id)).toEqual([]);
}

test.each([
  ['an id that is none', { distributionId: 'x' }],
  ['no product', { distributionId: 1, products: [] }],
  ['nothing', null],
])('session and role are checked before the content of an invalid order, which is: %s (contract §2)', async (_, payload) => {
  const url = '/api/orders';
  const unread = { method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: '{' } as const;
  const forged = await testApp.request(null, {
    method: 'POST',
    url,
    headers: { cookie: 'sid=forged' },
    payload: payload ?? bodyOf([[wine, 1]]),
  });
  const unreadForged = await testApp.request(null, { ...unread, headers: { ...unread.headers, cookie: 'sid=forged' } });
  const untyped = await testApp.request(distributor, { method: 'POST', url, headers: { 'content-type': 'text/plain' }, payload: 'x' });
  expect([unreadForged.statusCode, untyped.statusCode]).toEqual([401, 403]);
  const ofCustomer = await testApp.request(customer, unread);
  expect([ofCustomer.statusCode, ofCustomer.body]).toEqual([400, 'The body is not valid JSON.']);
  const answers = [await testApp.request(null, unread), forged, await post(payload ?? bodyOf([[wine, 1]]), distributor)];
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [401, 'Please sign in.'],
    [401, 'Please sign in.'],
    [403, 'Your role may not do this.'],
  ]);
  expect(await linesOf(testApp.db, distribution.id)).toEqual([]);
});

describe('an order, which is placed and changed as a whole,', () => {
  test('gets the status 201 for the first save and 200 for a change, and is the same on the next read (spec §3, §7; contract §5)', async () => {
    const first = await place([[brisket, 2]]);
    const { id } = first.json();
    expect(first.statusCode).toBe(201);
    expect(first.json()).toEqual({ id, distributionId: distribution.id, products: [{ productId: brisket.id, quantity: 2 }], version: 1 });

    const second = await place([[wine, 1]]);
    expect(second.statusCode).toBe(200);
    expect(second.json()).toEqual({ id, distributionId: distribution.id, products: [{ productId: wine.id, quantity: 1 }], version: 2 });

    const call = await testApp.as(customer);
    expect(await call(readOrder, { params: { distributionId: distribution.id } })).toEqual(second.json());
  });

  test('changes neither its version nor the audit trail when it is saved again unchanged', async () => {
    await place([[brisket, 2]]);
    const again = await place([[brisket, 2]]);
    expect([again.statusCode, again.json().version]).toEqual([200, 1]);
    expect(await linesOf(testApp.db, distribution.id)).toMatchObject([{ quantity: 2, audit: [2] }]);
  });

  test('gets the quantity 0 for a product that the request omits or sets to 0 (contract §5)', async () => {
    await place([
      [brisket, 2],
      [wine, 5],
    ]);
    const changed = await place([
      [brisket, 0],
      [wine, 5],
    ]);
    expect(changed.json().products).toEqual([{ productId: wine.id, quantity: 5 }]);
    const call = await testApp.as(customer);
    expect((await call(readOrder, { params: { distributionId: distribution.id } }))?.products).toEqual([
      { productId: wine.id, quantity: 5 },
    ]);
  });

  test('is null for a customer who has not ordered (contract §5)', async () => {
    const call = await testApp.as(customer);
    expect(await call(readOrder, { params: { distributionId: distribution.id } })).toBeNull();
    expect(await call(listOrders)).toEqual([]);
  });

  test('is hidden from other customers (spec §6)', async () => {
    await place([[brisket, 2]]);
    const neighbour = await makeCustomer(testApp.db, distributor);
    const call = await testApp.as(neighbour);
    expect(await call(readOrder, { params: { distributionId: distribution.id } })).toBeNull();
    expect(await call(listOrders)).toEqual([]);
  });

  test('is listed in My Orders with distribution, lines and total, newest first (spec §7)', async () => {
    const older = await makeDistribution(testApp.db, distributor, { name: 'Purim', date: '2027-03-20' });
    const cake = await makeProduct(testApp.db, older, { unit_price: cents(250), unit_qty: 2 });
    const purim = await makeOrder(testApp.db, older, customer, [[cake, 3]]);
    const passover = (await place([[brisket, 2]])).json();
    const none = { expected_count: 0, actual_count: 0, version: 1 };
    expect(await (await testApp.as(customer))(listOrders)).toEqual([
      {
        ...none,
        id: passover.id,
        distributionId: distribution.id,
        distributionName: 'Passover',
        distributionDate: '2027-04-15',
        products: [{ productId: brisket.id, quantity: 2 }],
        orderAmount: 2000,
        balance: 2000,
      },
      {
        ...none,
        id: purim.id,
        distributionId: older.id,
        distributionName: 'Purim',
        distributionDate: '2027-03-20',
        products: [{ productId: cake.id, quantity: 3 }],
        orderAmount: 1500,
        balance: 1500,
      },
    ]);
  });
});

describe('the server refuses a whole order with a message', () => {
  test('when a quantity is above the maximum (contract §5)', () =>
    expectRefused(bodyOf([[brisket, 4]]), 400, 'Brisket: at most 3 can be ordered.'));
  test('when a product without a maximum has a quantity above a million', () =>
    expectRefused(bodyOf([[wine, 1_000_001]]), 400, 'Wine: at most 1000000 can be ordered.'));
  test('when a quantity is negative (contract §5)', () =>
    expectRefused(bodyOf([[wine, -1]]), 400, 'The quantity of Wine must be a whole number, 0 or more.'));
  test('when it has no lines', () => expectRefused(bodyOf([]), 400, 'Order at least one product.'));
  test('when it has no quantity above 0 (contract §5)', () => expectRefused(bodyOf([[wine, 0]]), 400, 'Order at least one product.'));
  test('when one of its lines is valid and the other is invalid (contract §2)', () =>
    expectRefused(
      bodyOf([
        [wine, 1],
        [brisket, 4],
      ]),
      400,
      'Brisket: at most 3 can be ordered.',
    ));
  test('when it contains a product twice, even with the quantity 0 (contract §5)', async () => {
    await expectRefused(
      bodyOf([
        [brisket, 2],
        [brisket, 2],
      ]),
      400,
      'Brisket is in the order twice.',
    );
    await expectRefused(
      bodyOf([
        [brisket, 2],
        [brisket, 0],
      ]),
      400,
      'Brisket is in the order twice.',
    );
  });

  test('when it has a product of another distribution or tenant, or an unknown product (contract §5)', async () => {
    const other = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor));
    const foreign = await makeProduct(testApp.db, await makeDistribution(testApp.db, await makeDistributor(testApp.db)));
    for (const id of [other.id, foreign.id, 2_000_000_000]) {
      const products = [{ productId: id, quantity: 1 }];
      await expectRefused({ distributionId: distribution.id, products }, 400, `Product ${id} is not in this distribution.`);
    }
  });

  test('when its total is above ten million dollars', async () => {
    const gold = await makeProduct(testApp.db, distribution, { unit_price: cents(500_000_000) });
    await expectRefused(bodyOf([[gold, 3]]), 400, 'An order cannot be above $10,000,000.00.');
    expect((await place([[gold, 2]])).statusCode).toBe(201);
  });

  test('when it has more than 5,000 lines', async () => {
    const products = Array.from({ length: 5001 }, (_, index) => ({ productId: index + 1, quantity: 1 }));
    await expectRefused({ distributionId: distribution.id, products }, 400, 'An order has at most 5000 lines');
  });

  test.each([1.5, 1e308, 1e15, '1', '1e3', 'NaN', null, true, [], {}, undefined])(
    'when it has the quantity %j (contract §5)',
    async (quantity) => {
      const answer = await post({ distributionId: distribution.id, products: [{ productId: wine.id, quantity }] });
      expect(answer.statusCode).toBe(400);
      expect(await linesOf(testApp.db, distribution.id)).toEqual([]);
    },
  );

  test('when a quantity is a fraction; the message says that a quantity must be a whole number', async () => {
    const answer = await place([[wine, 1.5]]);
    expect(answer.body).toBe('A quantity must be a whole number, 0 or more.');
  });
});

describe('orders in a distribution that is closed, unpublished or foreign', () => {
  test('are refused in a closed distribution, with and without an existing order (contract §2, §5)', async () => {
    await place([[brisket, 1]]);
    await (
      await testApp.as(distributor)
    )(changeDistribution, { params: { id: distribution.id }, body: { orderingOpen: false } });
    for (const person of [customer, await makeCustomer(testApp.db, distributor)]) {
      const answer = await post(bodyOf([[brisket, 2]]), person);
      expect([answer.statusCode, answer.body]).toEqual([409, 'Ordering is closed']);
    }
    expect(await linesOf(testApp.db, distribution.id)).toMatchObject([{ customerId: customer.id, quantity: 1 }]);
  });

  test('are not found in an unpublished distribution, except by a customer with an order, who may read it but not change it (contract §5)', async () => {
    await place([[brisket, 1]]);
    await (
      await testApp.as(distributor)
    )(changeDistribution, { params: { id: distribution.id }, body: { published: false } });
    const stranger = await makeCustomer(testApp.db, distributor);
    const [own, other] = [await testApp.as(customer), await testApp.as(stranger)];
    const params = { distributionId: distribution.id };

    expect((await own(readOrder, { params }))?.products).toEqual([{ productId: brisket.id, quantity: 1 }]);
    expect((await own(readDistribution, { params: { id: distribution.id } })).published).toBe(false);
    await expect(own(placeOrder, { body: bodyOf([[brisket, 2]]) })).rejects.toMatchObject({
      status: 409,
      text: 'This distribution is not published at the moment',
    });
    await expect(other(readOrder, { params })).rejects.toMatchObject({ status: 404, text: 'Distribution not found' });
    await expect(other(placeOrder, { body: bodyOf([[brisket, 2]]) })).rejects.toMatchObject({
      status: 404,
      text: 'Distribution not found',
    });
  });

  test("are not found in another distributor's distribution", async () => {
    const foreigner = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
    const answer = await post(bodyOf([[brisket, 1]]), foreigner);
    expect([answer.statusCode, answer.body]).toEqual([404, 'Distribution not found']);
  });
});

describe('the version of an order', () => {
  const ELSEWHERE = 'This order was changed elsewhere. Reload to see it.';

  test('is refused when it is outdated; the next save with the current version is accepted (contract §5)', async () => {
    await place([[brisket, 1]]);
    await place([[brisket, 2]], { version: 1 });
    const stale = await place([[brisket, 3]], { version: 1 });
    expect([stale.statusCode, stale.body]).toEqual([409, ELSEWHERE]);

    const fresh = await (await testApp.as(customer))(readOrder, { params: { distributionId: distribution.id } });
    const saved = await place([[brisket, 3]], { version: fresh?.version });
    expect([saved.statusCode, saved.json().version]).toEqual([200, 3]);
  });

  test('may be 0 for a first order; the version 0 is refused when the order already exists', async () => {
    expect((await place([[brisket, 1]], { version: 0 })).statusCode).toBe(201);
    expect((await place([[brisket, 2]], { version: 0 })).body).toBe(ELSEWHERE);
  });

  test('is refused when it is above 0 and there is no order', async () => {
    expect((await place([[brisket, 1]], { version: 7 })).body).toBe(ELSEWHERE);
    expect(await linesOf(testApp.db, distribution.id)).toEqual([]);
  });

  test('is included in the problem details (RFC 9457) for clients that accept them', async () => {
    await place([[brisket, 1]]);
    const headers = { accept: 'application/problem+json' };
    const answer = await testApp.request(customer, {
      method: 'POST',
      url: '/api/orders',
      headers,
      payload: bodyOf([[brisket, 2]], { version: 9 }),
    });
    expect(answer.json()).toMatchObject({ status: 409, detail: ELSEWHERE, version: 1 });
  });
});
