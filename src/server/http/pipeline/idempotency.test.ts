import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { linesOf } from '../../../../test/data/order-rows.ts';
import { iterations } from '../../../../test/setup/iterations.ts';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { busy, clientGone, conflict, tooMany } from '../../errors.ts';
import { runOnce } from './idempotency.ts';
import type { Row } from '../../database/schema.ts';
import { withQueryBuilder } from '../../../../test/database/test-db.ts';

const testApp = setupTestApp();
const ANOTHER = 'This Idempotency-Key was used for another request.';

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let wine: Row<'products'>;
beforeEach(async () => {
  testApp.time = new Date('2027-04-01T12:00:00Z');
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  wine = await makeProduct(testApp.db, distribution, { max_order_qty: 9 });
});

const place = (quantity: number, key: string | null, by = customer, more: object = {}) =>
  testApp.request(by, {
    method: 'POST',
    url: '/api/orders',
    headers: key === null ? {} : { 'idempotency-key': key },
    payload: { distributionId: distribution.id, products: [{ productId: wine.id, quantity }], ...more },
  });
const audit = async () => (await linesOf(testApp.db, distribution.id)).map((line) => line.audit);

describe('orders of many customers with an idempotency key each', () => {
  const everybody = () => Promise.all(Array.from({ length: 24 }, () => makeCustomer(testApp.db, distributor)));
  const statements = async () =>
    (
      await sql<{
        count: number;
      }>`SELECT count(DISTINCT xmin::text)::int AS count FROM orders WHERE "distributionId" = ${distribution.id}`.execute(testApp.db)
    ).rows[0]?.count;

  test("are written together in few statements; repeating a request returns the reply that is stored under the request's idempotency key", async () => {
    const people = await everybody();
    for (const [key, quantity] of [
      ['new', 2],
      ['changed', 5],
    ] as const) {
      const answers = await Promise.all(people.map((person) => place(quantity, key, person)));
      expect(await statements()).toBeLessThan(people.length / 2);
      expect(new Set(answers.map((answer) => answer.json<{ id: number }>().id)).size).toBe(people.length);
      const again = await Promise.all(people.map((person) => place(quantity, key, person)));
      expect(again.map(({ statusCode, body }) => [statusCode, body])).toEqual(answers.map(({ statusCode, body }) => [statusCode, body]));
      const others = await Promise.all(people.map((person) => place(quantity + 1, key, person)));
      expect(new Set(others.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(new Set([`409 ${ANOTHER}`]));
    }
    expect(await audit()).toEqual(people.map(() => [2, 5]));
  });

  test('are saved even when another order of the batch is refused, or the idempotency key of that other order was already used', async () => {
    const [first, second, ...rest] = await everybody();
    if (!first || !second) throw new Error('nobody');
    const elsewhere = await makeDistribution(testApp.db, distributor);
    const other = await makeProduct(testApp.db, elsewhere);
    const taken = { distributionId: elsewhere.id, products: [{ productId: other.id, quantity: 1 }] };
    expect((await place(1, 'k', second, taken)).statusCode).toBe(201);
    const answers = await Promise.all([place(10, 'k', first), place(3, 'k', second), ...rest.map((person) => place(3, 'k', person))]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 409, ...rest.map(() => 201)]);
    expect(await audit()).toEqual(rest.map(() => [3]));
  });

  test('become one order when one customer sends two orders under one key', async () => {
    const elsewhere = await makeDistribution(testApp.db, distributor);
    const other = await makeProduct(testApp.db, elsewhere);
    for (let round = 0; round < iterations(10, 200); round++) {
      const person = await makeCustomer(testApp.db, distributor);
      const answers = await Promise.all([
        place(1, 'k', person),
        place(1, 'k', person, { distributionId: elsewhere.id, products: [{ productId: other.id, quantity: 1 }] }),
      ]);
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201, 409]));
      const orders = await testApp.db.selectFrom('orders').select('id').where('customerId', '=', person.id).execute();
      expect(orders).toHaveLength(1);
    }
  });
});

