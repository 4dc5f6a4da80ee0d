// Changes the state of a mail's row. The row is first queued, and then a worker claims it with a lease. While the row is `sending`, bytes
// of the mail may already have been sent.
import { run, type Db } from '../database/db.ts';
import type { Row } from '../database/schema.ts';

export type Mail = Row<'emails'>;

/** The content that the log keeps: what was sent, but without secrets such as tokens. */
export type SentContent = Readonly<Pick<Mail, 'from' | 'to' | 'subject' | 'html'>>;

export interface AttemptEnd {
  readonly status: 'sent' | 'queued' | 'failed' | 'unknown' | 'suppressed';
  readonly response: string;
  readonly now: Date;
  readonly nextAttemptAt?: Date;
}

/**
 * Stores which tenant was served last in each of three groups of mails. The first group has the urgent mails, for which somebody waits at
 * the sign-in page; the second has the join links; the third has all other mails.
 */
export interface RoundRobin {
  urgent: number;
  joining: number;
  other: number;
}
export const newRoundRobin = (): RoundRobin => ({ urgent: -1, joining: -1, other: -1 });

// The SQL expression for the rank of a mail, by its kind. It must equal the expression of the index emails_in_turn, so that PostgreSQL can
// use the index.
const RANK = `(CASE WHEN kind IN ('reset', 'exists') THEN 0 WHEN kind = 'join' THEN 1 WHEN kind = 'bulk' THEN 3 ELSE 2 END)`;
const TENANT = 'coalesce("distributorId", "joinDistributorId", 0)';
const RANKS = { urgent: [0], joining: [1], other: [2, 3] } as const;

const nextTenant = (after: string): string => `SELECT min(first.tenant) AS tenant FROM unnest($4::int[]) r (rank), LATERAL
  (SELECT ${TENANT} AS tenant FROM emails WHERE status = 'queued' AND ${RANK} = r.rank AND ${TENANT} > ${after} ORDER BY ${TENANT} LIMIT 1) first`;
const DUE = `status = 'queued' AND "nextAttemptAt" <= $1 AND ("leasedUntil" IS NULL OR "leasedUntil" < $1)`;

// This statement claims due mails, and lets the tenants take turns. Its part `turns` visits the tenants with queued mails, with one index
// lookup each. It begins after tenant $5 and ends with that tenant, or when enough tenants have a due mail. The statement takes the first
// mail of each of these tenants, then the second mail of each, and so on. Rows that another worker is claiming are skipped.
const CLAIM = `WITH RECURSIVE turns (tenant, wrapped, turn) AS (
    SELECT $5::int, false, 0
    UNION ALL
    SELECT following.* FROM turns, LATERAL (
      SELECT tenant, wrapped, turns.turn + 1 FROM (${nextTenant('turns.tenant')}) later, (SELECT turns.wrapped) w (wrapped) WHERE tenant IS NOT NULL
      UNION ALL
      SELECT tenant, true, turns.turn + 1 FROM (${nextTenant('-1')}) first WHERE NOT turns.wrapped AND tenant IS NOT NULL
      LIMIT 1) following (tenant, wrapped, turn)
    WHERE NOT (following.wrapped AND following.tenant > $5)),
  served AS (SELECT tenant, turn FROM turns WHERE turn > 0 AND EXISTS (
    SELECT FROM unnest($4::int[]) r (rank), LATERAL (SELECT id FROM emails WHERE ${DUE} AND ${RANK} = r.rank AND ${TENANT} = tenant LIMIT 1) d) LIMIT $3),
  mails AS (SELECT d.id, turn, row_number() OVER (PARTITION BY turn ORDER BY d.rank, d."nextAttemptAt", d.id) AS round
    FROM served, LATERAL (SELECT e.id, r.rank, e."nextAttemptAt" FROM unnest($4::int[]) r (rank), LATERAL (SELECT id, "nextAttemptAt" FROM emails
      WHERE ${DUE} AND ${RANK} = r.rank AND ${TENANT} = tenant ORDER BY "nextAttemptAt", id LIMIT 2 * $3) e) d),
  ordered AS (SELECT array_agg(id ORDER BY round, turn) AS ids FROM mails),
  due AS MATERIALIZED (SELECT id FROM emails WHERE id = ANY ((SELECT ids FROM ordered)::int[]) AND ${DUE}
    ORDER BY array_position((SELECT ids FROM ordered), id) LIMIT $3 FOR UPDATE SKIP LOCKED)
  UPDATE emails e SET "leasedUntil" = $2 FROM due WHERE e.id = due.id RETURNING e.*`;

const tenantOf = ({ distributorId, joinDistributorId }: Mail): number => distributorId ?? joinDistributorId ?? 0;

/** Returns the tenant that was served last, when the rotation began after tenant `after`. */
function lastServed(mails: readonly Mail[], after: number): number {
  if (mails.length === 0) return after;
  const tenants = mails.map(tenantOf);
  const wrapped = tenants.filter((tenant) => tenant <= after);
  return Math.max(...(wrapped.length > 0 ? wrapped : tenants));
}

interface Claim {
  readonly now: Date;
  readonly until: Date;
  readonly most: number;
}

async function claimInTurn(db: Db, turns: RoundRobin, which: keyof RoundRobin, { now, until, most }: Claim): Promise<Mail[]> {
  if (most === 0) return [];
  const mails = await run<Mail>(db, CLAIM, [now, until, most, RANKS[which], turns[which]]);
  turns[which] = lastServed(mails, turns[which]);
  return mails;
}

