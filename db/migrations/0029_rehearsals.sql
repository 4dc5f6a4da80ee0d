-- A rehearsal: a copy of a distribution with invented families, on which staff practice the pick-up day (decision 26).

-- A rehearsal stays unpublished and closed, so that no customer ever sees it.
ALTER TABLE distributions
  ADD COLUMN rehearsal boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT distributions_rehearsal_is_hidden CHECK (NOT (rehearsal AND (published OR "orderingOpen")));
CREATE UNIQUE INDEX distributions_one_rehearsal ON distributions ("distributorId") WHERE rehearsal;

-- An existing distribution cannot become a rehearsal, because a rehearsal can be deleted together with its payments and tills.
CREATE FUNCTION refuse_other_rehearsals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a distribution stays a rehearsal or none' USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER refuse_other_rehearsals BEFORE UPDATE OF rehearsal ON distributions
  FOR EACH ROW WHEN (OLD.rehearsal <> NEW.rehearsal) EXECUTE FUNCTION refuse_other_rehearsals();

-- The role of an invented family differs from that of a customer, so that no list of customers contains the family. An invented family can
-- neither sign in nor get mail.
-- NOT VALID prevents PostgreSQL from reading every row under the exclusive lock. This is safe, because every existing row satisfies the
-- previous constraints, which were narrower.
ALTER TABLE users
  DROP CONSTRAINT users_role_check,
  DROP CONSTRAINT users_check,
  ADD CONSTRAINT users_role_check CHECK (role IN ('admin', 'distributor', 'agent', 'customer', 'invented')) NOT VALID,
  ADD CONSTRAINT users_check CHECK ((role IN ('customer', 'agent', 'invented')) = ("distributorId" IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT users_invented_check CHECK (role <> 'invented' OR (password IS NULL AND email LIKE '%@no-email.invalid')) NOT VALID;
CREATE INDEX users_invented ON users (id) WHERE role = 'invented';

-- This trigger runs for every queued mail, whichever statement queues it, and drops mails to invented families.
CREATE FUNCTION drop_mail_to_invented() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM users WHERE id = NEW."userId" AND role = 'invented') THEN RETURN NULL; END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER drop_mail_to_invented BEFORE INSERT ON emails
  FOR EACH ROW WHEN (NEW."userId" IS NOT NULL) EXECUTE FUNCTION drop_mail_to_invented();

-- Only orders of a rehearsal are deleted, and no mail refers to them. With this foreign key, PostgreSQL would search all mails for each
-- deleted order.
ALTER TABLE emails DROP CONSTRAINT "emails_orderId_fkey";

-- As in 0028, but the tills of a rehearsal can be deleted too.
CREATE OR REPLACE FUNCTION refuse_till_edits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND (current_setting('feastday.deleted_distributor', true) = OLD."distributorId"::text
    OR EXISTS (SELECT FROM distributions d WHERE d.id = OLD."distributionId" AND d.rehearsal)) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'DELETE' OR OLD."closedAt" IS NOT NULL OR NEW."closedAt" IS NULL
    OR ROW(NEW.id, NEW."distributorId", NEW."distributionId", NEW."userId", NEW.float, NEW."openedAt")
      IS DISTINCT FROM ROW(OLD.id, OLD."distributorId", OLD."distributionId", OLD."userId", OLD.float, OLD."openedAt") THEN
    RAISE EXCEPTION 'a till is closed once and never edited' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
