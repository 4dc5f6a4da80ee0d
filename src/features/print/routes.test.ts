import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
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
import { placeOrder } from '../orders/contract.ts';
import { saveOrganization } from '../organization/contract.ts';
import { clearQuantities } from '../products/contract.ts';
import { readReport } from '../reports/contract.ts';
import { readOwnPrint, readPrint, readPrints, readChosenPrints, type PrintData } from './contract.ts';
import { printTotals } from '../../domain/print.ts';
import { withActuals } from '../../domain/weights/actuals.ts';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let distribution: Row<'distributions'>;
let rivka: Person;
let orderId: number;
let brisket: Row<'products'>;
let wine: Row<'products'>;
let lineIds: number[];
let paymentIds: number[];
const ORGANIZATION = { name: 'Bethel Co-op', address: '9 Oak Ave', city: 'Teaneck', state: 'NJ', zip: '07666', phone: '555-0199' };

beforeAll(async () => {
  const { db } = testApp;
  distributor = await makeDistributor(db);
  agent = await makeAgent(db, distributor);
  await (
    await testApp.as(distributor)
  )(saveOrganization, { body: ORGANIZATION });
  distribution = await makeDistribution(db, distributor, { name: 'Passover 2027', date: '2027-04-15' });
  await makeFee(db, distribution, { name: 'Service', type: 'percent', amount: 300, sort_order: 1 });
  await makeFee(db, distribution, { name: 'Delivery', type: 'flat', amount: 500, sort_order: 0 });
  const weighed = { unit_qty: 5, unit_qty_is_estimate: true, product_code: 101 };
  brisket = await makeProduct(db, distribution, { name: 'Brisket', unit_price: cents(1500), ...weighed });
  wine = await makeProduct(db, distribution, {
    name: 'Wine',
    unit_price: cents(1075),
    unit_qty: 2,
    uom: 'bottle',
    product_group: null,
    product_code: null,
  });
  const matzah = await makeProduct(db, distribution);
  rivka = await makeCustomer(db, distributor, { phone: '' });
  const order = await makeOrder(db, distribution, rivka, [
    [wine, 2],
    [brisket, 3],
    [matzah, 0],
  ]);
  orderId = order.id;
  lineIds = order.lines.map((line) => line.id);
  // Three units are ordered. The fourth weight belongs to a unit that is no longer ordered.
  await weigh(db, order.lines[1], [1.001, null, 4.87, 9], distributor);
  const cash = { orderId, amount: 2000, by: distributor, createdAt: '2027-04-16T10:00:00.000Z' };
  const card = {
    ...cash,
    amount: 1000,
    createdAt: '2027-04-15T10:00:00.000Z',
    paymentMethod: 'Credit Card' as const,
    description: 'Visa',
    feeAmount: cents(20),
  };
  paymentIds = [await pay(db, distribution, card), await pay(db, distribution, cash)];
});

function ofRivka(): PrintData {
  const [wineLine = 0, brisketLine = 0] = lineIds;
  const [card = 0, cash = 0] = paymentIds;
  const fee = { distributionId: distribution.id };
  return {
    order: { id: orderId, distributionId: distribution.id, customerId: rivka.id },
    products: [
      {
        orderProductId: wineLine,
        productId: wine.id,
        quantity: 2,
        originalQuantity: 2,
        product_code: null,
        name: 'Wine',
        unit_price: cents(1075),
        unit_qty: 2,
        price: cents(2150),
        uom: 'bottle',
        unit_qty_is_estimate: false,
        product_group: null,
      },
      {
        orderProductId: brisketLine,
        productId: brisket.id,
        quantity: 3,
        originalQuantity: 3,
        product_code: 101,
        name: 'Brisket',
        unit_price: cents(1500),
        unit_qty: 5,
        price: cents(7500),
        uom: 'lb',
        unit_qty_is_estimate: true,
        product_group: 'Beef',
      },
    ],
    contact: {
      firstName: 'Rivka',
      lastName: 'Abramov',
      address: '1 Elm St',
      city: 'Teaneck',
      state: 'NJ',
      zip: '07666',
      phone: null,
      email: rivka.email,
    },
    distribution: { id: distribution.id, name: 'Passover 2027', date: '2027-04-15' },
    actuals: [
      { orderProductId: brisketLine, productId: brisket.id, sortOrder: 0, actualQuantity: 1.001 },
      { orderProductId: brisketLine, productId: brisket.id, sortOrder: 2, actualQuantity: 4.87 },
    ],
    unconfirmed_count: 0,
    fees: [
      { ...fee, id: expect.any(Number), name: 'Delivery', type: 'flat', sort_order: 0, amount: 500 },
      { ...fee, id: expect.any(Number), name: 'Service', type: 'percent', sort_order: 1, amount: 300 },
    ],
    payments: [
      { id: card, paymentMethod: 'Credit Card', amount: cents(1000), feeAmount: cents(20), createdAt: '2027-04-15T10:00:00.000Z' },
      { id: cash, paymentMethod: 'Cash', amount: cents(2000), feeAmount: cents(0), createdAt: '2027-04-16T10:00:00.000Z' },
    ],
    organization: { ...ORGANIZATION, timeZone: null },
  };
}

