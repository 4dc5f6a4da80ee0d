-- Returns whether ordering is open by the clock of the database. From "closesAt" on, the result is false, even if no process has set
-- "orderingOpen" to false yet.
CREATE OR REPLACE FUNCTION is_ordering_open(ordering_open boolean, closes_at timestamptz) RETURNS boolean LANGUAGE sql VOLATILE
  RETURN ordering_open AND (closes_at IS NULL OR clock_timestamp() < closes_at);
