-- Changes products of one distribution, and returns the changed ones. `changes` is an array of {before, after}. A product that is no longer
-- as in `before` stays as it is. Fields that are absent in `after` keep their values. Each product occurs once at most. The function adds
-- an audit row for each change that re-prices orders, and holds units freed by a higher limit for the customers on the waiting list.
-- The function locks the distribution, and saves of orders wait for this lock. One function call holds the lock for a shorter time than
-- several statements would.
CREATE OR REPLACE FUNCTION change_products_v1(changes jsonb, changed_by integer) RETURNS SETOF products LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  distributor_id integer := changes->0->'before'->>'distributorId';
  distribution_id integer := changes->0->'before'->>'distributionId';
  awaited_ids integer[];
BEGIN
  -- Locks the distribution before the products, like every other change, so that no deadlock occurs.
  PERFORM FROM distributions d WHERE d."distributorId" = distributor_id AND d.id = distribution_id FOR NO KEY UPDATE;

  RETURN QUERY WITH change AS MATERIALIZED (
    SELECT old, jsonb_populate_record(old, c.change->'after') AS new
    FROM jsonb_array_elements(changes) AS c (change) CROSS JOIN LATERAL jsonb_populate_record(NULL::products, c.change->'before') AS old),
  -- Compares only the columns that this function writes, because during an update a server of the previous version does not send later ones.
  changed AS (
    UPDATE products p SET name = (new).name, description = (new).description, unit_price = (new).unit_price, unit_qty = (new).unit_qty,
      uom = (new).uom, unit_qty_is_estimate = (new).unit_qty_is_estimate, max_order_qty = (new).max_order_qty,
      product_group = (new).product_group, product_code = (new).product_code, total_limit = (new).total_limit
    FROM change WHERE p.id = (old).id AND p."distributorId" = distributor_id AND p."distributionId" = distribution_id
      AND (p.name, p.description, p.unit_price, p.unit_qty, p.uom, p.unit_qty_is_estimate, p.max_order_qty, p.product_group, p.product_code,
          p.total_limit)
        IS NOT DISTINCT FROM ((old).name, (old).description, (old).unit_price, (old).unit_qty, (old).uom, (old).unit_qty_is_estimate,
          (old).max_order_qty, (old).product_group, (old).product_code, (old).total_limit)
    RETURNING p AS product, change.old, change.new),
  -- The catalogue gets one new version for all changes, because they are committed together. An update for each product would also search
  -- all earlier versions of the distribution's row.
  renewed AS (
    UPDATE distributions d SET "catalogueVersion" = d."catalogueVersion" + 1
    WHERE d."distributorId" = distributor_id AND d.id = distribution_id AND EXISTS (SELECT FROM changed)),
  recorded AS (
    INSERT INTO catalogue_audit ("distributorId", "distributionId", "productId", name, before, after, "updatedBy")
    SELECT distributor_id, distribution_id, (old).id, (new).name,
      jsonb_build_object('unit_price', (old).unit_price, 'unit_qty', (old).unit_qty, 'unit_qty_is_estimate', (old).unit_qty_is_estimate),
      jsonb_build_object('unit_price', (new).unit_price, 'unit_qty', (new).unit_qty, 'unit_qty_is_estimate', (new).unit_qty_is_estimate), changed_by
    FROM changed
    WHERE ((old).unit_price, (old).unit_qty, (old).unit_qty_is_estimate)
        IS DISTINCT FROM ((new).unit_price, (new).unit_qty, (new).unit_qty_is_estimate)
      AND EXISTS (SELECT FROM order_products l WHERE l."distributorId" = distributor_id AND l."distributionId" = distribution_id
        AND l."productId" = (changed.old).id AND l.quantity > 0)
    ORDER BY (old).id)
  SELECT (product).* FROM changed;
  IF NOT FOUND THEN RETURN; END IF;

  -- The products with a new limit for which customers are waiting. A list that is settled without need stays as it is.
  SELECT array_agg((change->'before'->>'id')::integer) INTO awaited_ids FROM jsonb_array_elements(changes) change
  WHERE change->'after' ? 'total_limit' AND change->'before'->>'total_limit' IS DISTINCT FROM change->'after'->>'total_limit'
    AND EXISTS (SELECT FROM waiting_list w WHERE w."productId" = (change->'before'->>'id')::integer);
  IF awaited_ids IS NOT NULL THEN
    PERFORM settle_waiting_list_v2(distribution_id, awaited_ids);
    PERFORM count_hold_mails_v1(distribution_id);
  END IF;
END
$$;
