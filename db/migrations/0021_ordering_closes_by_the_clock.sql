-- Ordering closes by the clock of the database (contract §11). From "closesAt" on, this function returns false, even if no process has set
-- "orderingOpen" to false yet.

CREATE FUNCTION is_ordering_open(ordering_open boolean, closes_at timestamptz) RETURNS boolean LANGUAGE sql VOLATILE
  RETURN ordering_open AND (closes_at IS NULL OR clock_timestamp() < closes_at);

-- With this index, the background jobs find the distributions that have a closing time.
CREATE INDEX distributions_by_closing ON distributions ("closesAt") WHERE "orderingOpen" AND "closesAt" IS NOT NULL;

-- The time when all reminders of the distribution were last queued.
ALTER TABLE distributions ADD COLUMN "remindedAt" timestamptz;

-- IF NOT EXISTS, because the operator of a database with millions of mails creates the column and the index before the update
-- (docs/operations.md). The unique index ensures that each customer gets at most one reminder of a distribution.
ALTER TABLE emails ADD COLUMN IF NOT EXISTS "distributionId" integer;
ALTER TABLE emails ADD CONSTRAINT emails_distribution_fkey FOREIGN KEY ("distributorId", "distributionId")
  REFERENCES distributions ("distributorId", id) NOT VALID;
CREATE UNIQUE INDEX IF NOT EXISTS emails_one_reminder ON emails ("distributorId", "distributionId", "userId") WHERE kind = 'reminder';
