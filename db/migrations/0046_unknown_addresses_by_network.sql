-- The number of e-mail addresses with which sign-ins from this network have failed in the current day, and the beginning of that day. A
-- network that has tried many of them adds no further rows to the table of unknown addresses.
ALTER TABLE sign_in_addresses ADD COLUMN "emailsTried" integer NOT NULL DEFAULT 0, ADD COLUMN "emailsTriedSince" timestamptz;
