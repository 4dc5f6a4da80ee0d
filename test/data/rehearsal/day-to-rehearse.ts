// Creates a distribution with one order. A distributor can start a rehearsal of this distribution.
import { sql } from 'kysely';
import type { Row } from '../../../src/server/database/schema.ts';
import type { Person } from '../../test-app.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct, makeSlot } from '../factories.ts';
import { makeOrder } from '../order-rows.ts';
import type { TestDb } from '../../database/test-db.ts';

export interface DayToRehearse {
  readonly distributor: Person;
  /** An agent whom the distributor allows to take payments. */
  readonly agent: Person;
  readonly customer: Person;
  readonly original: Row<'distributions'>;
}

export async function makeDayToRehearse(db: TestDb): Promise<DayToRehearse> {
  const distributor = await makeDistributor(db);
  const agent = await makeAgent(db, distributor, { mayTakePayments: true });
  const customer = await makeCustomer(db, distributor);
  const original = await makeDistribution(db, distributor, { name: 'Passover', groupOrder: ['Wine', 'Beef'] });
  const brisket = await makeProduct(db, original, { name: 'Brisket', unit_qty: 5, unit_qty_is_estimate: true, total_limit: 3 });
  for (const name of ['Chicken', 'Turkey']) await makeProduct(db, original, { name, unit_qty: 5, unit_qty_is_estimate: true });
  for (const name of ['Matzah', 'Wine']) await makeProduct(db, original, { name });
  await makeProduct(db, original, { name: 'Withdrawn', notOffered: true });
  await makeFee(db, original, { name: 'Delivery' });
  await makeSlot(db, original, { label: 'Morning' });
  await makeOrder(db, original, customer, [[brisket, 1]]);
  return { distributor, agent, customer, original };
}

/** Returns the ids of the families that were invented for the distributor's rehearsals, the oldest first. */
export async function familyIdsOf(db: TestDb, distributor: Person): Promise<number[]> {
  const text = sql<{ id: number }>`SELECT id FROM users WHERE role = 'invented' AND "distributorId" = ${distributor.id} ORDER BY id`;
  return (await text.execute(db)).rows.map(({ id }) => id);
}
