-- Queues a mail about held units to each of these customers. A mail lists every hold at the time when a worker claims it, so a customer has
-- at most one queued mail that no worker has claimed; a claimed one counts as sent. The mail is due 15 minutes after the previous mail to the
-- same customer, or half-way between the previous mail and the first end of a hold of the customer, whichever is earlier. Queued mails are
-- locked by id, so that two transactions that free units for the same customers cannot deadlock.
CREATE OR REPLACE FUNCTION queue_hold_mails_v1(customer_ids integer[]) RETURNS void LANGUAGE sql VOLATILE AS $$
  WITH due AS MATERIALIZED (
    SELECT ends."distributorId", ends."customerId", greatest(now(), (
        SELECT earlier."nextAttemptAt" + least(interval '15 minutes', (ends."firstEnd" - earlier."nextAttemptAt") / 2) FROM emails earlier
        WHERE earlier."userId" = ends."customerId" AND earlier.kind = 'hold'
          AND NOT (earlier.status = 'queued' AND earlier.attempts = 0 AND coalesce(earlier."leasedUntil" < now(), true))
        ORDER BY earlier."nextAttemptAt" DESC LIMIT 1)) AS at
    FROM (
      SELECT w."distributorId", w."customerId", min(w."heldUntil") AS "firstEnd" FROM waiting_list w
      WHERE w."customerId" = ANY (customer_ids) AND w."heldUntil" > now() GROUP BY w."distributorId", w."customerId") ends),
  locked AS MATERIALIZED (
    SELECT mail.id, due.at FROM emails mail JOIN due ON due."customerId" = mail."userId"
    WHERE mail.kind = 'hold' AND mail.status = 'queued' AND mail.attempts = 0 AND coalesce(mail."leasedUntil" < now(), true)
    ORDER BY mail.id FOR NO KEY UPDATE OF mail),
  queued AS (
    UPDATE emails mail SET "nextAttemptAt" = least(mail."nextAttemptAt", locked.at) FROM locked WHERE mail.id = locked.id
    RETURNING mail."userId")
  INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "nextAttemptAt")
  SELECT 'hold', '', '', '', '', due."distributorId", due."customerId", due.at FROM due
  WHERE due."customerId" NOT IN (SELECT "userId" FROM queued);
$$;
