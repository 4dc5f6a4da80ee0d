import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../server/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee } from '../../../test/factories.ts';
import { testWorld, type Person } from '../../../test/world.ts';
import { addFee, deleteFee, listFees } from './contract.ts';

const world = testWorld();

let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(world.db);
  distribution = await makeDistribution(world.db, distributor);
});

const add = async (payload: object) => {
  const answer = await world.request(distributor, { method: 'POST', url: `/api/distributions/${distribution.id}/fees`, payload });
  return [answer.statusCode, answer.statusCode < 300 ? answer.json() : answer.body];
};

describe('a new fee', () => {
  test('is answered as it is, its sort order 0 when none is given (spec §7)', async () => {
    const [status, fee] = await add({ name: ' Handling ', type: 'percent', amount: 300 });
    expect([status, fee]).toEqual([
      201,
      { id: fee.id, distributionId: distribution.id, name: 'Handling', type: 'percent', sort_order: 0, amount: 300 },
    ]);
  });

  test.each([
    [{ amount: -1 }, 'Amount must be non-negative'],
    [{ amount: 1_000_000_001 }, 'Amount is too large'],
    [{ type: 'percent', amount: 10_001 }, 'A percent fee is at most 100%'],
    [{ sort_order: -1 }, 'Sort order must be non-negative'],
    [{ sort_order: 1_000_001 }, 'Sort order is too large'],
    [{ name: '' }, 'Name is required'],
    [{ name: 'x'.repeat(201) }, 'Name is longer than 200 characters'],
  ])('with %j is refused: %s (spec §5)', async (fault, sentence) => {
    expect(await add({ name: 'Delivery', type: 'flat', amount: 500, ...fault })).toEqual([400, sentence]);
  });

  test.each([
    { type: 'free' },
    { type: undefined },
    { name: undefined },
    { amount: undefined },
    { amount: 1.5 },
    { amount: 1e308 },
    { amount: '5' },
  ])('with %j is refused (spec §5)', async (fault) => {
    expect((await add({ name: 'Delivery', type: 'flat', amount: 500, ...fault }))[0]).toBe(400);
  });

  test('may be up to all of the price, or ten million dollars', async () => {
    expect((await add({ name: 'Double', type: 'percent', amount: 10_000 }))[0]).toBe(201);
    expect((await add({ name: 'Gold', type: 'flat', amount: 1_000_000_000 }))[0]).toBe(201);
  });

  test('is one of twenty at most, also when several are added at once', async () => {
    for (let index = 0; index < 18; index++) await makeFee(world.db, distribution);
    const answers = await Promise.all(Array.from({ length: 5 }, () => add({ name: 'Delivery', type: 'flat', amount: 1 })));
    expect(answers.filter(([status]) => status === 201)).toHaveLength(2);
    expect(await add({ name: 'Delivery', type: 'flat', amount: 1 })).toEqual([400, 'A distribution has at most 20 fees.']);
  });
});

test('the list is in the order they are charged, the same for all who may see the distribution (spec §7)', async () => {
  for (const [name, sort_order] of [
    ['Third', 2],
    ['First', 0],
    ['Fourth', 2],
    ['Second', 1],
  ] as const)
    await makeFee(world.db, distribution, { name, sort_order });
  for (const person of [distributor, await makeAgent(world.db, distributor), await makeCustomer(world.db, distributor)]) {
    const fees = await (await world.as(person))(listFees, { params: { id: distribution.id } });
    expect(fees.map((fee) => fee.name)).toEqual(['First', 'Second', 'Third', 'Fourth']);
  }
});

test('a fee is deleted once, by its own distribution only (spec §7)', async () => {
  const call = await world.as(distributor);
  const { id: feeId } = await call(addFee, { params: { id: distribution.id }, body: { name: 'Delivery', type: 'flat', amount: 500 } });
  const other = await makeDistribution(world.db, distributor);
  const gone = { status: 404, text: 'Fee not found' };
  await expect(call(deleteFee, { params: { id: other.id, feeId } })).rejects.toMatchObject(gone);
  await call(deleteFee, { params: { id: distribution.id, feeId } });
  await expect(call(deleteFee, { params: { id: distribution.id, feeId } })).rejects.toMatchObject(gone);
  expect(await call(listFees, { params: { id: distribution.id } })).toEqual([]);
});
