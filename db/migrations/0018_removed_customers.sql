-- A customer who never signed in nor ordered can be removed: the row stays without name and address, so that no table that refers to
-- users has to be searched for it.
ALTER TABLE users ADD COLUMN "removedAt" timestamptz;

-- One row for all customers that were removed at once. Every row satisfies the narrower constraint before.
ALTER TABLE user_audit ADD COLUMN "removedCount" integer, ALTER COLUMN "userId" DROP NOT NULL,
  DROP CONSTRAINT user_audit_act_check,
  ADD CONSTRAINT user_audit_act_check CHECK (act IN ('invite', 'unlock', 'disable', 'enable', 'sign-out', 'mend', 'remove')) NOT VALID,
  ADD CONSTRAINT user_audit_removed_check
    CHECK ((act = 'remove') = ("removedCount" IS NOT NULL) AND (act = 'remove') = ("userId" IS NULL)) NOT VALID;
