-- Returns those of the products that have a waiting list. For each product, the first entry is found by the index of the products:
-- PostgreSQL could plan an EXISTS as a scan of the entries of all distributors.
CREATE OR REPLACE FUNCTION awaited_products_v1(product_ids integer[]) RETURNS SETOF integer LANGUAGE sql STABLE AS $$
  SELECT product.id FROM unnest(product_ids) product (id)
  WHERE product.id = (SELECT w."productId" FROM waiting_list w WHERE w."productId" >= product.id ORDER BY w."productId" LIMIT 1)
$$;
