import { beforeEach, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { listAudit } from '../audit/contract.ts';
import { AUDIT_CSV, changeText } from '../audit/csv.ts';
import { readHistory } from '../orders/contract.ts';
import { readCustomerReport } from '../reports/contract.ts';
import { customersCsv } from '../reports/csv.ts';
import { setPickedUp } from './contract.ts';

const testApp = setupTestApp();
let distributor: Person;
let agent: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let orderId: number;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor);
  customer = await makeCustomer(testApp.db, distributor, { firstName: 'Dina', lastName: 'Katz' });
  distribution = await makeDistribution(testApp.db, distributor);
  // The order needs weights and a payment and has neither. It can still be marked as picked up.
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  ({ id: orderId } = await makeOrder(testApp.db, distribution, customer, [[brisket, 2]]));
});

async function mark(pickedUp: unknown, { by = agent, key }: { by?: Person | null; key?: string } = {}) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const { statusCode, body } = await testApp.request(by, {
    method: 'POST',
    url: `/api/orders/${orderId}/picked-up`,
    headers,
    payload: { pickedUp },
  });
  return [statusCode, body];
}
const stored = async () =>
  await testApp.db.selectFrom('orders').select(['pickedUpAt', 'pickedUpBy']).where('id', '=', orderId).executeTakeFirstOrThrow();
const trail = async () => await (await testApp.as(distributor))(listAudit, { params: { id: distribution.id }, query: {} });
const report = async () => await (await testApp.as(distributor))(readCustomerReport, { params: { id: distribution.id } });

test('the distributor and agents can mark an order as picked up, even before weights and payments are complete; person and time are stored (contract §14)', async () => {
  expect(await mark(true)).toEqual([204, '']);
  expect(await stored()).toEqual({ pickedUpAt: expect.stringMatching(/^20.*Z$/), pickedUpBy: agent.id });
  expect(await mark(false, { by: distributor })).toEqual([204, '']);
  expect(await stored()).toEqual({ pickedUpAt: null, pickedUpBy: null });
});

test('an order that is marked as picked up again keeps its first mark and gets no second audit row (contract §14)', async () => {
  await mark(true);
  const first = await stored();
  expect(await mark(true, { by: distributor })).toEqual([204, '']);
  expect(await stored()).toEqual(first);
  expect(await trail()).toHaveLength(1);
});

test('each pick-up mark appears in the audit trail, in the file of the audit trail and in the history of the order (contract §14)', async () => {
  await mark(true);
  await mark(false, { by: distributor });
  const rows = await trail();
  expect(rows.map(({ kind, by, orderId, person }) => ({ kind, by, orderId, whose: person?.lastName }))).toEqual([
    { kind: 'order', by: distributor.email, orderId, whose: 'Katz' },
    { kind: 'order', by: agent.email, orderId, whose: 'Katz' },
  ]);
  expect(rows.map(changeText)).toEqual(['Marked as not picked up', 'Picked up']);
  const [row] = rows;
  expect(row && AUDIT_CSV.map((column) => column.value(row)).slice(3)).toEqual([
    'Order',
    null,
    null,
    orderId,
    'Katz, Dina',
    customer.email,
    'Marked as not picked up',
  ]);
  const call = await testApp.as(distributor);
  expect(await call(listAudit, { params: { id: distribution.id }, query: { kind: 'quantity' } })).toEqual(rows);
  expect(await call(listAudit, { params: { id: distribution.id }, query: { kind: 'payment' } })).toEqual([]);
  expect(await call(listAudit, { params: { id: distribution.id }, query: { after: rows[0]?.key ?? '' } })).toEqual(rows.slice(1));
  const history = await call(readHistory, { params: { orderId } });
  expect(history.map(({ kind, after, by }) => ({ kind, after, by }))).toEqual([
    { kind: 'order', after: { pickedUp: false }, by: distributor.email },
    { kind: 'order', after: { pickedUp: true }, by: agent.email },
  ]);
});

