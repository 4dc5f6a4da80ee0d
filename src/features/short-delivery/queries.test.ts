import { expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { linesOf, makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { MAX_BULK_PER_MAILBOX } from '../emails/contract.ts';

const testApp = setupTestApp();

test('one mailbox gets at most 250 mails about short deliveries and bulk mails of a distributor in a day; above that, the units are still divided, and only this person gets no mail (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const product = await makeProduct(testApp.db, distribution);
  const [person, other] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  for (const customer of [person, other]) await makeOrder(testApp.db, distribution, customer, [[product, 3]]);
  const of = { distributorId: distributor.id, replyTo: distributor.email, createdAt: testApp.time.toISOString() };
  const earlier = { ...of, kind: 'bulk' as const, status: 'sent' as const, from: '', to: person.email, subject: '', html: '' };
  await testApp.db
    .insertInto('emails')
    .values(Array.from({ length: MAX_BULK_PER_MAILBOX - 1 }, () => earlier))
    .execute();
  const post = async (url: string, payload: object) => (await testApp.request(distributor, { method: 'POST', url, payload })).statusCode;
  const informed = async () => {
    const mails = testApp.db.selectFrom('emails').select('userId').where('kind', '=', 'short-delivery').orderBy('id');
    return (await mails.execute()).map(({ userId }) => userId);
  };
  const share = (units: number) =>
    post(`/api/distributions/${distribution.id}/products/${product.id}/share`, { units, rule: 'proportional', notify: true });
  expect(await share(2)).toBe(200);
  expect(await informed()).toEqual([person.id, other.id]);
  expect(await share(0)).toBe(200);
  expect(await informed()).toEqual([person.id, other.id, other.id]);
  expect((await linesOf(testApp.db, distribution.id)).map(({ quantity }) => quantity)).toEqual([0, 0]);
  const mail = { to: person.email, replyTo: distributor.email, subject: 'Hi', html: '<p>Hello</p>' };
  expect(await post('/api/send-emails', [mail])).toBe(429);
});
