-- Returns whether the products are unchanged since the server validated an order against them. The statement that writes the order calls it
-- after it has locked the distribution's row. A volatile function reads with its own snapshot, so it sees what was committed while the
-- statement waited for the lock.
CREATE FUNCTION products_are_as_judged(distribution integer, ids integer[], maxima integer[], prices integer[], quantities integer[])
  RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN NOT EXISTS (
    SELECT FROM unnest(ids, maxima, prices, quantities) AS judged (id, max_order_qty, unit_price, unit_qty)
    LEFT JOIN products p ON p.id = judged.id AND p."distributionId" = distribution
    WHERE (p.max_order_qty, p.unit_price, p.unit_qty) IS DISTINCT FROM (judged.max_order_qty, judged.unit_price, judged.unit_qty));
END
$$;