const QUEUED_RANKS = `SELECT r.rank FROM unnest($1::int[]) r (rank) WHERE EXISTS (SELECT FROM emails WHERE status = 'queued' AND ${RANK} = r.rank)`;

/** Finds which groups have queued mails. This is much cheaper than a claim, and usually no mail for the sign-in page is queued. */
async function findQueued(db: Db, groups: readonly (keyof RoundRobin)[]): Promise<(keyof RoundRobin)[]> {
  const ranks = await run<{ rank: number }>(db, QUEUED_RANKS, [groups.flatMap((which) => RANKS[which])]);
  return groups.filter((which) => RANKS[which].some((rank) => ranks.some((queued) => queued.rank === rank)));
}

/**
 * Claims at most `most` due rows. The claims end at the time `until`, so the mails of a worker that died before sending can be claimed
 * again. Mails for which somebody waits at the sign-in page come first, then join links, which strangers can request in large numbers. At
 * most `most - 1` rows are claimed in these two groups as long as other mails are due, so that the two groups cannot block the other mails.
 * Even a thousand mails of one distributor delay the mails of another distributor by one round at most.
 */
export async function claimDue(db: Db, turns: RoundRobin, claim: Claim): Promise<Mail[]> {
  const mails: Mail[] = [];
  const take = async (which: keyof RoundRobin, most: number): Promise<void> => {
    mails.push(...(await claimInTurn(db, turns, which, { ...claim, most: most - mails.length })));
  };
  const withoutKept = claim.most - 1;
  const first = await findQueued(db, ['urgent', 'joining']);
  for (const which of first) await take(which, withoutKept);
  await take('other', claim.most);
  // If no other mail is due, one more mail of the first two groups is claimed.
  if (mails.length === withoutKept) for (const which of first) await take(which, claim.most);
  return mails;
}

const BEGIN = `UPDATE emails SET status = 'sending', "leasedUntil" = $3, "from" = $4, "to" = $5, subject = $6, html = $7
  WHERE id = $1 AND status = 'queued' AND "leasedUntil" = $2 RETURNING id`;

/** Marks a mail as `sending`. Bytes of the mail may be sent only afterwards. Throws when another worker has claimed the row. */
export async function beginSending(db: Db, mail: Mail, { until, written }: { until: Date; written: SentContent }): Promise<void> {
  const { from, to, subject, html } = written;
  const begun = await run(db, BEGIN, [mail.id, mail.leasedUntil, until, from, to, subject, html]);
  if (begun.length === 0) throw new Error('another worker has this mail');
}

const END = `UPDATE emails SET status = $3, response = $4, success = $3 = 'sent', attempts = attempts + 1, "leasedUntil" = NULL,
    "sentAt" = CASE WHEN $3 = 'sent' THEN $5::timestamptz END, "nextAttemptAt" = coalesce($6, "nextAttemptAt"),
    "from" = coalesce($7, "from"), "to" = coalesce($8, "to"), subject = coalesce($9, subject), html = coalesce($10, html)
  WHERE id = $1 AND "leasedUntil" = ANY($2::timestamptz[]) AND status IN ('queued', 'sending')`;

const MAX_RESPONSE_LENGTH = 1000;
const oneLine = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_RESPONSE_LENGTH)
    .toWellFormed();

/**
 * Stores the outcome of an attempt, but only while the row still has a lease of this attempt: the lease of the claim (`mail.leasedUntil`)
 * or, after sending has begun, the lease that ends at `until`.
 */
export async function endAttempt(
  db: Db,
  mail: Mail,
  { end, until, written }: { end: AttemptEnd; until: Date; written?: SentContent | undefined },
): Promise<void> {
  const { status, response, now, nextAttemptAt } = end;
  const { from, to, subject, html } = written ?? {};
  const leases = [mail.leasedUntil, until];
  await run(db, END, [mail.id, leases, status, oneLine(response), now, nextAttemptAt, from, to, subject, html]);
}

const HOLD = `UPDATE emails SET "nextAttemptAt" = $3, response = $4, "leasedUntil" = NULL
  WHERE id = $1 AND "leasedUntil" = $2 AND status = 'queued'`;

/** Makes a claimed mail due at a later time. This does not count as an attempt to send the mail. */
export async function hold(db: Db, mail: Mail, { heldUntil, reason }: { heldUntil: Date; reason: string }): Promise<void> {
  await run(db, HOLD, [mail.id, mail.leasedUntil, heldUntil, reason]);
}

export async function deleteUnsent(db: Db, mail: Mail): Promise<void> {
  await run(db, `DELETE FROM emails WHERE id = $1 AND "leasedUntil" = $2 AND status = 'queued'`, [mail.id, mail.leasedUntil]);
}

const LOST = `UPDATE emails SET status = 'unknown', "leasedUntil" = NULL, attempts = attempts + 1, response = $2
  WHERE status = 'sending' AND "leasedUntil" < $1`;

/** Gives the state "unknown" to mails whose worker died while sending them, because these mails may have arrived (contract §8). */
export const endLost = (db: Db, now: Date): Promise<unknown[]> =>
  run(db, LOST, [now, 'The server was stopped while it handed this e-mail over. Nobody knows whether it arrived.']);
