-- settle_waiting_list_v2 again, with one change: the 12 hours of a hold begin when ordering opens, if it has not opened yet. "heldSince" is this
-- beginning.
CREATE OR REPLACE FUNCTION settle_waiting_list_v2(distribution_id integer, product_ids integer[]) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  customer_ids integer[];
  rows_summed integer;
BEGIN
  PERFORM FROM distributions d WHERE d.id = distribution_id FOR SHARE;
  PERFORM FROM products p WHERE p.id = ANY (product_ids) AND p."distributionId" = distribution_id ORDER BY p.id FOR NO KEY UPDATE;
  DELETE FROM waiting_list w WHERE w."productId" = ANY (product_ids) AND (w."heldUntil" <= now()
    OR EXISTS (SELECT FROM users u WHERE u.id = w."customerId" AND u."disabledAt" IS NOT NULL));

  WITH units_left AS MATERIALIZED (SELECT * FROM units_left_v2(product_ids)),
  share AS (
    SELECT w.id, w."heldQuantity" AS "unitsBefore", CASE WHEN d.published THEN units_left.units ELSE 0 END AS units, d."closesAt",
      greatest(now(), d."opensAt") AS since
    FROM units_left
      JOIN waiting_list w ON w."productId" = units_left."productId" AND w."customerId" = units_left."customerId"
      JOIN distributions d ON d.id = w."distributionId"
    WHERE w."distributionId" = distribution_id AND w."productId" = ANY (product_ids)),
  held AS (
    UPDATE waiting_list w SET "heldQuantity" = share.units,
      "heldSince" = CASE WHEN share.units = 0 THEN NULL WHEN w."heldUntil" IS NULL THEN share.since ELSE w."heldSince" END,
      "heldUntil" = CASE WHEN share.units > 0 THEN coalesce(w."heldUntil", least(share.since + interval '12 hours', share."closesAt")) END
    FROM share WHERE w.id = share.id AND share.units <> share."unitsBefore"
    RETURNING w."customerId", share.units > share."unitsBefore" AS "isMore")
  SELECT array_agg(held."customerId") FILTER (WHERE held."isMore"), coalesce((SELECT sum(units_left.summed) FROM units_left), 0)
    INTO customer_ids, rows_summed FROM held;
  IF customer_ids IS NOT NULL THEN
    PERFORM queue_hold_mails_v1(customer_ids);
  END IF;
  RETURN rows_summed;
END
$$;

-- move_holds_v1 again, with one change: it also moves the beginnings of the holds, because the opening time may have changed. A hold that has
-- not begun yet begins now, or when ordering opens. A hold that has begun begins again if ordering opens later.
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
