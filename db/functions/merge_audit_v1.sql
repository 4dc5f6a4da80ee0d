-- Limits the audit rows of a person who changes the same record again and again. The limit applies if the person made the last three
-- changes of the record within a minute, and all of them changed only the fields in TG_ARGV[1]. The next change of these fields is then
-- merged into the newest row. TG_ARGV[0] is the condition that selects the earlier rows of the same record. Rows that the same statement
-- has added do not count as earlier rows. A restore inserts all rows of a table in one statement, and therefore keeps all of them.
CREATE OR REPLACE FUNCTION merge_audit_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($merge$
    WITH merged AS (
      UPDATE %1$I newest SET before = added.before || newest.before, after = newest.after || added.after, "updatedAt" = added."updatedAt"
      FROM added CROSS JOIN LATERAL (
        SELECT count(*) AS rows, max(id) AS id FROM (
          SELECT id, "updatedBy", "updatedAt", before, after FROM %1$I earlier
          WHERE %2$s AND earlier.id < (SELECT min(id) FROM added) ORDER BY earlier.id DESC LIMIT 3) AS last_three
        WHERE "updatedBy" = added."updatedBy" AND "updatedAt" > added."updatedAt" - interval '1 minute' AND before IS NOT NULL
          AND after - $1 = '{}') AS recent
      WHERE recent.rows = 3 AND newest.id = recent.id AND added.before IS NOT NULL AND added.after - $1 = '{}'
      RETURNING added.id)
    DELETE FROM %1$I USING merged WHERE %1$I.id = merged.id$merge$, TG_TABLE_NAME, TG_ARGV[0]) USING TG_ARGV[1]::text[];
  RETURN NULL;
END
$$;