test('customers, distributors and agents get the same data for the print of an order (spec §3, §6, §7)', async () => {
  expect(await (await testApp.as(rivka))(readOwnPrint, { params: { distributionId: distribution.id } })).toEqual(ofRivka());
  for (const person of [distributor, agent]) {
    expect(await (await testApp.as(person))(readPrint, { params: { id: orderId } })).toEqual(ofRivka());
  }
});

test('the print states how many weights the customer recorded and staff have not confirmed (contract §6)', async () => {
  const { db } = testApp;
  const customer = await makeCustomer(db, distributor);
  const { lines, id } = await makeOrder(db, distribution, customer, [[brisket, 3]]);
  await weigh(db, lines[0], [4.5, null, 5, 5], customer);
  await weigh(db, lines[0], [null, 4], distributor);
  expect(await (await testApp.as(distributor))(readPrint, { params: { id } })).toMatchObject({ unconfirmed_count: 2 });
});

test('the print contains an ordered product even if staff have set its quantity to 0, also by clearing the product from all orders (spec §2)', async () => {
  const { db } = testApp;
  const call = await testApp.as(distributor);
  const cleared = await makeDistribution(db, distributor);
  const [lamb, chicken, honey] = [
    await makeProduct(db, cleared, { product_code: 1, name: 'Roast', description: 'Alle' }),
    await makeProduct(db, cleared, { product_code: 2, name: 'roast ', description: 'Solomon' }),
    await makeProduct(db, cleared, { product_code: 3 }),
  ];
  const own = await testApp.as(rivka);
  const place = (products: object[]) => own(placeOrder, { body: { distributionId: cleared.id, products: products as [] } });
  await place([lamb, chicken, honey].map(({ id }) => ({ productId: id, quantity: 2 })));
  await place([lamb, chicken].map(({ id }) => ({ productId: id, quantity: 2 })));
  await call(clearQuantities, { params: { id: cleared.id }, body: { productId: lamb.id, product_code: 1 } });
  const { orderId, distributorId, distributionId } = await db
    .selectFrom('order_products')
    .selectAll()
    .where('productId', '=', lamb.id)
    .executeTakeFirstOrThrow();
  const ofStaff = {
    orderId,
    distributorId,
    distributionId,
    productId: (await makeProduct(db, cleared)).id,
    quantity: 0,
    originalQuantity: 2,
  };
  const line = await db.insertInto('order_products').values(ofStaff).returning('id').executeTakeFirstOrThrow();
  await db.insertInto('order_product_audit').values({ orderProductId: line.id, quantity: 2, updatedBy: distributor.id }).execute();
  const { products } = await own(readOwnPrint, { params: { distributionId: cleared.id } });
  expect(products.map(({ productId, quantity, originalQuantity }) => [productId, quantity, originalQuantity])).toEqual([
    [lamb.id, 0, 2],
    [chicken.id, 2, 2],
  ]);
  expect(products.map(({ nameDetail }) => nameDetail)).toEqual(['Alle', 'Solomon']);
});

test("the print adds up the weighed units, and states the order's balance (contract §7)", async () => {
  const { products, actuals, fees, payments } = await (await testApp.as(agent))(readPrint, { params: { id: orderId } });
  // In cents: 1502 + 7305 weighed + 2 × 2150 + fee 500 + 3% (408) = 14015. The unweighed unit (7500) counts only for the balance.
  expect(printTotals(withActuals(products, actuals), fees, payments)).toMatchObject({
    subtotal: 13_107,
    total: 14_015,
    balanceDue: 18_740,
    unweighed: 1,
  });
});

test('the print of an unknown order, or of an order of another customer or distributor, gets the status 404', async () => {
  const { db } = testApp;
  const missing = { status: 404, message: '404: Order not found' };
  const foreigner = await makeDistributor(db);
  const elsewhere = await makeDistribution(db, foreigner);
  const stranger = await makeCustomer(db, foreigner);
  const { id: foreignId } = await makeOrder(db, elsewhere, stranger, []);
  const neighbour = await makeCustomer(db, distributor);
  for (const person of [distributor, agent]) {
    const call = await testApp.as(person);
    await expect(call(readPrint, { params: { id: foreignId } })).rejects.toMatchObject(missing);
    await expect(call(readPrint, { params: { id: 2_000_000_000 } })).rejects.toMatchObject(missing);
  }
  const own = (distributionId: number) => ({ params: { distributionId } });
  await expect((await testApp.as(neighbour))(readOwnPrint, own(distribution.id))).rejects.toMatchObject(missing);
  await expect((await testApp.as(rivka))(readOwnPrint, own(elsewhere.id))).rejects.toMatchObject(missing);
  await expect((await testApp.as(foreigner))(readPrints, { params: { id: distribution.id } })).rejects.toMatchObject({ status: 404 });
});

