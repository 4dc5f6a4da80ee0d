-- A distributor can remove a customer who never signed in or ordered. The row stays, without name and e-mail address, because deleting it
-- would search every table that references users.
ALTER TABLE users ADD COLUMN "removedAt" timestamptz;

-- When several customers are removed at once, the audit gets one row with their number. NOT VALID prevents PostgreSQL from reading every
-- row under the exclusive lock. This is safe, because every existing row satisfies the previous constraint, which was narrower.
ALTER TABLE user_audit ADD COLUMN "removedCount" integer, ALTER COLUMN "userId" DROP NOT NULL,
  DROP CONSTRAINT user_audit_act_check,
  ADD CONSTRAINT user_audit_act_check CHECK (act IN ('invite', 'unlock', 'disable', 'enable', 'sign-out', 'mend', 'remove')) NOT VALID,
  ADD CONSTRAINT user_audit_removed_check
    CHECK ((act = 'remove') = ("removedCount" IS NOT NULL) AND (act = 'remove') = ("userId" IS NULL)) NOT VALID;
