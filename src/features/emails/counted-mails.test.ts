// Tests that mails still count toward the limits of a day after their customers were forgotten or got another e-mail address.
import { beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run } from '../../server/database/db.ts';
import { MAX_HTML_LENGTH, MAX_HTML_PER_DAY, MAX_MAILS_PER_DAY } from './contract.ts';

const testApp = setupTestApp();
let distributor: Person;
let customer: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
});

const request = async (method: 'POST' | 'PATCH', url: string, payload?: object) =>
  (await testApp.request(distributor, { method, url, ...(payload && { payload }) })).statusCode;
const send = (to: string, html: string) =>
  request('POST', '/api/send-emails', [{ to, replyTo: distributor.email, subject: 'Pick-up', html }]);

/** Inserts mails that the distributor has sent. */
const insertMails = (count: number, html = '') =>
  run(
    testApp.db,
    `INSERT INTO emails (kind, status, "from", "to", subject, html, "distributorId", "replyTo", "createdAt")
      SELECT 'bulk', 'sent', '', '', '', $2, $3, $4, $5 FROM generate_series(1, $1::int)`,
    [count, html, distributor.id, distributor.email, testApp.time],
  );

test(
  "the HTML of a forgotten customer's mails still counts toward the HTML of the day (reliability abuse)",
  { tags: ['long'] },
  async () => {
    // Each `&` is stored as `&amp;`.
    await insertMails(MAX_HTML_PER_DAY / MAX_HTML_LENGTH - 5, 'A'.repeat(MAX_HTML_LENGTH));
    expect(await send(customer.email, '&'.repeat(MAX_HTML_LENGTH))).toBe(200);
    expect(await request('POST', `/api/users/customer/${customer.id}/forget`)).toBe(204);
    const other = await makeCustomer(testApp.db, distributor);
    expect(await send(other.email, 'A')).toBe(429);
  },
);

test('when an address is corrected, the withdrawn invitation to the old address still counts toward the daily limit of mails (reliability abuse)', async () => {
  await insertMails(MAX_MAILS_PER_DAY - 2);
  const correct = (email: string) => request('PATCH', `/api/users/customer/${customer.id}`, { email });
  expect([await correct('a@new.test'), await correct('b@new.test'), await correct('c@new.test')]).toEqual([200, 200, 429]);
});
