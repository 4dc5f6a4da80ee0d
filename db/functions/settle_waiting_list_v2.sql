-- Removes expired holds and disabled customers from the waiting lists of the products, holds free units for the customers on the lists, and
-- queues a mail to each customer who gets more units. More units for a customer who already has held units do not restart the 12 hours of
-- the hold. The 12 hours begin when ordering opens, if it has not opened yet. In an unpublished distribution nothing is held, because
-- customers cannot order in it; the customers keep their places. Returns how many order lines and entries of waiting lists were added up, so
-- that the server can count them toward the limits of saves. Locks the distribution, then the products by id, like every other change of
-- ordered quantities.
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
