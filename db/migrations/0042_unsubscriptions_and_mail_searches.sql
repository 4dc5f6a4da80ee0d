-- Unsubscriptions from a distributor's bulk mail, by the hash of the mailbox. An unsubscription outlives the row of the person, so that a
-- distributor cannot evade it by removing the person and adding the same e-mail address again.
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

-- IF NOT EXISTS, because the operator of a database with millions of mails creates the indexes before the update (docs/operations.md).
-- With these indexes, the export and the forgetting of one person find the person's mails without reading the mails of all distributors.
-- The first index also counts the confirmations of a customer within an hour. Every confirmation names its order, so the second index is
-- empty unless an operator adds such rows. The condition of the third index leaves out mails that are not rendered yet.
CREATE INDEX IF NOT EXISTS emails_by_order ON emails ("orderId", "createdAt") WHERE "orderId" IS NOT NULL;
CREATE INDEX IF NOT EXISTS emails_without_order ON emails ("userId") WHERE kind = 'confirmation' AND "orderId" IS NULL;
CREATE INDEX IF NOT EXISTS emails_by_address ON emails ("to") WHERE "to" <> '';
