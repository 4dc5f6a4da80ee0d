import { beforeEach, describe, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { linesOf, makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction } from '../../server/database/db.ts';
import { placeOrder, readOrder, readOrderPageData } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;

beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor, { name: 'Passover' });
  brisket = await makeProduct(testApp.db, distribution, {
    name: 'Brisket',
    max_order_qty: 5,
    unit_qty: 2,
    unit_qty_is_estimate: true,
    product_code: 1001,
  });
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine', product_code: 1801, product_group: 'Wine' });
});

type Quantities = readonly (readonly [product: Row<'products'>, quantity: number])[];
const bodyOf = (quantities: Quantities, more: object = {}) => ({
  customerId: customer.id,
  distributionId: distribution.id,
  products: quantities.map(([product, quantity]) => ({ productId: product.id, quantity })),
  ...more,
});
const post = (by: Person, payload: object, headers: Record<string, string> = {}) =>
  testApp.request(by, { method: 'POST', url: '/api/distributor/order', payload, headers });
const set = (values: Partial<Row<'distributions'>>) =>
  testApp.db.updateTable('distributions').set(values).where('id', '=', distribution.id).execute();
const confirmations = () => testApp.db.selectFrom('emails').select('userId').where('userId', '=', customer.id).execute();

describe("staff place and change a customer's order", () => {
  test.each(['distributor', 'agent'] as const)(
    'with the role %s, even in a closed, unpublished distribution (spec §6, §7; contract §5)',
    async (role) => {
      await set({ orderingOpen: false, published: false });
      const by = { distributor, agent }[role];
      const first = await post(by, bodyOf([[brisket, 2]]));
      const { id } = first.json();
      expect(first.statusCode).toBe(201);
      expect(first.json()).toEqual({ id, distributionId: distribution.id, products: [{ productId: brisket.id, quantity: 2 }], version: 1 });

      const second = await post(by, bodyOf([[wine, 3]], { version: 1 }));
      expect(second.statusCode).toBe(200);
      expect(second.json()).toEqual({ id, distributionId: distribution.id, products: [{ productId: wine.id, quantity: 3 }], version: 2 });
      const call = await testApp.as(customer);
      expect(await call(readOrder, { params: { distributionId: distribution.id } })).toEqual(second.json());
      expect(await linesOf(testApp.db, distribution.id)).toMatchObject([
        { customerId: customer.id, quantity: 0, audit: [2, 0], by: [by.id, by.id] },
        { customerId: customer.id, quantity: 3, audit: [3], by: [by.id] },
      ]);
    },
  );

  test('but not when the draft distribution is deleted while an order without products is saved: the response is 404 (contract §2)', async () => {
    const draft = await makeDistribution(testApp.db, distributor, { published: false });
    const { ordering } = await transaction(testApp.db, async (db) => {
      await run(db, 'SELECT FROM distributions WHERE id = $1 FOR NO KEY UPDATE', [draft.id]);
      const ordering = post(distributor, { customerId: customer.id, distributionId: draft.id, products: [] });
      await waitForLockWaiters(testApp.db);
      await run(db, 'DELETE FROM distributions WHERE id = $1', [draft.id]);
      return { ordering };
    });
    const answer = await ordering;
    expect([answer.statusCode, answer.body]).toEqual([404, 'Distribution not found']);
  });

  test('for a disabled customer', async () => {
    await testApp.db.updateTable('users').set({ disabledAt: new Date().toISOString() }).where('id', '=', customer.id).execute();
    expect((await post(distributor, bodyOf([[wine, 1]]))).statusCode).toBe(201);
  });

  test("without changing the customer's last requested quantity; on a line that staff add, their quantity counts as requested (contract §5)", async () => {
    const own = await testApp.as(customer);
    await own(placeOrder, { body: { distributionId: distribution.id, products: [{ productId: brisket.id, quantity: 4 }] } });
    await post(agent, bodyOf([[brisket, 1]]));
    await post(
      agent,
      bodyOf([
        [brisket, 2],
        [wine, 6],
      ]),
    );
    await post(
      distributor,
      bodyOf([
        [brisket, 2],
        [wine, 1],
      ]),
    );
    expect(await linesOf(testApp.db, distribution.id)).toMatchObject([
      { productId: brisket.id, quantity: 2, originalQuantity: 4, audit: [4, 1, 2], by: [customer.id, agent.id, agent.id] },
      { productId: wine.id, quantity: 1, originalQuantity: 6, audit: [6, 1], by: [agent.id, distributor.id] },
    ]);
    await own(placeOrder, { body: { distributionId: distribution.id, products: [{ productId: brisket.id, quantity: 3 }] } });
    expect(await linesOf(testApp.db, distribution.id)).toMatchObject([
      { quantity: 3, originalQuantity: 3 },
      { quantity: 0, originalQuantity: 0 },
    ]);
  });

  test('with all quantities 0: the order then costs nothing and counts as not placed (contract §5)', async () => {
    await makeFee(testApp.db, distribution);
    await post(distributor, bodyOf([[wine, 1]]));
    const nothing = await post(distributor, bodyOf([]));
    expect([nothing.statusCode, nothing.json().products]).toEqual([200, []]);
    const report = await testApp.request(distributor, { method: 'GET', url: `/api/distributions/${distribution.id}/customer-report` });
    expect(report.json()).toMatchObject([{ order_id: nothing.json().id, order_quantity_count: 0, orderAmount: 0, balance: 0 }]);
  });

  test('without a confirmation mail when all quantities of the new order are 0', async () => {
    expect((await post(agent, bodyOf([]))).statusCode).toBe(201);
    expect(await confirmations()).toEqual([]);
    expect((await post(agent, bodyOf([[wine, 1]]))).statusCode).toBe(200);
    expect(await confirmations()).toHaveLength(1);
  });

  test("with a confirmation to the customer, as for the customer's own change", async () => {
    await post(agent, bodyOf([[wine, 1]]));
    expect(await confirmations()).toHaveLength(1);
  });

  test('once per idempotency key and person; another body with the same key is refused (contract §2)', async () => {
    const key = { 'idempotency-key': 'staff-1' };
    const [first, again] = [await post(agent, bodyOf([[wine, 1]]), key), await post(agent, bodyOf([[wine, 1]]), key)];
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect((await post(agent, bodyOf([[wine, 2]]), key)).statusCode).toBe(409);
    expect(await linesOf(testApp.db, distribution.id)).toMatchObject([{ quantity: 1, audit: [1] }]);
  });
});

