-- Above the limit of failures, the attempts of a network are judged one after the other: when the next one may be.
ALTER TABLE sign_in_addresses ADD COLUMN "nextTurnAt" timestamptz;
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
