-- Only servers of the previous version call this function.
-- Changes a product without its limit. Returns no row if the product is no longer as in `before`. change_products_v1 replaces this
-- function.
CREATE OR REPLACE FUNCTION change_product_v1(before jsonb, after jsonb, changed_by integer) RETURNS SETOF products LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  old products := jsonb_populate_record(NULL::products, before);
  new products := jsonb_populate_record(old, after);
BEGIN
  -- Locks the distribution before the product, like every other change, so that no deadlock occurs.
  PERFORM FROM distributions d WHERE d."distributorId" = old."distributorId" AND d.id = old."distributionId" FOR NO KEY UPDATE;

  -- Compares only the columns that this function writes, because a server of the previous version does not send the columns of later
  -- versions.
  RETURN QUERY UPDATE products p SET name = new.name, description = new.description, unit_price = new.unit_price, unit_qty = new.unit_qty,
    uom = new.uom, unit_qty_is_estimate = new.unit_qty_is_estimate, max_order_qty = new.max_order_qty, product_group = new.product_group,
    product_code = new.product_code
  WHERE p.id = old.id AND p."distributorId" = old."distributorId" AND p."distributionId" = old."distributionId"
    AND (p.name, p.description, p.unit_price, p.unit_qty, p.uom, p.unit_qty_is_estimate, p.max_order_qty, p.product_group, p.product_code)
      IS NOT DISTINCT FROM (old.name, old.description, old.unit_price, old.unit_qty, old.uom, old.unit_qty_is_estimate, old.max_order_qty,
        old.product_group, old.product_code)
  RETURNING p.*;
  IF NOT FOUND THEN RETURN; END IF;

  UPDATE distributions d SET "catalogueVersion" = d."catalogueVersion" + 1
  WHERE d."distributorId" = old."distributorId" AND d.id = old."distributionId";

  IF (old.unit_price, old.unit_qty, old.unit_qty_is_estimate) IS DISTINCT FROM (new.unit_price, new.unit_qty, new.unit_qty_is_estimate) THEN
    INSERT INTO catalogue_audit ("distributorId", "distributionId", "productId", name, before, after, "updatedBy")
    SELECT old."distributorId", old."distributionId", old.id, new.name,
      jsonb_build_object('unit_price', old.unit_price, 'unit_qty', old.unit_qty, 'unit_qty_is_estimate', old.unit_qty_is_estimate),
      jsonb_build_object('unit_price', new.unit_price, 'unit_qty', new.unit_qty, 'unit_qty_is_estimate', new.unit_qty_is_estimate), changed_by
    WHERE EXISTS (SELECT FROM order_products l
      WHERE l."distributorId" = old."distributorId" AND l."distributionId" = old."distributionId" AND l."productId" = old.id AND l.quantity > 0);
  END IF;
END
$$;
