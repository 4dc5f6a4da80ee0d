-- Refuses to turn an existing distribution into a rehearsal, or a rehearsal into a distribution, because a rehearsal can be deleted
-- together with its payments and tills.
CREATE OR REPLACE FUNCTION refuse_other_rehearsals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a distribution stays a rehearsal or none' USING ERRCODE = 'integrity_constraint_violation';
END
$$;
