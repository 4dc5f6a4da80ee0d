import { beforeAll, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeImage, makeProduct } from '../../../test/data/factories.ts';
import { cents } from '../../domain/money.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, type Db } from '../database/db.ts';
import { DONE_WITHOUT_REPLY } from '../http/pipeline/idempotency.ts';
import { cleanUp } from './cleanup.ts';
import { HOUR } from '../../domain/durations.ts';

const testApp = setupTestApp();
const NOW = new Date('2027-04-10T12:00:00Z');
const ago = (hours: number): string => new Date(NOW.getTime() - hours * HOUR).toISOString();

let distributor: Person;
let customer: Person;
beforeAll(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  await testApp.db.deleteFrom('emails').execute();
});

const list = async (
  table:
    | 'idempotency_keys'
    | 'unknown_sign_ins'
    | 'sign_in_addresses'
    | 'session_store'
    | 'join_requests'
    | 'join_networks'
    | 'reset_networks'
    | 'saved_rows'
    | 'product_uploads'
    | 'customer_uploads'
    | 'emails',
  column: string,
) => (await testApp.db.selectFrom(table).selectAll().execute()).map((row) => (row as unknown as Record<string, string>)[column]).toSorted();

test('the cleanup deletes the stored response of an idempotency key after a day (contract §2)', async () => {
  const kept = { userId: distributor.id, bodyHash: 'hash', status: 200, reply: '{}' };
  await testApp.db
    .insertInto('idempotency_keys')
    .values([
      { ...kept, key: 'older', createdAt: ago(25.1) },
      { ...kept, key: 'a day', createdAt: ago(24) },
      { ...kept, key: 'new', createdAt: ago(0) },
    ])
    .execute();
  await cleanUp(testApp.db, NOW);
  expect(await list('idempotency_keys', 'key')).toEqual(['a day', 'new']);
});

test('the cleanup deletes the data for undoing an upload 25 hours after the upload', async () => {
  const { id: distributionId } = await makeDistribution(testApp.db, distributor);
  const of = { distributorId: distributor.id, updatedBy: distributor.id };
  const uploads = [ago(25.1), ago(24)].map((startedAt) => ({ ...of, startedAt }));
  await testApp.db.insertInto('customer_uploads').values(uploads).execute();
  const ofProducts = uploads.map((upload) => ({ ...upload, distributionId, before: '[]' }));
  await testApp.db.insertInto('product_uploads').values(ofProducts).execute();
  await cleanUp(testApp.db, NOW);
  for (const table of ['customer_uploads', 'product_uploads'] as const) expect(await list(table, 'startedAt'), table).toEqual([ago(24)]);
});

