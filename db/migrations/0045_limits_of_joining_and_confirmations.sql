-- The time at which a customer created the account through a join link. It is null for a person whom the distributor added. Customers who
-- joined have limits of their own, so that strangers with a join link cannot use up the limits of the people whom the distributor adds.
ALTER TABLE users ADD COLUMN "joinedAt" timestamptz;
CREATE INDEX users_joined ON users ("distributorId", "joinedAt") WHERE "joinedAt" IS NOT NULL;

-- This index is for counting, by mailbox, the confirmations of changes that staff made to orders. IF NOT EXISTS is needed because the
-- operator of a database with millions of mails creates the index before the update (docs/operations.md).
CREATE INDEX IF NOT EXISTS emails_confirmed_by_staff ON emails
  ((CASE WHEN "to" ~ '@(gmail|googlemail)[.]com$' THEN replace(split_part(split_part("to", '@', 1), '+', 1), '.', '') || '@gmail.com' ELSE regexp_replace("to", '^([^+@]+)[+][^@]*@', '\1@') END), "sentAt")
  WHERE kind = 'confirmation' AND "replyTo" IS NOT NULL;
