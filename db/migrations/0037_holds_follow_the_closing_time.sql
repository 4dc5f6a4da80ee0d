-- The time when the hold began. The column has a meaning only while "heldUntil" is not null. It is null for holds that began before this
-- migration. They end at most 12 hours after they began.
ALTER TABLE waiting_list ADD COLUMN "heldSince" timestamptz;

-- Queues a mail about held units to each of these customers. A mail lists every hold at the time when it is sent, so a customer has at most
-- one queued mail. The mail is due 15 minutes after the previous mail to the same customer, or half-way between the previous mail and the
-- first end of a hold of the customer, whichever is earlier.
CREATE FUNCTION queue_hold_mails_v1(customer_ids integer[]) RETURNS void LANGUAGE sql VOLATILE AS $$
  WITH due AS MATERIALIZED (
    SELECT ends."distributorId", ends."customerId", greatest(now(), (
        SELECT earlier."nextAttemptAt" + least(interval '15 minutes', (ends."firstEnd" - earlier."nextAttemptAt") / 2) FROM emails earlier
        WHERE earlier."userId" = ends."customerId" AND earlier.kind = 'hold' AND NOT (earlier.status = 'queued' AND earlier.attempts = 0)
        ORDER BY earlier."nextAttemptAt" DESC LIMIT 1)) AS at
    FROM (
      SELECT w."distributorId", w."customerId", min(w."heldUntil") AS "firstEnd" FROM waiting_list w
      WHERE w."customerId" = ANY (customer_ids) AND w."heldUntil" > now() GROUP BY w."distributorId", w."customerId") ends),
  queued AS (
    UPDATE emails queued SET "nextAttemptAt" = least(queued."nextAttemptAt", due.at) FROM due
    WHERE queued."userId" = due."customerId" AND queued.kind = 'hold' AND queued.status = 'queued' AND queued.attempts = 0
    RETURNING queued."userId")
  INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "nextAttemptAt")
  SELECT 'hold', '', '', '', '', due."distributorId", due."customerId", due.at FROM due
  WHERE due."customerId" NOT IN (SELECT "userId" FROM queued);
$$;

-- settle_waiting_list_v1 again, with these changes:
-- More units for a customer who already has held units do not restart the 12 hours.
-- In an unpublished distribution nothing is held, because customers cannot order in it. The customers on its waiting lists keep their
-- places.
-- A disabled customer leaves the list.
CREATE OR REPLACE FUNCTION settle_waiting_list_v1(distribution_id integer, product_ids integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  customer_ids integer[];
BEGIN
  PERFORM FROM distributions d WHERE d.id = distribution_id FOR SHARE;
  PERFORM FROM products p WHERE p.id = ANY (product_ids) AND p."distributionId" = distribution_id ORDER BY p.id FOR NO KEY UPDATE;
  DELETE FROM waiting_list w WHERE w."productId" = ANY (product_ids) AND (w."heldUntil" <= now()
    OR EXISTS (SELECT FROM users u WHERE u.id = w."customerId" AND u."disabledAt" IS NOT NULL));

  WITH share AS (
    SELECT w.id, w."heldQuantity" AS "unitsBefore", CASE WHEN d.published THEN units_left.units ELSE 0 END AS units, d."closesAt"
    FROM units_left_v1(product_ids) units_left
      JOIN waiting_list w ON w."productId" = units_left."productId" AND w."customerId" = units_left."customerId"
      JOIN distributions d ON d.id = w."distributionId"
    WHERE w."distributionId" = distribution_id),
  held AS (
    UPDATE waiting_list w SET "heldQuantity" = share.units,
      "heldSince" = CASE WHEN share.units = 0 THEN NULL WHEN w."heldUntil" IS NULL THEN now() ELSE w."heldSince" END,
      "heldUntil" = CASE WHEN share.units > 0 THEN coalesce(w."heldUntil", least(now() + interval '12 hours', share."closesAt")) END
    FROM share WHERE w.id = share.id AND share.units <> share."unitsBefore"
    RETURNING w."customerId", share.units > share."unitsBefore" AS "isMore")
  SELECT array_agg(held."customerId") FILTER (WHERE held."isMore") INTO customer_ids FROM held;
  IF customer_ids IS NOT NULL THEN
    PERFORM queue_hold_mails_v1(customer_ids);
  END IF;
END
$$;

-- Moves the ends of the holds after the closing time of their distribution has changed: a hold lasts 12 hours, or until ordering closes. A
-- customer whose hold ends earlier than a mail has said gets another mail. The caller must have locked the distribution.
CREATE FUNCTION move_holds_v1(distribution_id integer) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  customer_ids integer[];
BEGIN
  WITH before AS (
    SELECT w.id, w."heldUntil" AS until, least(coalesce(w."heldSince" + interval '12 hours', w."heldUntil"), d."closesAt") AS "newUntil"
    FROM waiting_list w JOIN distributions d ON d."distributorId" = w."distributorId" AND d.id = w."distributionId"
    WHERE d.id = distribution_id AND w."heldUntil" > now()),
  moved AS (
    UPDATE waiting_list w SET "heldUntil" = before."newUntil" FROM before WHERE w.id = before.id AND before."newUntil" <> before.until
    RETURNING w."customerId", before."newUntil" < before.until AS "isEarlier")
  SELECT array_agg(moved."customerId") FILTER (WHERE moved."isEarlier") INTO customer_ids FROM moved;
  IF customer_ids IS NOT NULL THEN
    PERFORM queue_hold_mails_v1(customer_ids);
  END IF;
END
$$;

-- What a short delivery changed in a product while ordering was open: {limitBefore, limit, isWithdrawn}. "limit" is the limit that the
-- short delivery set. With these values, a copy of the distribution gets the product as it was before the short delivery.
ALTER TABLE products ADD COLUMN "shortDelivery" jsonb;

-- The products that an upload has written, with a hash of each product as the upload wrote it. A product whose hash now differs has been
-- changed since. The columns are null while the upload has written nothing, and in uploads by a server of the previous version.
ALTER TABLE product_uploads ADD COLUMN "productIds" integer[], ADD COLUMN "productHashes" integer[], ADD COLUMN "writtenAt" timestamptz;

CREATE FUNCTION product_hash_v1(p products) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT hashtext(jsonb_build_array(p.id, p.name, p.description, p.unit_price, p.unit_qty, p.uom, p.unit_qty_is_estimate, p.max_order_qty,
    p.product_group, p.product_code, p.total_limit)::text);
$$;
