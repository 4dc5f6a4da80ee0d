-- The ways in (contract §3) and the mails (contract §8).

ALTER TABLE users ADD COLUMN "disabledAt" timestamptz;
ALTER TABLE users ADD COLUMN "lastFailureAt" timestamptz;
CREATE UNIQUE INDEX users_by_token ON users ("resetPasswordToken") WHERE "resetPasswordToken" IS NOT NULL;
ALTER TABLE users ADD COLUMN "bulkMailStoppedAt" timestamptz;
-- Random and never reused: whoever has it may stop that user's bulk mail, and nothing else.
ALTER TABLE users ADD COLUMN "unsubscribeToken" uuid NOT NULL UNIQUE DEFAULT gen_random_uuid();

CREATE TABLE organizations (
  "distributorId" integer PRIMARY KEY REFERENCES users (id),
  name text NOT NULL DEFAULT '' CHECK (length(name) <= 200),
  address text NOT NULL DEFAULT '' CHECK (length(address) <= 200),
  city text NOT NULL DEFAULT '' CHECK (length(city) <= 200),
  state text NOT NULL DEFAULT '' CHECK (length(state) <= 200),
  zip text NOT NULL DEFAULT '' CHECK (length(zip) <= 200),
  phone text NOT NULL DEFAULT '' CHECK (length(phone) <= 200),
  -- Whoever has it may join; null is turned off.
  "joinCode" text UNIQUE
);

-- An address that nobody has fails and locks as one that somebody has. Only its hash is kept.
CREATE TABLE unknown_sign_ins (
  "emailHash" text PRIMARY KEY,
  "loginAttempts" integer NOT NULL DEFAULT 0,
  "lockedUntil" timestamptz,
  "lastFailureAt" timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX unknown_sign_ins_by_age ON unknown_sign_ins ("lastFailureAt");

-- Failures from one client address in the running quarter of an hour.
CREATE TABLE sign_in_addresses (
  address text PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  "windowStart" timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX sign_in_addresses_by_age ON sign_in_addresses ("windowStart");

ALTER TABLE emails ADD COLUMN kind text NOT NULL DEFAULT 'bulk'
  CHECK (kind IN ('invitation', 'reset', 'exists', 'confirmation', 'bulk', 'test'));
ALTER TABLE emails ADD COLUMN status text NOT NULL DEFAULT 'queued'
  CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'suppressed'));
-- No foreign key: every order of a distributor would lock that one row for its confirmation.
ALTER TABLE emails ADD COLUMN "distributorId" integer;
ALTER TABLE emails ADD COLUMN "userId" integer REFERENCES users (id);
ALTER TABLE emails ADD COLUMN "orderId" integer REFERENCES orders (id);
ALTER TABLE emails ADD COLUMN "replyTo" text;
ALTER TABLE emails ADD COLUMN "createdAt" timestamptz NOT NULL DEFAULT now();
ALTER TABLE emails ADD COLUMN attempts integer NOT NULL DEFAULT 0;
ALTER TABLE emails ADD COLUMN "nextAttemptAt" timestamptz NOT NULL DEFAULT now();
-- Until when the worker that took it has it. Past it, a queued row is free again and a sending one has an unknown end.
ALTER TABLE emails ADD COLUMN "leasedUntil" timestamptz;
-- Somebody waits for an invitation, a reset or a confirmation; bulk mail comes after them.
CREATE INDEX emails_due ON emails ((kind = 'bulk'), "nextAttemptAt", id) WHERE status = 'queued';
CREATE INDEX emails_sending ON emails ("leasedUntil") WHERE status = 'sending';
CREATE INDEX emails_by_distributor ON emails ("distributorId", id DESC) WHERE "distributorId" IS NOT NULL;
CREATE INDEX emails_by_user ON emails ("userId", kind, "createdAt") WHERE kind <> 'confirmation';

-- When the last confirmation was or will be due, and for which version of the order: at most one in five minutes.
ALTER TABLE orders ADD COLUMN "confirmAt" timestamptz NOT NULL DEFAULT now();
ALTER TABLE orders ADD COLUMN "confirmVersion" integer NOT NULL DEFAULT 1;
