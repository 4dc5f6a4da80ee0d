-- Drops the functions that no server calls since migration 0068, which only servers of earlier versions called. save_orders_v3 and
-- change_products_v1 again: they call settle_waiting_list_v2 directly, and save_orders_v3 no longer accepts the items of these versions.
-- record_product_upload_v1 again, without what it did for uploads of these versions.
-- Saves a batch of new and changed orders of one distribution, and returns an outcome for each: 'saved', 'key used' (a reply is already
-- stored under its idempotency key), 'no customer' (a removed customer gets no first order) or 'outdated' (the data used to validate the
-- order have changed, so the caller validates it again). "summed" is how many order lines and entries of waiting lists were added up for
-- the limited products of the order; the server counts them toward the limits of saves. An error rolls back the whole batch.
-- In READ COMMITTED every statement of a VOLATILE function has its own snapshot, so each one sees what was committed while earlier
-- statements waited for a lock. Locks are always taken in this order: idempotency keys, distribution, limited products by id, pick-up times
-- by id, orders by customer. A row of the waiting list changes only under the lock of its product.
-- Orders are checked again for what may have changed since their validation: their products and their own version, whether ordering is
-- open by the clock of the database, the limits of products, the capacity of pick-up times, and whether the customer has picked the order up.
-- If the validation used the weights and payments of an order, its row must be unchanged: a trigger writes this row with each of them.
CREATE OR REPLACE FUNCTION save_orders_v3(distribution_id integer, items jsonb, max_lock_wait text)
  RETURNS TABLE (id integer, outcome text, summed integer) LANGUAGE plpgsql VOLATILE
  -- With this setting, the statements of the function are planned once for each connection. By default, PostgreSQL would plan them again
  -- for each length of the arrays.
  SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  distributor_id integer;
  is_ordering_open boolean;
  catalogue_version integer;
  closes_at timestamptz;
  -- The time that all written rows get. If it is null, each row gets the time of its statement.
  moment timestamptz;
  used_key_ids integer[] := '{}';
  ordered_ids integer[];
  limited_ids integer[];
  awaited_ids integer[];
  raises jsonb;
  -- The orders that exceed the units left of a limited product, or the places left at a pick-up time.
  full_ids integer[] := '{}';
  -- The orders that newly get a pick-up time.
  arrivals jsonb;
  former_customer_ids integer[];
  -- For each order that was validated with its weights and payments, the transaction that had written the order's row last.
  row_versions jsonb;
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
  SELECT d."distributorId", d.published AND d."orderingOpen" AND (d."opensAt" IS NULL OR d."opensAt" <= clock_timestamp()), d."closesAt",
    d."catalogueVersion"
  INTO distributor_id, is_ordering_open, closes_at, catalogue_version
  FROM distributions d WHERE d.id = distribution_id FOR SHARE;

  -- 3. Lock the limited products of the batch, and those that had a limit and still have a waiting list. Find the orders that add more
  -- units of such a product than are left. Earlier orders of the batch count as saved, even if they are not. At worst, an order is
  -- therefore validated again without need. Step 2 has locked the distribution, so no product gets a limit between these statements.
  ordered_ids := ARRAY(SELECT DISTINCT (line->>'productId')::integer FROM jsonb_path_query(items, '$[*].lines[*]') line);
  SELECT array_agg(limited.id) INTO limited_ids FROM (
    SELECT p.id FROM products p WHERE p."distributionId" = distribution_id AND p.total_limit IS NOT NULL AND p.id = ANY (ordered_ids)
    UNION SELECT * FROM awaited_products_v1(ordered_ids)) limited;
  IF limited_ids IS NOT NULL THEN
    PERFORM FROM products p WHERE p.id = ANY (limited_ids) ORDER BY p.id FOR NO KEY UPDATE;
    WITH changed AS MATERIALIZED (
      SELECT item.id, item.place, item."customerId", item."beyondLimits", line."productId",
        line.quantity - coalesce((SELECT l.quantity FROM order_products l
          WHERE l."orderId" = item.id AND l."productId" = line."productId" AND l."distributorId" = distributor_id), 0) AS units
      FROM ROWS FROM (jsonb_to_recordset(items) AS (id integer, "customerId" integer, "beyondLimits" jsonb, lines jsonb))
          WITH ORDINALITY AS item (id, "customerId", "beyondLimits", lines, place)
        CROSS JOIN LATERAL jsonb_to_recordset(item.lines) AS line ("productId" integer, quantity integer)
      WHERE line."productId" = ANY (limited_ids) AND item.id <> ALL (used_key_ids)),
    raised AS (SELECT * FROM changed WHERE changed.units > 0),
    units AS MATERIALIZED (SELECT * FROM units_left_v2(ARRAY(SELECT DISTINCT raised."productId" FROM raised))),
    excess AS (
      SELECT raised.*, greatest(0, raised.units - coalesce(own.units, 0)) AS "ofEverybody", everybody.units AS "left", everybody.summed
      FROM raised LEFT JOIN units everybody ON everybody."productId" = raised."productId" AND everybody."customerId" IS NULL
        LEFT JOIN units own ON own."productId" = raised."productId" AND own."customerId" = raised."customerId"),
    judged AS (
      SELECT excess.*, "left" IS NOT NULL AND "ofEverybody" > 0
        AND sum("ofEverybody") OVER (PARTITION BY "productId" ORDER BY place) > "left" AS "isBeyond" FROM excess)
    -- "beyondLimits" contains the ids of the products whose limit the order may exceed.
    SELECT coalesce(array_agg(judged.id) FILTER (WHERE judged."isBeyond"
        AND coalesce(NOT judged."beyondLimits" @> to_jsonb(judged."productId"), true)), '{}'),
      jsonb_agg(jsonb_build_object('id', judged.id, 'customerId', judged."customerId", 'productId', judged."productId", 'units', judged.units,
        'isBeyond', judged."isBeyond", 'summed', judged.summed))
    INTO full_ids, raises FROM judged;
  END IF;

  -- 4. Find the orders that newly get a pick-up time, because they have another one or no units yet. Lock these pick-up times, and find the
  -- orders that customers place for a full one. Staff may overbook a pick-up time. Orders that are not saved anyway take no place: those
  -- whose idempotency key is already used, and those that exceed the units left of a product.
  IF jsonb_path_exists(items, '$[*].slotId ? (@ != null)') THEN
    SELECT jsonb_agg(to_jsonb(arriving)) INTO arrivals FROM (
      SELECT item.id, item."slotId", item."needsOpenOrdering", row_number() OVER (PARTITION BY item."slotId" ORDER BY item.place) AS nth
      FROM ROWS FROM (jsonb_to_recordset(items) AS (id integer, "slotId" integer, "needsOpenOrdering" boolean))
        WITH ORDINALITY AS item (id, "slotId", "needsOpenOrdering", place)
      WHERE item."slotId" IS NOT NULL AND item."slotId" IS DISTINCT FROM (SELECT o."slotId" FROM orders o
        WHERE o.id = item.id AND o."distributorId" = distributor_id
          AND EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id AND l.quantity > 0))
        AND item.id <> ALL (used_key_ids) AND item.id <> ALL (full_ids)) arriving;
  END IF;
  IF arrivals IS NOT NULL THEN
    PERFORM FROM slots s WHERE s."distributorId" = distributor_id AND s."distributionId" = distribution_id
      AND s.id IN (SELECT (arrival->'slotId')::integer FROM jsonb_array_elements(arrivals) arrival) ORDER BY s.id FOR NO KEY UPDATE;
    WITH arriving AS (
      SELECT * FROM jsonb_to_recordset(arrivals) AS arrival (id integer, "slotId" integer, "needsOpenOrdering" boolean, nth integer)),
    wanted AS MATERIALIZED (
      SELECT s.id, s.capacity, max(arriving.nth) AS places FROM slots s JOIN arriving ON arriving."slotId" = s.id
      WHERE s."distributionId" = distribution_id AND arriving."needsOpenOrdering" GROUP BY s.id, s.capacity),
    -- Counting all orders with a pick-up time reads no lines. Orders without units do not count as placed, but finding them takes ten times
    -- as long, so they are left out only if the other number is too large. Both counts stop at the capacity.
    crowded AS MATERIALIZED (
      SELECT wanted.id, wanted.capacity FROM wanted WHERE wanted.capacity - wanted.places < (SELECT count(*) FROM (
        SELECT FROM orders o WHERE o."distributorId" = distributor_id AND o."distributionId" = distribution_id AND o."slotId" = wanted.id
        LIMIT wanted.capacity) counted)),
    booked AS MATERIALIZED (
      SELECT crowded.id, crowded.capacity, (SELECT count(*) FROM (
        SELECT FROM orders o WHERE o."distributorId" = distributor_id AND o."distributionId" = distribution_id AND o."slotId" = crowded.id
          AND EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id AND l.quantity > 0)
        LIMIT crowded.capacity) counted) AS places FROM crowded)
    SELECT full_ids || coalesce(array_agg(arriving.id), '{}') INTO full_ids
    FROM arriving LEFT JOIN slots s ON s.id = arriving."slotId" AND s."distributionId" = distribution_id
      LEFT JOIN booked ON booked.id = s.id
    WHERE s.id IS NULL OR (arriving."needsOpenOrdering" AND arriving.nth + booked.places > booked.capacity);
  END IF;

  -- 5. Among the customers who place their first order, find those who have been removed meanwhile. The lock waits for a transaction that
  -- is removing one of these customers.
  SELECT array_agg(locked.id) FILTER (WHERE locked."removedAt" IS NOT NULL) INTO former_customer_ids FROM (
    SELECT u.id, u."removedAt" FROM users u
    WHERE u.id IN (SELECT item."customerId" FROM jsonb_to_recordset(items) AS item ("customerId" integer, version integer) WHERE item.version = 1)
    ORDER BY u.id FOR KEY SHARE) locked;
  former_customer_ids := coalesce(former_customer_ids, '{}');

  -- 6. If ordering has a closing time, lock the existing orders before the clock is read, so that no lock is awaited afterwards. If one of
  -- the orders is inserted by another transaction meanwhile, its save becomes outdated.
  IF closes_at IS NOT NULL THEN
    PERFORM FROM orders o WHERE o."distributorId" = distributor_id AND o."distributionId" = distribution_id
      AND o."customerId" IN (SELECT item."customerId" FROM jsonb_to_recordset(items) AS item ("customerId" integer))
      ORDER BY o."customerId" FOR NO KEY UPDATE;
    moment := clock_timestamp();
    is_ordering_open := is_ordering_open AND moment < closes_at;
  END IF;

  -- 7. Insert or update each order for which nothing has changed since the server validated it. A new order has version 1. If the
  -- distribution was deleted meanwhile, distributor_id is null, and nothing is saved.
  IF jsonb_path_exists(items, '$[*].rowVersion') THEN
    SELECT jsonb_object_agg(item.id, item."rowVersion") INTO row_versions
    FROM jsonb_to_recordset(items) AS item (id integer, "rowVersion" text) WHERE item."rowVersion" IS NOT NULL;
  END IF;
  WITH saved AS (
    INSERT INTO orders AS stored (id, "distributorId", "distributionId", "customerId", version, "updatedBy")
    SELECT item.id, distributor_id, distribution_id, item."customerId", item.version, item."updatedBy"
    FROM jsonb_to_recordset(items) AS item (id integer, "customerId" integer, version integer, "updatedBy" integer, "needsOpenOrdering" boolean,
      "judgedBy" jsonb, "catalogueVersion" integer, "slotId" integer, "needsSlot" boolean)
    WHERE distributor_id IS NOT NULL AND item.id <> ALL (used_key_ids) AND item.id <> ALL (full_ids)
      AND (item.version > 1 OR item."customerId" <> ALL (former_customer_ids)) AND (is_ordering_open OR NOT item."needsOpenOrdering")
      -- With the same catalogue version, no product has changed. An import changes the version often, but rarely the ordered products.
      AND (item."catalogueVersion" = catalogue_version OR NOT EXISTS (
        SELECT FROM jsonb_to_recordset(item."judgedBy") AS judged (id integer, max_order_qty integer, unit_price integer, unit_qty integer,
          "notOffered" boolean)
        LEFT JOIN products p ON p.id = judged.id AND p."distributorId" = distributor_id AND p."distributionId" = distribution_id
        WHERE (p.max_order_qty, p.unit_price, p.unit_qty, p."notOffered")
          IS DISTINCT FROM (judged.max_order_qty, judged.unit_price, judged.unit_qty, judged."notOffered")))
      -- Only an order for which "needsSlot" is false can be saved without a pick-up time although there are pick-up times.
      AND (item."slotId" IS NOT NULL OR NOT item."needsOpenOrdering" OR item."needsSlot" IS FALSE OR NOT EXISTS (
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
        AND coalesce(row_versions->>stored.id::text = stored.xmin::text, true)
        -- Customers cannot change an order after it was picked up, unless it has no units.
        AND (stored."pickedUpAt" IS NULL OR excluded."updatedBy" <> stored."customerId"
          OR NOT EXISTS (SELECT FROM order_products l WHERE l."orderId" = stored.id AND l.quantity > 0))
    RETURNING stored.id)
  SELECT coalesce(array_agg(saved.id), '{}') INTO saved_ids FROM saved;

  -- 8. Store changed notes and pick-up times, with an audit row for each changed order.
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

  -- 9. An order without units that gets units counts as placed again, and nobody has picked it up yet. Take back its mark, with an audit row.
  IF jsonb_path_exists(items, '$[*] ? (@.version > 1)') THEN
    WITH placed AS (
      UPDATE orders o SET "pickedUpAt" = NULL, "pickedUpBy" = NULL
      WHERE o.id = ANY (saved_ids) AND o."pickedUpAt" IS NOT NULL
        AND NOT EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id AND l.quantity > 0)
        AND EXISTS (SELECT FROM jsonb_to_recordset(items) AS item (id integer, lines jsonb)
          WHERE item.id = o.id AND jsonb_path_exists(item.lines, '$[*] ? (@.quantity > 0)'))
      RETURNING o.id, o."updatedBy")
    INSERT INTO order_audit ("distributorId", "distributionId", "orderId", before, after, "updatedAt", "updatedBy")
    SELECT distributor_id, distribution_id, placed.id, '{"pickedUp": true}', '{"pickedUp": false}', coalesce(moment, clock_timestamp()),
      placed."updatedBy" FROM placed;
  END IF;

  -- 10. Insert or update their lines, with an audit row for each changed quantity.
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

  -- 11. Delete the recorded weights of the units that these saves remove from the orders. A new order has no weights.
  IF jsonb_path_exists(items, '$[*] ? (@.version > 1)') THEN
    WITH dropped AS (
      DELETE FROM actual_quantities w USING order_products l
      WHERE l.id = ANY (line_ids) AND w."orderProductId" = l.id AND w."sortOrder" >= l.quantity
      RETURNING l."orderId", w."orderProductId", w."sortOrder", w."actualQuantity")
    INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "previousQuantity", "updatedBy")
    SELECT dropped."orderProductId", dropped."sortOrder", dropped."actualQuantity", o."updatedBy" FROM dropped JOIN orders o ON o.id = dropped."orderId";
  END IF;

  -- 12. Reduce the waiting list entries of the customers who have ordered units for which they waited. Hold the freed units for the next
  -- customers on the list. If an order of the batch was saved by staff, the mails about these holds count toward the distributor's daily
  -- limit. Add an audit row for each order that exceeds a limit.
  IF limited_ids IS NOT NULL THEN
    SELECT array_agg(awaited.id) INTO awaited_ids FROM awaited_products_v1(ARRAY(
      SELECT DISTINCT line."productId"
      FROM jsonb_to_recordset(items) AS item (id integer, lines jsonb), jsonb_to_recordset(item.lines) AS line ("productId" integer)
      WHERE item.id = ANY (saved_ids) AND line."productId" = ANY (limited_ids))) awaited (id);
    IF awaited_ids IS NOT NULL THEN
      WITH ordered AS (
        SELECT * FROM jsonb_to_recordset(raises) AS raise (id integer, "customerId" integer, "productId" integer, units integer)
        WHERE id = ANY (saved_ids)),
      served AS (
        DELETE FROM waiting_list w USING ordered
        WHERE w."distributorId" = distributor_id AND w."distributionId" = distribution_id AND w."productId" = ordered."productId"
          AND w."customerId" = ordered."customerId" AND w.quantity <= ordered.units)
      UPDATE waiting_list w SET quantity = w.quantity - ordered.units, "heldQuantity" = greatest(0, w."heldQuantity" - ordered.units),
        "heldUntil" = CASE WHEN w."heldQuantity" > ordered.units THEN w."heldUntil" END
      FROM ordered
      WHERE w."distributorId" = distributor_id AND w."distributionId" = distribution_id AND w."productId" = ordered."productId"
        AND w."customerId" = ordered."customerId" AND w.quantity > ordered.units;
      PERFORM settle_waiting_list_v2(distribution_id, awaited_ids);
      IF EXISTS (SELECT FROM jsonb_to_recordset(items) AS item (id integer, "needsOpenOrdering" boolean)
        WHERE item.id = ANY (saved_ids) AND NOT item."needsOpenOrdering") THEN
        PERFORM count_hold_mails_v1(distribution_id);
      END IF;
    END IF;
    INSERT INTO order_audit ("distributorId", "distributionId", "orderId", before, after, "updatedBy")
    SELECT distributor_id, distribution_id, o.id, '{}', jsonb_build_object('beyondLimits', to_jsonb((array_agg(p.name ORDER BY p.id))[1:20])), o."updatedBy"
    FROM jsonb_to_recordset(raises) AS raise (id integer, "productId" integer, "isBeyond" boolean)
      JOIN orders o ON o.id = raise.id JOIN products p ON p.id = raise."productId"
    WHERE raise."isBeyond" AND o.id = ANY (saved_ids) GROUP BY o.id;
  END IF;

  -- 13. Queue the confirmations that are due. An order that never had a line gets none.
  INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId", "nextAttemptAt")
  SELECT 'confirmation', '', '', '', '', o."distributorId", o."customerId", o.id, o."confirmAt" FROM orders o
  WHERE o.id = ANY (saved_ids) AND o."confirmVersion" = o.version AND EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id);

  -- 14. Release the idempotency keys of the orders that were not saved.
  IF cardinality(saved_ids) < jsonb_array_length(items) THEN
    DELETE FROM idempotency_keys stored
    USING jsonb_to_recordset(items) AS item (id integer, "updatedBy" integer, key text)
    WHERE stored."userId" = item."updatedBy" AND stored.key = item.key AND item.id <> ALL (used_key_ids) AND item.id <> ALL (saved_ids);
  END IF;

  RETURN QUERY SELECT item.id, CASE WHEN item.id = ANY (saved_ids) THEN 'saved' WHEN item.id = ANY (used_key_ids) THEN 'key used'
    WHEN item.version = 1 AND item."customerId" = ANY (former_customer_ids) THEN 'no customer' ELSE 'outdated' END,
    coalesce(counted.summed, 0)
  FROM jsonb_to_recordset(items) AS item (id integer, "customerId" integer, version integer)
    LEFT JOIN (SELECT raise.id, sum(raise.summed)::integer AS summed FROM jsonb_to_recordset(raises) AS raise (id integer, summed integer)
      GROUP BY raise.id) counted ON counted.id = item.id;
END
$$;
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
-- Stores the changes of an upload when it ends.
CREATE OR REPLACE FUNCTION record_product_upload_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."finishedAt" IS NULL AND NEW."finishedAt" IS NOT NULL THEN
    NEW.changes := product_upload_changes_v1(NEW.id);
  END IF;
  RETURN NEW;
END
$$;
DROP FUNCTION save_orders_v1;
DROP FUNCTION save_orders_v2;
DROP FUNCTION change_product_v1;
DROP FUNCTION change_product_v2;
DROP FUNCTION products_are_as_judged;
DROP FUNCTION units_left_v1;
DROP FUNCTION settle_waiting_list_v1;
