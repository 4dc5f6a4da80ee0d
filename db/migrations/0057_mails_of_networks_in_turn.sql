-- How many links the client's network had requested when the mail was queued. Of the mails of one tenant in one group, those of networks that
-- have requested few links are sent first (src/server/mail/outbox-rows.ts). It is 0 for mails that nobody requested at the sign-in page or
-- through a join link.
-- The Message-ID of a mail consists of "messageId". It is null for mails that a server of an earlier version has queued. The Message-ID must
-- not contain the id of the row: a person who gets two mails could see whether another mail was
-- queued between them.
ALTER TABLE emails ADD COLUMN IF NOT EXISTS "networkRequests" integer NOT NULL DEFAULT 0, ADD COLUMN "messageId" uuid;
ALTER TABLE emails ALTER COLUMN "messageId" SET DEFAULT gen_random_uuid();

-- These indexes replace emails_in_turn: notices that an account exists now belong to the group of the join links. The first one finds the
-- tenants with due mails, the second one their next mails. IF NOT EXISTS, because the operator of a database with millions of mails creates
-- the indexes before the update (docs/operations.md). The index emails_in_turn stays: servers of the previous version claim mails with it
-- during an upgrade. A later release drops it.
CREATE INDEX IF NOT EXISTS emails_due_in_turn ON emails ((CASE WHEN kind = 'reset' THEN 0 WHEN kind IN ('join', 'exists') THEN 1 WHEN kind = 'bulk' THEN 3 ELSE 2 END),
  (coalesce("distributorId", "joinDistributorId", 0)), "nextAttemptAt", id) WHERE status = 'queued';
CREATE INDEX IF NOT EXISTS emails_by_network ON emails ((CASE WHEN kind = 'reset' THEN 0 WHEN kind IN ('join', 'exists') THEN 1 WHEN kind = 'bulk' THEN 3 ELSE 2 END),
  (coalesce("distributorId", "joinDistributorId", 0)), "networkRequests", "nextAttemptAt", id) WHERE status = 'queued';
