-- Returns the units of limited products that can still be ordered: for everybody ("customerId" is null), and in addition for each customer
-- on the waiting list. Free units go to the customers on the list, first come first served; everybody else can order only the rest. Expired
-- holds and the lists of closed distributions do not count. A product without a limit has no row for everybody, and each customer on its
-- list gets all requested units. In the row for everybody, "summed" is how many order lines and entries of the waiting list were added up
-- for the product. The entries of each product are added up once.
CREATE OR REPLACE FUNCTION units_left_v2(product_ids integer[])
  RETURNS TABLE ("productId" integer, "customerId" integer, units integer, summed integer) LANGUAGE sql STABLE AS $$
  WITH free AS (
    SELECT p.id, p.total_limit, greatest(0, p.total_limit - ordered.units) AS units, ordered.lines
    FROM products p CROSS JOIN LATERAL (
      SELECT coalesce(sum(l.quantity), 0) AS units, count(*) AS lines FROM order_products l
      WHERE l."distributionId" = p."distributionId" AND l."productId" = p.id) ordered
    WHERE p.id = ANY (product_ids)),
  waiting AS (
    SELECT w."productId", w."customerId", w.quantity, sum(w.quantity) OVER (PARTITION BY w."productId" ORDER BY w.id) AS "upTo"
    FROM waiting_list w JOIN distributions d ON d.id = w."distributionId"
    WHERE w."productId" = ANY (product_ids) AND (w."heldUntil" IS NULL OR w."heldUntil" > now())
      AND d."orderingOpen" AND (d."closesAt" IS NULL OR d."closesAt" > now())),
  awaited AS (SELECT waiting."productId", sum(waiting.quantity) AS units, count(*) AS entries FROM waiting GROUP BY waiting."productId")
  SELECT free.id, NULL, greatest(0, free.units - coalesce(awaited.units, 0))::integer, (free.lines + coalesce(awaited.entries, 0))::integer
  FROM free LEFT JOIN awaited ON awaited."productId" = free.id WHERE free.total_limit IS NOT NULL
  UNION ALL
  -- least() ignores a null, so that a product without a limit gives the customer all requested units.
  SELECT waiting."productId", waiting."customerId", greatest(0, least(waiting.quantity,
    CASE WHEN free.total_limit IS NOT NULL THEN free.units - waiting."upTo" + waiting.quantity END))::integer, 0
  FROM waiting JOIN free ON free.id = waiting."productId"
$$;
