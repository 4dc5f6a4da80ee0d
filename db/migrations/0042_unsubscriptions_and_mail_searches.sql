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
