import { expect, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { longestBlock } from '../../../test/longest-block.ts';
import { setupTestApp } from '../../../test/test-app.ts';

const testApp = setupTestApp();

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
