// Sends random bodies to the calls about orders, amounts and mails (reliability R5, R10, R11, R15, R35). Whatever the responses are, the
// database must afterwards contain only quantities, amounts and mails that the rules allow.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../src/api.ts';
import { run } from '../src/server/database/db.ts';
import type { Row } from '../src/server/database/schema.ts';
import { bodyOf, callOf, makeTenant, paramsOf } from './calls.ts';
import { makeAdmin, makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { iterations } from './setup/iterations.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();
let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;
beforeAll(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  brisket = await makeProduct(testApp.db, distribution, { max_order_qty: 3 });
  wine = await makeProduct(testApp.db, distribution, { max_order_qty: 7 });
});

const headers = { 'content-type': 'application/json' };
const post = (by: Person, url: string, payload: string) => testApp.request(by, { method: 'POST', url, headers, payload });
const lines = () =>
  run<{ productId: number; quantity: number }>(testApp.db, 'SELECT "productId", quantity FROM order_products WHERE "distributorId" = $1', [
    distributor.id,
  ]);

/** Generates numbers as JSON text. In JSON, 1e3 and 1.0 are also whole numbers. */
const written = fc.oneof(
  fc.integer({ min: -3, max: 9 }).map(String),
  fc.integer().map(String),
  fc.double().map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '1e308',
    '-1e308',
    '1e999',
    '1e3',
    '1E0',
    '1.0',
    '-0',
    '0.0',
    '2.5',
    '2147483648',
    '9007199254740993',
    '3.0000000000000001',
  ),
  fc.constantFrom('"1"', '"1e3"', '"NaN"', '""', '"３"', 'null', 'true', '[]', '[1]', '{}', '{"valueOf":1}'),
  fc.string({ maxLength: 5 }).map((text) => JSON.stringify(text)),
);

test('the server stores a whole number between 0 and the maximum as the quantity, whatever value is sent (spec §5; reliability R10)', async () => {
  const quantities = fc.sample(written, iterations(250, 10_000));
  let accepted = 0;
  for (const quantity of quantities) {
    const answer = await post(
      customer,
      '/api/orders',
      `{"distributionId":${distribution.id},"products":[{"productId":${brisket.id},"quantity":${quantity}}]}`,
    );
    expect([200, 201, 400], `${quantity}: ${answer.body}`).toContain(answer.statusCode);
    if (answer.statusCode === 400) continue;
    accepted += 1;
    expect(answer.json(), quantity).toMatchObject({ products: [{ quantity: Number(quantity) }] });
    for (const line of await lines()) expect([1, 2, 3, 0], quantity).toContain(line.quantity);
  }
  expect(accepted).toBeGreaterThan(0);
});

test('a product that is repeated in an order never exceeds its maximum (reliability R11)', async () => {
  const line = fc.record({ productId: fc.constantFrom(brisket.id, wine.id), quantity: fc.integer({ min: 0, max: 3 }) });
  const bodies = fc.sample(fc.array(line, { minLength: 2, maxLength: 6 }), iterations(60, 500));
  for (const [turn, products] of bodies.entries()) {
    const [by, url] = turn % 2 ? ([customer, '/api/orders'] as const) : ([distributor, '/api/distributor/order'] as const);
    const answer = await post(by, url, JSON.stringify({ distributionId: distribution.id, customerId: customer.id, products }));
    const isTwice = new Set(products.map(({ productId }) => productId)).size < products.length;
    if (isTwice) expect(answer.statusCode, JSON.stringify(products)).toBe(400);
    const sums = new Map<number, number>();
    for (const { productId, quantity } of await lines()) sums.set(productId, (sums.get(productId) ?? 0) + quantity);
    expect(sums.get(brisket.id) ?? 0).toBeLessThanOrEqual(3);
    expect(sums.get(wine.id) ?? 0).toBeLessThanOrEqual(7);
  }
});

describe('a number at or beyond its limit is saved exactly or refused (reliability R15)', () => {
  const EDGES = [
    999_999_999,
    1_000_000_000,
    1_000_000_001,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32 + 1,
    2 ** 53,
    2 ** 63,
    1e21,
    1e308,
    -1,
    -(2 ** 31),
  ];
  const place = () => `/api/distributions/${distribution.id}`;
  const calls: [string, () => string, (edge: number) => object][] = [
    ['a unit price', () => `${place()}/products`, (edge) => ({ name: 'Wine', unit_price: edge })],
    ['a quantity per unit', () => `${place()}/products`, (edge) => ({ name: 'Wine', unit_price: 1, unit_qty: edge })],
    ['a maximum', () => `${place()}/products`, (edge) => ({ name: 'Wine', max_order_qty: edge })],
    ['a product code', () => `${place()}/products`, (edge) => ({ name: 'Wine', product_code: edge })],
    ['a flat fee', () => `${place()}/fees`, (edge) => ({ name: 'Fee', type: 'flat', amount: edge })],
    ['a percent fee', () => `${place()}/fees`, (edge) => ({ name: 'Fee', type: 'percent', amount: edge })],
    ['a sort order', () => `${place()}/fees`, (edge) => ({ name: 'Fee', type: 'flat', amount: 1, sort_order: edge })],
  ];

  test.each(calls)('when it is sent as %s', async (_, url, body) => {
    for (const edge of EDGES) {
      const sent = body(edge);
      const answer = await post(distributor, url(), JSON.stringify(sent));
      expect([201, 400], `${edge}: ${answer.body}`).toContain(answer.statusCode);
      if (answer.statusCode !== 201) continue;
      const kept = answer.json() as Record<string, unknown> & { id: number; price?: number };
      expect(kept).toMatchObject(sent);
      expect(kept.price ?? 0).toBeLessThanOrEqual(1_000_000_000);
      if ('type' in kept) await testApp.db.deleteFrom('fees').where('id', '=', kept.id).execute();
    }
  });

  test('when it is sent as the amount or fee of a payment', async () => {
    const tenant = await makeTenant(testApp.db, 'Edge');
    for (const edge of EDGES) {
      for (const fields of [
        { amount: edge, feeAmount: 0 },
        { amount: 100, feeAmount: edge },
      ]) {
        const payment = { paymentMethod: 'Credit Card', description: 'Visa', ...fields };
        const answer = await post(tenant.people.distributor, `/api/orders/${tenant.paid.orderId}/payments`, JSON.stringify(payment));
        expect([400, 409], `${JSON.stringify(fields)}: ${answer.body}`).toContain(answer.statusCode);
      }
    }
  });
});

