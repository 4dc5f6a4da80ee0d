import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { transaction } from '../../server/database/db.ts';
import { sumOfTills, withoutFloat } from '../../domain/counter/till.ts';
import type { Row } from '../../server/database/schema.ts';
import { listTills, type Till } from './contract.ts';
import { withQueryBuilder } from '../../../test/database/test-db.ts';

const testApp = setupTestApp();
let distributor: Person;
let agent: Person;
let distribution: Row<'distributions'>;
let wine: Row<'products'>;
/** The id of an order for 50 bottles at $10.00. */
let orderId: number;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
  distribution = await makeDistribution(testApp.db, distributor);
  wine = await makeProduct(testApp.db, distribution);
  ({ id: orderId } = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[wine, 50]]));
});

async function post(by: Person, url: string, payload: object, key?: string) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await testApp.request(by, { method: 'POST', url, headers, payload });
  return { status: answer.statusCode, body: answer.body, json: () => answer.json<Till & { id: number }>() };
}
const open = (by: Person, float: unknown = 10_000, key?: string) => post(by, '/api/tills', { distributionId: distribution.id, float }, key);
const COUNTED = { cash: 10_000, check: 0, card: 0, other: 0 };
const close = (by: Person, id: number, counted: object = COUNTED, key?: string) => post(by, `/api/tills/${id}/close`, { counted }, key);
const pay = (by: Person, payment: object = {}) =>
  post(by, `/api/orders/${orderId}/payments`, { amount: 1000, paymentMethod: 'Cash', ...payment });
const reverse = (by: Person, id: number) => post(by, `/api/orders/${orderId}/payments/${id}/reverse`, { description: 'Wrong family' });
const list = async (by = distributor) => await (await testApp.as(by))(listTills, { params: { id: distribution.id } });
const CARD = { paymentMethod: 'Credit Card', description: 'Visa', feeAmount: 20 };

test('one person has at most one open till in a distribution; the expected cash of a new till is the float (contract §15)', async () => {
  const opened = await open(agent);
  expect(opened.status).toBe(201);
  expect(opened.json()).toEqual({
    id: expect.any(Number),
    distributionId: distribution.id,
    userId: agent.id,
    by: agent.email,
    float: 10_000,
    openedAt: expect.stringMatching(/^20.*Z$/),
    closedAt: null,
    payments: 0,
    expected: { cash: 10_000, check: 0, card: 0, other: 0 },
    counted: null,
    difference: null,
  });
  expect([(await open(agent)).status, (await open(agent)).body]).toEqual([409, 'Your till is open already.']);
  // Another user can open a till at the same time. The same user can open a till in another distribution.
  expect((await open(distributor, 0)).status).toBe(201);
  const other = await makeDistribution(testApp.db, distributor);
  expect((await post(agent, '/api/tills', { distributionId: other.id, float: 0 })).status).toBe(201);
  const racing = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
  const statuses = (await Promise.all(Array.from({ length: 6 }, () => open(racing)))).map(({ status }) => status);
  expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 409).length]).toEqual([1, 5]);
});

test('payments and reversals belong to the open till of the person who records them (contract §15)', async () => {
  const before = (await pay(agent)).json();
  const [{ id: till }, { id: office }] = [(await open(agent)).json(), (await open(distributor, 500)).json()];
  await pay(agent, { amount: 1200 });
  const card = (await pay(agent, CARD)).json();
  await pay(agent, { amount: 5, paymentMethod: 'Check', description: 'No. 7' });
  await reverse(distributor, card.id);
  await reverse(distributor, before.id);
  const { tills, withoutTill, received } = await list();
  expect(tills.map(({ id, payments, expected }) => ({ id, payments, expected }))).toEqual([
    { id: till, payments: 3, expected: { cash: 11_200, check: 5, card: 1020, other: 0 } },
    { id: office, payments: 2, expected: { cash: -500, check: 0, card: -1020, other: 0 } },
  ]);
  expect([withoutTill, received]).toEqual([
    { payments: 1, received: { cash: 1000, check: 0, card: 0, other: 0 } },
    { cash: 1200, check: 5, card: 0, other: 0 },
  ]);
});

