-- What became of the copy of the newest backup (BACKUP_COMMAND), and of the last restore drill.
ALTER TABLE last_backup
  ADD COLUMN "copiedAt" timestamptz,
  -- Of the last attempt. A failed copy is tried again an hour later.
  ADD COLUMN "copyTriedAt" timestamptz,
  -- 'failed' or 'timeout'; null: the last copy succeeded, or none was made.
  ADD COLUMN "copyError" text,
  -- When the last drill began: the process that writes it makes that drill.
  ADD COLUMN "drillStartedAt" timestamptz,
  -- The last drill that succeeded, and the rows it compared.
  ADD COLUMN "drilledAt" timestamptz,
  ADD COLUMN "drillRows" bigint,
  -- 'denied', 'differs' or 'other'; null: the last drill succeeded.
  ADD COLUMN "drillError" text;