test('the customer report and its file have a pick-up column only after the first order is marked as picked up (contract §14)', async () => {
  const headers = async () => customersCsv(await report()).map(({ header }) => header);
  expect((await report()).every((row) => !('pickedUpAt' in row))).toBe(true);
  expect(await headers()).not.toContain('Picked up');
  await mark(true);
  expect((await report()).map((row) => row.pickedUpAt)).toEqual([(await stored()).pickedUpAt]);
  expect(await headers()).toContain('Picked up');
});

test('the file of customers has the time of each pick-up, and nothing for an order that is not picked up (contract §14)', async () => {
  const other = await makeCustomer(testApp.db, distributor);
  await makeOrder(testApp.db, distribution, other, [[await makeProduct(testApp.db, distribution), 1]]);
  await mark(true);
  const pickedUpAt = new Date(2027, 3, 1, 16, 5, 59).toISOString();
  await testApp.db.updateTable('orders').set({ pickedUpAt }).where('id', '=', orderId).execute();
  const rows = await report();
  const column = customersCsv(rows).find(({ header }) => header === 'Picked up');
  const values = new Map(rows.map((row) => [row.customer_id, column?.value(row)]));
  expect([values.get(customer.id), values.get(other.id)]).toEqual(['2027-04-01 16:05', null]);
});

test.each([
  ['the customer orders again', () => customer],
  ['staff enter units again', () => distributor],
])('an order that is picked up, set to 0 units, and gets units when %s is not picked up any more (contract §5, §14)', async (_, person) => {
  const products = await testApp.db.selectFrom('order_products').select('productId').where('orderId', '=', orderId).execute();
  const save = async (by: Person, quantity: number) => {
    const payload = { distributionId: distribution.id, products: products.map((line) => ({ ...line, quantity })) };
    const sent =
      by === customer
        ? { url: '/api/orders', payload }
        : { url: '/api/distributor/order', payload: { ...payload, customerId: customer.id } };
    return (await testApp.request(by, { method: 'POST', ...sent })).statusCode;
  };
  await mark(true);
  const first = await stored();
  expect(await save(distributor, 1)).toBe(200);
  expect(await save(distributor, 0)).toBe(200);
  expect(await stored()).toEqual(first);
  expect(await save(person(), 3)).toBe(200);
  expect(await stored()).toEqual({ pickedUpAt: null, pickedUpBy: null });
  expect((await trail()).filter(({ kind }) => kind === 'order').map((row) => [row.by, changeText(row)])).toEqual([
    [person().email, 'Marked as not picked up'],
    [agent.email, 'Picked up'],
  ]);
  expect(await save(customer, 2)).toBe(200);
});

test('repeating a pick-up mark with its idempotency key changes nothing (contract §2, §14)', async () => {
  expect(await mark(true, { key: 'one' })).toEqual([204, '']);
  expect(await mark(false, { key: 'two' })).toEqual([204, '']);
  // The client repeats the first request after the second one has undone it.
  expect(await mark(true, { key: 'one' })).toEqual([204, '']);
  expect((await stored()).pickedUpAt).toBeNull();
  expect((await mark(false, { key: 'one' }))[0]).toBe(409);
});

test('a pick-up mark is refused when a customer or another distributor sends it, or when its body is invalid (contract §2, §14)', async () => {
  expect(await mark(true, { by: customer })).toEqual([403, 'Your role may not do this.']);
  expect(await mark(true, { by: await makeDistributor(testApp.db) })).toEqual([404, 'Order not found']);
  for (const value of ['yes', 1, null, undefined]) expect((await mark(value))[0]).toBe(400);
  expect((await stored()).pickedUpAt).toBeNull();
});

test('concurrent pick-up marks of one order from many devices result in one mark and one audit row (contract §14)', async () => {
  const call = await testApp.as(agent);
  await Promise.all(Array.from({ length: 8 }, () => call(setPickedUp, { params: { orderId }, body: { pickedUp: true } })));
  expect(await trail()).toHaveLength(1);
});
