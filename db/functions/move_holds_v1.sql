-- Moves the ends of the holds after the opening or the closing time of their distribution has changed: a hold lasts 12 hours, which begin when
-- ordering opens if it has not opened yet, or until ordering closes. A customer whose hold ends earlier than a mail has said gets another
-- mail. The caller must have locked the distribution.
CREATE OR REPLACE FUNCTION move_holds_v1(distribution_id integer) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  customer_ids integer[];
BEGIN
  WITH before AS (
    SELECT w.id, w."heldUntil" AS until, least(CASE WHEN w."heldSince" IS NULL THEN w."heldUntil"
      ELSE greatest(w."heldSince", d."opensAt") + interval '12 hours' END, d."closesAt") AS "newUntil"
    FROM waiting_list w JOIN distributions d ON d."distributorId" = w."distributorId" AND d.id = w."distributionId"
    WHERE d.id = distribution_id AND w."heldUntil" > now()),
  moved AS (
    UPDATE waiting_list w SET "heldUntil" = before."newUntil" FROM before WHERE w.id = before.id AND before."newUntil" <> before.until
    RETURNING w."customerId", before."newUntil" < before.until AS "isEarlier")
  SELECT array_agg(moved."customerId") FILTER (WHERE moved."isEarlier") INTO customer_ids FROM moved;
  IF customer_ids IS NOT NULL THEN
    PERFORM queue_hold_mails_v1(customer_ids);
  END IF;
END
$$;
