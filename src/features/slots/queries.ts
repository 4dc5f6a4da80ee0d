import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { assertFound } from '../../server/errors.ts';
import { pickUpTimeText } from '../../shared/pick-up-time.ts';
import type { DistributionKey } from '../distributions/queries.ts';
import type { NewSlot, Slot, SlotChange } from './contract.ts';

const OF_SLOT = `o."distributorId" = s."distributorId" AND o."distributionId" = s."distributionId" AND o."slotId" = s.id`;
const HAS_UNITS = 'EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id AND l.quantity > 0)';
const TAKEN = `(SELECT count(*) FROM orders o WHERE ${OF_SLOT} AND ${HAS_UNITS}) AS taken`;
const LIST = `SELECT s.id, s.label, s."startsAt", s.capacity, ${TAKEN}
  FROM slots s WHERE s."distributorId" = $1 AND s."distributionId" = $2 ORDER BY s."startsAt", s.id`;

export const listSlotsOf = (db: Db, { distributorId, id }: DistributionKey): Promise<Slot[]> => run<Slot>(db, LIST, [distributorId, id]);

const COUNT = 'SELECT count(*) AS count FROM slots WHERE "distributorId" = $1 AND "distributionId" = $2';

export const countSlots = async (db: Db, { distributorId, id }: DistributionKey): Promise<number> =>
  (await runSingle<{ count: number }>(db, COUNT, [distributorId, id])).count;

const ADD = `INSERT INTO slots ("distributorId", "distributionId", label, "startsAt", capacity) VALUES ($1, $2, $3, $4, $5)
  RETURNING id, label, "startsAt", capacity, 0 AS taken`;

export const saveNewSlot = (db: Db, { distributorId, id }: DistributionKey, { label, startsAt, capacity }: NewSlot): Promise<Slot> =>
  runSingle<Slot>(db, ADD, [distributorId, id, label, startsAt, capacity]);

const CHANGE = `UPDATE slots s SET label = coalesce($3, s.label), "startsAt" = coalesce($4, s."startsAt"), capacity = coalesce($5, s.capacity)
  WHERE s."distributionId" = $1 AND s.id = $2 RETURNING s.id, s.label, s."startsAt", s.capacity`;

type ChangedSlot = Omit<Slot, 'taken'>;

const SLOT = 'SELECT id, label, "startsAt", capacity FROM slots WHERE "distributionId" = $1 AND id = $2';

/** Returns a pick-up time of the distribution, or throws 'not found'. The caller must have checked the access to the distribution. */
export const slotOf = async (db: Db, distribution: DistributionKey, slotId: number): Promise<ChangedSlot> =>
  assertFound(await runOne<ChangedSlot>(db, SLOT, [distribution.id, slotId]), 'Pick-up time');

export async function changeSlotOf(db: Db, distribution: DistributionKey, slotId: number, change: SlotChange): Promise<ChangedSlot> {
  const { label = null, startsAt = null, capacity = null } = change;
  const changed = await runOne<ChangedSlot>(db, CHANGE, [distribution.id, slotId, label, startsAt, capacity]);
  return assertFound(changed, 'Pick-up time');
}

const TAKEN_OF_SLOT = `SELECT ${TAKEN} FROM slots s WHERE s."distributionId" = $1 AND s.id = $2`;

/** Returns the number of orders with this pick-up time. This takes long if thousands of orders have it. */
export async function countOrdersOfSlot(db: Db, distribution: DistributionKey, slotId: number): Promise<number> {
  return assertFound(await runOne<{ taken: number }>(db, TAKEN_OF_SLOT, [distribution.id, slotId]), 'Pick-up time').taken;
}

const IS_TAKEN = `SELECT s.id, EXISTS (SELECT FROM orders o WHERE ${OF_SLOT} AND ${HAS_UNITS}) AS "isTaken"
  FROM slots s WHERE s."distributionId" = $1 AND s.id = $2`;

/**
 * Whether any order has this pick-up time. The caller must have locked the distribution, so that no order gets the pick-up time before the
 * transaction ends.
 */
export async function isSlotTaken(db: Db, distribution: DistributionKey, slotId: number): Promise<boolean> {
  const slot = assertFound(await runOne<{ isTaken: boolean }>(db, IS_TAKEN, [distribution.id, slotId]), 'Pick-up time');
  return slot.isTaken;
}

export async function deleteSlotOf(db: Db, distribution: DistributionKey, slotId: number): Promise<void> {
  // Only orders without units that a server of the previous version has saved can have this pick-up time now.
  await run(db, 'UPDATE orders SET "slotId" = NULL WHERE "distributionId" = $1 AND "slotId" = $2', [distribution.id, slotId]);
  await run(db, 'DELETE FROM slots WHERE "distributionId" = $1 AND id = $2', [distribution.id, slotId]);
}

const OF_EMPTY = `WITH emptied AS (
    UPDATE orders o SET "slotId" = NULL FROM slots s WHERE ${OF_SLOT} AND o."distributionId" = $1 AND o.id = ANY($2::int[]) AND NOT ${HAS_UNITS}
    RETURNING o."distributorId", o."distributionId", o.id, s.label)
  INSERT INTO order_audit ("distributorId", "distributionId", "orderId", before, after, "updatedBy")
  SELECT emptied."distributorId", emptied."distributionId", emptied.id, jsonb_build_object('slot', emptied.label), '{"slot": null}', $3 FROM emptied`;

/**
 * Removes the pick-up times of those of the orders that have no units left, with an audit row for each. An order without units does not
 * count as placed. If such orders kept a pick-up time, counting its placed orders would read the lines of all of them. The caller must have
 * locked the distribution, so that none of the orders gets units before the transaction ends.
 */
export async function removeSlotsOfEmptyOrders(
  db: Db,
  distributionId: number,
  { orderIds, updatedBy }: { readonly orderIds: readonly number[]; readonly updatedBy: number },
): Promise<void> {
  await run(db, OF_EMPTY, [distributionId, orderIds, updatedBy]);
}

/** Maps the id of each pick-up time of a distribution to its text: the label with the time. */
export type SlotTexts = ReadonlyMap<number, string>;

type SlotText = Pick<Slot, 'id' | 'label' | 'startsAt'> & { readonly timeZone: string | null };
const TEXTS = `SELECT s.id, s.label, s."startsAt", org."timeZone" FROM slots s LEFT JOIN organizations org ON org."distributorId" = s."distributorId"
  WHERE s."distributorId" = $1 AND s."distributionId" = $2`;

export async function readSlotTexts(db: Db, { distributorId, id }: DistributionKey): Promise<SlotTexts> {
  const slots = await run<SlotText>(db, TEXTS, [distributorId, id]);
  return new Map(slots.map((slot) => [slot.id, pickUpTimeText(slot, slot.timeZone)]));
}