describe('a person with more than 20 MB of stored responses (contract §2; reliability "growth")', () => {
  const keysOf = async ({ id }: Person) =>
    await testApp.db
      .selectFrom('idempotency_keys')
      .select(['key', 'reply', 'status'])
      .where('userId', '=', id)
      .orderBy('createdAt')
      .execute();

  test('loses the oldest responses but no idempotency key, and nobody else loses a response', { tags: ['long'] }, async () => {
    await testApp.db.deleteFrom('idempotency_keys').execute();
    // The stored text is random, because PostgreSQL would compress repeated text.
    const store = `INSERT INTO idempotency_keys ("userId", key, "bodyHash", status, reply, "createdAt")
      SELECT $1, 'key ' || n, 'hash', 200, (SELECT string_agg(md5((n * 1000 + i)::text), '') FROM generate_series(1, 1000) i), $2::timestamptz + n * interval '1 minute'
      FROM generate_series(1, $3::int) n`;
    await run(testApp.db, store, [customer.id, ago(20), 900]);
    await run(testApp.db, store, [distributor.id, ago(20), 20]);
    await cleanUp(testApp.db, NOW);
    expect((await keysOf(distributor)).filter(({ reply }) => reply !== null)).toHaveLength(20);
    const ofCustomer = await keysOf(customer);
    expect(ofCustomer).toHaveLength(900);
    const kept = ofCustomer.filter(({ reply }) => reply !== null);
    expect(kept.length).toBeGreaterThan(600);
    expect(kept.length).toBeLessThan(900);
    expect(kept).toEqual(ofCustomer.slice(-kept.length));
  });

  test('keeps the refusals, so that no refused call is reported as carried out', { tags: ['long'] }, async () => {
    await testApp.db.deleteFrom('idempotency_keys').execute();
    const refusal = JSON.stringify({ sentence: 'Not like this', details: {} });
    const old = { userId: customer.id, bodyHash: 'hash', createdAt: ago(20) };
    await testApp.db
      .insertInto('idempotency_keys')
      .values([
        { ...old, key: 'refused', status: 409, reply: refusal },
        { ...old, key: 'done', status: 200, reply: '{}' },
      ])
      .execute();
    const fill = `INSERT INTO idempotency_keys ("userId", key, "bodyHash", status, reply, "createdAt")
      SELECT $1, 'more ' || n, 'hash', 200, (SELECT string_agg(md5((n * 100000 + i)::text), '') FROM generate_series(1, 32000) i), $2
      FROM generate_series(1, 22) n`;
    await run(testApp.db, fill, [customer.id, ago(1)]);
    await cleanUp(testApp.db, NOW);
    const rows = await keysOf(customer);
    expect(rows.filter(({ key }) => !key.startsWith('more')).toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { key: 'done', reply: null, status: 200 },
      { key: 'refused', reply: refusal, status: 409 },
    ]);
  });

  test('gets 409 for a repeated request to order, because its response was deleted, and the stored response for a repeated request to pay', async () => {
    await testApp.db.deleteFrom('idempotency_keys').execute();
    const distribution = await makeDistribution(testApp.db, distributor);
    const wine = await makeProduct(testApp.db, distribution, { unit_price: cents(1000) });
    const post = (by: Person, url: string, { key, payload }: { key: string; payload: object }) =>
      testApp.request(by, { method: 'POST', url, headers: { 'idempotency-key': key }, payload });
    const ordered = { key: 'an-order', payload: { distributionId: distribution.id, products: [{ productId: wine.id, quantity: 2 }] } };
    const order = await post(customer, '/api/orders', ordered);
    const { id } = order.json<{ id: number }>();
    const edited = {
      key: 'an-edit',
      payload: { ...ordered.payload, customerId: customer.id, products: [{ productId: wine.id, quantity: 3 }] },
    };
    expect((await post(distributor, '/api/distributor/order', edited)).statusCode).toBe(200);
    const paid = { key: 'a-payment', payload: { amount: 500, paymentMethod: 'Cash' } };
    const payment = await post(distributor, `/api/orders/${id}/payments`, paid);
    expect([order.statusCode, payment.statusCode]).toEqual([201, 201]);
    const fill = `INSERT INTO idempotency_keys ("userId", key, "bodyHash", status, reply, "createdAt")
      SELECT $1, 'more ' || n, 'hash', 200, (SELECT string_agg(md5((n * 100000 + i)::text), '') FROM generate_series(1, 32000) i), $2::timestamptz + interval '1 hour'
      FROM generate_series(1, 22) n`;
    for (const person of [customer, distributor]) await run(testApp.db, fill, [person.id, testApp.time]);
    await cleanUp(testApp.db, testApp.time);
    const saved = await post(customer, '/api/orders', ordered);
    expect([saved.statusCode, saved.body]).toEqual([409, DONE_WITHOUT_REPLY]);
    const again = await post(distributor, '/api/distributor/order', edited);
    expect([again.statusCode, again.body]).toEqual([409, DONE_WITHOUT_REPLY]);
    const repaid = await post(distributor, `/api/orders/${id}/payments`, paid);
    expect([repaid.statusCode, repaid.body]).toEqual([201, payment.body]);
    expect(await testApp.db.selectFrom('payments').selectAll().where('orderId', '=', id).execute()).toHaveLength(1);
    expect(await testApp.db.selectFrom('orders').select('version').where('id', '=', id).executeTakeFirst()).toEqual({ version: 2 });
  });
});

