-- When a customer is forgotten, the addresses in the customer's mails are erased. Until a day later, this table stores hashes of these
-- addresses and of their mailboxes, because the limits of mails to one person count the mails of a day. Otherwise a distributor could
-- evade these limits by forgetting a person and adding the same e-mail address again. The hourly cleanup deletes the rows.
CREATE TABLE erased_recipients (
  "mailId" integer PRIMARY KEY REFERENCES emails (id) ON DELETE CASCADE,
  "addressHash" text NOT NULL,
  "mailboxHash" text NOT NULL,
  "erasedAt" timestamptz NOT NULL
);
CREATE INDEX erased_recipients_by_address ON erased_recipients ("addressHash");
CREATE INDEX erased_recipients_by_mailbox ON erased_recipients ("mailboxHash");
CREATE INDEX erased_recipients_by_age ON erased_recipients ("erasedAt");

-- The links to unsubscribe in mails that were sent to a person's earlier e-mail address. The address is stored as a hash of the mailbox. With
-- such a link, the mailbox can be unsubscribed after the person is removed or forgotten or gets another e-mail address.
CREATE TABLE former_unsubscribe_links (
  token uuid PRIMARY KEY,
  "distributorId" integer NOT NULL REFERENCES users (id),
  "mailboxHash" text NOT NULL
);
CREATE INDEX former_unsubscribe_links_by_mailbox ON former_unsubscribe_links ("distributorId", "mailboxHash");

-- The links of customers who were removed before this version. Their rows still have the token, and their mails the address.
INSERT INTO former_unsubscribe_links (token, "distributorId", "mailboxHash")
SELECT DISTINCT ON (u."unsubscribeToken") u."unsubscribeToken", u."distributorId", encode(sha256(convert_to(
    CASE WHEN e."to" ~ '@(gmail|googlemail)[.]com$' THEN replace(split_part(split_part(e."to", '@', 1), '+', 1), '.', '') || '@gmail.com' ELSE regexp_replace(e."to", '^([^+@]+)[+][^@]*@', '\1@') END,
  'UTF8')), 'hex')
FROM users u JOIN emails e ON e."userId" = u.id AND e.kind IN ('bulk', 'reminder') AND e.status <> 'suppressed' AND e."to" LIKE '%@%'
WHERE u."removedAt" IS NOT NULL AND u."distributorId" IS NOT NULL ORDER BY u."unsubscribeToken", e.id DESC;
