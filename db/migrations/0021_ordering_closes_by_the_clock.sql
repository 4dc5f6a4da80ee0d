-- Ordering closes by the clock of the database (contract §11): a reader sees it closed from "closesAt" on, whether or not a process has stored it.

CREATE FUNCTION is_ordering_open(ordering_open boolean, closes_at timestamptz) RETURNS boolean LANGUAGE sql VOLATILE
  RETURN ordering_open AND (closes_at IS NULL OR clock_timestamp() < closes_at);

-- For the background jobs, which look for distributions with a closing time.
CREATE INDEX distributions_by_closing ON distributions ("closesAt") WHERE "orderingOpen" AND "closesAt" IS NOT NULL;

-- The time when all reminders of the distribution were last queued.
ALTER TABLE distributions ADD COLUMN "remindedAt" timestamptz;

-- With millions of mails the operator creates column and index before the update (docs/operations.md). The index lets each customer have
-- one reminder of a distribution.
ALTER TABLE emails ADD COLUMN IF NOT EXISTS "distributionId" integer;
ALTER TABLE emails ADD CONSTRAINT emails_distribution_fkey FOREIGN KEY ("distributorId", "distributionId")
  REFERENCES distributions ("distributorId", id) NOT VALID;
CREATE UNIQUE INDEX IF NOT EXISTS emails_one_reminder ON emails ("distributorId", "distributionId", "userId") WHERE kind = 'reminder';
