// Tests the limit of confirmations of changes that customers make to their own orders (contract §8; decision 7).
import { expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { confirmedEarlier, mailFolder } from '../../../test/mail/outbox.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { MAX_OWN_CONFIRMATIONS_PER_HOUR } from '../emails/contract.ts';
import { placeOrder } from './contract.ts';

const testApp = setupTestApp();
const folder = mailFolder(testApp);
const MINUTE = 60_000;
const fromNow = (ms: number) => new Date(Date.now() + ms);

test("after 30 confirmations of a customer's own changes within an hour, further ones wait and only the newest of each order is sent; the first confirmation of an order never waits (reliability abuse)", async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const newWine = async () => {
    const distribution = await makeDistribution(testApp.db, distributor);
    return await makeProduct(testApp.db, distribution, { name: 'Wine' });
  };
  const place = async ({ id, distributionId }: { id: number; distributionId: number }, quantity: number): Promise<number> => {
    const payload = { distributionId, products: [{ productId: id, quantity }] };
    return (await testApp.request(customer, { method: 'POST', url: placeOrder.path, payload })).json().id;
  };
  const send = async (at: Date) => {
    folder.outbox.time = at;
    return (await folder.send()).map(({ text }) => /\d × Wine/.exec(text ?? '')?.[0]);
  };
  const wine = await newWine();
  const orderId = await place(wine, 1);
  expect(await send(fromNow(1000))).toEqual(['1 × Wine']);
  const sent = { kind: 'confirmation', status: 'sent', orderId, from: '', to: '', subject: '', html: '' } as const;
  const values = Array.from({ length: MAX_OWN_CONFIRMATIONS_PER_HOUR - 1 }, () => ({ ...sent, sentAt: fromNow(0).toISOString() }));
  await testApp.db.insertInto('emails').values(values).execute();

  for (const quantity of [2, 3]) {
    await confirmedEarlier(testApp, 60);
    await place(wine, quantity);
    expect(await send(fromNow(1000))).toEqual([]);
  }
  await place(await newWine(), 7);
  expect(await send(fromNow(1000))).toEqual(['7 × Wine']);

  const before = { sentAt: fromNow(-MINUTE).toISOString() };
  await testApp.db.updateTable('emails').set(before).where('status', '=', 'sent').execute();
  expect(await send(fromNow(60 * MINUTE))).toEqual(['3 × Wine']);
  expect(await send(fromNow(120 * MINUTE))).toEqual([]);
});
