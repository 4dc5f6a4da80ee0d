import { expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { transaction } from '../database/db.ts';
import { pollingDelay } from './outbox-polling.ts';

const testApp = setupTestApp();

test('the worker pauses longer between two polls of the outbox when the database is busier, up to one second', async () => {
  expect(pollingDelay(testApp.db, { worked: 200, taken: 5 })).toBe(200);
  expect(pollingDelay(testApp.db, { worked: 1, taken: 5 })).toBe(100);
  expect(pollingDelay(testApp.db, { worked: 9500, taken: 5 })).toBe(9500);
  const over = Promise.withResolvers<void>();
  const asking = [1, 2, 3].map(() => transaction(testApp.db, () => over.promise));
  await expect.poll(() => pollingDelay(testApp.db, { worked: 200, taken: 5 })).toBe(800);
  expect(pollingDelay(testApp.db, { worked: 2000, taken: 5 })).toBe(3000);
  expect(pollingDelay(testApp.db, { worked: 9500, taken: 5 })).toBe(10_000);
  expect(pollingDelay(testApp.db, { worked: 5, taken: 0 }), 'nothing is due').toBe(1000);
  over.resolve();
  await Promise.all(asking);
});
