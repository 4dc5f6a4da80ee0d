-- The writes of an upload of products: each product that the upload has written, with the hash of the product as the upload wrote it. One
-- row for each write replaces the lists "productIds" and "productHashes", which each write stored again as a whole. "productId" has no
-- foreign key, because a product can be deleted while the upload is kept.
CREATE TABLE product_upload_writes (
  "uploadId" integer NOT NULL REFERENCES product_uploads (id) ON DELETE CASCADE,
  "productId" integer NOT NULL,
  hash integer NOT NULL,
  PRIMARY KEY ("uploadId", "productId", hash)
);
-- How many writes the upload has made.
ALTER TABLE product_uploads ADD COLUMN writes integer NOT NULL DEFAULT 0;

-- Returns the changes that an unfinished upload has made so far. If somebody else has changed a product since the upload wrote it, `after`
-- contains a marker that equals no product. The upload then cannot be undone. If the page did not say to which upload its writes belong, all
-- changes since the beginning of the upload count as changes of the upload.
CREATE FUNCTION product_upload_changes_v1(upload_id integer) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('before', b.product, 'after',
      CASE WHEN u.writes = 0 OR (p.id, product_hash_v1(p)) IN (SELECT w."productId", w.hash FROM product_upload_writes w WHERE w."uploadId" = upload_id)
        THEN to_jsonb(p) ELSE jsonb_build_object('id', p.id, 'name', p.name, 'isChangedSince', true) END) ORDER BY p.id), '[]')
  FROM product_uploads u JOIN products p ON p."distributorId" = u."distributorId" AND p."distributionId" = u."distributionId"
    LEFT JOIN (SELECT product, (product->>'id')::int AS id FROM product_uploads bu, jsonb_array_elements(bu.before) product
      WHERE bu.id = upload_id) b ON b.id = p.id
  WHERE u.id = upload_id AND NOT coalesce(to_jsonb(p) @> b.product, false)
    AND (u.writes = 0 OR p.id IN (SELECT w."productId" FROM product_upload_writes w WHERE w."uploadId" = upload_id));
$$;

-- Stores the changes of an upload when it ends. Also moves the writes that a server of the previous version records in the lists into the
-- new table. The lists of an unfinished upload therefore stay null. For such an upload, a server of the previous version says that it can no
-- longer be undone, instead of undoing only some of its writes; a server of this version undoes it.
CREATE FUNCTION record_product_upload_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER record_product_upload BEFORE UPDATE OF "productIds", "finishedAt" ON product_uploads
  FOR EACH ROW WHEN (OLD."finishedAt" IS NULL) EXECUTE FUNCTION record_product_upload_v1();

-- With this statement, the trigger moves the writes of the unfinished uploads.
UPDATE product_uploads SET "productIds" = "productIds" WHERE "productIds" IS NOT NULL AND "finishedAt" IS NULL;
