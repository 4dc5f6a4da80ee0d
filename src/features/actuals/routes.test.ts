import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { changeDistribution } from '../distributions/contract.ts';
import { readActualsReport, readOrderForActuals } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let lamb: Row<'products'>;
let wine: Row<'products'>;
let order: Awaited<ReturnType<typeof makeOrder>>;
const line = (index: number): number => order.lines[index]?.id ?? 0;

const WEIGHED = { unit_qty_is_estimate: true };
beforeEach(async () => {
  const { db } = testApp;
  distributor = await makeDistributor(db);
  agent = await makeAgent(db, distributor);
  customer = await makeCustomer(db, distributor, { firstName: 'Zev', lastName: 'Adler' });
  distribution = await makeDistribution(db, distributor, { name: 'Passover', acceptActuals: true });
  lamb = await makeProduct(db, distribution, { name: 'Lamb', unit_price: cents(1500), unit_qty: 2, product_code: null, ...WEIGHED });
  brisket = await makeProduct(db, distribution, { name: 'Brisket', description: 'Whole', unit_qty: 5, product_code: 101, ...WEIGHED });
  wine = await makeProduct(db, distribution, { name: 'Wine' });
  const duck = await makeProduct(db, distribution, { name: 'Duck', product_code: 7, ...WEIGHED });
  order = await makeOrder(db, distribution, customer, [
    [lamb, 1],
    [brisket, 3],
    [wine, 2],
    [duck, 0],
  ]);
});

const enter = (by: Person | null, payload: object, orderId = order.id) =>
  testApp.request(by, { method: 'POST', url: `/api/order-product-quantities/${orderId}`, payload });
const answerOf = async (entering: ReturnType<typeof enter>) => {
  const { statusCode, body } = await entering;
  return [statusCode, body];
};
const weights = async () => {
  const { rows } = await sql<{ unit: string; weight: number; by: number }>`
    SELECT w."orderProductId" || '-' || w."sortOrder" AS unit, w."actualQuantity" AS weight, w."updatedBy" AS by
    FROM actual_quantities w JOIN order_products l ON l.id = w."orderProductId" WHERE l."orderId" = ${order.id}
    ORDER BY 1`.execute(testApp.db);
  return rows;
};
const saved = async () => Object.fromEntries((await weights()).map(({ unit, weight }) => [unit, weight]));
const audit = async () => {
  const { rows } = await sql<{ is: [string, number | null, number, number] }>`
    SELECT json_build_array(a."orderProductId" || '-' || a."sortOrder", a."previousQuantity", a."actualQuantity", a."updatedBy") AS is
    FROM actual_quantity_audit a JOIN order_products l ON l.id = a."orderProductId" WHERE l."orderId" = ${order.id} ORDER BY a.id`.execute(
    testApp.db,
  );
  return rows.map((row) => row.is);
};

const NOT_ACCEPTING = 'This distribution is not accepting actual quantities.';
const FINAL = 'A payment has been recorded for this order, so its weights are final here. Ask your distributor to correct them.';

test("the server lists an order's products with estimated quantities in print order, with the weights of the ordered units (spec §3, §7; contract §6)", async () => {
  await weigh(testApp.db, order.lines[1], [4.87, null, 0, 9], agent);
  const product = { unit_price: 1000, uom: 'lb' };
  for (const viewer of [distributor, agent, customer]) {
    expect(await (await testApp.as(viewer))(readOrderForActuals, { params: { orderId: order.id } })).toEqual({
      id: order.id,
      distributionId: distribution.id,
      distributionName: 'Passover',
      distributionDate: '2027-04-15',
      customerId: customer.id,
      firstName: 'Zev',
      lastName: 'Adler',
      email: customer.email,
      acceptActuals: true,
      whyNot: null,
      products: [
        {
          ...product,
          orderProductId: line(1),
          productId: brisket.id,
          quantityOrdered: 3,
          productCode: 101,
          name: 'Brisket',
          description: 'Whole',
          unit_qty: 5,
          actuals: [
            { sortOrder: 0, actualQuantity: 4.87, byRole: 'agent' },
            { sortOrder: 2, actualQuantity: 0, byRole: 'agent' },
          ],
        },
        {
          ...product,
          orderProductId: line(0),
          productId: lamb.id,
          quantityOrdered: 1,
          productCode: null,
          name: 'Lamb',
          description: null,
          unit_qty: 2,
          unit_price: 1500,
          actuals: [],
        },
      ],
    });
  }
});

