-- IF NOT EXISTS is needed because the operator of a database with millions of mails creates the index before the update
-- (docs/operations.md).
-- This index is for counting, by mailbox, the mails with links that strangers requested. One mailbox receives the mails to many addresses:
-- most providers ignore a "+suffix", and Gmail also ignores dots.
CREATE INDEX IF NOT EXISTS emails_by_mailbox ON emails
  ((CASE WHEN "to" ~ '@(gmail|googlemail)[.]com$' THEN replace(split_part(split_part("to", '@', 1), '+', 1), '.', '') || '@gmail.com' ELSE regexp_replace("to", '^([^+@]+)[+][^@]*@', '\1@') END), "createdAt")
  WHERE kind IN ('invitation', 'join', 'exists', 'reset');
-- This index is for counting, by distributor, the links that people requested at the sign-in page. It leaves out the invitations that staff
-- sent, which have a "replyTo".
CREATE INDEX IF NOT EXISTS emails_requested ON emails ("distributorId", "createdAt") WHERE kind IN ('reset', 'invitation') AND "replyTo" IS NULL;

-- For each network and each IPv6 /56: the number of links that it requested at the sign-in page in the current period of 15 minutes.
CREATE TABLE reset_networks (
  network text PRIMARY KEY,
  requests integer NOT NULL,
  "windowStart" timestamptz NOT NULL
);
CREATE INDEX reset_networks_by_age ON reset_networks ("windowStart");
