-- The state of the scheduled backups: one row, which the first backup inserts.
CREATE TABLE last_backup (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- The start of the last attempt. If several servers run, the server that updates this column makes the backup.
  "startedAt" timestamptz NOT NULL,
  -- End of the last backup that succeeded.
  "finishedAt" timestamptz,
  bytes bigint,
  -- The number of backups in the folder.
  kept integer NOT NULL DEFAULT 0,
  -- Why the last attempt failed: 'full', 'denied' or 'other'.
  error text
);