test('a distributor can mail only its own customers and agents, and replies go to the distributor (contract §8; reliability R5)', async () => {
  const agent = await makeAgent(testApp.db, distributor);
  const stranger = await makeDistributor(testApp.db);
  const foreign = await makeCustomer(testApp.db, stranger);
  const own = [customer.email, agent.email];
  const others = [foreign.email, stranger.email, distributor.email, (await makeAdmin(testApp.db)).email, 'nobody@evil.example'];
  const spelled = (email: string) =>
    fc.constantFrom(
      email,
      email.toUpperCase(),
      ` ${email} `,
      `<${email}>`,
      `"x" <${email}>`,
      `${email},nobody@evil.example`,
      `${email}\r\nBcc: nobody@evil.example`,
      `${email}\u0000`,
      email.replace('@', '＠'),
      email.replace('e', 'е'),
    );
  const address = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...own) }, fc.constantFrom(...own, ...others).chain(spelled));
  const mail = fc.record({
    to: fc.oneof({ weight: 9, arbitrary: address }, fc.constantFrom<unknown>(null, 1, [customer.email], { toString: 'x' })),
    replyTo: fc.oneof({ weight: 6, arbitrary: fc.constant(distributor.email) }, fc.constantFrom(...own, ...others).chain(spelled)),
    subject: fc.constantFrom('Pick-up', 'A\r\nBcc: nobody@evil.example', ''),
    html: fc.constantFrom('<p>At noon.</p>', '<p></p>'),
    from: fc.constantFrom(undefined, 'nobody@evil.example'),
    bcc: fc.constantFrom(undefined, 'nobody@evil.example'),
  });
  const bodies = fc.sample(fc.array(mail, { minLength: 1, maxLength: 3 }), iterations(150, 1000));
  let accepted = 0;
  for (const body of bodies) {
    const { statusCode } = await post(distributor, '/api/send-emails', JSON.stringify(body));
    expect([200, 400]).toContain(statusCode);
    accepted += statusCode === 200 ? 1 : 0;
  }
  expect(accepted).toBeGreaterThan(0);
  const queued = await testApp.db
    .selectFrom('emails')
    .select(['from', 'to', 'replyTo', 'distributorId'])
    .where('kind', '=', 'bulk')
    .where('status', '=', 'queued')
    .execute();
  expect(
    queued.filter(
      ({ to, replyTo, distributorId }) => !own.includes(to) || replyTo !== distributor.email || distributorId !== distributor.id,
    ),
  ).toEqual([]);
  expect(JSON.stringify(queued)).not.toContain('evil.example');
});

const FORMS = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json\t+xml',
  'APPLICATION/JSONX',
  '',
];

test('a form of another site can change nothing, because every call that writes accepts JSON only (contract §2; reliability R35)', async () => {
  const tenant = await makeTenant(testApp.db, 'Form');
  const writes = routes.map((route) => route.endpoint).filter((endpoint) => endpoint.method !== 'GET');
  for (const endpoint of writes) {
    const role = (['distributor', 'customer', 'admin'] as const).find((one) => endpoint.roles.includes(one));
    const isPublic = endpoint.roles.includes('public');
    const params = paramsOf(endpoint.path, tenant);
    const url = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]));
    const payload = JSON.stringify((isPublic ? undefined : bodyOf(endpoint, tenant)) ?? {});
    for (const type of FORMS) {
      const by = role ? tenant.people[role] : null;
      const { statusCode } = await testApp.request(by, { method: endpoint.method, url, headers: { 'content-type': type }, payload });
      // The call for unsubscribing is an exception: it accepts forms, because mail programs send a form when a user unsubscribes (RFC
      // 8058). It does nothing but unsubscribe.
      expect([callOf(endpoint), type, statusCode]).toEqual([
        callOf(endpoint),
        type,
        endpoint.path.startsWith('/api/unsubscribe/') ? statusCode : 415,
      ]);
    }
  }
});
