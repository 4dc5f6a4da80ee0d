-- The outbox sends resets, sign-in reminders and join links first, and then serves the distributors in turn (src/server/mail/outbox-rows.ts).
-- The index needs a column of 0009_join_requests.sql, whose ALTER TABLE keeps emails locked until it is built.
-- emails_due stays: the previous version claims mails with it during an upgrade. A later release drops it.
CREATE INDEX IF NOT EXISTS emails_in_turn ON emails ((CASE WHEN kind IN ('reset', 'exists', 'join') THEN 0 WHEN kind = 'bulk' THEN 2 ELSE 1 END),
  (coalesce("distributorId", "joinDistributorId", 0)), "nextAttemptAt", id) WHERE status = 'queued';
