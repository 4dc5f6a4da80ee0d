import { beforeEach, describe, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { LOCK_WAITERS, waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction } from '../../server/database/db.ts';
import { changeDistribution, createDistribution, listDistributions, readDistribution } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor);
  customer = await makeCustomer(testApp.db, distributor);
});

const create = async (payload: object) => {
  const answer = await testApp.request(distributor, { method: 'POST', url: '/api/distributions', payload });
  return [answer.statusCode, answer.statusCode < 300 ? answer.json().date : answer.body];
};
const change = async (id: number, payload: object, by = distributor) => {
  const answer = await testApp.request(by, { method: 'PATCH', url: `/api/distributions/${id}`, payload });
  return [answer.statusCode, answer.statusCode < 300 ? answer.json() : answer.body];
};

describe('a new distribution', () => {
  test('is unpublished, open and accepts no actual quantities (spec §4, §7)', async () => {
    const call = await testApp.as(distributor);
    const created = await call(createDistribution, { body: { name: '  Passover 2027 ', date: '2027-04-15' } });
    expect(created).toEqual({
      id: created.id,
      distributorId: distributor.id,
      name: 'Passover 2027',
      date: '2027-04-15',
      published: false,
      acceptActuals: false,
      orderingOpen: true,
      groupOrder: null,
      opensAt: null,
      closesAt: null,
      remindHours: null,
      timeZone: null,
      hasSlots: false,
      rehearsal: false,
    });
    expect(await call(readDistribution, { params: { id: created.id } })).toEqual(created);
  });

  test.each([
    ['2027-04-15', '2027-04-15'],
    ['2028-02-29', '2028-02-29'],
    ['2027-03-14T00:00:00.000Z', '2027-03-14'],
    ['2027-03-14T23:59:59-11:00', '2027-03-14'],
    ['2027-11-07T00:00:00+14:00', '2027-11-07'],
    ['2027-12-31T23:30', '2027-12-31'],
  ])('stores the calendar date of %s as it is written, whatever its time zone (spec §5; contract §2)', async (date, kept) => {
    expect(await create({ name: 'Purim', date })).toEqual([201, kept]);
  });

  test.each([
    '2027-02-30',
    '2027-02-29',
    '2027-13-01',
    '2027-00-10',
    '2027-04-31',
    '',
    'today',
    '4/15/2027',
    '20270415',
    '2027-4-5',
    '2027-04-15 ',
  ])('with the date %j is refused (spec §5)', async (date) => {
    expect(await create({ name: 'Purim', date })).toEqual([400, 'Date must be a calendar date such as 2027-04-15']);
  });

  test.each([
    [{ name: '', date: '2027-04-15' }, 'Name is required'],
    [{ name: ' \t ', date: '2027-04-15' }, 'Name is required'],
    [{ name: 'x'.repeat(201), date: '2027-04-15' }, 'Name is longer than 200 characters'],
    [{ name: 'a\u0000b', date: '2027-04-15' }, 'Name contains characters that cannot be stored'],
    [{ name: 'a\u0007b', date: '2027-04-15' }, 'Name contains characters that cannot be stored'],
    [{ name: 'a\ud800b', date: '2027-04-15' }, 'Name contains characters that cannot be stored'],
  ])('with the body %j is refused with the message: %s (spec §5)', async (payload, sentence) => {
    expect(await create(payload)).toEqual([400, sentence]);
  });

  test.each([{}, { name: 'Purim' }, { date: '2027-04-15' }, { name: 1, date: 2 }, { name: null, date: null }, []])(
    'with the body %j is refused',
    async (payload) => {
      expect((await create(payload))[0]).toBe(400);
    },
  );

  test('may have a name of 200 characters in any script; unknown fields of the request are ignored', async () => {
    const name = '🕎פסח'.repeat(40);
    const sent = {
      name,
      date: '2027-04-15',
      id: 1,
      distributorId: customer.id,
      published: true,
      orderingOpen: false,
      catalogueVersion: 99,
    };
    const answer = await testApp.request(distributor, { method: 'POST', url: '/api/distributions', payload: sent });
    expect(answer.json()).toMatchObject({ name, distributorId: distributor.id, published: false, orderingOpen: true });
    const stored = await testApp.db.selectFrom('distributions').select('catalogueVersion').where('id', '=', answer.json().id).execute();
    expect(stored).toEqual([{ catalogueVersion: 1 }]);
  });
});