test('the server saves weights that the distributor, an agent or the customer sends, and returns the number of saved weights (spec §6, §7; contract §6)', async () => {
  expect(await answerOf(enter(distributor, { [`${line(1)}-0`]: 4.87, [`${line(1)}-2`]: 0 }))).toEqual([
    200,
    '{"message":"2 weights saved."}',
  ]);
  expect(await answerOf(enter(agent, { [`${line(0)}-0`]: 1.9 }))).toEqual([200, '{"message":"1 weight saved."}']);
  expect(await answerOf(enter(customer, { [`${line(1)}-1`]: 5 }))).toEqual([200, '{"message":"1 weight saved."}']);
  expect(await weights()).toEqual([
    { unit: `${line(0)}-0`, weight: 1.9, by: agent.id },
    { unit: `${line(1)}-0`, weight: 4.87, by: distributor.id },
    { unit: `${line(1)}-1`, weight: 5, by: customer.id },
    { unit: `${line(1)}-2`, weight: 0, by: distributor.id },
  ]);
});

test('the server saves nothing when the request contains no weights, and returns a message', async () => {
  expect(await answerOf(enter(customer, {}))).toEqual([200, '{"message":"No weights were entered."}']);
  expect(await saved()).toEqual({});
});

test.each([0, 0.001, 0.1, 1.001, 4.87, 99_999.999])('the weight %d is stored exactly to the thousandth (contract §6)', async (weight) => {
  await enter(customer, { [`${line(0)}-0`]: weight });
  const read = await (await testApp.as(customer))(readOrderForActuals, { params: { orderId: order.id } });
  expect(read.products[1]?.actuals.map((actual) => actual.actualQuantity)).toEqual([weight]);
});

test('the server changes only the units sent, so that two people can weigh the same order (reliability R42; contract §6)', async () => {
  await enter(agent, { [`${line(1)}-0`]: 4.87, [`${line(1)}-1`]: 5 });
  await enter(distributor, { [`${line(1)}-1`]: 5.5 });
  expect(await saved()).toEqual({ [`${line(1)}-0`]: 4.87, [`${line(1)}-1`]: 5.5 });

  // The first two units are left out: staff have recorded their weights, which a customer must not change.
  const units = Array.from({ length: 249 }, (_, index) => index + 1);
  await testApp.db.updateTable('order_products').set({ quantity: 500 }).where('id', '=', line(1)).execute();
  const codes = new Set<number>();
  // Sends the requests in groups of 20. If all 498 requests were sent at once, some would wait too long for a database connection.
  for (let first = 0; first < units.length; first += 10) {
    const saves = [customer, agent].flatMap((person, side) =>
      units.slice(first, first + 10).map((unit) => enter(person, { [`${line(1)}-${unit * 2 + side}`]: unit + side })),
    );
    for (const { statusCode } of await Promise.all(saves)) codes.add(statusCode);
  }
  expect(codes).toEqual(new Set([200]));
  const union = Object.fromEntries(units.flatMap((unit) => [0, 1].map((side) => [`${line(1)}-${unit * 2 + side}`, unit + side])));
  expect(await saved()).toEqual({ ...union, [`${line(1)}-0`]: 4.87, [`${line(1)}-1`]: 5.5 });
});

test('every changed weight is audited with the previous value and the person who changed the weight; an unchanged weight is not audited (contract §6)', async () => {
  await enter(customer, { [`${line(1)}-0`]: 4.87, [`${line(1)}-1`]: 0 });
  await enter(agent, { [`${line(1)}-0`]: 4.78 });
  await enter(customer, { [`${line(1)}-1`]: 0 });
  await enter(distributor, { [`${line(1)}-0`]: 4.78 });
  expect(await audit()).toEqual([
    [`${line(1)}-0`, null, 4.87, customer.id],
    [`${line(1)}-1`, null, 0, customer.id],
    [`${line(1)}-0`, 4.87, 4.78, agent.id],
  ]);
  expect((await weights()).map(({ by }) => by)).toEqual([agent.id, customer.id]);
});

