-- The result of copying the newest backup (BACKUP_COMMAND), and of the last restore drill.
ALTER TABLE last_backup
  ADD COLUMN "copiedAt" timestamptz,
  -- The time of the last attempt. A failed copy is tried again an hour later.
  ADD COLUMN "copyTriedAt" timestamptz,
  -- 'failed' or 'timeout'; null: the last copy succeeded, or none was made.
  ADD COLUMN "copyError" text,
  -- The start of the last drill. The process that updates this column makes the drill.
  ADD COLUMN "drillStartedAt" timestamptz,
  -- The time of the last successful drill, and the number of rows it compared.
  ADD COLUMN "drilledAt" timestamptz,
  ADD COLUMN "drillRows" bigint,
  -- Why the last drill failed: 'denied', 'differs' or 'other'; null: it succeeded.
  ADD COLUMN "drillError" text;
