// Inserts at least one row into every table that contains data of a distributor.
import { randomUUID } from 'node:crypto';
import type { Tenant } from '../calls.ts';
import { weigh } from './order-rows.ts';
import type { TestDb } from '../database/test-db.ts';

/** Inserts rows into the tables that `makeTenant` leaves empty. */
export async function addTenantRows(db: TestDb, { people, distribution, product, fee, orderId, weighedLineId }: Tenant): Promise<void> {
  const { distributor, customer, agent, admin } = people;
  const place = { distributorId: distributor.id, distributionId: distribution.id };
  const by = { updatedBy: distributor.id };
  await weigh(db, await db.selectFrom('order_products').selectAll().where('id', '=', weighedLineId).executeTakeFirst(), [4.875], agent);
  const slot = { ...place, label: 'Noon', startsAt: '2027-04-15T16:00:00Z', capacity: 9 };
  const { id: slotId } = await db.insertInto('slots').values(slot).returning('id').executeTakeFirstOrThrow();
  await db.updateTable('orders').set({ note: 'At the side door', slotId }).where('id', '=', orderId).execute();
  const audit = { ...place, ...by, orderId, before: '{"slotId":null}', after: JSON.stringify({ slotId }) };
  await db.insertInto('order_audit').values(audit).execute();
  await db
    .insertInto('waiting_list')
    .values({ ...place, productId: product.id, customerId: customer.id, quantity: 2 })
    .execute();
  await db.insertInto('order_product_audit').values({ orderProductId: weighedLineId, quantity: 1, updatedBy: customer.id }).execute();
  const weight = { orderProductId: weighedLineId, sortOrder: 0, actualQuantity: 4.875, updatedBy: agent.id };
  await db.insertInto('actual_quantity_audit').values(weight).execute();
  // This audit row refers to a fee that does not exist any more.
  await db
    .insertInto('catalogue_audit')
    .values({ ...place, ...by, feeId: fee.id + 100_000, name: 'Gone' })
    .execute();
  await db
    .insertInto('distribution_audit')
    .values({ ...place, ...by, after: '{"published":true}' })
    .execute();
  const person = { distributorId: distributor.id, userId: customer.id, ...by };
  await db
    .insertInto('user_audit')
    .values({ ...person, act: 'unlock' })
    .execute();
  await db
    .insertInto('contact_audit')
    .values({ ...person, before: '{"phone":"1"}', after: '{"phone":"2"}' })
    .execute();
  await db.insertInto('distributor_audit').values({ distributorId: distributor.id, act: 'unlock', updatedBy: admin.id }).execute();
  await db
    .insertInto('organizations')
    .values({ distributorId: distributor.id, name: 'Beth El', joinCode: `join-${distributor.id}` })
    .execute();
  await db
    .insertInto('unsubscriptions')
    .values({ distributorId: distributor.id, mailboxHash: 'hash', stoppedAt: '2027-03-01T12:00:00Z' })
    .execute();
  await db
    .insertInto('former_unsubscribe_links')
    .values({ token: randomUUID(), distributorId: distributor.id, mailboxHash: 'hash' })
    .execute();
  await db
    .insertInto('join_requests')
    .values({ distributorId: distributor.id, email: 'new@test.example', expiresAt: '2099-01-01' })
    .execute();
}
