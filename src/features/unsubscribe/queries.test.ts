import { expect, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { stopBulkMail } from './queries.ts';

const testApp = setupTestApp();

test('unsubscribing a second time writes nothing to the database (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id, email } = await makeCustomer(testApp.db, distributor);
  const unsubscribe = async () => {
    await stopBulkMail(testApp.db, { userId: id, senderId: distributor.id, email, mailboxHash: 'hash' }, testApp.time);
    const [row] = await testApp.db.query<{ xmin: string; isStopped: boolean }>(
      'SELECT xmin, "bulkMailStoppedAt" IS NOT NULL AS "isStopped" FROM users WHERE id = $1',
      [id],
    );
    return row;
  };
  const first = await unsubscribe();
  expect(first?.isStopped).toBe(true);
  expect(await unsubscribe()).toEqual(first);
});
