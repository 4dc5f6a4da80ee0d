import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { cents } from '../../domain/money.ts';
import { readRepricingPreview } from '../catalogue/contract.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { addFee, deleteFee, listFees } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
});

const add = async (payload: object) => {
  const answer = await testApp.request(distributor, { method: 'POST', url: `/api/distributions/${distribution.id}/fees`, payload });
  return [answer.statusCode, answer.statusCode < 300 ? answer.json() : answer.body];
};

describe('a new fee', () => {
  test('is returned as saved, with sort order 0 by default (spec §7)', async () => {
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
  ])('with the values %j is refused with the message: %s (spec §5)', async (fault, sentence) => {
    expect(await add({ name: 'Delivery', type: 'flat', amount: 500, ...fault })).toEqual([400, sentence]);
  });

  test.each([
    { type: 'free' },
    { type: undefined },
    { name: undefined },
    { amount: null },
    { amount: 1.5 },
    { amount: 1e308 },
    { amount: '5' },
  ])('with the values %j is refused (spec §5)', async (fault) => {
    expect((await add({ name: 'Delivery', type: 'flat', amount: 500, ...fault }))[0]).toBe(400);
  });

  test('is added once if the request is repeated with the same Idempotency-Key', async () => {
    const url = `/api/distributions/${distribution.id}/fees`;
    const request = {
      method: 'POST',
      url,
      payload: { name: 'Bag', type: 'percent', amount: 300 },
      headers: { 'idempotency-key': 'bag' },
    } as const;
    const replies = [await testApp.request(distributor, request), await testApp.request(distributor, request)];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(replies[1]?.body).toBe(replies[0]?.body);
    expect(await (await testApp.as(distributor))(listFees, { params: { id: distribution.id } })).toHaveLength(1);
  });

  test('without an amount has the amount 0, and a change without an amount keeps it (spec §5, §7, §9)', async () => {
    expect(await add({ name: 'Delivery', type: 'flat' })).toMatchObject([201, { amount: 0, sort_order: 0 }]);
    const [, { id }] = await add({ name: 'Handling', type: 'flat', amount: 300 });
    const url = `/api/distributions/${distribution.id}/fees/${id}`;
    const changed = await testApp.request(distributor, { method: 'PATCH', url, payload: { name: 'Boxes' } });
    expect(changed.json()).toMatchObject({ name: 'Boxes', amount: 300 });
  });

  test('may be as large as 100% or ten million dollars', async () => {
    expect((await add({ name: 'Double', type: 'percent', amount: 10_000 }))[0]).toBe(201);
    expect((await add({ name: 'Gold', type: 'flat', amount: 1_000_000_000 }))[0]).toBe(201);
  });

  test('is refused when the distribution has twenty fees, even when several are added at once', async () => {
    for (let index = 0; index < 18; index++) await makeFee(testApp.db, distribution);
    const answers = await Promise.all(Array.from({ length: 5 }, () => add({ name: 'Delivery', type: 'flat', amount: 1 })));
    expect(answers.filter(([status]) => status === 201)).toHaveLength(2);
    expect(await add({ name: 'Delivery', type: 'flat', amount: 1 })).toEqual([400, 'A distribution has at most 20 fees.']);
  });
});

test('everybody who sees the distribution gets the fees in the sequence in which they are charged (spec §7)', async () => {
  for (const [name, sort_order] of [
    ['Third', 2],
    ['First', 0],
    ['Fourth', 2],
    ['Second', 1],
  ] as const)
    await makeFee(testApp.db, distribution, { name, sort_order });
  for (const person of [distributor, await makeAgent(testApp.db, distributor), await makeCustomer(testApp.db, distributor)]) {
    const fees = await (await testApp.as(person))(listFees, { params: { id: distribution.id } });
    expect(fees.map((fee) => fee.name)).toEqual(['First', 'Second', 'Third', 'Fourth']);
  }
});

test('a fee can be deleted once, and only through its own distribution (spec §7)', async () => {
  const call = await testApp.as(distributor);
  const { id: feeId } = await call(addFee, { params: { id: distribution.id }, body: { name: 'Delivery', type: 'flat', amount: 500 } });
  const other = await makeDistribution(testApp.db, distributor);
  const gone = { status: 404, text: 'Fee not found' };
  await expect(call(deleteFee, { params: { id: other.id, feeId } })).rejects.toMatchObject(gone);
  await call(deleteFee, { params: { id: distribution.id, feeId } });
  await expect(call(deleteFee, { params: { id: distribution.id, feeId } })).rejects.toMatchObject(gone);
  expect(await call(listFees, { params: { id: distribution.id } })).toEqual([]);
});

