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
