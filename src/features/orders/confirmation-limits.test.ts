// Tests the limits of confirmations of changes that customers make to their own orders, and of changes by staff (contract §8; decision 7).
import { beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeUser } from '../../../test/data/factories.ts';
import { confirmedEarlier, mailFolder } from '../../../test/mail/outbox.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { MAX_OWN_CONFIRMATIONS_PER_HOUR, MAX_STAFF_CONFIRMATIONS_PER_MAILBOX } from '../emails/contract.ts';
import { placeCustomerOrder, placeOrder } from './contract.ts';

const testApp = setupTestApp();
const folder = mailFolder(testApp);
beforeEach(async () => void (await testApp.db.deleteFrom('emails').execute()));

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

test('a confirmation that is held because of the hourly limit is sent when the hour is over, and the time until then does not use up its attempts (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const { id, distributionId } = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor));
  const place = (quantity: number) =>
    testApp.request(customer, {
      method: 'POST',
      url: placeOrder.path,
      payload: { distributionId, products: [{ productId: id, quantity }] },
    });
  const orderId = (await place(1)).json().id;
  const sent = { kind: 'confirmation', status: 'sent', orderId, from: '', to: '', subject: '', html: '' } as const;
  const oldest = fromNow(-10 * MINUTE);
  const values = Array.from({ length: MAX_OWN_CONFIRMATIONS_PER_HOUR }, () => ({ ...sent, sentAt: oldest.toISOString() }));
  await testApp.db.insertInto('emails').values(values).execute();
  folder.outbox.time = fromNow(1000);
  expect(await folder.send()).toEqual([]);
  const queued = testApp.db.selectFrom('emails').select(['nextAttemptAt', 'attempts']).where('status', '=', 'queued');
  expect(await queued.execute()).toEqual([{ nextAttemptAt: new Date(oldest.getTime() + 60 * MINUTE).toISOString(), attempts: 0 }]);
});

test('one mailbox gets at most 100 confirmations of changes by staff of a distributor in a day; others still get theirs, and the newest state is sent later (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const { id } = await makeProduct(testApp.db, distribution, { name: 'Wine' });
  const stranger = async (suffix: number) =>
    await makeUser(testApp.db, 'customer', { distributorId: distributor.id, email: `noa+${suffix}@test.example` });
  const edit = async (customer: Person, quantity: number) => {
    const payload = { distributionId: distribution.id, customerId: customer.id, products: [{ productId: id, quantity }] };
    expect((await testApp.request(distributor, { method: 'POST', url: placeCustomerOrder.path, payload })).statusCode).toBeLessThan(300);
  };
  const send = async (at: Date) => {
    folder.outbox.time = at;
    return (await folder.send()).map(({ text }) => /\d × Wine/.exec(text ?? '')?.[0]);
  };
  const [one, two, other] = [await stranger(1), await stranger(2), await makeCustomer(testApp.db, distributor)];
  await edit(one, 1);
  expect(await send(fromNow(1000))).toEqual(['1 × Wine']);
  const { id: _, ...row } = await testApp.db.selectFrom('emails').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
  await testApp.db
    .insertInto('emails')
    .values(Array.from({ length: MAX_STAFF_CONFIRMATIONS_PER_MAILBOX - 1 }, () => row))
    .execute();

  for (const quantity of [2, 3]) {
    await confirmedEarlier(testApp, 60);
    await edit(one, quantity);
    await edit(two, quantity + 2);
    expect(await send(fromNow(1000))).toEqual([]);
  }
  await edit(other, 7);
  expect(await send(fromNow(2000))).toEqual(['7 × Wine']);
  expect(await send(fromNow(23 * 60 * MINUTE))).toEqual([]);
  expect(new Set(await send(fromNow(25 * 60 * MINUTE)))).toEqual(new Set(['3 × Wine', '5 × Wine']));
  expect(await send(fromNow(50 * 60 * MINUTE))).toEqual([]);
});