describe('staff are refused and nothing is written', () => {
  test.each([
    ['above the maximum', () => bodyOf([[brisket, 6]]), 400, 'Brisket: at most 5 can be ordered.'],
    ['below 0', () => bodyOf([[wine, -1]]), 400, 'The quantity of Wine must be a whole number, 0 or more.'],
    ['an old version', () => bodyOf([[wine, 1]], { version: 7 }), 409, 'This order was changed elsewhere. Reload to see it.'],
    ['no such customer', () => bodyOf([[wine, 1]], { customerId: 2_000_000_000 }), 404, 'Customer not found'],
    ['an agent as the customer', () => bodyOf([[wine, 1]], { customerId: agent.id }), 404, 'Customer not found'],
    ['themselves as the customer', () => bodyOf([[wine, 1]], { customerId: distributor.id }), 404, 'Customer not found'],
    ['no such distribution', () => bodyOf([[wine, 1]], { distributionId: 2_000_000_000 }), 404, 'Distribution not found'],
  ])('when the request has this fault: %s', async (_, payload, status, sentence) => {
    const answer = await post(distributor, payload());
    expect([answer.statusCode, answer.body]).toEqual([status, sentence]);
    expect(await linesOf(testApp.db, distribution.id)).toEqual([]);
  });

  test("for another distributor's customer, distribution or product", async () => {
    const other = await makeDistributor(testApp.db);
    const theirs = await makeDistribution(testApp.db, other);
    const product = await makeProduct(testApp.db, theirs);
    const answers = [
      await post(distributor, bodyOf([[wine, 1]], { customerId: (await makeCustomer(testApp.db, other)).id })),
      await post(distributor, bodyOf([[wine, 1]], { distributionId: theirs.id })),
      await post(distributor, bodyOf([[product, 1]])),
    ];
    expect(answers.map((answer) => [answer.statusCode, answer.body])).toEqual([
      [404, 'Customer not found'],
      [404, 'Distribution not found'],
      [400, `Product ${product.id} is not in this distribution.`],
    ]);
  });
});

