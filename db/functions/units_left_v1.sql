-- Only servers of the previous version call this function.
-- Returns the units of limited products that can still be ordered. units_left_v2 replaces this function.
CREATE OR REPLACE FUNCTION units_left_v1(product_ids integer[]) RETURNS TABLE ("productId" integer, "customerId" integer, units integer)
  LANGUAGE sql STABLE AS $$
  SELECT "productId", "customerId", units FROM units_left_v2(product_ids)
$$;
