import { run, type Db } from '../../server/database/db.ts';
import type { Viewer } from '../../server/auth/session.ts';

// This statement changes nothing if the order already has the requested state. The stored person and time then stay, and no audit row is
// written.
const SAVE = `WITH saved AS (
    UPDATE orders SET "pickedUpAt" = CASE WHEN $3 THEN clock_timestamp() END, "pickedUpBy" = CASE WHEN $3 THEN $4::int END
    WHERE "distributorId" = $1 AND id = $2 AND ("pickedUpAt" IS NOT NULL) <> $3::boolean RETURNING "distributorId", "distributionId", id)
  INSERT INTO order_audit ("distributorId", "distributionId", "orderId", before, after, "updatedBy")
  SELECT "distributorId", "distributionId", id, jsonb_build_object('pickedUp', NOT $3::boolean), jsonb_build_object('pickedUp', $3::boolean), $4
  FROM saved`;

/** Sets whether the order is picked up. The caller must have locked the order. */
export async function savePickedUp(db: Db, by: Viewer, orderId: number, pickedUp: boolean): Promise<void> {
  await run(db, SAVE, [by.tenantId, orderId, pickedUp, by.userId]);
}