describe('an order with weights or payments that is lowered by staff', () => {
  test('loses the weights of the removed units; the audit trail names the person who lowered the order (contract §6)', async () => {
    const { lines } = await makeOrder(testApp.db, distribution, customer, [[brisket, 3]]);
    await weigh(testApp.db, lines[0], [1.25, 2.5, 3.125], customer);
    await post(agent, bodyOf([[brisket, 1]]));
    expect(await testApp.db.selectFrom('actual_quantities').select(['sortOrder', 'actualQuantity']).execute()).toEqual([
      { sortOrder: 0, actualQuantity: 1.25 },
    ]);
    const audit = testApp.db.selectFrom('actual_quantity_audit').orderBy('sortOrder');
    expect(await audit.select(['sortOrder', 'actualQuantity', 'previousQuantity', 'updatedBy']).execute()).toEqual([
      { sortOrder: 1, actualQuantity: null, previousQuantity: 2.5, updatedBy: agent.id },
      { sortOrder: 2, actualQuantity: null, previousQuantity: 3.125, updatedBy: agent.id },
    ]);
  });

  test('may then cost less than was paid, and a refund is due', async () => {
    const { id } = await makeOrder(testApp.db, distribution, customer, [[wine, 2]]);
    await pay(testApp.db, distribution, { orderId: id, amount: 2000, by: distributor });
    expect((await post(distributor, bodyOf([[wine, 1]]))).statusCode).toBe(200);
    const page = await (
      await testApp.as(distributor)
    )(readOrderPageData, { params: { distributionId: distribution.id, customerId: customer.id } });
    expect(page.account).toMatchObject({ orderAmount: 1000, balance: -1000 });
  });
});

describe('the data of the page that edits an order', () => {
  const read = async (by: Person) =>
    (await testApp.as(by))(readOrderPageData, { params: { distributionId: distribution.id, customerId: customer.id } });

  test('contains the catalogue, the fees and the contact of a customer without an order (spec §3)', async () => {
    const fee = await makeFee(testApp.db, distribution, { name: 'Ice', amount: 500 });
    expect(await read(agent)).toMatchObject({
      order: null,
      account: null,
      orderProducts: [],
      distribution: { id: distribution.id, name: 'Passover', date: '2027-04-15', orderingOpen: true },
      distributionProducts: [
        { id: brisket.id, price: 2000, unit_price: 1000, unit_qty: 2, unit_qty_is_estimate: true, max_order_qty: 5 },
        { id: wine.id, price: 1000 },
      ],
      fees: [{ id: fee.id, name: 'Ice', type: 'flat', amount: 500 }],
      contact: {
        userId: customer.id,
        email: customer.email,
        firstName: 'Rivka',
        lastName: 'Abramov',
        address: '1 Elm St',
        city: 'Teaneck',
        state: 'NJ',
        zip: '07666',
        phone: '555-0100',
      },
    });
  });

  test('contains the lines of the order with the requested quantities, and the total of the order (spec §3, §7)', async () => {
    const { id, lines } = await makeOrder(testApp.db, distribution, customer, [
      [brisket, 2],
      [wine, 1],
    ]);
    await weigh(testApp.db, lines[0], [2.5], distributor);
    await pay(testApp.db, distribution, { orderId: id, amount: 700, by: distributor });
    await post(agent, bodyOf([[brisket, 2]]));
    expect(await read(distributor)).toMatchObject({
      order: { id, distributionId: distribution.id, customerId: customer.id, version: 2 },
      orderProducts: [
        { id: lines[0]?.id, productId: brisket.id, quantity: 2, originalQuantity: 2, actuals: [{ sortOrder: 0, actualQuantity: 2.5 }] },
        { id: lines[1]?.id, productId: wine.id, quantity: 0, originalQuantity: 1, actuals: [] },
      ],
      // The product costs $10.00 a pound. One unit weighs 2.5 lb; the other is not weighed and has an estimate of 2 lb.
      account: { orderAmount: 4500, balance: 3800, expected_count: 2, actual_count: 1, unconfirmed_count: 0, has_all_actuals: false },
    });
    await weigh(testApp.db, lines[0], [null, 2], customer);
    expect((await read(distributor)).account).toMatchObject({ unconfirmed_count: 1 });
  });

  test('has null for each unknown field of the contact of a customer who gave no contact', async () => {
    await testApp.db.deleteFrom('contacts').where('userId', '=', customer.id).execute();
    expect((await read(agent)).contact).toMatchObject({ email: customer.email, firstName: null, phone: null });
  });

  test('has amounts in whole cents, even for a product of one cent', async () => {
    const penny = await makeProduct(testApp.db, distribution, { unit_price: cents(1), product_code: 1 });
    await makeOrder(testApp.db, distribution, customer, [[penny, 3]]);
    expect((await read(agent)).account).toMatchObject({ orderAmount: 3, balance: 3, has_all_actuals: true });
  });
});