test('an order whose quantities are all 0 can be printed, even if the customer has no contact', async () => {
  const { db } = testApp;
  const newcomer = await makeUser(db, 'customer', { distributorId: distributor.id });
  const plain = await makeDistribution(db, distributor);
  await makeOrder(db, plain, newcomer, []);
  const print = await (await testApp.as(newcomer))(readOwnPrint, { params: { distributionId: plain.id } });
  expect(print).toMatchObject({ products: [], actuals: [], fees: [], payments: [] });
  expect(print.contact).toMatchObject({ firstName: null, lastName: null, address: null, email: newcomer.email });
  expect(await (await testApp.as(distributor))(readPrints, { params: { id: plain.id } })).toEqual([]);
});

test('the print of all orders contains the orders with a quantity above 0, sorted by last name, first name and e-mail address', async () => {
  const { db } = testApp;
  const full = await makeDistribution(db, distributor);
  const product = await makeProduct(db, full, { unit_qty_is_estimate: true });
  const place = async (contact: object | null, quantity: number): Promise<number> => {
    const customer = contact
      ? await makeCustomer(db, distributor, contact)
      : await makeUser(db, 'customer', { distributorId: distributor.id });
    const { id, lines } = await makeOrder(db, full, customer, [[product, quantity]]);
    await weigh(db, lines[0], [id % 7], distributor);
    return id;
  };
  const nameless = await place(null, 1);
  const zev = await place({ lastName: 'Cohen', firstName: 'Zev' }, 1);
  await place({ lastName: 'Cohen', firstName: 'Avi' }, 0);
  const noa = await place({ lastName: 'Cohen', firstName: 'Noa' }, 2);
  const adlers: number[] = [];
  for (let index = 0; index < 55; index++)
    adlers.push(await place({ lastName: 'Adler', firstName: `N${String(index).padStart(2, '0')}` }, 1));

  const call = await testApp.as(distributor);
  const statements = vi.spyOn(pg.Client.prototype, 'query');
  const prints = await call(readPrints, { params: { id: full.id } });
  const texts = statements.mock.calls.map(([statement]) => JSON.stringify(statement));
  statements.mockRestore();
  // Counts the statements. Data that all orders share are read once, and the orders themselves in two batches.
  const reads = ["nullif(city, '')", 'left(description', 'FROM orders o JOIN distributions d'].map(
    (part) => texts.filter((text) => text.includes(part)).length,
  );
  expect(reads).toEqual([1, 1, 2]);
  expect(prints.map((print) => print.order.id)).toEqual([...adlers, noa, zev, nameless]);
  for (const { order, actuals } of prints) expect(actuals.map((actual) => actual.actualQuantity)).toEqual([order.id % 7]);
  // The selected orders are returned in the same sequence as in the full list. Unknown ids and ids of other distributors are ignored.
  const stranger = await makeDistributor(db);
  const elsewhere = await makeDistribution(db, stranger);
  const foreign = await makeOrder(db, elsewhere, await makeCustomer(db, stranger), [[await makeProduct(db, elsewhere), 1]]);
  const chosen = [zev, ...adlers, foreign.id, orderId, 2_000_000_000];
  expect(await call(readChosenPrints, { params: { id: full.id }, body: { orderIds: chosen } })).toEqual([
    ...prints.slice(0, 55),
    prints[56],
  ]);
  // The print of all orders contains the same data about an order as the print of this order alone.
  expect(prints.at(-3)).toEqual(await (await testApp.as(distributor))(readPrint, { params: { id: noa } }));
});

test('the print distinguishes products that have the same name within the whole distribution (spec §2)', async () => {
  const { db } = testApp;
  const twins = await makeDistribution(db, distributor);
  const kedem = await makeProduct(db, twins, { name: 'Grape juice', description: 'Kedem, 64 oz' });
  await makeProduct(db, twins, { name: 'grape juice', description: 'Lipschutz, 64 oz' });
  const honey = await makeProduct(db, twins, { name: 'Honey', description: 'Bee Good' });
  const { id } = await makeOrder(db, twins, rivka, [
    [kedem, 1],
    [honey, 1],
  ]);
  const { products } = await (await testApp.as(agent))(readPrint, { params: { id } });
  expect(products.map(({ name, nameDetail }) => [name, nameDetail])).toEqual([
    ['Grape juice', 'Kedem'],
    ['Honey', undefined],
  ]);
  const [report] = await (await testApp.as(distributor))(readReport, { params: { id: twins.id } });
  expect(report).toMatchObject({ productName: 'Grape juice', nameDetail: 'Kedem' });
});
