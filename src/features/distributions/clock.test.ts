// Tests the times at which ordering opens and closes (contract §11).
import { beforeEach, describe, expect, test } from 'vitest';
import { run, transaction } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { saveTimeZone } from '../organization/contract.ts';
import { placeOrder, readOrderPageData } from '../orders/contract.ts';
import { listDistributions, readDistribution } from './contract.ts';
import { storeClosings } from './queries.ts';

const testApp = setupTestApp();
let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
});

const change = async (payload: object): Promise<[number, unknown]> => {
  const answer = await testApp.request(distributor, { method: 'PATCH', url: `/api/distributions/${distribution.id}`, payload });
  return [answer.statusCode, answer.statusCode === 200 ? answer.json() : answer.body];
};
const fromNow = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
/** Sets the closing time of the distribution to a past time. */
const passClosing = (id = distribution.id) =>
  run(testApp.db, `UPDATE distributions SET "closesAt" = now() - interval '1 second' WHERE id = $1`, [id]);
const trail = async () => {
  const answer = await testApp.request(distributor, { method: 'GET', url: `/api/distributions/${distribution.id}/audit` });
  return answer.json() as { by: string; byRole: string | null; at: string; detail: { after: object } }[];
};
const storedFlag = async () =>
  (await testApp.db.selectFrom('distributions').select('orderingOpen').where('id', '=', distribution.id).executeTakeFirstOrThrow())
    .orderingOpen;

describe('a PATCH request that sets the times of a distribution (contract §11)', () => {
  test('stores the times in UTC and the hours of the reminder, and returns them in every reply', async () => {
    await (
      await testApp.as(distributor)
    )(saveTimeZone, { body: { timeZone: 'America/New_York' } });
    const body = { opensAt: '2030-03-01T09:00:00-05:00', closesAt: '2030-04-01T20:00:00.5Z', remindHours: 24 };
    const clock = { opensAt: '2030-03-01T14:00:00.000Z', closesAt: '2030-04-01T20:00:00.500Z', remindHours: 24 };
    expect(await change(body)).toMatchObject([200, { ...clock, timeZone: 'America/New_York', orderingOpen: true }]);
    for (const person of [distributor, await makeAgent(testApp.db, distributor), customer]) {
      const call = await testApp.as(person);
      // The two calls read the times in different ways. The first gets them as JSON, preloaded together with the session; the second gets
      // them from a select.
      expect(await call(readDistribution, { params: { id: distribution.id } })).toMatchObject(clock);
      expect(await call(listDistributions)).toMatchObject([clock]);
    }
    expect(await change({ opensAt: null, closesAt: null, remindHours: null })).toMatchObject([
      200,
      { opensAt: null, closesAt: null, remindHours: null },
    ]);
  });

  test.each([
    [{ closesAt: '2020-01-01T00:00:00Z' }, 'Ordering must close in the future.'],
    [{ opensAt: '2030-04-01T00:00:00Z', closesAt: '2030-04-01T00:00:00Z' }, 'Ordering must close after it opens.'],
    [{ closesAt: '2030-04-01' }, 'closesAt must be a time such as 2027-04-01T20:00:00Z'],
    [{ closesAt: '2030-02-30T00:00:00Z' }, 'closesAt must be a time such as 2027-04-01T20:00:00Z'],
    [{ opensAt: '9999-12-31T23:59:59-10:00' }, 'opensAt must be a time such as 2027-04-01T20:00:00Z'],
    [{ opensAt: 'noon' }, 'opensAt must be a time such as 2027-04-01T20:00:00Z'],
    [{ remindHours: 0 }, 'remindHours must be a whole number from 1 to 168'],
    [{ remindHours: 169 }, 'remindHours must be a whole number from 1 to 168'],
    [{ remindHours: 1.5 }, 'remindHours must be a whole number from 1 to 168'],
  ])('is refused with a message when its body is %o', async (body, sentence) => {
    expect(await change(body)).toEqual([400, sentence]);
  });

  test('may set a closing time on a leap day', async () => {
    expect((await change({ closesAt: '2028-02-29T23:59:59Z' }))[0]).toBe(200);
  });

  test('moves the closing time only while ordering is open', async () => {
    expect((await change({ closesAt: fromNow(2) }))[0]).toBe(200);
    expect((await change({ closesAt: fromNow(3) }))[0]).toBe(200);
    await passClosing();
    expect(await change({ closesAt: fromNow(4) })).toEqual([409, 'Ordering is closed, so the time when it closes cannot be changed.']);
    expect(await change({ closesAt: null })).toEqual([409, 'Ordering is closed, so the time when it closes cannot be changed.']);
    expect(await change({ orderingOpen: true })).toEqual([409, 'Ordering is closed and cannot be opened again.']);
    expect(await change({ name: 'Later', remindHours: 3 })).toMatchObject([200, { name: 'Later', orderingOpen: false }]);
  });
});

