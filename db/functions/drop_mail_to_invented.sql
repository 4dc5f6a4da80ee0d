-- Drops a queued mail to an invented family of a rehearsal, whichever statement queues it.
CREATE OR REPLACE FUNCTION drop_mail_to_invented() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM users WHERE id = NEW."userId" AND role = 'invented') THEN RETURN NULL; END IF;
  RETURN NEW;
END
$$;
