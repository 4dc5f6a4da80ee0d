import { expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { transaction } from '../database/db.ts';
import { pollingDelay } from './outbox-polling.ts';

const testApp = setupTestApp();

test('the worker pauses longer between two polls of the outbox when the database is busier, up to one second', async () => {
  expect(pollingDelay(testApp.db, 200)).toBe(200);
  expect(pollingDelay(testApp.db, 1)).toBe(100);
  expect(pollingDelay(testApp.db, 9500)).toBe(9500);
  const over = Promise.withResolvers<void>();
  const asking = [1, 2, 3].map(() => transaction(testApp.db, () => over.promise));
  await expect.poll(() => pollingDelay(testApp.db, 200)).toBe(800);
  expect(pollingDelay(testApp.db, 2000)).toBe(3000);
  expect(pollingDelay(testApp.db, 9500)).toBe(10_000);
  over.resolve();
  await Promise.all(asking);
});
