-- A till can be updated only once, to close it. A till can be deleted only if it belongs to a rehearsal, or together with all data of its
-- distributor, after the distributor has moved to another installation. The trigger runs after the update, so that a foreign key first
-- refuses a row of another tenant.
CREATE OR REPLACE FUNCTION refuse_till_edits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND (current_setting('feastday.deleted_distributor', true) = OLD."distributorId"::text
    OR EXISTS (SELECT FROM distributions d WHERE d.id = OLD."distributionId" AND d.rehearsal)) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'DELETE' OR OLD."closedAt" IS NOT NULL OR NEW."closedAt" IS NULL
    OR ROW(NEW.id, NEW."distributorId", NEW."distributionId", NEW."userId", NEW.float, NEW."openedAt")
      IS DISTINCT FROM ROW(OLD.id, OLD."distributorId", OLD."distributionId", OLD."userId", OLD.float, OLD."openedAt") THEN
    RAISE EXCEPTION 'a till is closed once and never edited' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
