-- Unsubscriptions from a distributor's bulk mail, stored by the hash of the mailbox. An unsubscription stays when the person is removed. A
-- distributor therefore cannot evade it by removing the person and adding the same e-mail address again.
CREATE TABLE unsubscriptions (
  "distributorId" integer NOT NULL REFERENCES users (id),
  "mailboxHash" text NOT NULL,
  "stoppedAt" timestamptz NOT NULL,
  PRIMARY KEY ("distributorId", "mailboxHash")
);

INSERT INTO unsubscriptions ("distributorId", "mailboxHash", "stoppedAt")
SELECT "distributorId", encode(sha256(convert_to(
    CASE WHEN email ~ '@(gmail|googlemail)[.]com$' THEN replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com' ELSE regexp_replace(email, '^([^+@]+)[+][^@]*@', '\1@') END,
  'UTF8')), 'hex'), min("bulkMailStoppedAt")
FROM users WHERE "bulkMailStoppedAt" IS NOT NULL AND "distributorId" IS NOT NULL AND "removedAt" IS NULL GROUP BY 1, 2;

-- IF NOT EXISTS is needed because the operator of a database with millions of mails creates the indexes before the update
-- (docs/operations.md).
-- The export and the erasure of one person's data find the person's mails with these indexes, without reading the mails of all
-- distributors.
-- The first index is also for counting the confirmations that a customer got within an hour. The second index finds confirmations without
-- an order. Feastday writes no such rows, so this index is normally empty. The third index leaves out mails whose recipient is not known
-- before they are rendered.
CREATE INDEX IF NOT EXISTS emails_by_order ON emails ("orderId", "createdAt") WHERE "orderId" IS NOT NULL;
CREATE INDEX IF NOT EXISTS emails_without_order ON emails ("userId") WHERE kind = 'confirmation' AND "orderId" IS NULL;
CREATE INDEX IF NOT EXISTS emails_by_address ON emails ("to") WHERE "to" <> '';
