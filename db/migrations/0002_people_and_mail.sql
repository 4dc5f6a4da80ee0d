-- Accounts and sign-in (contract §3), and mails (contract §8).

ALTER TABLE users ADD COLUMN "disabledAt" timestamptz;
ALTER TABLE users ADD COLUMN "lastFailureAt" timestamptz;
CREATE UNIQUE INDEX users_by_token ON users ("resetPasswordToken") WHERE "resetPasswordToken" IS NOT NULL;
ALTER TABLE users ADD COLUMN "bulkMailStoppedAt" timestamptz;
-- A random token in the unsubscribe link of bulk mails. Anybody who has it can do nothing but unsubscribe this user from bulk mail.
ALTER TABLE users ADD COLUMN "unsubscribeToken" uuid NOT NULL UNIQUE DEFAULT gen_random_uuid();

CREATE TABLE organizations (
  "distributorId" integer PRIMARY KEY REFERENCES users (id),
  name text NOT NULL DEFAULT '' CHECK (length(name) <= 200),
  address text NOT NULL DEFAULT '' CHECK (length(address) <= 200),
  city text NOT NULL DEFAULT '' CHECK (length(city) <= 200),
  state text NOT NULL DEFAULT '' CHECK (length(state) <= 200),
  zip text NOT NULL DEFAULT '' CHECK (length(zip) <= 200),
  phone text NOT NULL DEFAULT '' CHECK (length(phone) <= 200),
  -- The secret part of the join link; null: joining is turned off.
  "joinCode" text UNIQUE
);

-- Failed sign-ins with e-mail addresses that have no account. Such an address is locked like that of an account, so that a lock does not
-- reveal whether an account exists. Only a hash of the address is stored.
CREATE TABLE unknown_sign_ins (
  "emailHash" text PRIMARY KEY,
  "loginAttempts" integer NOT NULL DEFAULT 0,
  "lockedUntil" timestamptz,
  "lastFailureAt" timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX unknown_sign_ins_by_age ON unknown_sign_ins ("lastFailureAt");

-- Failed sign-ins of one IP address in the current 15 minutes.
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
-- This column has no foreign key. With a foreign key, the confirmation of every order would lock the same row of users, that of the
-- distributor.
ALTER TABLE emails ADD COLUMN "distributorId" integer;
ALTER TABLE emails ADD COLUMN "userId" integer REFERENCES users (id);
ALTER TABLE emails ADD COLUMN "orderId" integer REFERENCES orders (id);
ALTER TABLE emails ADD COLUMN "replyTo" text;
ALTER TABLE emails ADD COLUMN "createdAt" timestamptz NOT NULL DEFAULT now();
ALTER TABLE emails ADD COLUMN attempts integer NOT NULL DEFAULT 0;
ALTER TABLE emails ADD COLUMN "nextAttemptAt" timestamptz NOT NULL DEFAULT now();
-- The time when the lease of the worker that claimed the row expires. After that time, a row with status 'queued' can be claimed again, and
-- the outcome of a row with status 'sending' is unknown.
ALTER TABLE emails ADD COLUMN "leasedUntil" timestamptz;
-- Invitations, resets and confirmations are sent before bulk mail.
CREATE INDEX emails_due ON emails ((kind = 'bulk'), "nextAttemptAt", id) WHERE status = 'queued';
CREATE INDEX emails_sending ON emails ("leasedUntil") WHERE status = 'sending';
CREATE INDEX emails_by_distributor ON emails ("distributorId", id DESC) WHERE "distributorId" IS NOT NULL;
CREATE INDEX emails_by_user ON emails ("userId", kind, "createdAt") WHERE kind <> 'confirmation';

-- The time when the order's last confirmation was or will be due, and the version of the order for which it was queued. An order gets at
-- most one confirmation in five minutes.
ALTER TABLE orders ADD COLUMN "confirmAt" timestamptz NOT NULL DEFAULT now();
ALTER TABLE orders ADD COLUMN "confirmVersion" integer NOT NULL DEFAULT 1;
