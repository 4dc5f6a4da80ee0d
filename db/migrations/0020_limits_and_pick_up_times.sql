-- Orders within limits, opening hours and pick-up times (contract §11, §12, §16).

CREATE INDEX products_with_limit ON products ("distributionId") WHERE total_limit IS NOT NULL;
CREATE INDEX waiting_list_by_product ON waiting_list ("productId", id);
CREATE INDEX waiting_list_by_expiry ON waiting_list ("heldUntil") WHERE "heldUntil" IS NOT NULL;

-- The units of limited products that can still be ordered: for everybody ("customerId" is null), and in addition for each customer on the
-- waiting list. Free units go to the customers on the list, first come first served; everybody else can order only the rest. Expired holds
-- and the lists of closed distributions do not count. A product without a limit has no row for everybody, and each customer on its list
-- gets all requested units.
CREATE FUNCTION units_left_v1(product_ids integer[]) RETURNS TABLE ("productId" integer, "customerId" integer, units integer)
  LANGUAGE sql STABLE AS $$
  WITH free AS (
    SELECT p.id, p.total_limit, greatest(0, p.total_limit - (
      SELECT coalesce(sum(l.quantity), 0) FROM order_products l WHERE l."distributionId" = p."distributionId" AND l."productId" = p.id)) AS units
    FROM products p WHERE p.id = ANY (product_ids)),
  waiting AS (
    SELECT w."productId", w."customerId", w.quantity, sum(w.quantity) OVER (PARTITION BY w."productId" ORDER BY w.id) AS "upTo"
    FROM waiting_list w JOIN distributions d ON d.id = w."distributionId"
    WHERE w."productId" = ANY (product_ids) AND (w."heldUntil" IS NULL OR w."heldUntil" > now())
      AND d."orderingOpen" AND (d."closesAt" IS NULL OR d."closesAt" > now()))
  SELECT free.id, NULL, greatest(0, free.units - coalesce((SELECT sum(quantity) FROM waiting WHERE waiting."productId" = free.id), 0))::integer
  FROM free WHERE free.total_limit IS NOT NULL
  UNION ALL
  -- least() ignores a null, so that a product without a limit gives the customer all requested units.
  SELECT waiting."productId", waiting."customerId", greatest(0, least(waiting.quantity,
    CASE WHEN free.total_limit IS NOT NULL THEN free.units - waiting."upTo" + waiting.quantity END))::integer
  FROM waiting JOIN free ON free.id = waiting."productId"
$$;

