-- When a person last sent a mail again. A mail that is sent again on a later day counts toward the daily limit of that day.
ALTER TABLE emails ADD COLUMN IF NOT EXISTS "resentAt" timestamptz;
CREATE INDEX IF NOT EXISTS emails_resent ON emails ("distributorId", "resentAt") WHERE "resentAt" IS NOT NULL;

-- Sets "replyTo" in the mails about held units that this transaction has queued, so that they count toward the distributor's daily limit.
-- These mails are recognized by their time of creation, which is the time of the transaction.
CREATE FUNCTION count_hold_mails_v1(distribution_id integer) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE emails SET "replyTo" = (SELECT u.email FROM users u WHERE u.id = emails."distributorId")
  WHERE emails."userId" IN (SELECT w."customerId" FROM waiting_list w WHERE w."distributionId" = distribution_id) AND emails.kind = 'hold'
    AND emails.status = 'queued' AND emails."createdAt" = now();
$$;

-- change_product_v2 again, with one change: the mails about units that are held because the distributor changed the limit count toward the
-- distributor's daily limit.
CREATE OR REPLACE FUNCTION change_product_v2(before jsonb, after jsonb, changed_by integer) RETURNS SETOF products LANGUAGE plpgsql VOLATILE AS $$
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
    PERFORM count_hold_mails_v1(old."distributionId");
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

-- Limits the audit rows of a person who changes the same record again and again. The limit applies if the person made the last three
-- changes of the record within a minute, and all of them changed only the fields in TG_ARGV[1]. The next change of these fields is then
-- merged into the newest row. TG_ARGV[0] is the condition that selects the earlier rows of the same record. Rows that the same statement
-- has added do not count as earlier rows. A restore inserts all rows of a table in one statement, and therefore keeps all of them.
CREATE FUNCTION merge_audit_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($merge$
    WITH merged AS (
      UPDATE %1$I newest SET before = added.before || newest.before, after = newest.after || added.after, "updatedAt" = added."updatedAt"
      FROM added CROSS JOIN LATERAL (
        SELECT count(*) AS rows, max(id) AS id FROM (
          SELECT id, "updatedBy", "updatedAt", before, after FROM %1$I earlier
          WHERE %2$s AND earlier.id < (SELECT min(id) FROM added) ORDER BY earlier.id DESC LIMIT 3) AS last_three
        WHERE "updatedBy" = added."updatedBy" AND "updatedAt" > added."updatedAt" - interval '1 minute' AND before IS NOT NULL
          AND after - $1 = '{}') AS recent
      WHERE recent.rows = 3 AND newest.id = recent.id AND added.before IS NOT NULL AND added.after - $1 = '{}'
      RETURNING added.id)
    DELETE FROM %1$I USING merged WHERE %1$I.id = merged.id$merge$, TG_TABLE_NAME, TG_ARGV[0]) USING TG_ARGV[1]::text[];
  RETURN NULL;
END
$$;

-- With these indexes, the trigger finds the newest rows of a record without sorting all of its rows.
CREATE INDEX distribution_audit_newest ON distribution_audit ("distributorId", "distributionId", id);
CREATE INDEX contact_audit_newest ON contact_audit ("distributorId", "userId", id);
CREATE TRIGGER merge_distribution_audit AFTER INSERT ON distribution_audit REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION merge_audit_v1('earlier."distributorId" = added."distributorId" AND earlier."distributionId" = added."distributionId"', '{groupOrder}');
CREATE TRIGGER merge_contact_audit AFTER INSERT ON contact_audit REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION merge_audit_v1('earlier."distributorId" = added."distributorId" AND earlier."userId" = added."userId"',
    '{firstName,lastName,address,city,state,zip,phone}');
CREATE TRIGGER merge_order_audit AFTER INSERT ON order_audit REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION merge_audit_v1('earlier."distributorId" = added."distributorId" AND earlier."distributionId" = added."distributionId" AND earlier."orderId" = added."orderId"',
    '{note,slot}');

-- The time since which no product of the distributor has the picture's product code.
ALTER TABLE product_images ADD COLUMN "unusedSince" timestamptz;
