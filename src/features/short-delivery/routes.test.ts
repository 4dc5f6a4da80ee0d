import { beforeEach, describe, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { linesOf, makeOrder, weigh } from '../../../test/data/order-rows.ts';
import { deliverMails } from '../../../test/mail/mailed-links.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { placeholderEmail } from '../../server/mail/placeholder-email.ts';
import { MAX_MAILS_PER_DAY } from '../emails/contract.ts';
import { tooManyToInform } from './texts.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let customers: Person[];
let orderIds: number[];
/** Three families ordered 4, 2 and 2 units, one after the other. */
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor, { orderingOpen: false });
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_qty_is_estimate: true });
  const wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
  [customers, orderIds] = [[], []];
  for (const quantity of [4, 2, 2]) {
    const customer = await makeCustomer(testApp.db, distributor);
    customers.push(customer);
    const order = await makeOrder(testApp.db, distribution, customer, [
      [brisket, quantity],
      [wine, 1],
    ]);
    orderIds.push(order.id);
  }
});

const share = (
  payload: object,
  { by = distributor, product = brisket, key }: { by?: Person; product?: Row<'products'>; key?: string } = {},
) =>
  testApp.request(by, {
    method: 'POST',
    url: `/api/distributions/${distribution.id}/products/${product.id}/share`,
    payload: { rule: 'proportional', ...payload },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const quantities = async () =>
  (await linesOf(testApp.db, distribution.id))
    .filter((line) => line.productId === brisket.id)
    .map((line) => [line.quantity, line.originalQuantity]);
const UNCHANGED = [
  [4, 4],
  [2, 2],
  [2, 2],
];
const mails = () => testApp.db.selectFrom('emails').selectAll().where('distributorId', '=', distributor.id).orderBy('id').execute();
const orderRows = () => testApp.db.selectFrom('orders').selectAll().where('distributionId', '=', distribution.id).orderBy('id').execute();

describe('the preview of a short delivery', () => {
  test('returns each order’s share by each of the two rules, and changes nothing (contract §16)', async () => {
    const before = await orderRows();
    const proportional = await share({ units: 5, preview: true });
    expect(proportional.statusCode).toBe(200);
    const rivka = { firstName: 'Rivka', lastName: 'Abramov', hasPayments: false, isPickedUp: false };
    expect(proportional.json()).toEqual({
      ordered: 8,
      units: 5,
      applied: false,
      quantitiesHash: expect.any(String),
      lowered: { orders: 3, paid: 0, weighed: 0, losingWeights: 0, pickedUp: 0 },
      shares: [
        { ...rivka, orderId: orderIds[0], customerId: customers[0]?.id, email: customers[0]?.email, ordered: 4, gets: 3 },
        expect.objectContaining({ orderId: orderIds[1], ordered: 2, gets: 1 }),
        expect.objectContaining({ orderId: orderIds[2], ordered: 2, gets: 1 }),
      ],
    });
    const first = await share({ units: 5, rule: 'first', preview: true });
    expect(first.json<{ shares: { gets: number }[] }>().shares.map(({ gets }) => gets)).toEqual([4, 1, 0]);
    expect(await quantities()).toEqual(UNCHANGED);
    expect(await orderRows()).toEqual(before);
  });

  test.each([
    [{ units: 8, preview: true }, 409, 'Nothing is short: 8 are ordered.'],
    [{ units: 9 }, 409, 'Nothing is short: 8 are ordered.'],
    [{ units: 1.5 }, 400, 'The units that came must be a whole number, 0 or more.'],
    [{ units: -1 }, 400, 'The units that came must be a whole number, 0 or more.'],
    [{ units: 5, ordered: 7 }, 409, 'Orders of this product were changed meanwhile. Look at the preview again.'],
  ])('with the body %j gets the status %d and the message %s (contract §16)', async (body, status, text) => {
    const answer = await share(body);
    expect([answer.statusCode, answer.body]).toEqual([status, text]);
    expect(await quantities()).toEqual(UNCHANGED);
  });

  test('can be applied only while the orders are as it showed them: after a change, even with the same total, the request gets 409 (contract §16)', async () => {
    const readPreview = async () => (await share({ units: 5, preview: true })).json<{ quantitiesHash: string; ordered: number }>();
    const { quantitiesHash, ordered } = await readPreview();
    expect((await readPreview()).quantitiesHash).toBe(quantitiesHash);
    const set = (place: number, quantity: number) =>
      run(testApp.db, 'UPDATE order_products SET quantity = $2 WHERE "orderId" = $1 AND "productId" = $3', [
        orderIds[place],
        quantity,
        brisket.id,
      ]);
    await set(0, 2);
    await set(1, 4);
    const answer = await share({ units: 5, ordered, quantitiesHash });
    expect([answer.statusCode, answer.body]).toEqual([409, 'Orders of this product were changed meanwhile. Look at the preview again.']);
    expect((await share({ units: 5, quantitiesHash: (await readPreview()).quantitiesHash })).statusCode).toBe(200);
    expect((await quantities()).map(([quantity]) => quantity)).toEqual([1, 3, 1]);
  });

  test('requires a sharing rule and a product of this distribution, and is possible only for the distributor (contract §2, §16)', async () => {
    expect((await share({ units: 5, rule: 'lottery' })).statusCode).toBe(400);
    expect((await share({ units: 5 }, { by: await makeAgent(testApp.db, distributor) })).statusCode).toBe(403);
    expect((await share({ units: 5 }, { by: customers[0] ?? distributor })).statusCode).toBe(403);
    expect((await share({ units: 5 }, { by: await makeDistributor(testApp.db) })).statusCode).toBe(404);
    const elsewhere = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor));
    const missing = await share({ units: 5 }, { product: elsewhere });
    expect([missing.statusCode, missing.body]).toEqual([404, 'Product not found']);
  });
});

