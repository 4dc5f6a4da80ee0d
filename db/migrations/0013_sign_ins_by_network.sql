-- Above the limit of failures, the replies to the failures of a network are sent one after the other: the time of the last one so far.
ALTER TABLE sign_in_addresses ADD COLUMN "nextReplyAt" timestamptz;
-- How many accounts the network has brought near their locks in the running quarter of an hour.
ALTER TABLE sign_in_addresses ADD COLUMN "accountsNearLock" integer NOT NULL DEFAULT 0;

-- Failures of a network that may lock no further account: they lock the address that it tries for this network alone.
CREATE TABLE network_attempts (
  "emailHash" text NOT NULL,
  network text NOT NULL,
  "loginAttempts" integer NOT NULL,
  "lockedUntil" timestamptz,
  "lastFailureAt" timestamptz NOT NULL,
  PRIMARY KEY ("emailHash", network)
);
CREATE INDEX network_attempts_by_age ON network_attempts ("lastFailureAt");
