// Tests that requests with a new session wait for the turns of their person, like requests with a session that the server knows.
import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { waitForTurnOf } from './fair-admission.ts';

const testApp = setupTestApp({ TRUST_PROXY: '1' });
afterEach(() => void vi.useRealTimers());

test.each([
  ['reads', 'GET', '/api/user', 12],
  ['saves', 'POST', '/api/orders', 4],
] as const)(
  'while another tenant is active, %s with a new session for each request, from many networks, start only a few at once (reliability abuse)',
  async (_, method, url, most) => {
    const [one, other] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
    const customer = await makeCustomer(testApp.db, one);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await testApp.request(other, { url: '/api/user' });
    let replies = 0;
    const flood = Array.from({ length: 30 }, async (_, n) => {
      await testApp.request(customer, {
        method,
        url,
        ...(method === 'POST' && { payload: {} }),
        headers: { 'x-forwarded-for': `203.0.113.${n}` },
      });
      replies++;
    });
    while (replies < most) await nextIteration();
    // The time stands still, so no further request starts.
    for (let left = 500; left > 0; left--) await nextIteration();
    expect(replies).toBe(most);
    while (replies < flood.length) {
      await vi.advanceTimersByTimeAsync(10);
      await nextIteration();
    }
    await Promise.all(flood);
  },
);

test('a request that was started without a turn does not wait', async () => {
  await expect(waitForTurnOf({} as never, { userId: 1, role: 'customer', tenantId: 1 })).resolves.toBeUndefined();
});