describe('a short delivery that is applied', () => {
  test('lowers orders, also after ordering has closed, keeps the original quantities and writes the audit trail (contract §16)', async () => {
    const answer = await share({ units: 5, ordered: 8 });
    expect(answer.json()).toMatchObject({ applied: true, ordered: 8 });
    const lines = (await linesOf(testApp.db, distribution.id)).filter((line) => line.productId === brisket.id);
    expect(lines.map(({ quantity, originalQuantity, audit, by }) => [quantity, originalQuantity, audit, by])).toEqual([
      [3, 4, [3], [distributor.id]],
      [1, 2, [1], [distributor.id]],
      [1, 2, [1], [distributor.id]],
    ]);
    expect((await orderRows()).map(({ version, updatedBy }) => [version, updatedBy])).toEqual(
      [2, 2, 2].map((version) => [version, distributor.id]),
    );
    expect(
      (await linesOf(testApp.db, distribution.id)).filter((line) => line.productId !== brisket.id).every((line) => line.quantity === 1),
    ).toBe(true);
  });

  test('does not change orders that get their full quantity (contract §16)', async () => {
    await share({ units: 6, rule: 'first', notify: true });
    expect(await quantities()).toEqual([
      [4, 4],
      [2, 2],
      [0, 2],
    ]);
    expect((await orderRows()).map(({ version }) => version)).toEqual([1, 1, 2]);
    expect((await mails()).map(({ userId }) => userId)).toEqual([customers[2]?.id]);
  });

  test('deletes the weights of removed units, and writes an audit row for each (contract §6, §16)', async () => {
    const line = await testApp.db
      .selectFrom('order_products')
      .selectAll()
      .where('orderId', '=', orderIds[0] ?? 0)
      .where('productId', '=', brisket.id)
      .executeTakeFirstOrThrow();
    await weigh(testApp.db, line, [4, 5, 6, 7], distributor);
    await share({ units: 4 });
    const weights = await testApp.db
      .selectFrom('actual_quantities')
      .select('actualQuantity')
      .where('orderProductId', '=', line.id)
      .execute();
    expect(weights.map(({ actualQuantity }) => actualQuantity)).toEqual([4, 5]);
    const trail = await testApp.db
      .selectFrom('actual_quantity_audit')
      .selectAll()
      .where('orderProductId', '=', line.id)
      .orderBy('sortOrder')
      .execute();
    expect(trail.map(({ previousQuantity, actualQuantity }) => [previousQuantity, actualQuantity])).toEqual([
      [6, null],
      [7, null],
    ]);
  });

  test('sends one mail to each customer who gets less, and only when requested (contract §16)', async () => {
    await share({ units: 6 });
    expect(await mails()).toEqual([]);
    await share({ units: 3, notify: true }, { key: 'short-1' });
    await share({ units: 3, notify: true }, { key: 'short-1' });
    const queued = await mails();
    expect(queued.map(({ kind, userId, orderId, subject }) => [kind, userId, orderId, subject])).toEqual(
      customers.map(({ id }, place) => ['short-delivery', id, orderIds[place], 'Less came of Brisket']),
    );
    const sent = (await deliverMails(testApp)).find(({ to }) => to === customers[0]?.email);
    expect(sent?.text).toContain('You get 2 instead of 3.');
    expect(sent?.text).toContain(`${distribution.name}, April 15, 2027. Order number ${orderIds[0]}.`);
  });

  test('counts its mails toward the distributor’s daily limit, and changes nothing above the limit (contract §16; reliability R44)', async () => {
    const now = testApp.time.toISOString();
    const earlier = { kind: 'bulk' as const, status: 'sent' as const, from: '', to: '', subject: '', html: '', createdAt: now };
    const caused = { ...earlier, distributorId: distributor.id, replyTo: distributor.email };
    for (let half = 0; half < 2; half++)
      await testApp.db
        .insertInto('emails')
        .values(Array.from({ length: MAX_MAILS_PER_DAY / 2 - 1 }, () => caused))
        .execute();
    const refused = await share({ units: 3, notify: true });
    expect([refused.statusCode, refused.body]).toEqual([429, tooManyToInform(MAX_MAILS_PER_DAY, MAX_MAILS_PER_DAY - 2)]);
    expect(refused.body).toContain('Nothing was changed');
    expect(await quantities()).toEqual(UNCHANGED);
    expect((await share({ units: 6, rule: 'first', notify: true })).statusCode).toBe(200);
    expect((await share({ units: 5, rule: 'first', notify: true })).statusCode).toBe(200);
    expect((await share({ units: 4, rule: 'first', notify: true })).statusCode).toBe(429);
    // A customer without an e-mail address gets no mail.
    await testApp.db
      .updateTable('users')
      .set({ email: placeholderEmail() })
      .where('id', '=', customers[1]?.id ?? 0)
      .execute();
    expect((await share({ units: 4, rule: 'first', notify: true })).statusCode).toBe(200);
    expect((await share({ units: 3, rule: 'first', notify: true })).statusCode).toBe(429);
    expect((await share({ units: 3, rule: 'first' })).statusCode).toBe(200);
  });

  test('does not delay the confirmation of the next change of the order (contract §8, §16)', async () => {
    const before = (await orderRows()).map(({ confirmAt, confirmVersion }) => [confirmAt, confirmVersion]);
    await share({ units: 5 });
    expect((await orderRows()).map(({ confirmAt, confirmVersion }) => [confirmAt, confirmVersion])).toEqual(before);
  });

  const product = async () => await testApp.db.selectFrom('products').selectAll().where('id', '=', brisket.id).executeTakeFirstOrThrow();

  test('sets every order of the product to 0 when nothing was delivered, and withdraws the product (contract §16)', async () => {
    await share({ units: 0, rule: 'first' });
    expect((await quantities()).map(([quantity]) => quantity)).toEqual([0, 0, 0]);
    expect((await product()).notOffered).toBe(true);
    const again = await share({ units: 0 });
    expect([again.statusCode, again.body]).toEqual([409, 'Nobody has ordered this product.']);
  });

  test.each([true, false])(
    'sets the limit of the product to the delivered units while orderingOpen is %s, so that staff are asked before they give away more (contract §12, §16)',
    async (orderingOpen) => {
      await testApp.db.updateTable('distributions').set({ orderingOpen }).where('id', '=', distribution.id).execute();
      await share({ units: 6 });
      await share({ units: 4 });
      expect((await product()).total_limit).toBe(4);
      const payload = {
        customerId: (await makeCustomer(testApp.db, distributor)).id,
        distributionId: distribution.id,
        products: [{ productId: brisket.id, quantity: 1 }],
      };
      const order = (confirmed: object) =>
        testApp.request(distributor, { method: 'POST', url: '/api/distributor/order', payload: { ...payload, ...confirmed } });
      const unasked = await order({});
      expect([unasked.statusCode, unasked.body]).toEqual([409, 'None left of Brisket.']);
      expect((await order({ beyondLimits: [brisket.id] })).statusCode).toBe(201);
    },
  );
});