describe('a save of weights is refused and changes nothing', () => {
  const unit = (index: number, weight: unknown) => ({ [`${line(0)}-0`]: 2, [`${line(1)}-${index}`]: weight });

  test.each<[string, () => object, () => string]>([
    ['a unit beyond the ordered ones', () => unit(3, 5), () => `${line(1)}-3 is not a unit of this order.`],
    ['a product that is not weighed', () => ({ [`${line(2)}-0`]: 1 }), () => `${line(2)}-0 is not a unit of this order.`],
    ['a product of which nothing is ordered', () => ({ [`${line(3)}-0`]: 1 }), () => `${line(3)}-0 is not a unit of this order.`],
    ['a line of nobody', () => ({ '999999999-0': 1 }), () => '999999999-0 is not a unit of this order.'],
    ['a number of four decimals', () => unit(0, 1.0001), () => 'Actual quantity must be at most 99,999.999 with at most three decimals.'],
    ['a number above the largest', () => unit(0, 100_000), () => 'Actual quantity must be at most 99,999.999 with at most three decimals.'],
    ['a negative number', () => unit(0, -1), () => 'Actual quantity must be non-negative'],
    ['a text', () => unit(0, '5'), () => 'An actual quantity must be a number.'],
    ['nothing', () => unit(0, null), () => 'An actual quantity must be a number.'],
    ['a list', () => [5], () => 'The weights must be a map from unit to number.'],
    ['a unit before the first', () => ({ ...unit(0, 1), [`${line(1)}--1`]: 1 }), () => 'Sort order must be non-negative'],
    ['a key that names no unit', () => ({ ...unit(0, 1), x: 1 }), () => 'A unit is named by its order line and its position, as in 12-0.'],
    [
      'more units than can be saved at once',
      () => Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`${line(1)}-${index}`, 1])),
      () => 'At most 5,000 weights can be saved at once.',
    ],
  ])('when it contains %s (spec §5; contract §6)', async (_, body, sentence) => {
    expect(await answerOf(enter(distributor, body()))).toEqual([400, sentence()]);
    expect(await saved()).toEqual({});
    expect(await audit()).toEqual([]);
  });

  test('when it names a unit of another order (contract §6)', async () => {
    const other = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 1]]);
    const key = `${other.lines[0]?.id}-0`;
    expect(await answerOf(enter(customer, { [key]: 5 }))).toEqual([400, `${key} is not a unit of this order.`]);
  });

  test('while the distribution accepts no actual quantities; the page shows the reason (contract §6)', async () => {
    await (
      await testApp.as(distributor)
    )(changeDistribution, { params: { id: distribution.id }, body: { acceptActuals: false } });
    for (const person of [distributor, agent, customer]) {
      expect(await answerOf(enter(person, { [`${line(0)}-0`]: 2 }))).toEqual([409, NOT_ACCEPTING]);
      const read = await (await testApp.as(person))(readOrderForActuals, { params: { orderId: order.id } });
      expect([read.acceptActuals, read.whyNot]).toEqual([false, NOT_ACCEPTING]);
    }
    expect(await saved()).toEqual({});
  });

  test('when a customer sends it after the first payment, even if that payment was reversed; staff may still save weights (contract §6)', async () => {
    await weigh(testApp.db, order.lines[0], [2], customer);
    const reversesId = await pay(testApp.db, distribution, { orderId: order.id, amount: 500, by: distributor });
    await pay(testApp.db, distribution, { orderId: order.id, amount: -500, by: distributor, reversesId });
    expect(await answerOf(enter(customer, { [`${line(0)}-0`]: 1 }))).toEqual([409, FINAL]);
    const whyNot = async (person: Person) =>
      (await (await testApp.as(person))(readOrderForActuals, { params: { orderId: order.id } })).whyNot;
    expect([await whyNot(customer), await whyNot(agent), await whyNot(distributor)]).toEqual([FINAL, null, null]);
    expect(await answerOf(enter(agent, { [`${line(0)}-0`]: 1.5 }))).toEqual([200, '{"message":"1 weight saved."}']);
    expect(await saved()).toEqual({ [`${line(0)}-0`]: 1.5 });
  });
});

