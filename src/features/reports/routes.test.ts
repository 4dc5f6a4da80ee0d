import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import {
  makeAgent,
  makeCustomer,
  makeDistribution,
  makeDistributor,
  makeFee,
  makeProduct,
  makeUser,
} from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { listOrders } from '../orders/contract.ts';
import { readCustomerReport, readReport } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
const people: Record<'adler' | 'baum' | 'cohen' | 'dayan', Person> = {} as never;
const orders: Record<'adler' | 'baum' | 'dayan', number> = {} as never;
let brisket: Row<'products'>;
let lamb: Row<'products'>;
let wine: Row<'products'>;

beforeAll(async () => {
  const { db } = testApp;
  distributor = await makeDistributor(db);
  distribution = await makeDistribution(db, distributor);
  await makeFee(db, distribution, { type: 'percent', amount: 1000, sort_order: 2 });
  await makeFee(db, distribution, { type: 'flat', amount: 500, sort_order: 0 });
  await makeFee(db, distribution, { type: 'percent', amount: 300, sort_order: 1 });
  const weighed = { unit_qty_is_estimate: true };
  brisket = await makeProduct(db, distribution, { name: 'Brisket', unit_price: cents(1299), unit_qty: 5, product_code: 101, ...weighed });
  lamb = await makeProduct(db, distribution, { name: 'Lamb', unit_price: cents(1500), unit_qty: 2, product_group: 'Lamb', ...weighed });
  wine = await makeProduct(db, distribution, { name: 'Wine', unit_price: cents(2150), product_group: null });
  people.baum = await makeCustomer(db, distributor, { firstName: 'Noa', lastName: 'Baum' });
  people.adler = await makeCustomer(db, distributor, { firstName: 'Zev', lastName: 'Adler' });
  people.dayan = await makeCustomer(db, distributor, { firstName: 'Ilan', lastName: 'Dayan' });
  people.cohen = await makeUser(db, 'customer', { distributorId: distributor.id });

  const adler = await makeOrder(db, distribution, people.adler, [
    [brisket, 3],
    [wine, 2],
    [lamb, 0],
  ]);
  // The fourth weight belongs to a unit that the customer no longer orders, so it does not count.
  await weigh(db, adler.lines[0], [4.871, null, 5.005, 9], distributor);
  const reversesId = await pay(db, distribution, { orderId: adler.id, amount: 10_000, by: distributor });
  await pay(db, distribution, { orderId: adler.id, amount: -2500, by: distributor, reversesId });
  const card = { paymentMethod: 'Credit Card' as const, description: 'Visa', feeAmount: cents(100) };
  await pay(db, distribution, { orderId: adler.id, amount: 5000, by: distributor, ...card });

  const baum = await makeOrder(db, distribution, people.baum, [[lamb, 1]]);
  await weigh(db, baum.lines[0], [1.001], distributor);
  await pay(db, distribution, { orderId: baum.id, amount: 2268, by: distributor });

  const dayan = await makeOrder(db, distribution, people.dayan, [[wine, 0]]);
  await pay(db, distribution, { orderId: dayan.id, amount: 310, by: distributor });
  Object.assign(orders, { adler: adler.id, baum: baum.id, dayan: dayan.id });

  const foreigner = await makeDistributor(db);
  const elsewhere = await makeDistribution(db, foreigner);
  const foreignWine = await makeProduct(db, elsewhere);
  await makeOrder(db, elsewhere, await makeCustomer(db, foreigner, { lastName: 'Foreign' }), [[foreignWine, 1]]);
  await makeFee(db, elsewhere, { type: 'percent', amount: 5000 });
});

// All amounts are in cents. Adler's lines add up to 6327 + 6495 (unweighed) + 6501 + 4300 = 23623. The fees are added one after the other:
// the flat fee of 500 gives 24123; 3% (724) gives 24847; 10% (2485) gives 27332. Adler has paid 12500.
const ADLER = { expected_count: 3, actual_count: 2, orderAmount: 27_332, balance: 14_832 };

