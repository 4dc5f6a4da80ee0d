-- Stores the changes of an upload when it ends.
CREATE OR REPLACE FUNCTION record_product_upload_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."finishedAt" IS NULL AND NEW."finishedAt" IS NOT NULL THEN
    NEW.changes := product_upload_changes_v1(NEW.id);
  END IF;
  RETURN NEW;
END
$$;