describe('a repeated request with the same idempotency key', () => {
  test('gets the first reply and has no second effect (contract §2)', async () => {
    const first = await place(1, 'a');
    await place(2, 'b');
    const again = await place(1, 'a');
    expect([again.statusCode, again.body, again.headers['content-type']]).toEqual([201, first.body, 'application/json; charset=utf-8']);
    expect(await audit()).toEqual([[1, 2]]);
  });

  test('has one effect and one reply when sent fifty times at once', async () => {
    const effects: number[] = [];
    for (let round = 0; round < iterations(1, 200); round++) {
      effects.push(3 + (round % 2));
      const answers = await Promise.all(Array.from({ length: 50 }, () => place(3 + (round % 2), `c${round}`)));
      expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1);
      expect(answers[0]?.statusCode).toBe(round === 0 ? 201 : 200);
    }
    expect(await audit()).toEqual([effects]);
  });

  test('may have its fields in another sequence, and fields that the contract does not list', async () => {
    const first = await place(1, 'd');
    const again = await testApp.request(customer, {
      method: 'POST',
      url: '/api/orders',
      headers: { 'idempotency-key': 'd' },
      payload: { paid: true, products: [{ quantity: 1, productId: wine.id }], distributionId: distribution.id },
    });
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
  });

  test('that was refused is refused again, even if it could succeed the second time', async () => {
    expect((await place(10, 'e')).statusCode).toBe(400);
    await testApp.db.updateTable('products').set({ max_order_qty: 20 }).where('id', '=', wine.id).execute();
    const again = await place(10, 'e');
    expect([again.statusCode, again.body]).toEqual([400, `${wine.name}: at most 9 can be ordered.`]);
    expect((await place(10, 'f')).statusCode).toBe(201);
  });

  test('counts as a new request after more than a day (contract §2)', async () => {
    await place(1, 'g');
    await place(2, 'h');
    testApp.time = new Date('2027-04-02T11:59:59Z');
    expect((await place(1, 'g')).json().version).toBe(1);
    testApp.time = new Date('2027-04-02T12:00:01Z');
    expect((await place(1, 'g')).json().version).toBe(3);
  });
});

test("when the handler refuses a request that has an idempotency key, the handler's writes are rolled back and only the refusal is stored under the key (contract §8)", async () => {
  let attempts = 0;
  const refused = () =>
    runOnce(testApp.db, { userId: customer.id, key: 'r', bodyHash: 'of the body', now: testApp.time }, async (db) => {
      attempts += 1;
      await makeCustomer(withQueryBuilder(db), distributor, { lastName: 'Half-done' });
      throw conflict('Not like this');
    });
  for (let time = 0; time < 2; time++)
    expect(await refused()).toMatchObject({ status: 409, json: '{"sentence":"Not like this","details":{}}' });
  expect(attempts).toBe(1);
  expect(await testApp.db.selectFrom('contacts').select('id').where('lastName', '=', 'Half-done').execute()).toEqual([]);
});

test.each([
  ['fails', new Error('broke')],
  ['finds the database busy', busy()],
  ['is refused until later', tooMany('Too many', 60)],
  ['stops because the client is gone', clientGone()],
])('a request whose handler %s leaves its idempotency key unused', async (_, error) => {
  const call = { userId: customer.id, key: 'f', bodyHash: 'of the body', now: testApp.time };
  await expect(runOnce(testApp.db, call, () => Promise.reject(error))).rejects.toBe(error);
  expect(await runOnce(testApp.db, call, async () => ({ status: 200, json: '{}' }))).toEqual({ status: 200, json: '{}' });
});

test('a request with another body and the same idempotency key gets 409 and changes nothing (contract §2)', async () => {
  await place(1, 'a');
  const other = await place(2, 'a');
  expect([other.statusCode, other.body]).toEqual([409, ANOTHER]);
  expect((await place(1, 'a', customer, { version: 1 })).statusCode).toBe(409);
  expect(await audit()).toEqual([[1]]);
});

test('of two concurrent requests with different bodies and the same idempotency key, one is accepted and the other is refused', async () => {
  const statuses = (await Promise.all([place(1, 'x'), place(2, 'x')])).map((answer) => answer.statusCode);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(await audit()).toHaveLength(1);
});

test('idempotency keys are separate for each user (contract §2)', async () => {
  const other = await makeCustomer(testApp.db, distributor);
  expect([(await place(1, 'a')).statusCode, (await place(2, 'a', other)).statusCode]).toEqual([201, 201]);
});

test('requests without an idempotency key are separate requests', async () => {
  expect([(await place(1, null)).json().version, (await place(2, null)).json().version, (await place(1, null)).json().version]).toEqual([
    1, 2, 3,
  ]);
});

test('a malformed request does not use up the idempotency key that it contains', async () => {
  expect((await place(1.5, 'a')).statusCode).toBe(400);
  expect((await place(1, 'a')).statusCode).toBe(201);
});

test('the server accepts a body that is nested too deeply to be serialized again', async () => {
  const deep = `${'['.repeat(9900)}${']'.repeat(9900)}`;
  const answer = await testApp.request(customer, {
    method: 'POST',
    url: '/api/orders',
    headers: { 'idempotency-key': 'deep', 'content-type': 'application/json' },
    payload: `{"distributionId":${distribution.id},"products":[{"productId":${wine.id},"quantity":1}],"unknown":${deep}}`,
  });
  expect(answer.statusCode).toBe(201);
});

test.each(['', 'a b', 'ä', 'x'.repeat(201)])('an idempotency key %j is refused', async (key) => {
  const answer = await place(1, key);
  expect([answer.statusCode, answer.body]).toEqual([400, 'The Idempotency-Key must be 1 to 200 visible characters.']);
  expect(await audit()).toEqual([]);
});

test('calls that do not support idempotency keys ignore the header Idempotency-Key', async () => {
  const create = () =>
    testApp.request(distributor, {
      method: 'POST',
      url: `/api/distributions/${distribution.id}/product-uploads`,
      headers: { 'idempotency-key': 'a' },
    });
  expect((await create()).json().id).not.toBe((await create()).json().id);
});
