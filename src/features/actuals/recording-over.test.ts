// Tests who may change a weight that another person recorded (contract §6; reliability R42).
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { mulberry32 } from '../../domain/rehearsal/seeded-random.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { SEED } from '../../../test/setup/sampling.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { readCustomerReport } from '../reports/contract.ts';
import { saveActuals } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let order: { id: number };
let lineId: number;
let productId: number;
beforeEach(async () => {
  const { db } = testApp;
  distributor = await makeDistributor(db);
  agent = await makeAgent(db, distributor);
  customer = await makeCustomer(db, distributor);
  distribution = await makeDistribution(db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(db, distribution, { name: 'Brisket', unit_qty: 5, unit_qty_is_estimate: true });
  productId = brisket.id;
  const made = await makeOrder(db, distribution, customer, [[brisket, 3]]);
  order = made;
  lineId = made.lines[0]?.id ?? 0;
});

const enter = (by: Person, payload: object, headers = {}) =>
  testApp.request(by, { method: 'POST', url: pathOf(saveActuals, { orderId: order.id }), headers, payload });
const answerOf = async (entering: ReturnType<typeof enter>) => {
  const { statusCode, body } = await entering;
  return [statusCode, body];
};
const weights = () =>
  testApp.db
    .selectFrom('actual_quantities')
    .select(['sortOrder', 'actualQuantity as weight', 'updatedBy as by'])
    .where('orderProductId', '=', lineId)
    .orderBy('sortOrder')
    .execute();
const saved = async () => Object.fromEntries((await weights()).map(({ sortOrder, weight }) => [`${lineId}-${sortOrder}`, weight]));
const audit = async () =>
  (
    await sql<{
      is: unknown;
    }>`SELECT json_build_array("orderProductId" || '-' || "sortOrder", "previousQuantity", "actualQuantity", "updatedBy") AS is
      FROM actual_quantity_audit WHERE "orderProductId" = ${lineId} ORDER BY id`.execute(testApp.db)
  ).rows.map((row) => row.is);

test("staff become the recorder of a customer's weight when they save that weight unchanged (contract §6)", async () => {
  const report = async () =>
    (await (await testApp.as(distributor))(readCustomerReport, { params: { id: distribution.id } })).map((row) => row.unconfirmed_count);
  await enter(customer, { [`${lineId}-0`]: 4.87, [`${lineId}-1`]: 5 });
  await enter(agent, { [`${lineId}-2`]: 5 });
  expect(await report()).toEqual([2]);
  await enter(agent, { [`${lineId}-0`]: 4.87 });
  expect(await report()).toEqual([1]);
  expect((await weights()).map(({ by }) => by)).toEqual([agent.id, customer.id, agent.id]);
  expect((await audit()).at(-1)).toEqual([`${lineId}-0`, 4.87, 4.87, agent.id]);
});

test('a request from a customer never changes a weight that staff recorded, whatever it contains (contract §6; reliability weights)', async () => {
  const random = mulberry32(SEED);
  const of = (most: number) => Math.floor(random() * most);
  const key = (index: number) => `${lineId}-${index}`;
  const byStaff = new Map<string, number>();
  let refused = 0;
  for (let round = 0; round < iterations(60, 1000); round++) {
    if (of(4) === 0) {
      const weight = of(9000) / 1000;
      await enter(agent, { [key(of(3))]: weight });
      for (const { sortOrder, weight, by } of await weights()) if (by === agent.id) byStaff.set(key(sortOrder), weight);
    }
    const sent = Object.fromEntries([0, 1, 2].filter(() => of(2) === 0).map((index) => [key(index), of(3) === 0 ? 0.51 : of(9000) / 1000]));
    const isOver = Object.entries(sent).some(([unit, weight]) => (byStaff.get(unit) ?? weight) !== weight);
    const { statusCode } = await enter(customer, sent);
    expect(statusCode).toBe(isOver ? 409 : 200);
    refused += isOver ? 1 : 0;
    expect(await saved()).toMatchObject(Object.fromEntries(byStaff));
  }
  expect(refused).toBeGreaterThan(0);
});

describe('a customer who raises a quantity again after it was lowered', () => {
  const setQuantity = async (by: Person, quantity: number) => {
    const body = { distributionId: distribution.id, products: [{ productId, quantity }] };
    const payload = by === customer ? body : { ...body, customerId: customer.id };
    const url = by === customer ? '/api/orders' : '/api/distributor/order';
    expect((await testApp.request(by, { method: 'POST', url, payload })).statusCode).toBe(200);
  };
  const lastUnit = () => `${lineId}-2`;
  const refused = [409, 'This weight was recorded by the distributor.'];

  test('cannot replace the weight that staff recorded for the removed unit (contract §6)', async () => {
    await enter(agent, { [lastUnit()]: 9.5 });
    await setQuantity(customer, 2);
    expect(await saved()).toEqual({});
    await setQuantity(customer, 3);
    expect(await answerOf(enter(customer, { [lastUnit()]: 2.6, [`${lineId}-0`]: 5 }))).toEqual(refused);
    expect(await saved()).toEqual({});
    expect((await enter(customer, { [lastUnit()]: 9.5 })).statusCode).toBe(200);
    expect(await answerOf(enter(customer, { [lastUnit()]: 2.6 }))).toEqual(refused);
    expect(await saved()).toEqual({ [lastUnit()]: 9.5 });
    expect((await enter(agent, { [lastUnit()]: 9.4 })).statusCode).toBe(200);
  });

  test('can record a weight for a unit that staff had weighed, if staff have removed that weight or have lowered the quantity (contract §6)', async () => {
    await enter(agent, { [lastUnit()]: 9.5 });
    await setQuantity(agent, 2);
    await setQuantity(customer, 3);
    expect((await enter(customer, { [lastUnit()]: 2.6 })).statusCode).toBe(200);
    await enter(agent, { [lastUnit()]: 9.5 });
    const url = `/api/orders/${order.id}/remove-weight`;
    await testApp.request(agent, { method: 'POST', url, payload: { orderProductId: lineId, index: 2 } });
    expect((await enter(customer, { [lastUnit()]: 2.7 })).statusCode).toBe(200);
    expect(await saved()).toEqual({ [lastUnit()]: 2.7 });
  });
});

describe('a weight recorded by somebody else', () => {
  const problem = async (by: Person, payload: object) => {
    const answer = await enter(by, payload, { accept: 'application/problem+json' });
    const { status, detail, units } = answer.json();
    return [status, detail, units];
  };

  test('is not overwritten by a request based on an outdated value: the reply is 409 with the unit, and nothing is saved (contract §6; reliability R42)', async () => {
    const key = (index: number) => `${lineId}-${index}`;
    await enter(agent, { [key(0)]: 4.87 });
    const payload = { [key(0)]: 5.5, [`${key(0)}-was`]: null, [key(1)]: 5, [`${key(1)}-was`]: null };
    expect(await problem(distributor, payload)).toEqual([
      409,
      'Nothing was saved, because another weight was recorded meanwhile: Brisket 1/3 is 4.87 now.',
      [{ unit: key(0), actualQuantity: 4.87, by: agent.email, byRole: 'agent' }],
    ]);
    expect(await saved()).toEqual({ [key(0)]: 4.87 });
    expect(await answerOf(enter(distributor, { ...payload, [`${key(0)}-was`]: 4.87 }))).toEqual([200, '{"message":"2 weights saved."}']);
    // Staff remove the weight of the second unit. The next save states the removed weight as the previous value, so the server refuses it
    // too.
    const url = `/api/orders/${order.id}/remove-weight`;
    await testApp.request(agent, { method: 'POST', url, payload: { orderProductId: lineId, index: 1 } });
    expect(await problem(distributor, { [key(1)]: 6, [`${key(1)}-was`]: 5 })).toEqual([
      409,
      'Nothing was saved, because another weight was recorded meanwhile: Brisket 2/3 is not weighed now.',
      [{ unit: key(1), actualQuantity: null, by: null, byRole: null }],
    ]);
  });

  test('is replaced by staff if a customer recorded it meanwhile, so that a customer cannot keep staff from recording what they have weighed (reliability abuse)', async () => {
    const key = `${lineId}-0`;
    await enter(customer, { [key]: 2.6 });
    expect(await answerOf(enter(agent, { [key]: 5.2, [`${key}-was`]: null }))).toEqual([200, '{"message":"1 weight saved."}']);
    expect((await weights()).map(({ weight, by }) => [weight, by])).toEqual([[5.2, agent.id]]);
    expect((await enter(customer, { [key]: 2.6, [`${key}-was`]: 5.2 })).statusCode).toBe(409);
  });

  test('causes no conflict when the new value is the same, or when the request names no previous values (contract §6)', async () => {
    await enter(agent, { [`${lineId}-0`]: 4.87 });
    expect((await enter(distributor, { [`${lineId}-0`]: 4.87, [`${lineId}-0-was`]: null })).statusCode).toBe(200);
    expect((await enter(distributor, { [`${lineId}-0`]: 5 })).statusCode).toBe(200);
    expect(await saved()).toEqual({ [`${lineId}-0`]: 5 });
  });

  test('cannot be changed by a customer if staff recorded it: a different value gets 409, and nothing of the request is saved (contract §6)', async () => {
    await enter(agent, { [`${lineId}-0`]: 4.87 });
    const payload = { [`${lineId}-0`]: 2.5, [`${lineId}-1`]: 5 };
    expect(await problem(customer, payload)).toEqual([
      409,
      'This weight was recorded by the distributor.',
      [{ unit: `${lineId}-0`, actualQuantity: 4.87, by: null, byRole: 'agent' }],
    ]);
    expect(await saved()).toEqual({ [`${lineId}-0`]: 4.87 });
    expect((await enter(customer, { ...payload, [`${lineId}-0`]: 4.87 })).statusCode).toBe(200);
    expect((await enter(customer, { [`${lineId}-1`]: 5.5 })).statusCode).toBe(200);
    expect((await weights()).map(({ weight, by }) => [weight, by])).toEqual([
      [4.87, agent.id],
      [5.5, customer.id],
    ]);
  });
});
