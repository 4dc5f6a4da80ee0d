import { beforeEach, describe, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { listProducts } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
});

const send = async (method: 'POST' | 'PATCH', url: string, payload: object) => {
  const answer = await testApp.request(distributor, { method, url, payload });
  return [answer.statusCode, answer.statusCode < 300 ? answer.json() : answer.body];
};
const add = (payload: object) => send('POST', `/api/distributions/${distribution.id}/products`, payload);

const BRISKET = {
  name: 'Brisket',
  description: 'First cut',
  unit_price: 1299,
  unit_qty: 6,
  uom: 'lb',
  unit_qty_is_estimate: true,
  max_order_qty: 4,
  product_group: 'Beef',
  product_code: 101,
  total_limit: null,
};

describe('a product', () => {
  test('is returned with its price: unit price times quantity (spec §3, §7)', async () => {
    const [status, product] = await add({ ...BRISKET, distributionId: distribution.id, price: 1, total_ordered: 5, distributorId: 9 });
    expect([status, product]).toEqual([201, { ...BRISKET, id: product.id, distributionId: distribution.id, price: 7794, left: null }]);
  });

  test('needs only a name (spec §5, §9; contract §2, §4)', async () => {
    const [status, product] = await add({ name: ' Matzah ', description: ' ', uom: '', product_group: null });
    expect([status, product]).toEqual([
      201,
      {
        id: product.id,
        distributionId: distribution.id,
        name: 'Matzah',
        description: null,
        unit_price: 0,
        unit_qty: 1,
        price: 0,
        uom: null,
        unit_qty_is_estimate: false,
        max_order_qty: 0,
        product_group: null,
        product_code: null,
        total_limit: null,
        left: null,
      },
    ]);
  });

  test('is added once if the request is repeated with the same Idempotency-Key (contract §2)', async () => {
    const url = `/api/distributions/${distribution.id}/products`;
    const request = { method: 'POST', url, payload: BRISKET, headers: { 'idempotency-key': 'brisket' } } as const;
    const replies = [await testApp.request(distributor, request), await testApp.request(distributor, request)];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(replies[1]?.body).toBe(replies[0]?.body);
    expect(await (await testApp.as(distributor))(listProducts, { params: { id: distribution.id } })).toHaveLength(1);
  });

  test('can be changed by a request that contains all of its fields (spec §7)', async () => {
    const [, { id }] = await add(BRISKET);
    const change = { ...BRISKET, name: 'Brisket, lean', unit_price: 1500, product_code: null };
    expect(await send('PATCH', `/api/distributions/${distribution.id}/products/${id}`, { ...change, id })).toEqual([
      200,
      { ...change, id, distributionId: distribution.id, price: 9000, left: null },
    ]);
  });

  test('is refused with 409 when a field has another value than the previous one in the request, and than the new one (contract §2)', async () => {
    const [, { id }] = await add(BRISKET);
    const change = (payload: object) => send('PATCH', `/api/distributions/${distribution.id}/products/${id}`, payload);
    const meanwhile = [409, 'Brisket was changed by somebody else meanwhile. Nothing is saved.'];
    expect(await change({ unit_price: 1500, max_order_qty: 9, before: { unit_price: 1200, max_order_qty: 4 } })).toEqual(meanwhile);
    expect(await change({ total_limit: null, before: { unit_price: 1200 } })).toEqual([200, expect.objectContaining(BRISKET)]);
    for (const unit_price of [BRISKET.unit_price, 1200])
      expect(await change({ unit_price: 1500, before: { unit_price } })).toEqual([200, expect.objectContaining({ unit_price: 1500 })]);
  });

  test('is refused when the body names another distribution or product than the path (spec §7; contract §2)', async () => {
    const other = await makeDistribution(testApp.db, distributor);
    const path = `/api/distributions/${distribution.id}/products`;
    expect(await add({ ...BRISKET, distributionId: other.id })).toEqual([400, 'distributionId must be the distribution of the path']);
    const [, { id }] = await add(BRISKET);
    const [, { id: second }] = await add({ name: 'Wine' });
    expect(await send('PATCH', `${path}/${id}`, { id: second, name: 'X' })).toEqual([400, 'id must be the product of the path']);
    expect(await send('PATCH', `${path}/${id}`, { id: 'x' })).toMatchObject([400, expect.any(String)]);
    const names = await testApp.db
      .selectFrom('products')
      .select('name')
      .where('distributionId', 'in', [distribution.id, other.id])
      .orderBy('id')
      .execute();
    expect(names).toEqual([{ name: 'Brisket' }, { name: 'Wine' }]);
  });

  test('of another distributor is not found, whatever the body names (spec §7; contract §2)', async () => {
    const foreign = await makeDistribution(testApp.db, await makeDistributor(testApp.db));
    const theirs = await makeProduct(testApp.db, foreign);
    const path = `/api/distributions/${foreign.id}/products`;
    expect(await send('POST', path, { ...BRISKET, distributionId: foreign.id })).toEqual([404, 'Distribution not found']);
    expect(await send('PATCH', `${path}/${theirs.id}`, { id: theirs.id, name: 'X' })).toEqual([404, 'Distribution not found']);
  });

  test('keeps the fields that a change request does not contain', async () => {
    const [, { id }] = await add(BRISKET);
    const url = `/api/distributions/${distribution.id}/products/${id}`;
    const kept = { ...BRISKET, id, distributionId: distribution.id, left: null };
    expect(await send('PATCH', url, { unit_price: 1500 })).toEqual([200, { ...kept, unit_price: 1500, price: 9000 }]);
    expect(await send('PATCH', url, {})).toEqual([200, { ...kept, unit_price: 1500, price: 9000 }]);
    expect(await send('PATCH', url, { unit_price: 1_000_000_000 })).toEqual([400, 'Unit price times quantity is too large']);
  });

  test('can be changed only in its own distribution; in another one it is not found', async () => {
    const elsewhere = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor));
    const foreign = await makeProduct(testApp.db, await makeDistribution(testApp.db, await makeDistributor(testApp.db)));
    for (const id of [elsewhere.id, foreign.id, 2_000_000_000]) {
      const url = `/api/distributions/${distribution.id}/products/${id}`;
      expect(await send('PATCH', url, BRISKET)).toEqual([404, 'Product not found']);
    }
    const url = `/api/distributions/${foreign.distributionId}/products`;
    expect(await send('PATCH', `${url}/${foreign.id}`, BRISKET)).toEqual([404, 'Distribution not found']);
    expect(await send('POST', url, BRISKET)).toEqual([404, 'Distribution not found']);
  });
});

