-- The product as it was just before the upload wrote it, with all that others have saved since the beginning of the upload. It is the JSON null
-- if the upload added the product. It is null if the upload had written that product itself, or if a server of the previous version wrote it.
ALTER TABLE product_upload_writes ADD COLUMN before jsonb;

-- product_upload_changes_v1 again, with one change: it compares a product with the one that the upload replaced instead of the one at the
-- beginning of the upload, so that the undo of the upload keeps what others have saved in between.
-- Returns the changes that an unfinished upload has made so far. If somebody else has changed a product since the upload wrote it, or between
-- two of its writes, `after` contains a marker that equals no product. The upload then cannot be undone. If the page did not say to which
-- upload its writes belong, all changes since the beginning of the upload count as changes of the upload. A server of the previous version
-- does not record what a write replaced; such a product is as it was at the beginning of the upload.
CREATE OR REPLACE FUNCTION product_upload_changes_v1(upload_id integer) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('before', coalesce(r.product, b.product), 'after',
      CASE WHEN u.writes = 0 OR (r.times > 1) IS NOT TRUE
          AND (p.id, product_hash_v1(p)) IN (SELECT w."productId", w.hash FROM product_upload_writes w WHERE w."uploadId" = upload_id)
        THEN to_jsonb(p) ELSE jsonb_build_object('id', p.id, 'name', p.name, 'isChangedSince', true) END) ORDER BY p.id), '[]')
  FROM product_uploads u JOIN products p ON p."distributorId" = u."distributorId" AND p."distributionId" = u."distributionId"
    LEFT JOIN (SELECT product, (product->>'id')::int AS id FROM product_uploads bu, jsonb_array_elements(bu.before) product
      WHERE bu.id = upload_id) b ON b.id = p.id
    LEFT JOIN (SELECT w."productId" AS id, (array_agg(w.before))[1] AS product, count(*) AS times FROM product_upload_writes w
      WHERE w."uploadId" = upload_id AND w.before IS NOT NULL GROUP BY w."productId") r ON r.id = p.id
  WHERE u.id = upload_id AND (r.times > 1 OR NOT coalesce(to_jsonb(p) @> coalesce(r.product, b.product), false))
    AND (u.writes = 0 OR p.id IN (SELECT w."productId" FROM product_upload_writes w WHERE w."uploadId" = upload_id));
$$;
