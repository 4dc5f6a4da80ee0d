-- The outbox sends resets and sign-in reminders first, then join links, and then serves the distributors in turn (src/server/mail/outbox-rows.ts).
-- The index needs a column of 0009_join_requests.sql, whose ALTER TABLE keeps emails locked until it is built.
-- emails_due stays: the previous version claims mails with it during an upgrade. A later release drops it.
CREATE INDEX IF NOT EXISTS emails_in_turn ON emails ((CASE WHEN kind IN ('reset', 'exists') THEN 0 WHEN kind = 'join' THEN 1 WHEN kind = 'bulk' THEN 3 ELSE 2 END),
  (coalesce("distributorId", "joinDistributorId", 0)), "nextAttemptAt", id) WHERE status = 'queued';