describe('a product is refused', () => {
  test.each([
    [{ unit_price: -1 }, 'Unit price must be positive'],
    [{ unit_price: 1_000_000_001 }, 'Unit price is too large'],
    [{ unit_qty: 0 }, 'Quantity must be at least 1'],
    [{ unit_qty: -3 }, 'Quantity must be at least 1'],
    [{ unit_qty: 1_000_001 }, 'Quantity is too large'],
    [{ unit_price: 1_000_000_000, unit_qty: 2 }, 'Unit price times quantity is too large'],
    [{ max_order_qty: -1 }, 'Maximum order quantity must be non-negative'],
    [{ max_order_qty: 1_000_001 }, 'Maximum order quantity is too large'],
    [{ product_code: -1 }, 'Product code must be non-negative'],
    [{ product_code: 2_147_483_648 }, 'Product code is too large'],
    [{ name: '  ' }, 'Name is required'],
    [{ name: 'x'.repeat(201) }, 'Name is longer than 200 characters'],
    [{ description: 'x'.repeat(2001) }, 'Description is longer than 2000 characters'],
    [{ product_group: 'x'.repeat(201) }, 'Group is longer than 200 characters'],
    [{ uom: 'a\u0000' }, 'Unit of measure contains characters that cannot be stored'],
  ])(
    'with the values %j and the message: %s, both when it is added and when it is changed (spec §5, §9; contract §4)',
    async (fault, sentence) => {
      expect(await add({ ...BRISKET, ...fault })).toEqual([400, sentence]);
      const { id } = await makeProduct(testApp.db, distribution);
      const url = `/api/distributions/${distribution.id}/products/${id}`;
      expect(await send('PATCH', url, { ...BRISKET, ...fault })).toEqual([400, sentence]);
    },
  );

  test.each([
    { name: undefined },
    { unit_price: '5' },
    { unit_price: 1.5 },
    { unit_qty: 1e308 },
    { unit_qty_is_estimate: 'true' },
    { product_code: 'A1' },
  ])('with the invalid values %j', async (fault) => {
    expect((await add({ ...BRISKET, ...fault }))[0]).toBe(400);
  });

  test('but not with values that equal the limits', async () => {
    const edge = {
      name: '🍷'.repeat(100),
      description: 'x'.repeat(2000),
      unit_price: 1000,
      unit_qty: 1_000_000,
      max_order_qty: 1_000_000,
      product_code: 0,
    };
    expect(await add(edge)).toMatchObject([201, { ...edge, price: 1_000_000_000 }]);
  });
});

test('the list is sorted by group, product code (products without a code last) and name (spec §7; contract §4)', async () => {
  const make = (name: string, product_group: string | null, product_code: number | null) =>
    makeProduct(testApp.db, distribution, { name, product_group, product_code });
  await make('Zinfandel', 'Wine', null);
  await make('Merlot', 'Wine', null);
  await make('Syrah', 'Wine', 20);
  await make('Chuck', 'Beef', 12);
  await make('Brisket', 'Beef', 3);
  const products = await (await testApp.as(distributor))(listProducts, { params: { id: distribution.id } });
  expect(products.map((product) => product.name)).toEqual(['Brisket', 'Chuck', 'Syrah', 'Merlot', 'Zinfandel']);
});

