-- Moves the holds after the opening or the closing time of their distribution has changed: a hold lasts 12 hours, which begin when ordering
-- opens if it has not opened yet, or until ordering closes. A customer whose hold ends earlier than a mail has said gets another mail. The
-- caller must have locked the distribution.
CREATE OR REPLACE FUNCTION move_holds_v1(distribution_id integer) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  customer_ids integer[];
BEGIN
  WITH before AS (
    SELECT w.id, w."heldUntil" AS until, d."closesAt",
      CASE WHEN w."heldSince" IS NOT NULL THEN greatest(least(w."heldSince", now()), d."opensAt") END AS "newSince"
    FROM waiting_list w JOIN distributions d ON d."distributorId" = w."distributorId" AND d.id = w."distributionId"
    WHERE d.id = distribution_id AND w."heldUntil" > now()),
  after AS (
    SELECT id, until, "newSince", least(coalesce("newSince" + interval '12 hours', until), "closesAt") AS "newUntil" FROM before),
  moved AS (
    UPDATE waiting_list w SET "heldSince" = after."newSince", "heldUntil" = after."newUntil" FROM after
    WHERE w.id = after.id AND (after."newSince" IS DISTINCT FROM w."heldSince" OR after."newUntil" <> after.until)
    RETURNING w."customerId", after."newUntil" < after.until AS "isEarlier")
  SELECT array_agg(moved."customerId") FILTER (WHERE moved."isEarlier") INTO customer_ids FROM moved;
  IF customer_ids IS NOT NULL THEN
    PERFORM queue_hold_mails_v1(customer_ids);
  END IF;
END
$$;
