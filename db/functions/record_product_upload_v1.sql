-- Stores the changes of an upload when it ends. Also moves the writes that a server of the previous version records in the lists into the
-- new table. The lists of an unfinished upload therefore stay null. For such an upload, a server of the previous version says that it can
-- no longer be undone, instead of undoing only some of its writes; a server of this version undoes it.
CREATE OR REPLACE FUNCTION record_product_upload_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."productIds" IS NOT NULL THEN
    INSERT INTO product_upload_writes ("uploadId", "productId", hash)
      SELECT NEW.id, written.id, written.hash FROM unnest(NEW."productIds", NEW."productHashes") written (id, hash) ON CONFLICT DO NOTHING;
    NEW.writes := OLD.writes + cardinality(NEW."productIds");
    NEW."productIds" := NULL;
    NEW."productHashes" := NULL;
  END IF;
  IF OLD."finishedAt" IS NULL AND NEW."finishedAt" IS NOT NULL THEN
    NEW.changes := product_upload_changes_v1(NEW.id);
  END IF;
  RETURN NEW;
END
$$;
