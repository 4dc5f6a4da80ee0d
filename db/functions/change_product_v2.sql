-- Only servers of the previous version call this function.
-- Changes a product. Returns no row if the product is no longer as in `before`. change_products_v1 replaces this function.
CREATE OR REPLACE FUNCTION change_product_v2(before jsonb, after jsonb, changed_by integer) RETURNS SETOF products LANGUAGE sql VOLATILE AS $$
  SELECT * FROM change_products_v1(jsonb_build_array(jsonb_build_object('before', before, 'after', after)), changed_by);
$$;