describe('a change of a distribution', () => {
  test('of one flag leaves all other fields unchanged (spec §4, §7)', async () => {
    const made = await makeDistribution(testApp.db, distributor, { name: 'Purim', date: '2027-03-20', published: false });
    const { catalogueVersion: _, remindedAt: _remindedAt, ...stored } = made;
    const before = { ...stored, timeZone: null, hasSlots: false };
    expect(await change(made.id, { published: true })).toEqual([200, { ...before, published: true }]);
    expect(await change(made.id, { acceptActuals: true })).toEqual([200, { ...before, published: true, acceptActuals: true }]);
    expect(await change(made.id, { published: false })).toEqual([200, { ...before, acceptActuals: true }]);
    expect(await change(made.id, { name: ' Purim II ', date: '2027-03-21T00:00:00.000Z' })).toEqual([
      200,
      { ...before, acceptActuals: true, name: 'Purim II', date: '2027-03-21' },
    ]);
  });

  test('waits until no other change of a distribution by the same person is running, so that a person cannot publish many at once (reliability abuse)', async () => {
    const [first, second] = [await makeDistribution(testApp.db, distributor), await makeDistribution(testApp.db, distributor)];
    const other = await makeDistributor(testApp.db);
    const ofOther = await makeDistribution(testApp.db, other);
    const { changes } = await transaction(testApp.db, async (db) => {
      await run(db, 'SELECT FROM distributions WHERE id = ANY($1) FOR UPDATE', [[first.id, second.id]]);
      const changes = [change(first.id, { published: false }), change(second.id, { published: false })];
      await waitForLockWaiters(testApp.db);
      expect((await change(ofOther.id, { published: false }, other))[0]).toBe(200);
      expect(await run(testApp.db, LOCK_WAITERS, [])).toHaveLength(1);
      return { changes };
    });
    expect((await Promise.all(changes)).map(([status]) => status)).toEqual([200, 200]);
  });

  test('of the date stores the day that was sent, even when the request is repeated (contract §2)', async () => {
    const { id } = await makeDistribution(testApp.db, distributor, { date: '2027-03-14' });
    const call = await testApp.as(distributor);
    for (let time = 0; time < 5; time++) {
      const { date } = await call(readDistribution, { params: { id } });
      expect((await call(changeDistribution, { params: { id }, body: { date: new Date(date).toISOString() } })).date).toBe('2027-03-14');
    }
  });

  test('can close ordering, and no later change can open ordering again (spec §4; contract §4)', async () => {
    const { id } = await makeDistribution(testApp.db, distributor);
    expect((await change(id, { orderingOpen: true }))[0]).toBe(200);
    expect((await change(id, { orderingOpen: false }))[0]).toBe(200);
    expect((await change(id, { orderingOpen: false }))[0]).toBe(200);
    expect(await change(id, { orderingOpen: true })).toEqual([409, 'Ordering is closed and cannot be opened again.']);
    expect(await change(id, { orderingOpen: true, name: 'Open again' })).toEqual([409, 'Ordering is closed and cannot be opened again.']);
    expect(await (await testApp.as(distributor))(readDistribution, { params: { id } })).toMatchObject({ orderingOpen: false });
  });

  test('is refused when it is empty or when a flag is not a boolean', async () => {
    const { id } = await makeDistribution(testApp.db, distributor);
    const nothing = [
      400,
      'Say what to change: name and date, published, orderingOpen, acceptActuals, groupOrder, opensAt, closesAt or remindHours',
    ];
    expect(await change(id, {})).toEqual(nothing);
    expect(await change(id, { distributorId: customer.id, catalogueVersion: 7 })).toEqual(nothing);
    expect(await change(id, { name: '' })).toEqual([400, 'Name is required']);
    for (const value of ['true', 1, null, []]) expect((await change(id, { published: value }))[0]).toBe(400);
  });

  test("of another distributor's distribution is not found", async () => {
    const { id } = await makeDistribution(testApp.db, await makeDistributor(testApp.db));
    expect(await change(id, { name: 'Mine' })).toEqual([404, 'Distribution not found']);
    expect(await change(2_000_000_000, { name: 'Mine' })).toEqual([404, 'Distribution not found']);
  });
});

describe('the list of distributions, newest date first', () => {
  const seen = async (person: Person) => (await (await testApp.as(person))(listDistributions)).map((one) => one.name);

  test('contains all distributions for the distributor and agents; for a customer, only those that are published or in which the customer has an order (spec §6, §7; contract §4)', async () => {
    const make = (name: string, date: string, published: boolean) => makeDistribution(testApp.db, distributor, { name, date, published });
    await make('Purim', '2027-03-20', true);
    const draft = await make('Draft', '2027-05-01', false);
    await make('Passover A', '2027-04-15', true);
    await make('Passover B', '2027-04-15', true);
    await makeDistribution(testApp.db, await makeDistributor(testApp.db), { name: 'Foreign' });
    const all = ['Draft', 'Passover B', 'Passover A', 'Purim'];
    expect([await seen(distributor), await seen(agent)]).toEqual([all, all]);
    expect(await seen(customer)).toEqual(['Passover B', 'Passover A', 'Purim']);

    await makeOrder(testApp.db, draft, customer, []);
    expect(await seen(customer)).toEqual(all);
    expect(await seen(await makeCustomer(testApp.db, distributor))).toEqual(['Passover B', 'Passover A', 'Purim']);
  });

  test('is empty when there is no distribution', async () => {
    expect([await seen(distributor), await seen(agent), await seen(customer)]).toEqual([[], [], []]);
  });
});
