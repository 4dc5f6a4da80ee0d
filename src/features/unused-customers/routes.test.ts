import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeUser } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { mailedToken } from '../../../test/mail/mailed-links.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { readUser } from '../auth/contract.ts';
import { saveContact } from '../contact/contract.ts';
import { changeUser, createUsers, listUsers } from '../users/contract.ts';
import { listUnusedCustomers, listUnusedJoined, removeUnusedCustomers } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
});

const idsOf = (rows: readonly { userId: number }[]) => rows.map(({ userId }) => userId).toSorted((a, b) => a - b);
const unused = async (by = distributor) => idsOf(await (await testApp.as(by))(listUnusedCustomers));
const listed = async () => idsOf(await (await testApp.as(distributor))(listUsers, { params: { role: 'customer' } }));
const remove = (userIds: unknown[], by: Person | null = distributor) =>
  testApp.request(by, { method: 'POST', url: removeUnusedCustomers.path, payload: { userIds } });
const ordering = async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor);
  await makeOrder(testApp.db, distribution, customer, [[await makeProduct(testApp.db, distribution), 1]]);
  return { customer, distribution };
};

test('the server lists the customers of the requesting distributor who never signed in and have no order', async () => {
  const [first, second] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  await ordering();
  await makeUser(testApp.db, 'customer', { distributorId: distributor.id, lastLoginAt: '2027-03-01T12:00:00Z' });
  await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: 'hash' });
  await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  expect(await unused()).toEqual([first.id, second.id]);
});

test('customers without an e-mail address, and customers whose contact staff have corrected, are neither listed as unused nor removed', async () => {
  const call = await testApp.as(distributor);
  const users = [{ lastName: 'Becker', phone: '555-0101' }];
  const [byPhone] = await call(createUsers, { params: { role: 'customer' }, body: { users, replyTo: distributor.email } });
  const corrected = await makeCustomer(testApp.db, distributor);
  await call(changeUser, { params: { role: 'customer', userId: corrected.id }, body: { city: 'Passaic' } });
  expect(await unused()).toEqual([]);
  expect((await remove([byPhone?.userId, corrected.id])).json()).toEqual({ removed: 0, kept: 2 });
});

test('the server removes unused customers from every list, together with their names, addresses, mails and links; customers with an order are kept', async () => {
  const junk = await makeCustomer(testApp.db, distributor);
  const late = await makeCustomer(testApp.db, distributor);
  const { customer, distribution } = await ordering();
  await testApp.request(distributor, { method: 'POST', url: `/api/users/customer/${junk.id}/invite` });
  const token = await mailedToken(testApp, junk.email);
  await testApp.request(distributor, { method: 'POST', url: `/api/users/customer/${late.id}/invite` });

  const answer = await remove([junk.id, late.id, customer.id]);
  expect([answer.statusCode, answer.json()]).toEqual([200, { removed: 2, kept: 1 }]);
  expect([await listed(), await unused()]).toEqual([[customer.id], []]);
  const set = await testApp.app.inject({
    method: 'POST',
    url: '/api/reset-password/reset',
    payload: { token, password: 'Three-Sheep-42' },
  });
  expect(set.statusCode).toBe(400);
  const mails = await testApp.db.selectFrom('emails').select('status').where('userId', '=', late.id).execute();
  expect(mails).toEqual([{ status: 'suppressed' }]);
  const stored = JSON.stringify([
    await testApp.db.selectFrom('users').selectAll().where('id', 'in', [junk.id, late.id]).execute(),
    await testApp.db.selectFrom('contacts').selectAll().where('userId', 'in', [junk.id, late.id]).execute(),
  ]);
  for (const text of [junk.email, late.email, 'Abramov']) expect(stored).not.toContain(text);
  for (const url of [`/api/users/customer/${junk.id}`, `/api/distributor-order-page-data/${distribution.id}/${junk.id}`])
    expect((await testApp.request(distributor, { method: 'GET', url })).statusCode).toBe(404);
  const report = await testApp.request(distributor, { method: 'GET', url: `/api/distributions/${distribution.id}/customer-report` });
  expect(report.json<{ customer_id: number }[]>().map((row) => row.customer_id)).toEqual([customer.id]);
  // The e-mail address of a removed customer can be used again.
  const again = { users: [{ email: junk.email }], replyTo: distributor.email };
  const added = await testApp.request(distributor, { method: 'POST', url: '/api/users/customer', payload: again });
  expect(added.json()).toMatchObject([{ success: true }]);
});

