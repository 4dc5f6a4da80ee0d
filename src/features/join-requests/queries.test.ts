// Tests two rules of join requests. An account that its owner never confirmed gives up its e-mail address and keeps its orders (decision
// 24). Strangers cannot flood the owner of a mailbox with mails.
import { expect, test } from 'vitest';
import { makeDistribution, makeDistributor, makeProduct, makeUser } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { mailedToken } from '../../../test/mail/mailed-links.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { renewJoinLink } from '../organization/contract.ts';
import { listUsers } from '../users/contract.ts';

const testApp = setupTestApp();

test('the owner of an e-mail address can join although another distributor has created and disabled an account with an order for that address; the order stays with a customer without an e-mail address (reliability addresses)', async () => {
  const [distributor, other] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
  const { url } = await (await testApp.as(distributor))(renewJoinLink);
  const code = new URL(url ?? '').searchParams.get('join') ?? '';
  const squatted = await makeUser(testApp.db, 'customer', { distributorId: other.id, email: 'family@test.example' });
  const { email } = squatted;
  const distribution = await makeDistribution(testApp.db, other);
  const { id } = await makeOrder(testApp.db, distribution, squatted, [[await makeProduct(testApp.db, distribution), 1]]);
  await testApp.request(other, { method: 'POST', url: `/api/users/customer/${squatted.id}/disable` });

  await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code } });
  const token = await mailedToken(testApp, email);
  expect(token).toMatch(/^join-/);
  const accepted = await testApp.app.inject({
    method: 'POST',
    url: '/api/reset-password/reset',
    payload: { token, password: 'Three-Sheep-42' },
  });
  expect(accepted.statusCode).toBe(200);

  const joined = await testApp.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
  expect(joined).toMatchObject({ distributorId: distributor.id, role: 'customer', disabledAt: null });
  const listed = await (await testApp.as(other))(listUsers, { params: { role: 'customer' } });
  expect(listed).toMatchObject([{ userId: squatted.id, email: null, lastName: `Customer ${squatted.id}` }]);
  const order = await testApp.db.selectFrom('orders').select('customerId').where('id', '=', id).executeTakeFirst();
  expect(order).toEqual({ customerId: squatted.id });
  const trail = await testApp.db.selectFrom('user_audit').selectAll().where('distributorId', '=', other.id).orderBy('id').execute();
  expect(trail.at(-1)).toMatchObject({ act: 'mend', previousEmail: email, userId: squatted.id });
});

test('however often strangers request to join with the address of an account, its owner gets at most three notices an hour and five a day (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { url } = await (await testApp.as(distributor))(renewJoinLink);
  const code = new URL(url ?? '').searchParams.get('join') ?? '';
  const owner = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: 'hash' });
  const notices = async () => (await testApp.db.selectFrom('emails').select('id').where('userId', '=', owner.id).execute()).length;
  const counts = [];
  for (let hour = 0; hour < 4; hour++) {
    for (let n = 0; n < 4; n++) await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email: owner.email, code } });
    counts.push(await notices());
    testApp.time = new Date(testApp.time.getTime() + 3_700_000);
  }
  expect(counts).toEqual([3, 5, 5, 5]);
});

test('however often strangers request to join with addresses that differ only in a "+suffix" or in dots, the mailbox gets at most three join links an hour and five a day (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { url } = await (await testApp.as(distributor))(renewJoinLink);
  const code = new URL(url ?? '').searchParams.get('join') ?? '';
  const mails = async () => (await testApp.db.selectFrom('emails').select('id').where('to', 'like', 'n%@g%mail.com').execute()).length;
  const counts = [];
  for (let hour = 0; hour < 4; hour++) {
    for (const email of [`noa+${hour}@gmail.com`, `n.oa+${hour}@gmail.com`, `no.a@googlemail.com`, `noa+x${hour}@gmail.com`])
      await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code } });
    counts.push(await mails());
    testApp.time = new Date(testApp.time.getTime() + 3_700_000);
  }
  expect(counts).toEqual([3, 5, 5, 5]);
  const other = { email: 'other@gmail.com', code };
  await testApp.app.inject({ method: 'POST', url: '/api/register', payload: other });
  expect(await testApp.db.selectFrom('emails').select('id').where('to', '=', other.email).execute()).toHaveLength(1);
});
