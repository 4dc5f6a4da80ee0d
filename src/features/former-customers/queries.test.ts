import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { longestBlock } from '../../../test/longest-block.ts';
import { setupTestApp } from '../../../test/test-app.ts';

const testApp = setupTestApp();
afterEach(() => vi.restoreAllMocks());

test('forgetting a customer does not block other requests, however many and long the stored replies are (reliability freeze)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor, { firstName: 'Dulcinea' });
  const rows = Array.from({ length: 200 }, (_, orderId) => ({ userId: customer.id, orderId, firstName: 'Dulcinea' }));
  const key = { userId: distributor.id, bodyHash: 'x', status: 200 };
  const small = { ...key, reply: JSON.stringify(rows) };
  const large = { ...key, reply: JSON.stringify(Array.from({ length: 80 }, () => rows)) };
  const keys = [...Array.from({ length: 300 }, (_, index) => ({ ...small, key: `small ${index}` })), { ...large, key: 'large' }];
  await testApp.db.insertInto('idempotency_keys').values(keys).execute();

  const forget = { method: 'POST' as const, url: `/api/users/customer/${customer.id}/forget` };
  const { longest, result } = await longestBlock(() => testApp.request(distributor, forget));
  expect(result.statusCode).toBe(204);
  expect(longest).toBeLessThan(100);

  const stored = await testApp.db.selectFrom('idempotency_keys').select(['key', 'reply']).where('userId', '=', distributor.id).execute();
  expect(stored).toHaveLength(keys.length);
  // The long reply is removed, but its key stays. A repeated call with this key has no second effect, and its response lacks the stored
  // reply.
  expect(stored.filter(({ reply }) => reply === null)).toEqual([{ key: 'large', reply: null }]);
  expect(stored.filter(({ reply }) => reply?.includes('Dulcinea'))).toEqual([]);
});

test(
  'forgetting a customer does not block other requests, although names and stored replies were chosen so that they nearly match; a long refusal keeps its message (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const distributor = await makeDistributor(testApp.db);
    const customer = await makeCustomer(testApp.db, distributor);
    await testApp.db
      .updateTable('users')
      .set({ email: `${'s.'.repeat(120)}7@x.test` })
      .where('id', '=', customer.id)
      .execute();
    const key = { userId: distributor.id, bodyHash: 'x' };
    const reply = JSON.stringify({ name: 'ſ.'.repeat(6500) });
    const refusal = JSON.stringify({ sentence: `An order is open in ${'ſ.'.repeat(50_000)}`, details: { a: 'b'.repeat(1000) } });
    const keys = [
      ...Array.from({ length: 300 }, (_, index) => ({ ...key, status: 200, reply, key: `reply ${index}` })),
      ...Array.from({ length: 5 }, (_, index) => ({ ...key, status: 409, reply: refusal, key: `refusal ${index}` })),
    ];
    await testApp.db.insertInto('idempotency_keys').values(keys).execute();
    const forget = { method: 'POST' as const, url: `/api/users/customer/${customer.id}/forget` };
    const { longest, result } = await longestBlock(() => testApp.request(distributor, forget));
    expect(result.statusCode).toBe(204);
    expect(longest).toBeLessThan(100);
    const refusals = await testApp.db.selectFrom('idempotency_keys').select('reply').where('status', '=', 409).execute();
    const kept = JSON.stringify({ sentence: `An order is open in ${'ſ.'.repeat(490)}`, details: {} });
    expect(refusals).toEqual(Array.from({ length: 5 }, () => ({ reply: kept })));
  },
);

test('the number of statements that forget a customer does not grow with the number of waiting lists of a distribution (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const products = await Promise.all(Array.from({ length: 20 }, () => makeProduct(testApp.db, distribution, { total_limit: 1 })));
  const place = { distributorId: distributor.id, distributionId: distribution.id };
  const statements = async (lists: number) => {
    const [{ id: customerId }, next] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
    const entries = [customerId, next.id].flatMap((customerId) =>
      products.slice(0, lists).map(({ id: productId }) => ({ ...place, productId, customerId, quantity: 1 })),
    );
    await testApp.db.insertInto('waiting_list').values(entries).execute();
    const before = testApp.db.poolStats().statements;
    const forget = { method: 'POST' as const, url: `/api/users/customer/${customerId}/forget` };
    expect((await testApp.request(distributor, forget)).statusCode).toBe(204);
    const count = testApp.db.poolStats().statements - before;
    const left = testApp.db.selectFrom('waiting_list').select(['customerId', 'heldQuantity']);
    expect(await left.execute()).toEqual(products.slice(0, lists).map(() => ({ customerId: next.id, heldQuantity: 1 })));
    await testApp.db.deleteFrom('waiting_list').execute();
    return count;
  };
  await statements(1);
  expect(await statements(20)).toBe(await statements(1));
});

const CLIENT = pg.Client.prototype as unknown as { query: (statement: { text: string }) => Promise<unknown> };

/** Collects the statements of each transaction. */
function recordTransactions(): string[][] {
  const transactions: string[][] = [];
  const open = new Map<pg.Client, string[]>();
  const { query } = CLIENT;
  const recorded = function (this: pg.Client, statement: { text: string }) {
    const { text } = statement;
    if (text === 'BEGIN') transactions.push(open.set(this, []).get(this) ?? []);
    else if (/^(COMMIT|ROLLBACK)$/.test(text)) open.delete(this);
    else open.get(this)?.push(text);
    return query.call(this, statement);
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(recorded as never);
  return transactions;
}

test('forgetting a customer leaves the waiting lists of each distribution in a transaction of their own, before the transaction for which the imports of other distributors wait (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const [customer, next] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  for (let list = 0; list < 5; list++) {
    const distribution = await makeDistribution(testApp.db, distributor);
    const { id: productId } = await makeProduct(testApp.db, distribution, { total_limit: 1 });
    const entry = { distributorId: distributor.id, distributionId: distribution.id, productId, quantity: 1 };
    const entries = [customer, next].map(({ id }) => ({ ...entry, customerId: id }));
    await testApp.db.insertInto('waiting_list').values(entries).execute();
  }
  const transactions = recordTransactions();
  const forget = { method: 'POST' as const, url: `/api/users/customer/${customer.id}/forget` };
  expect((await testApp.request(distributor, forget)).statusCode).toBe(204);
  const settled = transactions.map((texts) => ({
    lists: texts.filter((text) => text.includes('settle_waiting_list')).length,
    isForgetting: texts.some((text) => text.startsWith('UPDATE users SET email')),
  }));
  expect(settled.filter(({ lists, isForgetting }) => lists > 0 || isForgetting)).toEqual([
    ...Array.from({ length: 5 }, () => ({ lists: 1, isForgetting: false })),
    { lists: 0, isForgetting: true },
  ]);
  const left = await testApp.db.selectFrom('waiting_list').select(['customerId', 'heldQuantity']).execute();
  expect(left).toEqual(Array.from({ length: 5 }, () => ({ customerId: next.id, heldQuantity: 1 })));
});
