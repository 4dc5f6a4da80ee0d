-- settle_waiting_list_v1 again, with one change: the mail about held units is due before the hold ends. It is due 15 minutes after the
-- previous mail to the same customer, or half-way between the previous mail and the end of the hold, whichever is earlier. Just before
-- ordering closes, a customer therefore gets a few mails with ever shorter pauses instead of one mail that is too late.
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
  SELECT 'hold', '', '', '', '', changed."distributorId", changed."customerId",
    greatest(now(), (SELECT earlier."nextAttemptAt" + least(interval '15 minutes', (min(changed.until) - earlier."nextAttemptAt") / 2)
      FROM emails earlier WHERE earlier."userId" = changed."customerId" AND earlier.kind = 'hold' ORDER BY earlier."nextAttemptAt" DESC LIMIT 1))
  FROM changed
  WHERE changed."isMore" AND NOT EXISTS (SELECT FROM emails queued
    WHERE queued."userId" = changed."customerId" AND queued.kind = 'hold' AND queued.status = 'queued' AND queued.attempts = 0)
  GROUP BY changed."distributorId", changed."customerId";
END
$$;