describe('the group order', () => {
  const url = () => `/api/distributions/${distribution.id}`;
  const setOrder = (groupOrder: unknown) => send('PATCH', url(), { groupOrder });
  const listed = async (by: Person) =>
    (await (await testApp.as(by))(listProducts, { params: { id: distribution.id } })).map(({ name }) => name);

  test('applies to every list of products, including cached lists; groups that the order does not name follow alphabetically, and products without a group come last (contract §4)', async () => {
    const make = (name: string, product_group: string | null, product_code: number | null = null) =>
      makeProduct(testApp.db, distribution, { name, product_group, product_code });
    await make('Candles', null, 1);
    await make('Cheddar', 'Cheese', 2);
    await make('Brisket', 'Beef', 3);
    await make('Syrah', 'Wine', 5);
    await make('Merlot', 'Wine', 4);
    await make('Apples', 'Fruit', 6);
    const people = [distributor, await makeCustomer(testApp.db, distributor)];
    const lists = () => Promise.all(people.map(listed));
    const byAlphabet = ['Brisket', 'Cheddar', 'Apples', 'Merlot', 'Syrah', 'Candles'];
    expect(await lists()).toEqual([byAlphabet, byAlphabet]);
    expect(await setOrder(['Wine', 'Fish', 'Cheese'])).toMatchObject([200, { groupOrder: ['Wine', 'Fish', 'Cheese'] }]);
    const ordered = ['Merlot', 'Syrah', 'Cheddar', 'Brisket', 'Apples', 'Candles'];
    expect(await lists()).toEqual([ordered, ordered]);
    expect(await setOrder(null)).toMatchObject([200, { groupOrder: null }]);
    expect(await lists()).toEqual([byAlphabet, byAlphabet]);
  });

  test('is audited with its previous value (contract §4)', async () => {
    await setOrder(['Wine', 'Beef']);
    await setOrder(['Wine', 'Beef']);
    await setOrder(null);
    const { body } = await testApp.request(distributor, { method: 'GET', url: `${url()}/audit?kind=distribution` });
    expect(JSON.parse(body).map((row: { detail: unknown }) => row.detail)).toEqual([
      { before: { groupOrder: ['Wine', 'Beef'] }, after: { groupOrder: null } },
      { before: { groupOrder: null }, after: { groupOrder: ['Wine', 'Beef'] } },
    ]);
  });

  test.each([
    ['Wine', 'groupOrder must be a list.'],
    [[1], 'Group is required'],
    [[' '], 'Group is required'],
    [['x'.repeat(201)], 'Group is longer than 200 characters'],
    [['Wine', ' Wine'], 'groupOrder must name each group once'],
    [Array.from({ length: 1001 }, (_, n) => `Group ${n}`), 'groupOrder has more than 1000 groups'],
  ])('is refused when it is invalid; case %#', async (groupOrder, sentence) => {
    expect(await setOrder(groupOrder)).toEqual([400, sentence]);
  });

  test("of another distributor's distribution is not found", async () => {
    const foreign = await makeDistribution(testApp.db, await makeDistributor(testApp.db));
    expect(await send('PATCH', `/api/distributions/${foreign.id}`, { groupOrder: ['Wine'] })).toEqual([404, 'Distribution not found']);
    const call = testApp.request(await makeAgent(testApp.db, distributor), {
      method: 'PATCH',
      url: url(),
      payload: { groupOrder: ['Wine'] },
    });
    expect((await call).statusCode).toBe(403);
  });
});

test('only the distributor and agents see the number of ordered units of a product (spec §3; contract §4)', async () => {
  const [brisket, wine] = [
    await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_price: cents(250), unit_qty: 3 }),
    await makeProduct(testApp.db, distribution, { name: 'Wine' }),
  ];
  const [customer, neighbour] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  await makeOrder(testApp.db, distribution, customer, [[brisket, 2]]);
  await makeOrder(testApp.db, distribution, neighbour, [
    [brisket, 5],
    [wine, 0],
  ]);
  const seen = async (person: Person) =>
    (await (await testApp.as(person))(listProducts, { params: { id: distribution.id } })).map(({ name, price, total_ordered }) => [
      name,
      price,
      total_ordered,
    ]);
  for (const person of [distributor, await makeAgent(testApp.db, distributor)]) {
    expect(await seen(person)).toEqual([
      ['Brisket', 750, 7],
      ['Wine', 1000, 0],
    ]);
  }
  expect(await seen(customer)).toEqual([
    ['Brisket', 750, undefined],
    ['Wine', 1000, undefined],
  ]);
});
