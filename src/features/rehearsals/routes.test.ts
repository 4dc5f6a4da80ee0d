import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { familyIdsOf, makeDayToRehearse } from '../../../test/data/rehearsal/day-to-rehearse.ts';
import { makeDistribution, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { listCounterOrders, readCounter, type CounterOrder } from '../counter/contract.ts';
import { changeDistribution, listDistributions, readDistribution, type Distribution } from '../distributions/contract.ts';
import { listContactsWithHasOrder } from '../emails/contract.ts';
import { listFees } from '../fees/contract.ts';
import { listProducts } from '../products/contract.ts';
import { readCustomerReport, type CustomerReportRow } from '../reports/contract.ts';
import { listSlots } from '../slots/contract.ts';
import { listUsers } from '../users/contract.ts';
import { startRehearsal } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
let original: Row<'distributions'>;
beforeEach(async () => {
  ({ distributor, agent, customer, original } = await makeDayToRehearse(testApp.db));
});

const start = async (): Promise<Distribution> => (await testApp.as(distributor))(startRehearsal, { params: { id: original.id } });
const remove = (id: number, by = distributor) => testApp.request(by, { method: 'DELETE', url: `/api/distributions/${id}` });
const send = async (by: Person, url: string, payload?: object) =>
  await testApp.request(by, { method: 'POST', url: `/api/${url}`, ...(payload && { payload }) });
const counterOf = async (id: number, by: Person = agent): Promise<CounterOrder[]> =>
  (await testApp.as(by))(listCounterOrders, { params: { id } });
const reportOf = async (id: number): Promise<CustomerReportRow[]> =>
  (await testApp.as(distributor))(readCustomerReport, { params: { id } });
const familyIds = (): Promise<number[]> => familyIdsOf(testApp.db, distributor);

/** Returns the orders of the counter that have no payment and no weights. */
const waiting = (orders: readonly CounterOrder[]) =>
  orders.filter((order) => order.payments.length === 0 && order.lines.every(({ actuals }) => actuals.length === 0));

describe('a rehearsal (contract §14)', () => {
  test('begins in the middle of a pick-up day: ordering is closed, weights are accepted, and of 40 invented families some are weighed and some have left', async () => {
    const rehearsal = await start();
    expect(rehearsal).toMatchObject({
      name: 'Rehearsal: Passover',
      date: original.date,
      groupOrder: ['Wine', 'Beef'],
      published: false,
      orderingOpen: false,
      acceptActuals: true,
      rehearsal: true,
      hasSlots: true,
    });
    const rows = await reportOf(rehearsal.id);
    expect(rows).toHaveLength(40);
    expect(rows.every(({ email, order_quantity_count }) => email === null && order_quantity_count > 0)).toBe(true);
    expect(rows.every(({ slot }) => slot?.startsWith('Morning, '))).toBe(true);
    expect(rows.filter((row) => row.has_all_actuals)).toHaveLength(14);
    expect(rows.filter((row) => row.pickedUpAt !== undefined).map((row) => row.balance)).toEqual(Array(8).fill(0));
    expect(waiting(await counterOf(rehearsal.id))).toHaveLength(22);
  });

  test('has the products (without limits), fees and pick-up times of the real distribution, and does not change the real distribution', async () => {
    const before = await reportOf(original.id);
    const { id } = await start();
    const call = await testApp.as(distributor);
    const products = await call(listProducts, { params: { id } });
    expect(products.map(({ name }) => name).toSorted()).toEqual(['Brisket', 'Chicken', 'Matzah', 'Turkey', 'Wine']);
    expect(products.filter((product) => product.total_limit !== null)).toEqual([]);
    expect((await call(listFees, { params: { id } })).map(({ name }) => name)).toEqual(['Delivery']);
    expect((await call(listSlots, { params: { id } })).map(({ label }) => label)).toEqual(['Morning']);
    expect(await reportOf(original.id)).toEqual(before);
    expect(before.map((row) => row.customer_id)).toEqual([customer.id]);
  });

  test('can also be started from an unpublished distribution whose ordering is closed', async () => {
    await sql`UPDATE distributions SET published = false, "orderingOpen" = false WHERE id = ${original.id}`.execute(testApp.db);
    expect(await reportOf((await start()).id)).toHaveLength(40);
  });

  test('can exist once per distributor, and is made only from a real distribution with products', async () => {
    const startOf = async (id: number) => {
      const answer = await send(distributor, `distributions/${id}/rehearsal`);
      return [answer.statusCode, answer.body];
    };
    const empty = await makeDistribution(testApp.db, distributor);
    expect(await startOf(empty.id)).toEqual([409, 'There are no products to rehearse with. Add products first.']);
    const { id } = await start();
    expect(await startOf(original.id)).toEqual([409, 'There is a rehearsal already. Delete it before you start another one.']);
    expect(await startOf(id)).toEqual([409, 'This is a rehearsal itself. Start one from the real distribution.']);
    expect(await familyIds()).toHaveLength(40);
  });

  test('exists once when it is started several times at the same moment', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send(distributor, `distributions/${original.id}/rehearsal`)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  test('can be started and deleted only by its distributor', async () => {
    const { id } = await start();
    const other = await makeDistributor(testApp.db);
    const statuses = async (by: Person) => [
      (await send(by, `distributions/${original.id}/rehearsal`)).statusCode,
      (await remove(id, by)).statusCode,
    ];
    expect(await statuses(agent)).toEqual([403, 403]);
    expect(await statuses(customer)).toEqual([403, 403]);
    expect(await statuses(other)).toEqual([404, 404]);
    expect((await testApp.request(other, { method: 'GET', url: `/api/distributions/${id}/counter` })).statusCode).toBe(404);
  });
});

describe('an agent in a rehearsal (contract §14)', () => {
  test('weighs, takes a payment into a till and marks the pick-up as in a real distribution; the audit trail records it (contract §14, §15)', async () => {
    const { id } = await start();
    const call = await testApp.as(agent);
    expect((await call(listDistributions)).filter(({ rehearsal }) => rehearsal).map((one) => one.id)).toEqual([id]);
    expect((await call(readCounter, { params: { id } })).distribution).toMatchObject({ id, rehearsal: true });
    expect((await send(agent, 'tills', { distributionId: id, float: 5000 })).statusCode).toBe(201);
    const family = waiting(await counterOf(id))[0];
    const weights = family?.lines.flatMap((line) =>
      Array.from({ length: line.quantity }, (_, unit) => [`${line.orderProductId}-${unit}`, 4.5]),
    );
    const products = await call(listProducts, { params: { id } });
    const isWeighed = new Set(products.filter((product) => product.unit_qty_is_estimate).map((product) => product.id));
    const ofLine = new Map(family?.lines.map((line) => [line.orderProductId, line.productId]));
    const units = weights?.filter(([key]) => isWeighed.has(ofLine.get(Number(String(key).split('-')[0])) ?? 0)) ?? [];
    expect((await send(agent, `order-product-quantities/${family?.id}`, Object.fromEntries(units))).statusCode).toBe(200);
    const balance = (await reportOf(id)).find((row) => row.order_id === family?.id)?.balance ?? 0;
    expect(balance).toBeGreaterThan(0);
    const paid = await send(agent, `orders/${family?.id}/payments`, {
      amount: balance,
      paymentMethod: 'Cash',
      description: null,
      feeAmount: 0,
    });
    expect(paid.statusCode).toBe(201);
    expect((await send(agent, `orders/${family?.id}/picked-up`, { pickedUp: true })).statusCode).toBe(204);
    expect((await reportOf(id)).filter((row) => row.pickedUpAt !== undefined)).toHaveLength(9);
  });

  test('can change orders of the invented families only: real customers are not found in the rehearsal, and invented families are not found in the real distribution', async () => {
    const { id } = await start();
    const [family = 0] = await familyIds();
    const [product] = await (await testApp.as(distributor))(listProducts, { params: { id } });
    const order = async (distributionId: number, customerId: number) =>
      (await send(agent, 'distributor/order', { distributionId, customerId, products: [{ productId: product?.id, quantity: 1 }] }))
        .statusCode;
    const page = async (distributionId: number, customerId: number) =>
      (await testApp.request(agent, { method: 'GET', url: `/api/distributor-order-page-data/${distributionId}/${customerId}` })).statusCode;
    expect([await order(id, family), await page(id, family)]).toEqual([200, 200]);
    expect([await order(id, customer.id), await page(id, customer.id)]).toEqual([404, 404]);
    expect([await order(original.id, family), await page(original.id, family)]).toEqual([404, 404]);
  });
});

describe('a rehearsal is never mistaken for a real distribution (contract §14)', () => {
  test('because customers never see it (reliability "rehearsal")', async () => {
    const { id } = await start();
    const call = await testApp.as(customer);
    expect((await call(listDistributions)).map((one) => one.id)).toEqual([original.id]);
    for (const url of [`distributions/${id}`, `distributions/${id}/products`, `distributions/${id}/fees`, `orders/${id}`])
      expect([url, (await testApp.request(customer, { method: 'GET', url: `/api/${url}` })).statusCode]).toEqual([url, 404]);
    const [product] = await (await testApp.as(distributor))(listProducts, { params: { id } });
    const placed = await send(customer, 'orders', { distributionId: id, products: [{ productId: product?.id, quantity: 1 }] });
    expect(placed.statusCode).toBe(404);
  });

  test('because no list of customers, recipients or accounts contains the invented families', async () => {
    const { id } = await start();
    const [family = 0] = await familyIds();
    const call = await testApp.as(distributor);
    expect((await call(listUsers, { params: { role: 'customer' } })).map(({ userId }) => userId)).toEqual([customer.id]);
    for (const place of [id, original.id]) {
      const recipients = await call(listContactsWithHasOrder, { params: { id: place } });
      expect(recipients.map(({ userId }) => userId)).toEqual(place === id ? [] : [customer.id]);
    }
    for (const act of ['invite', 'disable', 'unlock', 'forget'])
      expect([act, (await send(distributor, `users/customer/${family}/${act}`)).statusCode]).toEqual([act, 404]);
    expect((await testApp.request(distributor, { method: 'GET', url: `/api/users/customer/${family}/export` })).statusCode).toBe(404);
  });

  test('because it can never be published, not even by SQL; only whether it accepts weights can be changed', async () => {
    const { id } = await start();
    const call = await testApp.as(distributor);
    for (const body of [{ published: true }, { name: 'Passover', date: '2027-04-15' }, { remindHours: 5 }]) {
      const answer = await testApp.request(distributor, { method: 'PATCH', url: `/api/distributions/${id}`, payload: body });
      expect([answer.statusCode, answer.body]).toEqual([409, 'Of a rehearsal, only acceptActuals can be changed.']);
    }
    expect(await call(changeDistribution, { params: { id }, body: { acceptActuals: false } })).toMatchObject({ acceptActuals: false });
    await expect(sql`UPDATE distributions SET published = true WHERE id = ${id}`.execute(testApp.db)).rejects.toThrow(
      'rehearsal_is_hidden',
    );
    expect(await call(readDistribution, { params: { id } })).toMatchObject({ published: false, rehearsal: true });
  });
});