describe('a copy of a distribution with short deliveries', () => {
  const copied = async () => {
    const copy = await testApp.request(distributor, {
      method: 'POST',
      url: `/api/distributions/${distribution.id}/copy`,
      payload: { name: 'Passover 2028', date: '2028-04-11', estimates: 'same' },
    });
    const { id } = copy.json<{ id: number }>();
    const rows = testApp.db.selectFrom('products').select(['total_limit', 'notOffered', 'shortDelivery']);
    return await rows.where('distributionId', '=', id).where('name', '=', 'Brisket').execute();
  };
  const patch = (method: 'PATCH' | 'POST', path: string, payload: object) =>
    testApp.request(distributor, { method, url: `/api/distributions/${distribution.id}/products/${brisket.id}${path}`, payload });
  const COPY = { notOffered: false, shortDelivery: null };
  beforeEach(() => testApp.db.updateTable('distributions').set({ orderingOpen: true }).where('id', '=', distribution.id).execute());

  test.each([null, 40])(
    'contains the product with the limit %s that it had before the deliveries, even after a delivery of 0 (contract §13, §16)',
    async (total_limit) => {
      await patch('PATCH', '', { total_limit });
      for (const units of [6, 3, 0]) {
        expect((await share({ units })).statusCode).toBe(200);
        expect(await copied()).toEqual([{ ...COPY, total_limit }]);
      }
    },
  );

  test('keeps a limit that staff have set after a delivery, and leaves out a product that staff have withdrawn, even if a delivery of 0 follows (contract §13, §16)', async () => {
    await share({ units: 5 });
    await patch('PATCH', '', { total_limit: 30 });
    expect(await copied()).toEqual([{ ...COPY, total_limit: 30 }]);
    await share({ units: 3 });
    expect(await copied()).toEqual([{ ...COPY, total_limit: 30 }]);
    await share({ units: 0 });
    await patch('POST', '/offer', { notOffered: false });
    await patch('POST', '/offer', { notOffered: true });
    await share({ units: 0 });
    expect(await copied()).toEqual([]);
  });
});
