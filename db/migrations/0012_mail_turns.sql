-- The outbox sends resets, sign-in reminders and join links first, and then serves the distributors in turn (src/server/mail/outbox-rows.ts).
DROP INDEX emails_due;
CREATE INDEX emails_in_turn ON emails ((CASE WHEN kind IN ('reset', 'exists', 'join') THEN 0 WHEN kind = 'bulk' THEN 2 ELSE 1 END),
  (coalesce("distributorId", "joinDistributorId", 0)), "nextAttemptAt", id) WHERE status = 'queued';
-- What counts to a distributor's daily cap: replies to what the distributor causes go to the distributor.
CREATE INDEX emails_to_cap ON emails ("distributorId", "createdAt") WHERE "replyTo" IS NOT NULL;