describe('after the time closesAt (contract §11)', () => {
  test('every reply says that ordering is closed, whether or not a process has stored that in the database yet', async () => {
    const product = await makeProduct(testApp.db, distribution);
    const call = await testApp.as(customer);
    await call(placeOrder, { body: { distributionId: distribution.id, products: [{ productId: product.id, quantity: 1 }] } });
    await passClosing();
    for (const person of [distributor, customer]) {
      const call = await testApp.as(person);
      expect(await call(readDistribution, { params: { id: distribution.id } })).toMatchObject({ orderingOpen: false });
      expect(await call(listDistributions)).toMatchObject([{ orderingOpen: false }]);
    }
    const page = { distributionId: distribution.id, customerId: customer.id };
    expect((await (await testApp.as(distributor))(readOrderPageData, { params: page })).distribution.orderingOpen).toBe(false);
    expect(await storedFlag()).toBe(true);
  });

  test('the audit trail has one entry for the closing, with the clock as author, even when several processes store that ordering is closed', async () => {
    await passClosing();
    await Promise.all([storeClosings(testApp.db), storeClosings(testApp.db), trail(), trail(), storeClosings(testApp.db, distribution.id)]);
    const { closesAt } = await testApp.db
      .selectFrom('distributions')
      .select('closesAt')
      .where('id', '=', distribution.id)
      .executeTakeFirstOrThrow();
    expect(await trail()).toMatchObject([
      { by: 'the clock', byRole: null, at: closesAt, detail: { before: { orderingOpen: true }, after: { orderingOpen: false } } },
    ]);
    expect(await storedFlag()).toBe(false);
  });

  test('ordering is stored as closed before another change of the distribution is saved', async () => {
    await passClosing();
    await change({ published: false });
    expect((await trail()).map(({ by, detail }) => [by, detail.after])).toEqual([
      [distributor.email, { published: false }],
      ['the clock', { orderingOpen: false }],
    ]);
  });

  test('the job that stores closings does not wait for locks: it skips a distribution that is being changed', async () => {
    const other = await makeDistribution(testApp.db, distributor);
    await passClosing();
    await passClosing(other.id);
    await transaction(testApp.db, async (db) => {
      await run(db, 'SELECT FROM distributions WHERE id = $1 FOR NO KEY UPDATE', [distribution.id]);
      expect(await storeClosings(testApp.db)).toBe(1);
    });
    expect(await storeClosings(testApp.db)).toBe(1);
    expect(await storeClosings(testApp.db)).toBe(0);
  });

  test('the job that stores closings does not change the distributions of a disabled distributor, so that they stay as they were exported', async () => {
    await passClosing();
    const { id } = distributor;
    await testApp.db.updateTable('users').set({ disabledAt: '2027-01-01T00:00:00Z' }).where('id', '=', id).execute();
    expect(await storeClosings(testApp.db)).toBe(0);
    await testApp.db.updateTable('users').set({ disabledAt: null }).where('id', '=', id).execute();
    expect(await storeClosings(testApp.db)).toBe(1);
  });

  test('a distribution that was closed by hand is not closed again by the clock', async () => {
    await change({ closesAt: fromNow(1) });
    await change({ orderingOpen: false });
    await passClosing();
    expect(await storeClosings(testApp.db, distribution.id)).toBe(0);
  });
});