test('the server records the removal of all unused customers as one change in the audit trail', async () => {
  const distribution = await makeDistribution(testApp.db, distributor);
  const people = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  await remove(people.map(({ id }) => id));
  const rows = await testApp.db.selectFrom('user_audit').selectAll().where('distributorId', '=', distributor.id).execute();
  expect(rows).toMatchObject([{ act: 'remove', removedCount: 2, userId: null, updatedBy: distributor.id }]);
  const trail = await testApp.request(distributor, { method: 'GET', url: `/api/distributions/${distribution.id}/audit?kind=person` });
  expect(trail.json()).toMatchObject([{ kind: 'person', by: distributor.email, person: null, detail: { act: 'remove', removed: 2 } }]);
});

test('the server removes no unused customer when one id in the request is of another distributor, unknown, already removed or listed twice', async () => {
  const own = await makeCustomer(testApp.db, distributor);
  const foreign = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  for (const id of [foreign.id, 2_000_000_000, distributor.id]) {
    const answer = await remove([own.id, id]);
    expect([answer.statusCode, answer.body]).toEqual([404, 'Customer not found']);
  }
  expect((await remove([own.id, own.id])).statusCode).toBe(400);
  expect(await unused()).toEqual([own.id]);
  expect((await remove([own.id])).statusCode).toBe(200);
  expect((await remove([own.id])).statusCode).toBe(404);
  expect((await remove([foreign.id], foreign)).statusCode).toBe(403);
});

describe('customers who joined through the join link', () => {
  const joined = async () =>
    await makeUser(testApp.db, 'customer', {
      distributorId: distributor.id,
      password: 'hash',
      lastLoginAt: '2027-03-01T12:00:00Z',
      joinedAt: '2027-03-01T12:00:00Z',
    });
  const unusedJoined = async () => idsOf(await (await testApp.as(distributor))(listUnusedJoined));

  test('are listed and removed together when they have no order; their sessions end, and the other unused customers are listed separately (reliability abuse)', async () => {
    const [junk, own] = [await joined(), await makeCustomer(testApp.db, distributor)];
    await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: 'hash', lastLoginAt: '2027-03-01T12:00:00Z' });
    const session = await testApp.as(junk);
    expect([await unused(), await unusedJoined()]).toEqual([[own.id], [junk.id]]);
    expect((await remove([junk.id])).json()).toEqual({ removed: 1, kept: 0 });
    expect([await listed(), await unusedJoined()]).toEqual([expect.not.arrayContaining([junk.id]), []]);
    await expect(session(readUser)).rejects.toThrow('401');
    const left = await testApp.db.selectFrom('users').selectAll().where('id', '=', junk.id).executeTakeFirstOrThrow();
    expect(left).toMatchObject({ password: null, lastLoginAt: null, email: expect.not.stringContaining(junk.email) });
  });

  test('are neither listed nor removed if they have an order, are on a waiting list, or have a contact that staff changed', async () => {
    const [ordered, waits, changed, self] = [await joined(), await joined(), await joined(), await joined()];
    const distribution = await makeDistribution(testApp.db, distributor);
    const product = await makeProduct(testApp.db, distribution);
    await makeOrder(testApp.db, distribution, ordered, [[product, 1]]);
    const place = { distributorId: distributor.id, distributionId: distribution.id, productId: product.id };
    await testApp.db
      .insertInto('waiting_list')
      .values({ ...place, customerId: waits.id, quantity: 1 })
      .execute();
    await (
      await testApp.as(distributor)
    )(changeUser, { params: { role: 'customer', userId: changed.id }, body: { firstName: 'Noa' } });
    const contact = { firstName: 'Ida', lastName: 'Levi', address: '1 Elm', city: 'Troy', state: 'NY', zip: '12180', phone: '5551234' };
    await (
      await testApp.as(self)
    )(saveContact, { body: contact });
    expect(await unusedJoined()).toEqual([self.id]);
    expect((await remove([ordered, waits, changed].map(({ id }) => id))).json()).toEqual({ removed: 0, kept: 3 });
  });
});
