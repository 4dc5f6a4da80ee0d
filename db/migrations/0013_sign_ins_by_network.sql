-- The time of the latest delayed reply to a failed sign-in from this network. When a network has exceeded the limit of failures, the
-- replies to its further failures are delayed and sent one after the other.
ALTER TABLE sign_in_addresses ADD COLUMN "nextReplyAt" timestamptz;
-- The number of accounts that the network has brought close to a lock in the current 15 minutes.
ALTER TABLE sign_in_addresses ADD COLUMN "accountsNearLock" integer NOT NULL DEFAULT 0;

-- Failed sign-ins from a network that has reached its limit of locked accounts. Further failures lock an e-mail address for this network
-- only.
CREATE TABLE network_attempts (
  "emailHash" text NOT NULL,
  network text NOT NULL,
  "loginAttempts" integer NOT NULL,
  "lockedUntil" timestamptz,
  "lastFailureAt" timestamptz NOT NULL,
  PRIMARY KEY ("emailHash", network)
);
CREATE INDEX network_attempts_by_age ON network_attempts ("lastFailureAt");
