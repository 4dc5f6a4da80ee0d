import { runOne, runSingle, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import type { Viewer } from '../../server/auth/session.ts';

type Owner = Pick<Row<'orders'>, 'customerId' | 'distributionId'>;
const OWNER = 'SELECT "customerId", "distributionId" FROM orders WHERE "distributorId" = $1 AND id = $2';

/** Returns the customer and the distribution of the order, which never change; null if the distributor has no such order. */
export const findOwner = (db: Db, by: Viewer, orderId: number): Promise<Owner | null> => runOne<Owner>(db, OWNER, [by.tenantId, orderId]);

// This statement changes nothing if the order already has the requested state. The stored person and time then stay, and no audit row is
// written.
const SAVE = `WITH saved AS (
    UPDATE orders SET "pickedUpAt" = CASE WHEN $3 THEN clock_timestamp() END, "pickedUpBy" = CASE WHEN $3 THEN $4::int END
    WHERE "distributorId" = $1 AND id = $2 AND ("pickedUpAt" IS NOT NULL) <> $3::boolean RETURNING "distributorId", "distributionId", id),
  audited AS (
    INSERT INTO order_audit ("distributorId", "distributionId", "orderId", before, after, "updatedBy")
    SELECT "distributorId", "distributionId", id, jsonb_build_object('pickedUp', NOT $3::boolean), jsonb_build_object('pickedUp', $3::boolean), $4
    FROM saved)
  SELECT EXISTS (SELECT FROM order_products l WHERE l."distributorId" = $1 AND l."orderId" = $2 AND l.quantity > 0) AS "hasUnits"`;

/** Sets whether the order is picked up. Returns whether the order has units. The caller must have locked the order. */
export const savePickedUp = (db: Db, by: Viewer, orderId: number, pickedUp: boolean): Promise<{ hasUnits: boolean }> =>
  runSingle<{ hasUnits: boolean }>(db, SAVE, [by.tenantId, orderId, pickedUp, by.userId]);