test("the customer report lists every customer with the total and balance of the customer's order (spec §3, §7; contract §6, §7, §9)", async () => {
  const none = {
    order_quantity_count: 0,
    expected_count: 0,
    actual_count: 0,
    unconfirmed_count: 0,
    has_all_actuals: true,
    orderAmount: 0,
    balance: 0,
  };
  const expected = [
    {
      customer_id: people.adler.id,
      email: people.adler.email,
      first_name: 'Zev',
      last_name: 'Adler',
      phone: '555-0100',
      order_id: orders.adler,
      order_quantity_count: 5,
      has_all_actuals: false,
      ...ADLER,
      unconfirmed_count: 0,
    },
    {
      customer_id: people.baum.id,
      email: people.baum.email,
      first_name: 'Noa',
      last_name: 'Baum',
      phone: '555-0100',
      order_id: orders.baum,
      order_quantity_count: 1,
      expected_count: 1,
      actual_count: 1,
      unconfirmed_count: 0,
      has_all_actuals: true,
      // The order's amount in cents. 1501.5 is rounded to 1502. The flat fee of 500 gives 2002, the fee of 3% (60) gives 2062, and the fee
      // of 10% (206) gives 2268.
      orderAmount: 2268,
      balance: 0,
    },
    // All quantities of this order are 0, so no fees are charged, and the customer's payment must be refunded.
    {
      ...none,
      customer_id: people.dayan.id,
      email: people.dayan.email,
      first_name: 'Ilan',
      last_name: 'Dayan',
      phone: '555-0100',
      order_id: orders.dayan,
      balance: -310,
    },
    { ...none, customer_id: people.cohen.id, email: people.cohen.email, first_name: null, last_name: null, phone: null, order_id: null },
  ];
  for (const person of [distributor, await makeAgent(testApp.db, distributor)]) {
    expect(await (await testApp.as(person))(readCustomerReport, { params: { id: distribution.id } })).toEqual(
      expected.toSorted((a, b) => a.customer_id - b.customer_id),
    );
  }
});

test('My Orders shows a customer the same amounts as the customer report shows the distributor', async () => {
  const [order] = await (await testApp.as(people.adler))(listOrders);
  expect(order).toMatchObject({ id: orders.adler, ...ADLER });
  expect(order?.products).toHaveLength(2);
});

test('the order report lists every ordered line, sorted by order and product (spec §3, §7; contract §9)', async () => {
  const adler = { email: people.adler.email, firstName: 'Zev', lastName: 'Adler', orderId: orders.adler };
  const baum = { email: people.baum.email, firstName: 'Noa', lastName: 'Baum', orderId: orders.baum };
  expect(await (await testApp.as(distributor))(readReport, { params: { id: distribution.id } })).toEqual([
    { ...adler, productName: 'Brisket', productCategory: 'Beef', productCode: 101, quantity: 3 },
    { ...adler, productName: 'Wine', productCategory: null, productCode: null, quantity: 2 },
    { ...baum, productName: 'Lamb', productCategory: 'Lamb', productCode: null, quantity: 1 },
  ]);
});

test('without orders, the order report has no line, and every customer has the amount 0 in the customer report (contract §9)', async () => {
  const call = await testApp.as(distributor);
  const { id } = await makeDistribution(testApp.db, distributor);
  expect(await call(readReport, { params: { id } })).toEqual([]);
  const rows = await call(readCustomerReport, { params: { id } });
  expect(rows.map(({ order_id, orderAmount, balance }) => [order_id, orderAmount, balance])).toEqual(Array(4).fill([null, 0, 0]));
});

test('a long report, which the server sends in many batches, is complete and sorted', async () => {
  const large = await makeDistribution(testApp.db, distributor);
  const customer = await makeCustomer(testApp.db, distributor);
  const { id: orderId } = await makeOrder(testApp.db, large, customer, []);
  await sql`WITH p AS (INSERT INTO products ("distributorId", "distributionId", name)
      SELECT ${distributor.id}, ${large.id}, 'Product ' || n FROM generate_series(1, 1201) n RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, ${large.id}, ${orderId}, id, 2, 2 FROM p`.execute(testApp.db);
  const rows = await (await testApp.as(distributor))(readReport, { params: { id: large.id } });
  expect(rows.map((row) => row.productName)).toEqual(Array.from({ length: 1201 }, (_, index) => `Product ${index + 1}`));
});

test('the customer report does not fail for an order whose amount is above every limit', async () => {
  const gold = await makeDistribution(testApp.db, distributor);
  const bar = await makeProduct(testApp.db, gold, { unit_price: cents(1_000_000_000) });
  for (let index = 0; index < 20; index++) await makeFee(testApp.db, gold, { type: 'percent', amount: 10_000 });
  const customer = await makeCustomer(testApp.db, distributor);
  await makeOrder(testApp.db, gold, customer, [[bar, 1_000_000]]);
  const rows = await (await testApp.as(distributor))(readCustomerReport, { params: { id: gold.id } });
  expect(rows.find((row) => row.customer_id === customer.id)?.orderAmount).toBe(Number.MAX_SAFE_INTEGER);
  expect(await (await testApp.as(customer))(listOrders)).toHaveLength(1);
});
