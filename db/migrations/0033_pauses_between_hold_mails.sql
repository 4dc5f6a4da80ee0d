-- settle_waiting_list_v1 again, with one change: the mail about held units is due at the earliest 15 minutes after the previous one to the
-- same customer. A customer could otherwise cause any number of mails by leaving and joining a waiting list. What is held meanwhile is in
-- the next mail, because a mail lists every hold when it is sent.
CREATE OR REPLACE FUNCTION settle_waiting_list_v1(distribution_id integer, product_ids integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM FROM distributions d WHERE d.id = distribution_id FOR SHARE;
  PERFORM FROM products p WHERE p.id = ANY (product_ids) AND p."distributionId" = distribution_id ORDER BY p.id FOR NO KEY UPDATE;
  DELETE FROM waiting_list w WHERE w."productId" = ANY (product_ids) AND w."heldUntil" <= now();

  WITH changed AS (
    SELECT w.id, w."distributorId", w."customerId", share.units, share.units > w."heldQuantity" AS "isMore",
      CASE WHEN share.units > w."heldQuantity" THEN least(now() + interval '12 hours', d."closesAt") WHEN share.units > 0 THEN w."heldUntil" END AS until
    FROM units_left_v1(product_ids) share
      JOIN waiting_list w ON w."productId" = share."productId" AND w."customerId" = share."customerId"
      JOIN distributions d ON d.id = w."distributionId"
    WHERE w."distributionId" = distribution_id AND w."heldQuantity" <> share.units),
  held AS (
    UPDATE waiting_list w SET "heldQuantity" = changed.units, "heldUntil" = changed.until FROM changed WHERE w.id = changed.id)
  -- A customer who already has a queued mail gets no second one, because a mail lists every hold at the time when it is sent.
  INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "nextAttemptAt")
  SELECT DISTINCT 'hold', '', '', '', '', changed."distributorId", changed."customerId",
    greatest(now(), (SELECT max(earlier."nextAttemptAt") + interval '15 minutes' FROM emails earlier
      WHERE earlier."userId" = changed."customerId" AND earlier.kind = 'hold')) FROM changed
  WHERE changed."isMore" AND NOT EXISTS (SELECT FROM emails queued
    WHERE queued."userId" = changed."customerId" AND queued.kind = 'hold' AND queued.status = 'queued' AND queued.attempts = 0);
END
$$;