-- Removes expired holds, holds free units for the customers on the list, and queues a mail to each customer who gets more units. Locks the
-- distribution, then the products by id, like every other change of ordered quantities.
CREATE FUNCTION settle_waiting_list_v1(distribution_id integer, product_ids integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM FROM distributions d WHERE d.id = distribution_id FOR SHARE;
  PERFORM FROM products p WHERE p.id = ANY (product_ids) AND p."distributionId" = distribution_id ORDER BY p.id FOR NO KEY UPDATE;
  DELETE FROM waiting_list w WHERE w."productId" = ANY (product_ids) AND w."heldUntil" <= now();

  WITH changed AS (
    SELECT w.id, w."distributorId", w."customerId", share.units, share.units > w."heldQuantity" AS "isMore",
      CASE WHEN share.units > w."heldQuantity" THEN least(now() + interval '12 hours', d."closesAt") WHEN share.units > 0 THEN w."heldUntil" END AS until
    FROM units_left_v1(product_ids) share
      JOIN waiting_list w ON w."productId" = share."productId" AND w."customerId" = share."customerId"
      JOIN distributions d ON d.id = w."distributionId"
    WHERE w."distributionId" = distribution_id AND w."heldQuantity" <> share.units),
  held AS (
    UPDATE waiting_list w SET "heldQuantity" = changed.units, "heldUntil" = changed.until FROM changed WHERE w.id = changed.id)
  -- A customer who already has a queued mail gets no second one, because a mail lists every hold at the time when it is sent.
  INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId")
  SELECT DISTINCT 'hold', '', '', '', '', changed."distributorId", changed."customerId" FROM changed
  WHERE changed."isMore" AND NOT EXISTS (SELECT FROM emails queued
    WHERE queued."userId" = changed."customerId" AND queued.kind = 'hold' AND queued.status = 'queued' AND queued.attempts = 0);
END
$$;

-- The successor of save_orders_v1, which saves a batch of orders of one distribution and returns the outcome of each: 'saved', 'key used'
-- or 'outdated' (the data used to validate the order has changed, so the caller validates it again). It also checks the opening hours by
-- this server's clock, the limits of products and the capacity of pick-up times, and stores note and pick-up time with audit rows. Locks
-- are always taken in this order: idempotency keys, distribution, limited products by id, pick-up times by id, orders by customer. A row of
-- the waiting list changes only under the lock of its product.
CREATE FUNCTION save_orders_v2(distribution_id integer, items jsonb, max_lock_wait text)
  RETURNS TABLE (id integer, outcome text) LANGUAGE plpgsql VOLATILE
  -- With this setting, the statements of the function are planned once for each connection. By default, PostgreSQL would plan them again
  -- for each length of the arrays.
  SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  distributor_id integer;
  is_ordering_open boolean;
  closes_at timestamptz;
  -- The time that all written rows get. If it is null, each row gets the time of its statement.
  moment timestamptz;
  used_key_ids integer[] := '{}';
  limited_ids integer[];
  raises jsonb;
  -- The orders that exceed the units left of a limited product, or the places left at a pick-up time.
  full_ids integer[] := '{}';
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
  SELECT d."distributorId", d.published AND d."orderingOpen" AND (d."opensAt" IS NULL OR d."opensAt" <= clock_timestamp()), d."closesAt"
  INTO distributor_id, is_ordering_open, closes_at
  FROM distributions d WHERE d.id = distribution_id FOR SHARE;

  -- 3. Lock the limited products of the batch, and find the orders that add more units of a limited product than are left. Earlier orders
  -- of the batch count as saved, even if they are not. At worst, an order is therefore validated again without need.
  IF EXISTS (SELECT FROM products p WHERE p."distributionId" = distribution_id AND p.total_limit IS NOT NULL) THEN
    SELECT array_agg(locked.id) INTO limited_ids FROM (
      SELECT p.id FROM products p
      WHERE p."distributorId" = distributor_id AND p."distributionId" = distribution_id AND p.total_limit IS NOT NULL
        AND p.id IN (SELECT (line->>'productId')::integer FROM jsonb_path_query(items, '$[*].lines[*]') line)
      ORDER BY p.id FOR NO KEY UPDATE) locked;
  END IF;
  IF limited_ids IS NOT NULL THEN
    WITH units AS MATERIALIZED (SELECT * FROM units_left_v1(limited_ids)),
    raised AS (
      SELECT item.id, item.place, item."customerId", item."beyondLimits", line."productId", line.quantity - coalesce(l.quantity, 0) AS units
      FROM ROWS FROM (jsonb_to_recordset(items) AS (id integer, "customerId" integer, "beyondLimits" boolean, lines jsonb))
          WITH ORDINALITY AS item (id, "customerId", "beyondLimits", lines, place)
        CROSS JOIN LATERAL jsonb_to_recordset(item.lines) AS line ("productId" integer, quantity integer)
        LEFT JOIN order_products l ON l."orderId" = item.id AND l."productId" = line."productId" AND l."distributorId" = distributor_id
      WHERE line."productId" = ANY (limited_ids) AND item.id <> ALL (used_key_ids) AND line.quantity > coalesce(l.quantity, 0)),
    excess AS (
      SELECT raised.*, greatest(0, raised.units - coalesce(own.units, 0)) AS "ofEverybody", everybody.units AS "left"
      FROM raised JOIN units everybody ON everybody."productId" = raised."productId" AND everybody."customerId" IS NULL
        LEFT JOIN units own ON own."productId" = raised."productId" AND own."customerId" = raised."customerId"),
    judged AS (
      SELECT excess.*, "ofEverybody" > 0 AND sum("ofEverybody") OVER (PARTITION BY "productId" ORDER BY place) > "left" AS "isBeyond" FROM excess)
    SELECT coalesce(array_agg(judged.id) FILTER (WHERE judged."isBeyond" AND judged."beyondLimits" IS NOT TRUE), '{}'),
      jsonb_agg(jsonb_build_object('id', judged.id, 'customerId', judged."customerId", 'productId', judged."productId", 'units', judged.units,
        'isBeyond', judged."isBeyond"))
    INTO full_ids, raises FROM judged;
  END IF;

  -- 4. Lock the pick-up times of the batch, and find the orders that customers place for a full pick-up time. Staff may overbook a pick-up
  -- time.
  IF jsonb_path_exists(items, '$[*].slotId ? (@ != null)') THEN
    PERFORM FROM slots s WHERE s."distributorId" = distributor_id AND s."distributionId" = distribution_id
      AND s.id IN (SELECT (slot #>> '{}')::integer FROM jsonb_path_query(items, '$[*].slotId ? (@ != null)') slot) ORDER BY s.id FOR NO KEY UPDATE;
    WITH booked AS (
      SELECT o."slotId", o.id FROM orders o WHERE o."slotId" IN (SELECT (slot #>> '{}')::integer FROM jsonb_path_query(items, '$[*].slotId ? (@ != null)') slot)
        AND EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id AND l.quantity > 0)),
    arriving AS (
      SELECT item.id, item."slotId", item."needsOpenOrdering", row_number() OVER (PARTITION BY item."slotId" ORDER BY item.place) AS nth
      FROM ROWS FROM (jsonb_to_recordset(items) AS (id integer, "slotId" integer, "needsOpenOrdering" boolean))
        WITH ORDINALITY AS item (id, "slotId", "needsOpenOrdering", place)
      WHERE item."slotId" IS NOT NULL AND NOT EXISTS (SELECT FROM booked WHERE booked.id = item.id AND booked."slotId" = item."slotId"))
    SELECT full_ids || coalesce(array_agg(arriving.id), '{}') INTO full_ids
    FROM arriving LEFT JOIN slots s ON s.id = arriving."slotId" AND s."distributionId" = distribution_id
    WHERE s.id IS NULL OR (arriving."needsOpenOrdering"
      AND arriving.nth + (SELECT count(*) FROM booked WHERE booked."slotId" = s.id) > s.capacity);
  END IF;

  -- 5. If ordering has a closing time, lock the existing orders before the clock is read, so that no lock is awaited afterwards. If one of
  -- the orders is inserted by another transaction meanwhile, its save becomes outdated.
  IF closes_at IS NOT NULL THEN
    PERFORM FROM orders o WHERE o."distributorId" = distributor_id AND o."distributionId" = distribution_id
      AND o."customerId" IN (SELECT item."customerId" FROM jsonb_to_recordset(items) AS item ("customerId" integer))
      ORDER BY o."customerId" FOR NO KEY UPDATE;
    moment := clock_timestamp();
    is_ordering_open := is_ordering_open AND moment < closes_at;
  END IF;

  -- 6. Insert or update each order for which nothing has changed since the server validated it. A new order has version 1.
  WITH saved AS (
    INSERT INTO orders AS stored (id, "distributorId", "distributionId", "customerId", version, "updatedBy")
    SELECT item.id, distributor_id, distribution_id, item."customerId", item.version, item."updatedBy"
    FROM jsonb_to_recordset(items) AS item (id integer, "customerId" integer, version integer, "updatedBy" integer, "needsOpenOrdering" boolean,
      "judgedBy" jsonb, "slotId" integer)
    WHERE item.id <> ALL (used_key_ids) AND item.id <> ALL (full_ids) AND (is_ordering_open OR NOT item."needsOpenOrdering")
      AND NOT EXISTS (
        SELECT FROM jsonb_to_recordset(item."judgedBy") AS judged (id integer, max_order_qty integer, unit_price integer, unit_qty integer,
          "notOffered" boolean)
        LEFT JOIN products p ON p.id = judged.id AND p."distributorId" = distributor_id AND p."distributionId" = distribution_id
        -- A server of the previous version does not send "notOffered", so this column is then not compared.
        WHERE (p.max_order_qty, p.unit_price, p.unit_qty, p."notOffered")
          IS DISTINCT FROM (judged.max_order_qty, judged.unit_price, judged.unit_qty, coalesce(judged."notOffered", p."notOffered")))
      AND (item."slotId" IS NOT NULL OR NOT item."needsOpenOrdering" OR NOT EXISTS (
        SELECT FROM slots s WHERE s."distributorId" = distributor_id AND s."distributionId" = distribution_id))
    ORDER BY item."customerId"
    ON CONFLICT ("distributorId", "customerId", "distributionId") DO UPDATE
      -- If a confirmation is due more than a minute from now, it will report this change too. Otherwise, another confirmation becomes due,
      -- at the earliest five minutes after the last one (contract §8).
      SET version = excluded.version, "updatedAt" = coalesce(moment, clock_timestamp()), "updatedBy" = excluded."updatedBy",
        "confirmVersion" = CASE WHEN stored."confirmAt" > clock_timestamp() + interval '1 minute' THEN stored."confirmVersion" ELSE excluded.version END,
        "confirmAt" = CASE WHEN stored."confirmAt" > clock_timestamp() + interval '1 minute' THEN stored."confirmAt"
          ELSE greatest(now(), stored."confirmAt" + interval '5 minutes') END
      WHERE stored.id = excluded.id AND stored.version = excluded.version - 1
    RETURNING stored.id)
  SELECT coalesce(array_agg(saved.id), '{}') INTO saved_ids FROM saved;

  -- 7. Store changed notes and pick-up times, with an audit row for each changed order.
  IF jsonb_path_exists(items, '$[*].details ? (@ != null)') THEN
    WITH detail AS (
      SELECT item.id, item."updatedBy", item.details FROM jsonb_to_recordset(items) AS item (id integer, "updatedBy" integer, details jsonb)
      WHERE item.details IS NOT NULL AND jsonb_typeof(item.details) = 'object' AND item.id = ANY (saved_ids)),
    stored AS (
      UPDATE orders o SET note = detail.details->>'note', "slotId" = (detail.details->>'slotId')::integer FROM detail WHERE o.id = detail.id)
    INSERT INTO order_audit ("distributorId", "distributionId", "orderId", before, after, "updatedAt", "updatedBy")
    SELECT distributor_id, distribution_id, detail.id, detail.details->'before', detail.details->'after', coalesce(moment, clock_timestamp()),
      detail."updatedBy" FROM detail;
  END IF;

  -- 8. Insert or update their lines, with an audit row for each changed quantity.
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
    INSERT INTO order_product_audit ("orderProductId", quantity, "updatedAt", "updatedBy")
    SELECT written.id, written.quantity, coalesce(moment, clock_timestamp()), line."updatedBy"
    FROM written JOIN line USING ("orderId", "productId") WHERE line."isAudited")
  SELECT coalesce(array_agg(written.id), '{}') INTO line_ids FROM written;

  -- 9. Delete the recorded weights of the units that these saves remove from the orders.
  WITH dropped AS (
    DELETE FROM actual_quantities w USING order_products l
    WHERE l.id = ANY (line_ids) AND w."orderProductId" = l.id AND w."sortOrder" >= l.quantity
    RETURNING l."orderId", w."orderProductId", w."sortOrder", w."actualQuantity")
  INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "previousQuantity", "updatedBy")
  SELECT dropped."orderProductId", dropped."sortOrder", dropped."actualQuantity", o."updatedBy" FROM dropped JOIN orders o ON o.id = dropped."orderId";

  -- 10. Reduce the waiting list entries of the customers who have ordered units for which they waited. Hold the freed units for the next
  -- customers on the list. Add an audit row for each order that exceeds a limit.
  IF limited_ids IS NOT NULL THEN
    IF EXISTS (SELECT FROM waiting_list w WHERE w."productId" = ANY (limited_ids)) THEN
      WITH ordered AS (
        SELECT * FROM jsonb_to_recordset(raises) AS raise (id integer, "customerId" integer, "productId" integer, units integer) WHERE id = ANY (saved_ids)),
      served AS (
        DELETE FROM waiting_list w USING ordered
        WHERE w."productId" = ordered."productId" AND w."customerId" = ordered."customerId" AND w.quantity <= ordered.units)
      UPDATE waiting_list w SET quantity = w.quantity - ordered.units, "heldQuantity" = greatest(0, w."heldQuantity" - ordered.units),
        "heldUntil" = CASE WHEN w."heldQuantity" > ordered.units THEN w."heldUntil" END
      FROM ordered WHERE w."productId" = ordered."productId" AND w."customerId" = ordered."customerId" AND w.quantity > ordered.units;
      PERFORM settle_waiting_list_v1(distribution_id, limited_ids);
    END IF;
    INSERT INTO order_audit ("distributorId", "distributionId", "orderId", before, after, "updatedBy")
    SELECT distributor_id, distribution_id, o.id, '{}', jsonb_build_object('beyondLimits', jsonb_agg(p.name ORDER BY p.id)), o."updatedBy"
    FROM jsonb_to_recordset(raises) AS raise (id integer, "productId" integer, "isBeyond" boolean)
      JOIN orders o ON o.id = raise.id JOIN products p ON p.id = raise."productId"
    WHERE raise."isBeyond" AND o.id = ANY (saved_ids) GROUP BY o.id;
  END IF;

  -- 11. Queue the confirmations that are due. An order that never had a line gets none.
  INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId", "nextAttemptAt")
  SELECT 'confirmation', '', '', '', '', o."distributorId", o."customerId", o.id, o."confirmAt" FROM orders o
  WHERE o.id = ANY (saved_ids) AND o."confirmVersion" = o.version AND EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id);

  -- 12. Release the idempotency keys of the orders that were not saved.
  IF cardinality(saved_ids) < jsonb_array_length(items) THEN
    DELETE FROM idempotency_keys stored
    USING jsonb_to_recordset(items) AS item (id integer, "updatedBy" integer, key text)
    WHERE stored."userId" = item."updatedBy" AND stored.key = item.key AND item.id <> ALL (used_key_ids) AND item.id <> ALL (saved_ids);
  END IF;

  RETURN QUERY SELECT item.id, CASE WHEN item.id = ANY (saved_ids) THEN 'saved' WHEN item.id = ANY (used_key_ids) THEN 'key used' ELSE 'outdated' END
  FROM jsonb_to_recordset(items) AS item (id integer);
END
$$;

-- With this function, servers of the previous version enforce limits and the closing time too. They reply to a save that violates these
-- rules that the order was changed elsewhere.
CREATE OR REPLACE FUNCTION save_orders_v1(distribution_id integer, items jsonb, max_lock_wait text)
  RETURNS TABLE (id integer, outcome text) LANGUAGE sql VOLATILE AS $$
  SELECT * FROM save_orders_v2(distribution_id, items, max_lock_wait)
$$;

-- The successor of change_product_v1, which also writes the product's limit. Units freed by a higher limit are held for the customers on
-- the waiting list.
CREATE FUNCTION change_product_v2(before jsonb, after jsonb, changed_by integer) RETURNS SETOF products LANGUAGE plpgsql VOLATILE AS $$
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
    product_code = new.product_code, total_limit = new.total_limit
  WHERE p.id = old.id AND p."distributorId" = old."distributorId" AND p."distributionId" = old."distributionId"
    AND (p.name, p.description, p.unit_price, p.unit_qty, p.uom, p.unit_qty_is_estimate, p.max_order_qty, p.product_group, p.product_code,
        p.total_limit)
      IS NOT DISTINCT FROM (old.name, old.description, old.unit_price, old.unit_qty, old.uom, old.unit_qty_is_estimate, old.max_order_qty,
        old.product_group, old.product_code, old.total_limit)
  RETURNING p.*;
  IF NOT FOUND THEN RETURN; END IF;

  UPDATE distributions d SET "catalogueVersion" = d."catalogueVersion" + 1
  WHERE d."distributorId" = old."distributorId" AND d.id = old."distributionId";

  IF old.total_limit IS DISTINCT FROM new.total_limit AND EXISTS (SELECT FROM waiting_list w WHERE w."productId" = old.id) THEN
    PERFORM settle_waiting_list_v1(old."distributionId", ARRAY[old.id]);
  END IF;

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
