-- Limits the audit rows of a customer who saves again and again. If the customer made the last three changes of a line, or of the weight of
-- a unit, within a minute, the next change adds no row. Instead, it replaces the value and the time of the newest row. The newest row keeps
-- its column with the previous value. Every change by staff, and every value that was current when money was paid, keeps its own row.
-- The triggers also apply to statements of servers of the previous version.

-- These indexes replace order_product_audit_by_line and actual_quantity_audit_by_line. Servers of the previous version still use those, so
-- the next release drops them.
CREATE INDEX IF NOT EXISTS order_product_audit_by_line_and_id ON order_product_audit ("orderProductId", id);
CREATE INDEX IF NOT EXISTS actual_quantity_audit_by_unit_and_id ON actual_quantity_audit ("orderProductId", "sortOrder", id);

-- Rows that the same statement has added do not count as earlier rows. A restore inserts all rows of a table in one statement, and
-- therefore keeps all of them.
CREATE FUNCTION bound_order_product_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first_id integer := (SELECT min(id) FROM added);
BEGIN
  IF NOT EXISTS (SELECT FROM order_product_audit WHERE id < first_id) THEN RETURN NULL; END IF;
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
CREATE TRIGGER bound_order_product_audit AFTER INSERT ON order_product_audit
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION bound_order_product_audit();

CREATE FUNCTION bound_actual_quantity_audit() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER bound_actual_quantity_audit AFTER INSERT ON actual_quantity_audit
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION bound_actual_quantity_audit();
