-- Limits the audit rows of a customer who changes the same weight again and again. If the last three changes of the weight are by this
-- customer and from the last minute, the next change replaces the newest row. A row that is older than a payment of the order stays. Rows
-- that the same statement has added do not count as earlier rows. A restore inserts all rows of a table in one statement, and therefore
-- keeps all of them.
-- PostgreSQL keeps the plans of these statements. A plan that it made when the audit had a few rows would read the whole audit for each
-- line. With enable_seqscan = off, the plans use the indexes of the audit from the beginning.
CREATE OR REPLACE FUNCTION bound_actual_quantity_audit() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  first_id integer := (SELECT min(id) FROM added);
BEGIN
  IF NOT EXISTS (SELECT FROM actual_quantity_audit WHERE id < first_id) THEN RETURN NULL; END IF;
  WITH replaced AS (
    UPDATE actual_quantity_audit newest SET "actualQuantity" = added."actualQuantity", "updatedAt" = added."updatedAt"
    FROM added JOIN users author ON author.id = added."updatedBy" AND author.role = 'customer'
      JOIN order_products line ON line.id = added."orderProductId"
      CROSS JOIN LATERAL (
      SELECT count(*) AS rows, max(id) AS id FROM (
        SELECT id, "updatedBy", "updatedAt" FROM actual_quantity_audit earlier
        WHERE earlier."orderProductId" = added."orderProductId" AND earlier."sortOrder" = added."sortOrder" AND earlier.id < first_id
        ORDER BY earlier.id DESC LIMIT 3) AS last_three
      WHERE "updatedBy" = added."updatedBy" AND "updatedAt" > added."updatedAt" - interval '1 minute') AS recent
    WHERE recent.rows = 3 AND newest.id = recent.id
      AND NOT EXISTS (SELECT FROM payments paid WHERE paid."distributionId" = line."distributionId" AND paid."orderId" = line."orderId"
        AND paid."createdAt" >= newest."updatedAt")
    RETURNING added.id)
  DELETE FROM actual_quantity_audit USING replaced WHERE actual_quantity_audit.id = replaced.id;
  RETURN NULL;
END
$$;
