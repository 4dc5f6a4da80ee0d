import { expect, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { deliverMails } from '../../../test/mail/mailed-links.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { enqueue } from '../../server/mail/outbox.ts';
import { OTHER_HTML } from './texts.ts';

const testApp = setupTestApp();

test('a mail about a short delivery whose HTML was not written by the server is not sent, because converting it to plain text could take minutes (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id: userId } = await makeCustomer(testApp.db, distributor);
  const html = '<a '.repeat(1000);
  await enqueue(testApp.db, { kind: 'short-delivery', userId, distributorId: distributor.id, subject: 'Hello', html, at: testApp.time });
  expect(await deliverMails(testApp)).toEqual([]);
  const row = await testApp.db.selectFrom('emails').select(['status', 'response']).executeTakeFirstOrThrow();
  expect(row).toEqual({ status: 'suppressed', response: OTHER_HTML });
});