describe('closing a till', () => {
  test('stores expected amount, counted amount and difference per payment method for good; the person can then open a new till (contract §15)', async () => {
    const { id } = (await open(agent)).json();
    await pay(agent, { amount: 1200 });
    await pay(agent, CARD);
    const closed = await close(agent, id, { cash: 11_150, check: 0, card: 1020, other: 3 });
    expect(closed.status).toBe(200);
    expect(closed.json()).toMatchObject({
      id,
      closedAt: expect.stringMatching(/^20.*Z$/),
      payments: 2,
      expected: { cash: 11_200, check: 0, card: 1020, other: 0 },
      counted: { cash: 11_150, check: 0, card: 1020, other: 3 },
      difference: { cash: -50, check: 0, card: 0, other: 3 },
    });
    expect((await close(agent, id)).body).toBe('This till is closed already. A closed till is never changed.');
    // A payment that the user records while none of the user's tills is open belongs to no till.
    await pay(agent);
    expect((await list()).withoutTill?.payments).toBe(1);
    expect((await open(agent, 0)).status).toBe(201);
    expect((await list()).tills[0]).toEqual(closed.json());
  });

  test("is possible for the distributor and for the till's owner, even if the owner may no longer take payments (contract §15)", async () => {
    const { id } = (await open(agent)).json();
    const other = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
    expect([(await close(other, id)).status, (await close(await makeDistributor(testApp.db), id)).status]).toEqual([404, 404]);
    await testApp.db.updateTable('users').set({ mayTakePayments: false }).where('id', '=', agent.id).execute();
    expect((await close(agent, id)).status).toBe(200);
    expect((await open(agent)).status).toBe(403);
    const second = (await open(other)).json();
    expect((await close(distributor, second.id)).json().userId).toBe(other.id);
  });

  test('is final: the database refuses to edit or delete a closed till (contract §15)', async () => {
    const { id } = (await open(agent)).json();
    await expect(sql`UPDATE tills SET float = 1 WHERE id = ${id}`.execute(testApp.db)).rejects.toThrow('never edited');
    await close(agent, id);
    for (const statement of [
      sql`UPDATE tills SET counted = expected WHERE id = ${id}`,
      sql`UPDATE tills SET "closedAt" = NULL, "closedBy" = NULL, expected = NULL, counted = NULL WHERE id = ${id}`,
      sql`DELETE FROM tills WHERE id = ${id}`,
    ])
      await expect(statement.execute(testApp.db)).rejects.toThrow('never edited');
  });

  test.each([
    [{ ...COUNTED, cash: -1 }, 'Counted cash must be non-negative'],
    [{ cash: 0, check: 0, card: 0 }, null],
    [{ ...COUNTED, other: 0.5 }, null],
    [{ ...COUNTED, card: '1' }, null],
  ])('is refused with the invalid counted amounts %j, and the till stays open', async (counted, sentence) => {
    const { id } = (await open(agent)).json();
    const { status, body } = await close(agent, id, counted);
    expect(status).toBe(400);
    if (sentence !== null) expect(body).toBe(sentence);
    expect((await list(agent)).tills[0]?.closedAt).toBeNull();
  });
});

test('a till is opened or closed once when the request is repeated with its idempotency key (contract §2, §15)', async () => {
  const first = await open(agent, 700, 'till-a');
  const again = await open(agent, 700, 'till-a');
  expect([again.status, again.json()]).toEqual([201, first.json()]);
  const closed = await close(agent, first.json().id, COUNTED, 'till-b');
  expect((await close(agent, first.json().id, COUNTED, 'till-b')).json()).toEqual(closed.json());
});

test("an agent sees only the agent's own tills; the distributor sees all tills (contract §15)", async () => {
  await open(agent);
  await open(distributor);
  const { tills, ...rest } = await list(agent);
  expect(tills.map(({ userId }) => userId)).toEqual([agent.id]);
  expect(rest).toEqual({ withoutTill: null, received: null });
  expect((await list()).tills).toHaveLength(2);
});

test.each([-1, 1.5, '100', null, 1_000_000_001])('a till with the invalid float (starting cash) %j is refused', async (float) => {
  expect((await open(agent, float)).status).toBe(400);
});

test('payments during the close of a till belong to that till or to no till, and the amounts of all tills add up to all payments, to the cent (contract §15)', async () => {
  for (let round = 0; round < 6; round++) {
    const { id } = (await open(agent, 100)).json();
    const paying = Array.from({ length: 6 }, (_, n) => pay(n % 2 === 0 ? agent : distributor, { amount: 7 + n }));
    const [closed, ...paid] = await Promise.all([close(agent, id), ...paying]);
    expect([closed.status, ...paid.map(({ status }) => status)]).toEqual([200, 201, 201, 201, 201, 201, 201]);
    const { rows } = await sql<{ sum: number }>`SELECT coalesce(sum(amount), 0)::int AS sum FROM payments WHERE "tillId" = ${id}`.execute(
      testApp.db,
    );
    expect(closed.json().expected.cash).toBe(100 + (rows[0]?.sum ?? 0));
  }
  const { tills, withoutTill, received } = await list();
  const inTills = tills.map(({ expected, float }) => withoutFloat(expected, float));
  expect(sumOfTills([...inTills, ...(withoutTill ? [withoutTill.received] : [])])).toEqual(received);
  const { rows } = await sql<{ sum: number }>`SELECT sum(amount + "feeAmount")::int AS sum FROM payments
    WHERE "distributionId" = ${distribution.id}`.execute(testApp.db);
  expect(received?.cash).toBe(rows[0]?.sum);
});

test('when several people close one till at once, one count is stored, the others are refused, and nothing is overwritten (contract §15)', async () => {
  for (let round = 0; round < 4; round++) {
    const { id } = (await open(agent, 100)).json();
    // The agent on two devices and the distributor close the same till at once, each with a different count.
    const answers = await Promise.all([agent, agent, distributor].map((by, n) => close(by, id, { ...COUNTED, cash: 100 + n })));
    const [closed, ...refused] = answers.toSorted((a, b) => a.status - b.status);
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 2 }, () => [409, 'This till is closed already. A closed till is never changed.']),
    );
    expect((await list()).tills.find((till) => till.id === id)).toEqual(closed?.json());
  }
});

test('a payment that is recorded while its till closes waits for the close and belongs to no till (contract §15)', async () => {
  const { id } = (await open(agent, 100)).json();
  const [paying] = await transaction(testApp.db, async (db) => {
    await sql`UPDATE tills SET "closedAt" = clock_timestamp(), "closedBy" = "userId", expected = ${COUNTED}, counted = ${COUNTED} WHERE id = ${id}`.execute(
      withQueryBuilder(db),
    );
    const answer = pay(agent, { amount: 700 });
    await waitForLockWaiters(testApp.db);
    return [answer];
  });
  expect((await paying).status).toBe(201);
  expect((await list()).withoutTill).toMatchObject({ payments: 1, received: { cash: 700 } });
});
