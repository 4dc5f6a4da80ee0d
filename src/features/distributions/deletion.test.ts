import { beforeEach, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { run, transaction } from '../../server/database/db.ts';
import { createDistribution, listDistributions } from './contract.ts';
import { deleteDistributionOf } from './queries.ts';
import { cents } from '../../domain/money.ts';

const testApp = setupTestApp();

let distributor: Person;
let draft: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  draft = await makeDistribution(testApp.db, distributor, { published: false });
});

const remove = async (by = distributor, id = draft.id) => {
  const answer = await testApp.request(by, { method: 'DELETE', url: `/api/distributions/${id}` });
  return [answer.statusCode, answer.body];
};
const listed = async () => (await (await testApp.as(distributor))(listDistributions)).map(({ id }) => id);

test('a draft distribution without orders can be deleted with everything in it', async () => {
  const call = await testApp.as(distributor);
  const { id } = await call(createDistribution, { body: { name: 'Purim', date: '2027-03-20' } });
  const place = { distributorId: distributor.id, distributionId: id };
  const other = await testApp.db.selectFrom('distributions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const product = await makeProduct(testApp.db, other);
  await makeFee(testApp.db, other);
  await testApp.db
    .insertInto('slots')
    .values({ ...place, label: 'Morning', startsAt: '2027-03-20T12:00:00Z', capacity: 5 })
    .execute();
  const customer = await makeCustomer(testApp.db, distributor);
  await testApp.db
    .insertInto('waiting_list')
    .values({ ...place, productId: product.id, customerId: customer.id, quantity: 1 })
    .execute();
  expect(await remove(distributor, id)).toEqual([204, '']);
  expect(await listed()).toEqual([draft.id]);
  expect((await remove(distributor, id))[0]).toBe(404);
});

test('a published distribution, or one with an order, cannot be deleted', async () => {
  await testApp.db.updateTable('distributions').set({ published: true }).where('id', '=', draft.id).execute();
  expect(await remove()).toEqual([409, 'Customers see this distribution. Unpublish it before you delete it.']);
  await testApp.db.updateTable('distributions').set({ published: false }).where('id', '=', draft.id).execute();
  await makeOrder(testApp.db, draft, await makeCustomer(testApp.db, distributor), []);
  expect(await remove()).toEqual([409, 'This distribution has orders or tills, so it cannot be deleted.']);
  expect(await listed()).toEqual([draft.id]);
});

test('a distribution with a till cannot be deleted', async () => {
  const till = { distributorId: distributor.id, distributionId: draft.id, userId: distributor.id, float: cents(0) };
  await testApp.db.insertInto('tills').values(till).execute();
  expect(await remove()).toEqual([409, 'This distribution has orders or tills, so it cannot be deleted.']);
});

test('only the distributor that owns a distribution can delete it', async () => {
  expect((await remove(await makeAgent(testApp.db, distributor)))[0]).toBe(403);
  expect((await remove(await makeCustomer(testApp.db, distributor)))[0]).toBe(403);
  expect((await remove(await makeDistributor(testApp.db)))[0]).toBe(404);
  expect(await listed()).toEqual([draft.id]);
});

test('opening a till in a distribution that is deleted meanwhile is refused', async () => {
  const { opened } = await transaction(testApp.db, async (db) => {
    expect(await deleteDistributionOf(db, draft)).toBe(true);
    const opened = testApp.request(distributor, { method: 'POST', url: '/api/tills', payload: { distributionId: draft.id, float: 0 } });
    await waitForLockWaiters(testApp.db);
    return { opened };
  });
  const { statusCode, body } = await opened;
  const refused = 'Something that belongs to this was added or deleted meanwhile, so nothing was saved. Reload the page.';
  expect([statusCode, body]).toEqual([409, refused]);
});

test('a distribution in which a till is opened meanwhile is not deleted', async () => {
  const { removed } = await transaction(testApp.db, async (db) => {
    const till = [distributor.id, draft.id];
    await run(db, 'INSERT INTO tills ("distributorId", "distributionId", "userId", float) VALUES ($1, $2, $1, 0)', till);
    const removed = remove();
    await waitForLockWaiters(testApp.db);
    return { removed };
  });
  expect(await removed).toEqual([409, 'This distribution has orders or tills, so it cannot be deleted.']);
});