test('the weights of an order of another customer or distributor cannot be read or saved: the order is not found (contract §6)', async () => {
  const other = await makeDistributor(testApp.db);
  const strangers = [
    await makeCustomer(testApp.db, distributor),
    other,
    await makeAgent(testApp.db, other),
    await makeCustomer(testApp.db, other),
  ];
  for (const stranger of strangers) {
    expect(await answerOf(enter(stranger, { [`${line(0)}-0`]: 2 }))).toEqual([404, 'Order not found']);
    const read = await testApp.request(stranger, { method: 'GET', url: `/api/order-for-actuals/${order.id}` });
    expect([read.statusCode, read.body]).toEqual([404, 'Order not found']);
  }
  expect(await saved()).toEqual({});
});

test('when the distribution stops accepting actual quantities during 40 saves, exactly the weights of the accepted saves are stored', async () => {
  const units = Array.from({ length: 40 }, (_, index) => index);
  await testApp.db.updateTable('order_products').set({ quantity: 40 }).where('id', '=', line(1)).execute();
  const stop = await testApp.as(distributor);
  const [answers] = await Promise.all([
    Promise.all(units.map((unit) => enter(agent, { [`${line(1)}-${unit}`]: 5 }))),
    stop(changeDistribution, { params: { id: distribution.id }, body: { acceptActuals: false } }),
  ]);
  const accepted = units.filter((unit) => answers[unit]?.statusCode === 200);
  expect(Object.keys(await saved()).toSorted()).toEqual(accepted.map((unit) => `${line(1)}-${unit}`).toSorted());
  expect(answers.every((answer) => [200, 409].includes(answer.statusCode))).toBe(true);
});

describe('the actuals report', () => {
  const report = async () => await (await testApp.as(distributor))(readActualsReport, { params: { id: distribution.id } });

  test('lists every order line with an estimated quantity, sorted by order and product code, with the weights of its ordered units (spec §3, §7; contract §9)', async () => {
    const baum = await makeCustomer(testApp.db, distributor, { firstName: 'Noa', lastName: 'Aaron' });
    const second = await makeOrder(testApp.db, distribution, baum, [[brisket, 1]]);
    await weigh(testApp.db, order.lines[1], [4.87, null, 0, 9], agent);
    const elsewhere = await makeDistribution(testApp.db, distributor);
    await makeOrder(testApp.db, elsewhere, baum, [[await makeProduct(testApp.db, elsewhere, WEIGHED), 1]]);
    const adler = { orderId: order.id, email: customer.email, firstName: 'Zev', lastName: 'Adler', uom: 'lb' };
    const ofBrisket = { productId: brisket.id, productCode: 101, productName: 'Brisket', unit_qty: 5, uom: 'lb' };
    expect((await report()).reportData).toEqual([
      { ...adler, ...ofBrisket, orderProductId: line(1), quantity: 3 },
      { ...adler, orderProductId: line(0), productId: lamb.id, quantity: 1, productCode: null, productName: 'Lamb', unit_qty: 2 },
      {
        ...ofBrisket,
        orderId: second.id,
        orderProductId: second.lines[0]?.id,
        quantity: 1,
        email: baum.email,
        firstName: 'Noa',
        lastName: 'Aaron',
      },
    ]);
    const updatedAt = expect.any(String) as string;
    const byAgent = { by: agent.email, byRole: 'agent' };
    expect((await report()).actualsData).toEqual([
      { orderProductId: line(1), sortOrder: 0, actualQuantity: 4.87, updatedAt, ...byAgent },
      { orderProductId: line(1), sortOrder: 2, actualQuantity: 0, updatedAt, ...byAgent },
    ]);
  });

  test('is empty when the distribution has no orders', async () => {
    const { id } = await makeDistribution(testApp.db, distributor);
    expect(await (await testApp.as(distributor))(readActualsReport, { params: { id } })).toEqual({ reportData: [], actualsData: [] });
  });
});
