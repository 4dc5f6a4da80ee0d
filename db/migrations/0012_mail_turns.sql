-- The outbox sends resets and sign-in reminders first, then join links, then the mails of all distributors in turn
-- (src/server/mail/outbox-rows.ts).
-- The index needs a column that 0009_join_requests.sql adds, so it is built while the ALTER TABLE there still locks emails.
-- The index emails_due stays: servers of the previous version claim mails with it during an upgrade. A later release drops it.
CREATE INDEX IF NOT EXISTS emails_in_turn ON emails ((CASE WHEN kind IN ('reset', 'exists') THEN 0 WHEN kind = 'join' THEN 1 WHEN kind = 'bulk' THEN 3 ELSE 2 END),
  (coalesce("distributorId", "joinDistributorId", 0)), "nextAttemptAt", id) WHERE status = 'queued';
