// Creates a pick-up time, and limited products with waiting customers. The tests of the calls of contract §12 and §16 need these records.
import type { Row } from '../../src/server/database/schema.ts';
import type { Person } from '../test-app.ts';
import { makeDistribution, makeProduct, makeSlot } from './factories.ts';
import type { TestDb } from '../database/test-db.ts';

export interface ScarceRecords {
  /** A distribution with a pick-up time that no order has chosen. */
  readonly slotted: Row<'distributions'>;
  readonly slotId: number;
  /**
   * A limited product. Another customer is on its waiting list. The tenant's own customer is on the waiting list of the product in the
   * field `awaitedId`.
   */
  readonly scarceId: number;
  readonly awaitedId: number;
}

interface Owners {
  readonly word: string;
  readonly distributor: Person;
  readonly customer: Person;
  readonly other: Person;
}

/** Creates the records described by `ScarceRecords`. Each product has one free unit, and no unit is held for a waiting customer yet. */
export async function makeScarceRecords(
  db: TestDb,
  distribution: Row<'distributions'>,
  { word, distributor, customer, other }: Owners,
): Promise<ScarceRecords> {
  const slotted = await makeDistribution(db, distributor, { name: `${word} with pick-up times` });
  const { id: slotId } = await makeSlot(db, slotted, { label: word });
  const { id: scarceId } = await makeProduct(db, distribution, { name: `${word} scarce`, total_limit: 1 });
  const { id: awaitedId } = await makeProduct(db, distribution, { name: `${word} awaited`, total_limit: 1 });
  const place = { distributorId: distribution.distributorId, distributionId: distribution.id, quantity: 1 };
  const entries = [
    { ...place, productId: scarceId, customerId: other.id },
    { ...place, productId: awaitedId, customerId: customer.id },
  ];
  await db.insertInto('waiting_list').values(entries).execute();
  return { slotted, slotId, scarceId, awaitedId };
}

export const SCARCE_CALLERS: Record<string, string> = {
  'GET /api/distributions/:id/slots': 'distributor agent customer',
  'GET /api/distributions/:id/waiting': 'distributor customer',
  'POST /api/distributions/:id/waiting': 'customer',
  'DELETE /api/distributions/:id/waiting/:productId': 'customer',
};

export const SCARCE_BODIES: Record<string, (tenant: ScarceRecords) => object> = {
  'POST /api/distributions/:id/waiting': ({ scarceId }) => ({ productId: scarceId, quantity: 1 }),
  'POST /api/distributions/:id/slots': () => ({ label: 'Morning', startsAt: '2027-04-14T13:00:00Z', capacity: 40 }),
  'PATCH /api/distributions/:id/slots/:slotId': () => ({ capacity: 50 }),
};
