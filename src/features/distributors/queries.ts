import { run, runOne, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { assertFound, unauthenticated } from '../../server/errors.ts';
import type { Distributor, DistributorAct, DistributorState, FactorAct } from './contract.ts';
import { DISABLED_BEFORE_SENT } from './texts.ts';
import { DAY } from '../../domain/durations.ts';

export const findDistributors = (db: Db): Promise<Distributor[]> =>
  run<Distributor>(db, `SELECT id, email FROM users WHERE role = 'distributor' ORDER BY email`, []);

/** Creates a distributor; returns null when the e-mail address is in use. */
export async function saveNewDistributor(db: Db, email: string): Promise<Distributor | null> {
  const text = `INSERT INTO users (email, role) VALUES ($1, 'distributor') ON CONFLICT (email) DO NOTHING RETURNING id, email`;
  return await runOne<Distributor>(db, text, [email]);
}

/**
 * Returns a distributor's row, locked until the transaction ends. Throws 'not found' for any other user. Every save of the distributor
 * refers to this row, and FOR UPDATE would wait as long as the saves of a stolen account follow each other without a gap.
 */
export async function distributorFor(db: Db, id: number): Promise<Row<'users'>> {
  const text = `SELECT * FROM users WHERE role = 'distributor' AND id = $1 FOR NO KEY UPDATE`;
  return assertFound(await runOne<Row<'users'>>(db, text, [id]), 'Distributor');
}

/**
 * Locks the distributor's row, so that concurrent calls that count toward a limit of the distributor run one after the other. Returns whether
 * the distributor is enabled. The transaction that disables the distributor takes the same lock. If it runs last, it sees what the caller's
 * transaction wrote.
 */
export async function lockDistributor(db: Db, distributorId: number): Promise<boolean> {
  const text = 'SELECT "disabledAt" IS NULL AS "isEnabled" FROM users WHERE id = $1 FOR NO KEY UPDATE';
  return (await runOne<{ isEnabled: boolean }>(db, text, [distributorId]))?.isEnabled ?? true;
}

/**
 * Locks the distributor's row, as lockDistributor does. Throws if the distributor is disabled, which may have happened after the request was
 * authenticated.
 */
export async function lockEnabledDistributor(db: Db, distributorId: number): Promise<void> {
  if (!(await lockDistributor(db, distributorId))) throw unauthenticated();
}

// Counts only mails with a replyTo as mails of a distributor, because the distributor caused them. Mails such as confirmations of orders
// that customers placed have no replyTo.
const STATES = `WITH mails AS (
    SELECT "distributorId" AS id, count(*) FILTER (WHERE "createdAt" > $1) AS day, count(*) AS month
    FROM emails WHERE "distributorId" IS NOT NULL AND "replyTo" IS NOT NULL AND "createdAt" > $2 GROUP BY 1),
  added AS (
    SELECT "distributorId" AS id, count(*) FILTER (WHERE "createdAt" > $1) AS day, count(*) AS month
    FROM users WHERE "distributorId" IS NOT NULL AND role <> 'invented' AND "createdAt" > $2 GROUP BY 1)
  SELECT d.id, d."disabledAt" IS NOT NULL AS "isDisabled", d."lockedUntil", d."lastLoginAt" IS NOT NULL AS "hasSignedIn",
    EXISTS (SELECT FROM passkeys p WHERE p."userId" = d.id) OR EXISTS (SELECT FROM code_apps c WHERE c."userId" = d.id) AS "hasSecondFactor",
    json_build_object('day', coalesce(m.day, 0), 'month', coalesce(m.month, 0)) AS mails,
    json_build_object('day', coalesce(a.day, 0), 'month', coalesce(a.month, 0)) AS added,
    (SELECT json_build_object('act', t.act, 'at', to_json(t."updatedAt" AT TIME ZONE 'UTC') #>> '{}' || 'Z', 'by', u.email)
      FROM distributor_audit t JOIN users u ON u.id = t."updatedBy" WHERE t."distributorId" = d.id ORDER BY t.id DESC LIMIT 1) AS "lastAct"
  FROM users d LEFT JOIN mails m USING (id) LEFT JOIN added a USING (id) WHERE d.role = 'distributor' ORDER BY d.email`;

type StateRow = Omit<DistributorState, 'hasSecondFactor'> & { readonly hasSecondFactor: boolean };

export async function findDistributorStates(db: Db, now: Date): Promise<DistributorState[]> {
  const rows = await run<StateRow>(db, STATES, [new Date(now.getTime() - DAY), new Date(now.getTime() - 30 * DAY)]);
  return rows.map(({ hasSecondFactor, ...state }) => ({ ...state, ...(hasSecondFactor && { hasSecondFactor }) }));
}

/**
 * Locks the rows of a distributor's agents until the transaction ends. A sign-in of an agent locks the same row before it checks whether the
 * distributor is disabled. So it either ends before, or finds the distributor disabled.
 */
export async function lockAgents(db: Db, distributorId: number): Promise<void> {
  await run(db, `SELECT 1 FROM users WHERE "distributorId" = $1 AND role = 'agent' ORDER BY id FOR NO KEY UPDATE`, [distributorId]);
}

const END_AGENT_SESSIONS = `DELETE FROM session_store s USING users u
  WHERE u.id = s."userId" AND u."distributorId" = $1 AND u.role = 'agent'`;
const SUPPRESS_QUEUED = `UPDATE emails SET status = 'suppressed', response = $2
  WHERE "distributorId" = $1 AND status = 'queued' AND "replyTo" IS NOT NULL`;

// When a distributor is closed for a move, the distributor and all its people get the same disabledAt (server/tenant-move/close-tenant.ts).
// A person with another disabledAt was disabled individually and stays disabled.
const ENABLE = `UPDATE users u SET "disabledAt" = NULL FROM users d
  WHERE d.id = $1 AND (u.id = d.id OR (u."distributorId" = d.id AND u."disabledAt" = d."disabledAt"))`;

export async function enableWithPeople(db: Db, id: number): Promise<void> {
  await run(db, ENABLE, [id]);
}

/** Stops what a stolen account could still do after it is disabled: ends the sessions of its agents, and suppresses its queued mails. */
export async function stopDistributor(db: Db, id: number): Promise<void> {
  await run(db, END_AGENT_SESSIONS, [id]);
  await run(db, SUPPRESS_QUEUED, [id, DISABLED_BEFORE_SENT]);
}

export async function recordDistributorAct(db: Db, act: DistributorAct | FactorAct, { id, by }: { id: number; by: number }): Promise<void> {
  await run(db, 'INSERT INTO distributor_audit ("distributorId", act, "updatedBy") VALUES ($1, $2, $3)', [id, act, by]);
}
