-- The outbox sends resets and sign-in reminders first, then join links, then the mails of all distributors in turn
-- (src/server/mail/outbox-rows.ts).
-- The index uses the column "joinDistributorId", which 0009_join_requests.sql adds. IF NOT EXISTS, because the operator of a database with
-- millions of mails creates the index before the update (docs/operations.md).
-- The index emails_due stays: servers of the previous version claim mails with it during an upgrade. A later release drops it.
CREATE INDEX IF NOT EXISTS emails_in_turn ON emails ((CASE WHEN kind IN ('reset', 'exists') THEN 0 WHEN kind = 'join' THEN 1 WHEN kind = 'bulk' THEN 3 ELSE 2 END),
  (coalesce("distributorId", "joinDistributorId", 0)), "nextAttemptAt", id) WHERE status = 'queued';