test('the cleanup deletes counts of failed sign-ins after a day, even if nobody signs in again', async () => {
  await testApp.db
    .insertInto('unknown_sign_ins')
    .values([
      { emailHash: 'old', lastFailureAt: ago(24.1) },
      { emailHash: 'new', lastFailureAt: ago(23.9) },
    ])
    .execute();
  await testApp.db
    .insertInto('sign_in_addresses')
    .values([
      { address: '192.0.2.1', failures: 300, windowStart: ago(24.1) },
      { address: '192.0.2.2', failures: 3, windowStart: ago(0.1) },
    ])
    .execute();
  await cleanUp(testApp.db, NOW);
  expect(await list('unknown_sign_ins', 'emailHash')).toEqual(['new']);
  expect(await list('sign_in_addresses', 'address')).toEqual(['192.0.2.2']);
});

test('the cleanup deletes join requests a day after their links have expired, and day-old counts of join and reset requests per network', async () => {
  const distributorId = distributor.id;
  await testApp.db
    .insertInto('join_requests')
    .values([
      { distributorId, email: 'expired@test.example', requestedAt: ago(193), expiresAt: ago(25) },
      { distributorId, email: 'removed@test.example', requestedAt: ago(23), expiresAt: ago(23) },
      { distributorId, email: 'open@test.example', requestedAt: ago(167), expiresAt: ago(-1) },
    ])
    .execute();
  await testApp.db
    .insertInto('join_networks')
    .values([
      { distributorId, network: '192.0.2.1', requests: 300, windowStart: ago(24.1) },
      { distributorId, network: '192.0.2.2', requests: 3, windowStart: ago(0.1) },
    ])
    .execute();
  await testApp.db
    .insertInto('reset_networks')
    .values([
      { network: '192.0.2.1', requests: 300, windowStart: ago(24.1) },
      { network: '192.0.2.2', requests: 3, windowStart: ago(0.1) },
    ])
    .execute();
  await cleanUp(testApp.db, NOW);
  expect(await list('join_requests', 'email')).toEqual(['open@test.example', 'removed@test.example']);
  expect(await list('join_networks', 'network')).toEqual(['192.0.2.2']);
  expect(await list('reset_networks', 'network')).toEqual(['192.0.2.2']);
});

test('the cleanup deletes a count of changed rows a day after the last change that was counted', async () => {
  const counted = { userId: customer.id, rows: 500 };
  await testApp.db
    .insertInto('saved_rows')
    .values([
      { ...counted, ofAllStaff: true, countedAt: ago(24.1) },
      { ...counted, ofAllStaff: false, countedAt: ago(23.9) },
    ])
    .execute();
  await cleanUp(testApp.db, NOW);
  expect(await list('saved_rows', 'ofAllStaff')).toEqual([false]);
});

test('the cleanup deletes ended sessions and keeps active ones', async () => {
  const session = { sess: { createdAt: ago(48) }, userId: customer.id };
  await testApp.db
    .insertInto('session_store')
    .values([
      { ...session, sid: 'ended', expire: ago(0.1) },
      { ...session, sid: 'living', expire: ago(-1) },
    ])
    .execute();
  await cleanUp(testApp.db, NOW);
  expect(await list('session_store', 'sid')).toEqual(['living']);
});

test('the cleanup deletes join mails, which no distributor sees, when their links have expired; an unsent mail stays (reliability growth)', async () => {
  const mail = { kind: 'join' as const, from: '', subject: '', html: '', joinDistributorId: distributor.id };
  await testApp.db.deleteFrom('emails').execute();
  await testApp.db
    .insertInto('emails')
    .values([
      { ...mail, to: 'old@test.example', status: 'sent', createdAt: ago(7 * 24 + 1) },
      { ...mail, to: 'queued@test.example', status: 'queued', createdAt: ago(7 * 24 + 1) },
      { ...mail, to: 'young@test.example', status: 'sent', createdAt: ago(7 * 24 - 1) },
      { ...mail, kind: 'bulk', to: 'bulk@test.example', status: 'sent', createdAt: ago(7 * 24 + 1) },
    ])
    .execute();
  await cleanUp(testApp.db, NOW);
  expect(await list('emails', 'to')).toEqual(['bulk@test.example', 'queued@test.example', 'young@test.example']);
});

