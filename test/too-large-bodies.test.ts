// Tests that a body that is refused with 413 does not count toward the limits of saves.
import { expect, test } from 'vitest';
import { makeCustomer, makeDistributor } from './data/factories.ts';
import { setupTestApp } from './test-app.ts';

const testApp = setupTestApp({ SAVES_PER_MINUTE: '4' });

test('a body above a megabyte is refused with 413 also for a customer whose limit it exceeds, and its bytes do not count (contract §2; reliability abuse)', async () => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  const send = async (length: number): Promise<number> => {
    const payload = { city: 'x'.repeat(length) };
    return (await testApp.request(customer, { method: 'POST', url: '/api/contact', payload })).statusCode;
  };
  // The body of 30,000 bytes counts as 15 of the 20 saves that a customer has at once, so the second one is above the limit.
  expect([await send(2_000_000), await send(2_000_000), await send(30_000)]).toEqual([413, 413, 400]);
  expect([await send(30_000), await send(2_000_000)]).toEqual([429, 413]);
});
