-- Only servers of the previous version call this function.
-- Returns whether the products are unchanged since the server validated an order against them. save_orders_v3 replaces this function.
CREATE OR REPLACE FUNCTION products_are_as_judged(distribution integer, ids integer[], maxima integer[], prices integer[], quantities integer[])
  RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN NOT EXISTS (
    SELECT FROM unnest(ids, maxima, prices, quantities) AS judged (id, max_order_qty, unit_price, unit_qty)
    LEFT JOIN products p ON p.id = judged.id AND p."distributionId" = distribution
    WHERE (p.max_order_qty, p.unit_price, p.unit_qty) IS DISTINCT FROM (judged.max_order_qty, judged.unit_price, judged.unit_qty));
END
$$;