test('the cleanup deletes the content of a mail after ninety days and keeps the row of the mail; an unsent mail keeps everything', async () => {
  const mail = { from: '', subject: 'Pick-up', html: '<p>At noon.</p>', distributorId: distributor.id, userId: customer.id };
  const old = ago(90 * 24 + 1);
  await testApp.db.deleteFrom('emails').execute();
  await testApp.db
    .insertInto('emails')
    .values([
      { ...mail, to: 'sent@test.example', status: 'sent', success: true, createdAt: old },
      { ...mail, to: 'failed@test.example', status: 'failed', createdAt: old },
      { ...mail, to: 'queued@test.example', status: 'queued', createdAt: old },
      { ...mail, to: 'young@test.example', status: 'sent', success: true, createdAt: ago(89 * 24) },
    ])
    .execute();
  await cleanUp(testApp.db, NOW);
  expect(await testApp.db.selectFrom('emails').select(['to', 'subject', 'html', 'status']).orderBy('id').execute()).toEqual([
    { to: 'sent@test.example', subject: 'Pick-up', html: '', status: 'sent' },
    { to: 'failed@test.example', subject: 'Pick-up', html: '', status: 'failed' },
    { to: 'queued@test.example', subject: 'Pick-up', html: '<p>At noon.</p>', status: 'queued' },
    { to: 'young@test.example', subject: 'Pick-up', html: '<p>At noon.</p>', status: 'sent' },
  ]);
});

test('the cleanup deletes thousands of rows, also when two processes clean up concurrently', async () => {
  await testApp.db.deleteFrom('unknown_sign_ins').execute();
  const old = Array.from({ length: 3500 }, (_, index) => ({ emailHash: `old ${index}`, lastFailureAt: ago(30) }));
  await testApp.db.insertInto('unknown_sign_ins').values(old).execute();
  await Promise.all([cleanUp(testApp.db, NOW), cleanUp(testApp.db, NOW)]);
  await cleanUp(testApp.db, NOW);
  expect(await list('unknown_sign_ins', 'emailHash')).toEqual([]);
});

test('the cleanup deletes a picture a week after the last product with its code is gone (reliability growth)', async () => {
  await testApp.db.deleteFrom('product_images').execute();
  const product = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor), { product_code: 71 });
  await makeImage(testApp.db, distributor, { product_code: 71, hash: 'used' });
  await makeImage(testApp.db, distributor, { product_code: 72, hash: 'unused' });
  const setCode = (product_code: number) => testApp.db.updateTable('products').set({ product_code }).where('id', '=', product.id).execute();
  const hashes = async () =>
    (await testApp.db.selectFrom('product_images').select('hash').orderBy('hash').execute()).map(({ hash }) => hash);
  const day = (days: number) => new Date(NOW.getTime() + days * 24 * HOUR);
  await cleanUp(testApp.db, day(0));
  await setCode(73);
  await cleanUp(testApp.db, day(1));
  await setCode(71);
  await cleanUp(testApp.db, day(6));
  expect(await hashes()).toEqual(['unused', 'used']);
  await setCode(73);
  await cleanUp(testApp.db, day(8));
  expect(await hashes()).toEqual(['used']);
  await cleanUp(testApp.db, day(16));
  expect(await hashes()).toEqual([]);
});

test('a step of the cleanup that fails does not prevent the other steps (reliability abuse)', async () => {
  const [texts, errors]: [string[], unknown[]] = [[], []];
  const query = (text: string) => Promise.reject(new Error(`failed ${texts.push(text)}`));
  await cleanUp(Object.assign(Object.create(testApp.db) as Db, { query }), NOW, (error) => errors.push(error));
  expect(texts.at(-1)).toContain(`kind = 'join'`);
  expect(errors).toEqual(texts.map((_, index) => new Error(`failed ${index + 1}`)));
});