describe('a changed fee', () => {
  const change = async (feeId: number, payload: object, by = distributor) => {
    const url = `/api/distributions/${distribution.id}/fees/${feeId}`;
    const answer = await testApp.request(by, { method: 'PATCH', url, payload });
    return [answer.statusCode, answer.statusCode < 300 ? answer.json() : answer.body];
  };

  test('keeps the fields that the request omits; if orders are placed, the audit trail records the old and the new values (contract §4)', async () => {
    const fee = await makeFee(testApp.db, distribution, { name: 'Hall', type: 'flat', amount: 500, sort_order: 3 });
    const kept = { id: fee.id, distributionId: distribution.id, type: 'flat', sort_order: 3 };
    expect(await change(fee.id, { name: ' Hall and ice ' })).toEqual([200, { ...kept, name: 'Hall and ice', amount: 500 }]);
    expect(await testApp.db.selectFrom('catalogue_audit').selectAll().execute()).toEqual([]);

    await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), []);
    expect(await change(fee.id, { amount: 700 })).toEqual([200, { ...kept, name: 'Hall and ice', amount: 700 }]);
    const [row] = await testApp.db.selectFrom('catalogue_audit').selectAll().execute();
    expect([row?.feeId, row?.before, row?.after, row?.updatedBy]).toEqual([
      fee.id,
      { name: 'Hall and ice', type: 'flat', amount: 500, sort_order: 3 },
      { name: 'Hall and ice', type: 'flat', amount: 700, sort_order: 3 },
      distributor.id,
    ]);
  });

  test('is refused with 409 when a field has another value than the previous one in the request, and than the new one (contract §2)', async () => {
    const fee = await makeFee(testApp.db, distribution, { name: 'Hall', type: 'percent', amount: 400 });
    const change = async (payload: object) => {
      const url = `/api/distributions/${distribution.id}/fees/${fee.id}`;
      const answer = await testApp.request(distributor, { method: 'PATCH', url, payload });
      return [answer.statusCode, answer.statusCode === 409 ? answer.body : (answer.json() as { amount: number }).amount];
    };
    const meanwhile = [409, 'Hall was changed by somebody else meanwhile. Nothing is saved.'];
    expect(await change({ type: 'flat', amount: 600, before: { type: 'flat', amount: 500 } })).toEqual(meanwhile);
    expect(await change({ amount: 300, before: { amount: 400 } })).toEqual([200, 300]);
    expect(await change({ amount: 300, before: { amount: 400 } })).toEqual([200, 300]);
  });

  test('must satisfy the rules of a new fee, and is found only in its own distribution (spec §5; contract §2)', async () => {
    const fee = await makeFee(testApp.db, distribution, { type: 'flat', amount: 20_000 });
    expect(await change(fee.id, { type: 'percent' })).toEqual([400, 'A percent fee is at most 100%']);
    expect(await change(fee.id, { amount: -1 })).toEqual([400, 'Amount must be non-negative']);
    expect(await change(fee.id, { amount: 1 }, await makeDistributor(testApp.db))).toEqual([404, 'Distribution not found']);
    const other = await makeFee(testApp.db, await makeDistribution(testApp.db, distributor));
    expect(await change(other.id, { amount: 1 })).toEqual([404, 'Fee not found']);
    expect((await testApp.db.selectFrom('fees').select('amount').where('id', '=', fee.id).executeTakeFirstOrThrow()).amount).toBe(20_000);
  });

  test('can be previewed with the amounts that orders would be charged (contract §4)', async () => {
    const fee = await makeFee(testApp.db, distribution, { type: 'flat', amount: 500 });
    const product = await makeProduct(testApp.db, distribution, { unit_price: cents(1000) });
    await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[product, 1]]);
    const changedFees = [{ id: fee.id, name: fee.name, type: 'percent' as const, amount: 1000, sort_order: 0 }];
    const preview = await (await testApp.as(distributor))(readRepricingPreview, { params: { id: distribution.id }, body: { changedFees } });
    expect(preview).toMatchObject({ orders: { count: 1 }, before: 1500, after: 1100 });
  });
});
