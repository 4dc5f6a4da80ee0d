import { beforeEach, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { createDistribution, listDistributions } from './contract.ts';
import { cents } from '../../domain/money.ts';

const world = setupTestApp();

let distributor: Person;
let draft: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(world.db);
  draft = await makeDistribution(world.db, distributor, { published: false });
});

const remove = async (by = distributor, id = draft.id) => {
  const answer = await world.request(by, { method: 'DELETE', url: `/api/distributions/${id}` });
  return [answer.statusCode, answer.body];
};
const listed = async () => (await (await world.as(distributor))(listDistributions)).map(({ id }) => id);

test('a draft distribution without orders can be deleted with everything in it', async () => {
  const call = await world.as(distributor);
  const { id } = await call(createDistribution, { body: { name: 'Purim', date: '2027-03-20' } });
  const place = { distributorId: distributor.id, distributionId: id };
  const other = await world.db.selectFrom('distributions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const product = await makeProduct(world.db, other);
  await makeFee(world.db, other);
  await world.db
    .insertInto('slots')
    .values({ ...place, label: 'Morning', startsAt: '2027-03-20T12:00:00Z', capacity: 5 })
    .execute();
  const customer = await makeCustomer(world.db, distributor);
  await world.db
    .insertInto('waiting_list')
    .values({ ...place, productId: product.id, customerId: customer.id, quantity: 1 })
    .execute();
  expect(await remove(distributor, id)).toEqual([204, '']);
  expect(await listed()).toEqual([draft.id]);
  expect((await remove(distributor, id))[0]).toBe(404);
});

test('a published distribution, or one with an order, cannot be deleted', async () => {
  await world.db.updateTable('distributions').set({ published: true }).where('id', '=', draft.id).execute();
  expect(await remove()).toEqual([409, 'Customers see this distribution. Unpublish it before you delete it.']);
  await world.db.updateTable('distributions').set({ published: false }).where('id', '=', draft.id).execute();
  await makeOrder(world.db, draft, await makeCustomer(world.db, distributor), []);
  expect(await remove()).toEqual([409, 'This distribution has orders or tills, so it cannot be deleted.']);
  expect(await listed()).toEqual([draft.id]);
});

test('a distribution with a till cannot be deleted', async () => {
  const till = { distributorId: distributor.id, distributionId: draft.id, userId: distributor.id, float: cents(0) };
  await world.db.insertInto('tills').values(till).execute();
  expect(await remove()).toEqual([409, 'This distribution has orders or tills, so it cannot be deleted.']);
});

test('only the distributor that owns a distribution can delete it', async () => {
  expect((await remove(await makeAgent(world.db, distributor)))[0]).toBe(403);
  expect((await remove(await makeCustomer(world.db, distributor)))[0]).toBe(403);
  expect((await remove(await makeDistributor(world.db)))[0]).toBe(404);
  expect(await listed()).toEqual([draft.id]);
});
