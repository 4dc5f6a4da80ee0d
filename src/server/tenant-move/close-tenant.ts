// Disables the accounts of a distributor and of all its agents and customers, so that nobody changes any data after the distributor was
// exported for a move.
import type pg from 'pg';
import { BackupError } from '../backup/file-format.ts';

// This statement stores the same time in `disabledAt` for the distributor and all its people. When an admin later enables the distributor,
// here or after the import, everybody with that time is enabled too (features/distributors/queries.ts).
const CLOSE = `WITH closed AS (
    UPDATE users SET "disabledAt" = coalesce("disabledAt", $2) WHERE id = $1 AND role = 'distributor' RETURNING id, "disabledAt"),
  people AS (
    UPDATE users u SET "disabledAt" = closed."disabledAt" FROM closed
    WHERE u."distributorId" = closed.id AND u."disabledAt" IS NULL RETURNING u.id),
  ended AS (
    DELETE FROM session_store s USING users u WHERE u.id = s."userId" AND (u.id = $1 OR u."distributorId" = $1))
  SELECT (SELECT count(*)::int FROM closed) AS distributors, (SELECT count(*)::int FROM people) AS people`;

/** Closes the distributor. Returns the number of people whom it disabled, without the distributor. */
export async function closeTenant(
  client: pg.ClientBase,
  { distributorId, now }: { distributorId: number; now: Date },
): Promise<{ people: number }> {
  const { rows } = await client.query<{ distributors: number; people: number }>(CLOSE, [distributorId, now]);
  const [{ distributors, people } = { distributors: 0, people: 0 }] = rows;
  if (distributors === 0) throw new BackupError(`There is no distributor ${distributorId}: nobody was shut out.`);
  return { people };
}

/** Whether any person of the distributor can still sign in. */
export async function isOpen(client: pg.ClientBase, distributorId: number): Promise<boolean> {
  const text = 'SELECT 1 FROM users WHERE (id = $1 OR "distributorId" = $1) AND "disabledAt" IS NULL LIMIT 1';
  return (await client.query(text, [distributorId])).rowCount !== 0;
}
