-- Saves a batch of new and changed orders of one distribution, and returns an outcome for each: 'saved', 'key used' (a reply is already
-- stored under its idempotency key) or 'outdated' (the products or the order have changed since the server validated it). An error rolls
-- back the whole batch.
-- In READ COMMITTED every statement of a VOLATILE function has its own snapshot, so each one sees what was committed while earlier
-- statements waited for a lock. Locks are always taken in this order: idempotency keys, distribution, orders by customer.
-- The name ends in a version, because servers of two versions call the function during an upgrade. A function with other arguments or
-- results must therefore get the name save_orders_v2.
CREATE FUNCTION save_orders_v1(distribution_id integer, items jsonb, max_lock_wait text)
  RETURNS TABLE (id integer, outcome text) LANGUAGE plpgsql VOLATILE
  -- With this setting, the statements of the function are planned once for each connection. By default, PostgreSQL would plan them again
  -- for each length of the arrays.
  SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  distributor_id integer;
  is_ordering_open boolean;
  used_key_ids integer[] := '{}';
  saved_ids integer[];
  line_ids integer[];
BEGIN
  PERFORM set_config('lock_timeout', max_lock_wait, true);

  -- 1. Claim the idempotency keys of the batch, and store the replies under them. A key older than a day can be used again.
  IF jsonb_path_exists(items, '$[*].key') THEN
    WITH keyed AS (
      SELECT * FROM jsonb_to_recordset(items) AS item (id integer, "updatedBy" integer, key text, "bodyHash" text, "createdAt" timestamptz,
        status integer, reply text) WHERE key IS NOT NULL),
    claimed AS (
      INSERT INTO idempotency_keys AS stored ("userId", key, "bodyHash", "createdAt", status, reply)
      SELECT "updatedBy", key, "bodyHash", "createdAt", status, reply FROM keyed ORDER BY "updatedBy", key
      ON CONFLICT ("userId", key) DO UPDATE
        SET "bodyHash" = excluded."bodyHash", "createdAt" = excluded."createdAt", status = excluded.status, reply = excluded.reply
        WHERE stored."createdAt" < excluded."createdAt" - interval '24 hours'
      RETURNING "userId", key)
    SELECT coalesce(array_agg(keyed.id), '{}') INTO used_key_ids FROM keyed
    WHERE NOT EXISTS (SELECT FROM claimed WHERE claimed."userId" = keyed."updatedBy" AND claimed.key = keyed.key);
  END IF;

  -- 2. Lock the distribution, so that nobody can close its ordering or change its products until these orders are committed.
  SELECT d."distributorId", d.published AND d."orderingOpen" INTO distributor_id, is_ordering_open
  FROM distributions d WHERE d.id = distribution_id FOR SHARE;

  -- 3. Insert or update each order for which nothing has changed since the server validated it. A new order has version 1.
  WITH saved AS (
    INSERT INTO orders AS stored (id, "distributorId", "distributionId", "customerId", version, "updatedBy")
    SELECT item.id, distributor_id, distribution_id, item."customerId", item.version, item."updatedBy"
    FROM jsonb_to_recordset(items) AS item (id integer, "customerId" integer, version integer, "updatedBy" integer, "needsOpenOrdering" boolean,
      "judgedBy" jsonb)
    WHERE item.id <> ALL (used_key_ids) AND (is_ordering_open OR NOT item."needsOpenOrdering")
      AND NOT EXISTS (
        SELECT FROM jsonb_to_recordset(item."judgedBy") AS judged (id integer, max_order_qty integer, unit_price integer, unit_qty integer)
        LEFT JOIN products p ON p.id = judged.id AND p."distributorId" = distributor_id AND p."distributionId" = distribution_id
        WHERE (p.max_order_qty, p.unit_price, p.unit_qty) IS DISTINCT FROM (judged.max_order_qty, judged.unit_price, judged.unit_qty))
    ORDER BY item."customerId"
    ON CONFLICT ("distributorId", "customerId", "distributionId") DO UPDATE
      -- If a confirmation is due more than a minute from now, it will report this change too. Otherwise, another confirmation becomes due,
      -- at the earliest five minutes after the last one (contract §8).
      SET version = excluded.version, "updatedAt" = clock_timestamp(), "updatedBy" = excluded."updatedBy",
        "confirmVersion" = CASE WHEN stored."confirmAt" > clock_timestamp() + interval '1 minute' THEN stored."confirmVersion" ELSE excluded.version END,
        "confirmAt" = CASE WHEN stored."confirmAt" > clock_timestamp() + interval '1 minute' THEN stored."confirmAt"
          ELSE greatest(now(), stored."confirmAt" + interval '5 minutes') END
      WHERE stored.id = excluded.id AND stored.version = excluded.version - 1
    RETURNING stored.id)
  SELECT coalesce(array_agg(saved.id), '{}') INTO saved_ids FROM saved;

  -- 4. Insert or update their lines, with an audit row for each changed quantity.
  WITH line AS (
    SELECT item.id AS "orderId", item."updatedBy", line.*
    FROM jsonb_to_recordset(items) AS item (id integer, "updatedBy" integer, lines jsonb),
      jsonb_to_recordset(item.lines) AS line ("productId" integer, quantity integer, "originalQuantity" integer, "isAudited" boolean)
    WHERE item.id = ANY (saved_ids)),
  written AS (
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT distributor_id, distribution_id, line."orderId", line."productId", line.quantity, line."originalQuantity" FROM line
    ON CONFLICT ("orderId", "productId", "distributorId")
      DO UPDATE SET quantity = excluded.quantity, "originalQuantity" = excluded."originalQuantity"
    RETURNING id, "orderId", "productId", quantity),
  audit AS (
    INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy")
    SELECT written.id, written.quantity, line."updatedBy" FROM written JOIN line USING ("orderId", "productId") WHERE line."isAudited")
  SELECT coalesce(array_agg(written.id), '{}') INTO line_ids FROM written;

  -- 5. Delete the recorded weights of the units that these saves remove from the orders.
  WITH dropped AS (
    DELETE FROM actual_quantities w USING order_products l
    WHERE l.id = ANY (line_ids) AND w."orderProductId" = l.id AND w."sortOrder" >= l.quantity
    RETURNING l."orderId", w."orderProductId", w."sortOrder", w."actualQuantity")
  INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "previousQuantity", "updatedBy")
  SELECT dropped."orderProductId", dropped."sortOrder", dropped."actualQuantity", o."updatedBy" FROM dropped JOIN orders o ON o.id = dropped."orderId";

  -- 6. Queue the confirmations that are due. An order that never had a line gets none.
  INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId", "nextAttemptAt")
  SELECT 'confirmation', '', '', '', '', o."distributorId", o."customerId", o.id, o."confirmAt" FROM orders o
  WHERE o.id = ANY (saved_ids) AND o."confirmVersion" = o.version AND EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id);

  -- 7. Release the idempotency keys of the orders that were not saved.
  IF cardinality(saved_ids) < jsonb_array_length(items) THEN
    DELETE FROM idempotency_keys stored
    USING jsonb_to_recordset(items) AS item (id integer, "updatedBy" integer, key text)
    WHERE stored."userId" = item."updatedBy" AND stored.key = item.key AND item.id <> ALL (used_key_ids) AND item.id <> ALL (saved_ids);
  END IF;

  RETURN QUERY SELECT item.id, CASE WHEN item.id = ANY (saved_ids) THEN 'saved' WHEN item.id = ANY (used_key_ids) THEN 'key used' ELSE 'outdated' END
  FROM jsonb_to_recordset(items) AS item (id integer);
END
$$;
