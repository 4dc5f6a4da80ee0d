-- What the backups that the product makes by itself have come to; one row, which the first of them makes.
CREATE TABLE last_backup (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- Of the last attempt: whoever writes it here makes that backup, and nobody else does.
  "startedAt" timestamptz NOT NULL,
  -- Of the last one that was made.
  "finishedAt" timestamptz,
  bytes bigint,
  -- How many are in the folder.
  kept integer NOT NULL DEFAULT 0,
  -- Why the last attempt failed: 'full', 'denied' or 'other'.
  error text
);
