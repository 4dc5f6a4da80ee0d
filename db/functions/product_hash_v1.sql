-- Returns a hash of a product's fields. An upload stores the hash of each product that it has written. A product whose hash now differs has
-- been changed since.
CREATE OR REPLACE FUNCTION product_hash_v1(p products) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT hashtext(jsonb_build_array(p.id, p.name, p.description, p.unit_price, p.unit_qty, p.uom, p.unit_qty_is_estimate, p.max_order_qty,
    p.product_group, p.product_code, p.total_limit)::text);
$$;
