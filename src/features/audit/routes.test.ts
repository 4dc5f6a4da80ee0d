import { beforeEach, describe, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { readActualsReport } from '../actuals/contract.ts';
import { readHistory } from '../orders/contract.ts';
import type { AuditRow } from './contract.ts';

const testApp = setupTestApp();
let distributor: Person;
let agent: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor);
  customer = await makeCustomer(testApp.db, distributor, { firstName: 'Dina', lastName: 'Katz' });
  distribution = await makeDistribution(testApp.db, distributor, { name: 'Sukkot', date: '2027-10-15' });
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', product_code: 101, unit_qty_is_estimate: true, uom: 'lb' });
});

const send = async (by: Person, method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const answer = await testApp.request(by, { method, url, ...(payload ? { payload } : {}) });
  expect(answer.statusCode, `${method} ${url} ${answer.body}`).toBeLessThan(300);
  return answer.body === '' ? null : (answer.json() as { id: number });
};
const read = async (query = '', by = distributor, id = distribution.id) =>
  await testApp.request(by, { method: 'GET', url: `/api/distributions/${id}/audit${query}` });
const trail = async (query = ''): Promise<AuditRow[]> => (await read(query)).json();

const order = (by: Person, quantity: number) => {
  const body = { distributionId: distribution.id, products: [{ productId: brisket.id, quantity }] };
  return by.role === 'customer'
    ? send(by, 'POST', '/api/orders', body)
    : send(by, 'POST', '/api/distributor/order', { ...body, customerId: customer.id });
};
const lineId = async (): Promise<number> =>
  (await testApp.db.selectFrom('order_products').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id;

/** Makes changes of all kinds in the order in which they would happen. */
async function aDay(): Promise<{ orderId: number }> {
  const orderId = (await order(customer, 2))?.id ?? 0;
  await order(agent, 3);
  await send(distributor, 'PATCH', `/api/distributions/${distribution.id}/products/${brisket.id}`, { name: 'Brisket', unit_price: 1200 });
  await send(distributor, 'POST', `/api/distributions/${distribution.id}/fees`, { name: 'Delivery', type: 'flat', amount: 500 });
  await send(distributor, 'PATCH', `/api/distributions/${distribution.id}`, { orderingOpen: false });
  await send(distributor, 'PATCH', `/api/distributions/${distribution.id}`, { acceptActuals: true, name: 'Sukkot 2027' });
  const line = await lineId();
  await send(agent, 'POST', `/api/order-product-quantities/${orderId}`, { [`${line}-0`]: 4.87, [`${line}-1`]: 5, [`${line}-2`]: 5 });
  const payment = { amount: 1000, paymentMethod: 'Check', description: 'No. 77', feeAmount: 0 };
  await send(distributor, 'POST', `/api/orders/${orderId}/payments`, payment);
  await send(distributor, 'POST', `/api/users/customer/${customer.id}/disable`);
  return { orderId };
}

test('the audit trail lists every kind of change, newest first, with the author, the affected person and the previous value', async () => {
  const { orderId } = await aDay();
  const dina = { email: customer.email, firstName: 'Dina', lastName: 'Katz' };
  const [staff, helper, family] = [
    { by: distributor.email, byRole: 'distributor' },
    { by: agent.email, byRole: 'agent' },
    { by: customer.email, byRole: 'customer' },
  ];
  const ofOrder = { person: dina, orderId };
  const ofBrisket = { item: 'Brisket', productCode: 101 };
  const nothing = { person: null, orderId: null, productCode: null };
  const terms = { unit_qty: 1, unit_qty_is_estimate: true };
  const rows = await trail();
  expect(rows.map(({ key: _key, at: _at, ...row }) => row)).toEqual([
    { kind: 'person', ...staff, ...nothing, person: dina, item: null, detail: { act: 'disable', previousEmail: null } },
    {
      kind: 'payment',
      ...staff,
      ...ofOrder,
      item: null,
      productCode: null,
      detail: { amount: 1000, feeAmount: 0, paymentMethod: 'Check', description: 'No. 77' },
    },
    { kind: 'weight', ...helper, ...ofOrder, ...ofBrisket, detail: { unit: 3, uom: 'lb', from: null, to: 5 } },
    { kind: 'weight', ...helper, ...ofOrder, ...ofBrisket, detail: { unit: 2, uom: 'lb', from: null, to: 5 } },
    { kind: 'weight', ...helper, ...ofOrder, ...ofBrisket, detail: { unit: 1, uom: 'lb', from: null, to: 4.87 } },
    {
      kind: 'distribution',
      ...staff,
      ...nothing,
      item: null,
      detail: { before: { acceptActuals: false, name: 'Sukkot' }, after: { acceptActuals: true, name: 'Sukkot 2027' } },
    },
    { kind: 'distribution', ...staff, ...nothing, item: null, detail: { before: { orderingOpen: true }, after: { orderingOpen: false } } },
    {
      kind: 'fee',
      ...staff,
      ...nothing,
      item: 'Delivery',
      detail: { before: null, after: { name: 'Delivery', type: 'flat', amount: 500, sort_order: 0 } },
    },
    {
      kind: 'price',
      ...staff,
      ...nothing,
      ...ofBrisket,
      detail: { before: { ...terms, unit_price: 1000 }, after: { ...terms, unit_price: 1200 } },
    },
    { kind: 'quantity', ...helper, ...ofOrder, ...ofBrisket, detail: { from: 2, to: 3 } },
    { kind: 'quantity', ...family, ...ofOrder, ...ofBrisket, detail: { from: 0, to: 2 } },
  ]);
  expect(rows.map((row) => row.at)).toEqual(
    rows
      .map((row) => row.at)
      .toSorted()
      .toReversed(),
  );
});

test('the audit trail starts with the creation of the distribution, and has no row for a save that changed nothing', async () => {
  const made = await send(distributor, 'POST', '/api/distributions', { name: 'Purim', date: '2027-03-20' });
  await send(distributor, 'PATCH', `/api/distributions/${made?.id}`, { published: false });
  const rows: AuditRow[] = (await read('', distributor, made?.id)).json();
  expect(rows.map((row) => row.detail)).toEqual([
    { before: null, after: { name: 'Purim', date: '2027-03-20', published: false, acceptActuals: false, orderingOpen: true } },
  ]);
});

test("the audit trail records who invited a person, corrected the person's e-mail address, or unlocked, signed out, disabled or enabled the person", async () => {
  const fresh = await send(distributor, 'POST', '/api/distributions', { name: 'Purim', date: '2027-03-20' });
  const path = `/api/users/agent/${agent.id}`;
  await send(distributor, 'POST', `${path}/invite`);
  await send(distributor, 'PATCH', path, { email: 'mended.agent@test.example' });
  for (const act of ['unlock', 'sign-out', 'disable', 'enable']) await send(distributor, 'POST', `${path}/${act}`);
  const rows: AuditRow[] = (await read('?kind=person', distributor, fresh?.id)).json();
  expect(rows.map((row) => [row.by, row.person?.email, row.detail])).toEqual(
    ['enable', 'disable', 'sign-out', 'unlock', 'mend', 'invite'].map((act) => [
      distributor.email,
      'mended.agent@test.example',
      { act, previousEmail: act === 'mend' ? agent.email : null },
    ]),
  );
});

test('the audit trail lists the fields of a contact that staff corrected, but no change that customers make to their own contact', async () => {
  const path = `/api/users/customer/${customer.id}`;
  const before = await testApp.db.selectFrom('contacts').selectAll().where('userId', '=', customer.id).executeTakeFirstOrThrow();
  await send(distributor, 'PATCH', path, { lastName: 'Katz-Levi', phone: '555-0199' });
  await send(distributor, 'PATCH', path, { lastName: 'Katz-Levi' });
  const own = { firstName: 'Dina', lastName: 'Levi', address: '2 Oak', city: 'Teaneck', state: 'NJ', zip: '07666', phone: '1' };
  await testApp.request(customer, { method: 'POST', url: '/api/contact', payload: own });
  const [row, ...more] = await trail('?kind=contact');
  expect(more).toEqual([]);
  expect(row).toMatchObject({
    by: distributor.email,
    byRole: 'distributor',
    person: { email: customer.email },
    orderId: null,
    item: null,
    detail: { before: { lastName: 'Katz', phone: before.phone }, after: { lastName: 'Katz-Levi', phone: '555-0199' } },
  });
  // The correction that the server refused is not in the audit trail.
  expect(
    (await testApp.request(distributor, { method: 'PATCH', url: path, payload: { phone: '2', email: distributor.email } })).statusCode,
  ).toBe(409);
  expect(await trail('?kind=contact')).toHaveLength(1);
  const after = `?kind=contact&after=${row?.key}`;
  expect(await trail(after)).toEqual([]);
  expect((await read('?kind=contact', await makeDistributor(testApp.db))).statusCode).toBe(404);
});

test('in the audit trail, the first contact that staff add for a person has an empty previous value', async () => {
  const bare = await makeAgent(testApp.db, distributor);
  await testApp.db.deleteFrom('contacts').where('userId', '=', bare.id).execute();
  await send(distributor, 'PATCH', `/api/users/agent/${bare.id}`, { firstName: 'Avi' });
  expect((await trail('?kind=contact')).map((row) => row.detail)).toEqual([{ before: { firstName: '' }, after: { firstName: 'Avi' } }]);
});

test('the audit trail omits actions on people that happened before the distribution was created', async () => {
  await send(distributor, 'POST', `/api/users/agent/${agent.id}/disable`);
  const fresh = await send(distributor, 'POST', '/api/distributions', { name: 'Purim', date: '2027-03-20' });
  await send(distributor, 'POST', `/api/users/agent/${agent.id}/enable`);
  const acts = async (id?: number) => ((await read('?kind=person', distributor, id)).json() as AuditRow[]).map((row) => row.detail);
  expect(await acts(fresh?.id)).toEqual([{ act: 'enable', previousEmail: null }]);
  // For a distribution whose creation was not recorded, the trail contains all actions on people.
  expect(await acts()).toEqual(['enable', 'disable'].map((act) => ({ act, previousEmail: null })));
});

describe('the pages of the audit trail', () => {
  test('have no gap and no duplicate, even for changes of the same microsecond', async () => {
    await aDay();
    // All rows get the same time, so that only `source` and `id` determine their order.
    await testApp.db.updateTable('order_product_audit').set({ updatedAt: '2027-04-01T12:00:00.000001Z' }).execute();
    await testApp.db.updateTable('payments').set({ createdAt: '2027-04-01T12:00:00.000001Z' }).execute();
    const whole = await trail('?limit=1000');
    const parts: AuditRow[] = [];
    for (let part = await trail('?limit=2'); part.length > 0; part = await trail(`?limit=2&after=${part.at(-1)?.key}`)) parts.push(...part);
    expect(parts).toEqual(whole);
    expect(new Set(whole.map((row) => row.key)).size).toBe(whole.length);
  });

  test('have a hundred changes by default', async () => {
    await order(customer, 1);
    const line = await lineId();
    const rows = Array.from({ length: 120 }, (_, n) => ({ orderProductId: line, quantity: n, updatedBy: customer.id }));
    await testApp.db.insertInto('order_product_audit').values(rows).execute();
    expect([(await trail()).length, (await trail('?limit=1000')).length]).toEqual([100, 121]);
  });

  test.each([
    ['limit=0', 'limit must be a whole number between 1 and 1000'],
    ['limit=1001', 'limit must be a whole number between 1 and 1000'],
    ['limit=1e2', 'limit must be a whole number between 1 and 1000'],
    ['limit=5&limit=6', 'limit must be a whole number between 1 and 1000'],
    ['after=12', 'after must be the key of a change'],
    ["after=1.1.1'--", 'after must be the key of a change'],
    ['after=9999999999999999.6.9999999999', null],
    ['kind=order', 'kind must be a kind of change'],
    ['person=%00', 'person contains characters that cannot be stored'],
    [`text=${'x'.repeat(201)}`, 'text is longer than 200 characters'],
  ])('for the query string %s, are refused with the message %j, where null means that they are returned', async (query, sentence) => {
    const answer = await read(`?${query}`);
    expect([answer.statusCode, answer.body]).toEqual(sentence === null ? [200, answer.body] : [400, sentence]);
  });
});

test('a search in the audit trail finds changes by kind, by person, and by product, fee or payment, ignoring case', async () => {
  await aDay();
  const kinds = async (query: string) => (await trail(query)).map((row) => row.kind);
  expect(await kinds('?kind=weight')).toEqual(['weight', 'weight', 'weight']);
  expect(await kinds('?person=KATZ&kind=quantity')).toEqual(['quantity', 'quantity']);
  expect(await kinds(`?person=${encodeURIComponent(agent.email.toUpperCase())}`)).toEqual(['weight', 'weight', 'weight', 'quantity']);
  expect(await kinds('?text=brisk')).toEqual(['weight', 'weight', 'weight', 'price', 'quantity', 'quantity']);
  expect(await kinds('?text=DELIV')).toEqual(['fee']);
  expect(await kinds('?text=no.%2077')).toEqual(['payment']);
  expect(await kinds('?text=%25')).toEqual([]);
});

test("a distributor reads only its own audit trail: another distributor's is not found, and other roles are refused", async () => {
  await aDay();
  const stranger = await makeDistributor(testApp.db);
  const theirs = await makeDistribution(testApp.db, stranger, { name: 'Zzforeign' });
  await makeFee(testApp.db, theirs);
  await send(stranger, 'PATCH', `/api/distributions/${theirs.id}`, { published: false });
  const own = await read('', stranger, theirs.id);
  expect(own.json()).toHaveLength(1);
  expect(own.body).not.toContain(customer.email);
  const [foreign, missing] = [await read('', stranger), await read('', stranger, 2_000_000_000)];
  expect([foreign.statusCode, foreign.body]).toEqual([404, missing.body]);
  for (const person of [agent, await makeCustomer(testApp.db, distributor)]) expect((await read('', person)).statusCode).toBe(403);
});

test("products of the same name are distinguished in the audit trail, the order's history and the actuals report", async () => {
  await testApp.db.updateTable('products').set({ description: 'Solomon, first cut' }).where('id', '=', brisket.id).execute();
  await makeProduct(testApp.db, distribution, { name: 'brisket', description: 'Aaron, first cut' });
  const orderId = (await order(customer, 1))?.id ?? 0;
  const [change] = await trail('?kind=quantity');
  expect(change).toMatchObject({ item: 'Brisket', nameDetail: 'Solomon' });
  expect(change).not.toHaveProperty('productId');
  const call = await testApp.as(distributor);
  expect(await call(readHistory, { params: { orderId } })).toMatchObject([{ productName: 'Brisket', nameDetail: 'Solomon' }]);
  const { reportData } = await call(readActualsReport, { params: { id: distribution.id } });
  expect(reportData).toMatchObject([{ productName: 'Brisket', nameDetail: 'Solomon' }]);
});
