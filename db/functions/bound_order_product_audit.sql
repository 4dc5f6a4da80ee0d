-- Limits the audit rows of a customer who changes the same quantity again and again. If the last three changes of the quantity are by this
-- customer and from the last minute, the next change replaces the newest row. A row that is older than a payment of the order stays. Rows
-- that the same statement has added do not count as earlier rows. A restore inserts all rows of a table in one statement, and therefore
-- keeps all of them.
-- PostgreSQL keeps the plans of these statements. A plan that it made when the audit had a few rows would read the whole audit for each
-- line. With enable_seqscan = off, the plans use the indexes of the audit from the beginning.
CREATE OR REPLACE FUNCTION bound_order_product_audit() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  first_id integer := (SELECT min(id) FROM added);
BEGIN
  -- Without a line that has three earlier rows, nothing is replaced. This check takes a fraction of the time of the next statement.
  IF NOT EXISTS (
    SELECT FROM added CROSS JOIN LATERAL (
      SELECT FROM order_product_audit earlier
      WHERE earlier."orderProductId" = added."orderProductId" AND earlier.id < first_id ORDER BY earlier.id DESC OFFSET 2 LIMIT 1) AS third) THEN
    RETURN NULL;
  END IF;
  WITH replaced AS (
    UPDATE order_product_audit newest SET quantity = added.quantity, "updatedAt" = added."updatedAt"
    FROM added JOIN users author ON author.id = added."updatedBy" AND author.role = 'customer'
      JOIN order_products line ON line.id = added."orderProductId"
      CROSS JOIN LATERAL (
      SELECT count(*) AS rows, max(id) AS id FROM (
        SELECT id, "updatedBy", "updatedAt" FROM order_product_audit earlier
        WHERE earlier."orderProductId" = added."orderProductId" AND earlier.id < first_id ORDER BY earlier.id DESC LIMIT 3) AS last_three
      WHERE "updatedBy" = added."updatedBy" AND "updatedAt" > added."updatedAt" - interval '1 minute') AS recent
    WHERE recent.rows = 3 AND newest.id = recent.id
      AND NOT EXISTS (SELECT FROM payments paid WHERE paid."distributionId" = line."distributionId" AND paid."orderId" = line."orderId"
        AND paid."createdAt" >= newest."updatedAt")
    RETURNING added.id)
  DELETE FROM order_product_audit USING replaced WHERE order_product_audit.id = replaced.id;
  RETURN NULL;
END
$$;
