// Changes the state of a mail's row. The row is first queued, and then a worker claims it with a lease. While the row is `sending`, bytes
// of the mail may already have been sent.
import { run, type Db } from '../database/db.ts';
import type { Row } from '../database/schema.ts';

export type Mail = Row<'emails'>;
/** `leases` has the end of the worker's claim, and the later end by each renewal of the claim. */
export interface ClaimedMail extends Mail {
  readonly leases: Date[];
}

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
 * the sign-in page; the second has the mails that join links cause; the third has all other mails.
 */
export interface RoundRobin {
  urgent: number;
  joining: number;
  other: number;
}
export const newRoundRobin = (): RoundRobin => ({ urgent: -1, joining: -1, other: -1 });

type MailGroup = keyof RoundRobin;
const GROUPS: readonly MailGroup[] = ['urgent', 'joining', 'other'];

/** The number of mails that one worker sends at the same time. When it is killed, the outcome of at most this many mails is unknown. */
const PLACES = 5;
/** The numbers of places that the mails of one tenant may occupy in one group, and in all groups together. */
const PLACES_IN_GROUP = 2;
const PLACES_OF_TENANT = 3;

// The SQL expression for the rank of a mail, by its kind. It must equal the expression of the indexes emails_due_in_turn and
// emails_by_network, so that PostgreSQL can use the indexes.
const RANK = `(CASE WHEN kind = 'reset' THEN 0 WHEN kind IN ('join', 'exists') THEN 1 WHEN kind = 'bulk' THEN 3 ELSE 2 END)`;
const TENANT = 'coalesce("distributorId", "joinDistributorId", 0)';
const RANKS = { urgent: [0], joining: [1], other: [2, 3] } as const;

const nextTenant = (after: string): string => `SELECT min(first.tenant) AS tenant FROM unnest($4::int[]) r (rank), LATERAL
  (SELECT ${TENANT} AS tenant FROM emails WHERE status = 'queued' AND ${RANK} = r.rank AND ${TENANT} > ${after} ORDER BY ${TENANT} LIMIT 1) first`;
// A worker does not claim a mail again that it is still sending ($8), even if the claim has expired.
const DUE = `status = 'queued' AND "nextAttemptAt" <= $1 AND ("leasedUntil" IS NULL OR "leasedUntil" < $1) AND id <> ALL ($8::int[])`;

// This statement claims due mails, and lets the tenants take turns. Its part `turns` visits the tenants with queued mails, with one index
// lookup each. It begins after tenant $5 and ends with that tenant, or when enough tenants have a due mail. The statement takes the first
// mail of each of these tenants, and then the second mail of each, as long as the tenant has room for them beside its mails that are being
// sent ($6 of the group, $7 of all groups). Of the mails of a tenant, those come first whose network has requested the fewest links. Rows
// that another worker is claiming are skipped.
const CLAIM = `WITH RECURSIVE turns (tenant, wrapped, turn) AS (
    SELECT $5::int, false, 0
    UNION ALL
    SELECT following.* FROM turns, LATERAL (
      SELECT tenant, wrapped, turns.turn + 1 FROM (${nextTenant('turns.tenant')}) later, (SELECT turns.wrapped) w (wrapped) WHERE tenant IS NOT NULL
      UNION ALL
      SELECT tenant, true, turns.turn + 1 FROM (${nextTenant('-1')}) first WHERE NOT turns.wrapped AND tenant IS NOT NULL
      LIMIT 1) following (tenant, wrapped, turn)
    WHERE NOT (following.wrapped AND following.tenant > $5)),
  served AS (SELECT tenant, turn, room FROM turns, LATERAL (SELECT least(${PLACES_IN_GROUP} - cardinality(array_positions($6::int[], tenant)),
      ${PLACES_OF_TENANT} - cardinality(array_positions($7::int[], tenant))) AS room) free WHERE turn > 0 AND room > 0 AND EXISTS (
    SELECT FROM unnest($4::int[]) r (rank), LATERAL (SELECT id FROM emails WHERE ${DUE} AND ${RANK} = r.rank AND ${TENANT} = tenant LIMIT 1) d) LIMIT $3),
  mails AS (SELECT d.id, turn, room, row_number() OVER (PARTITION BY turn ORDER BY d.rank, d."networkRequests", d."nextAttemptAt", d.id) AS round
    FROM served, LATERAL (SELECT r.rank, e.* FROM unnest($4::int[]) r (rank), LATERAL (SELECT id, "networkRequests", "nextAttemptAt" FROM emails
      WHERE ${DUE} AND ${RANK} = r.rank AND ${TENANT} = tenant ORDER BY "networkRequests", "nextAttemptAt", id LIMIT ${PLACES_IN_GROUP}) e) d),
  ordered AS (SELECT array_agg(id ORDER BY round, turn) AS ids FROM mails WHERE round <= room),
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

/** Returns the group of a mail, by the same kinds as RANK. */
function groupOf({ kind }: Mail): MailGroup {
  if (kind === 'join' || kind === 'exists') return 'joining';
  return kind === 'reset' ? 'urgent' : 'other';
}

/** Returns how many more mails of a group a worker may send at the same time. One place is kept for each of the other groups. */
function freePlaces(which: MailGroup, sending: readonly Mail[]): number {
  const places = (group: MailGroup): number => {
    const occupied = sending.filter((mail) => groupOf(mail) === group).length;
    return group === which ? occupied : Math.max(1, occupied);
  };
  return GROUPS.reduce((free, group) => free - places(group), PLACES);
}

interface Claim {
  readonly now: Date;
  readonly until: Date;
  /** The mails that this worker is sending. */
  readonly sending: readonly Mail[];
}

async function claimInTurn(db: Db, turns: RoundRobin, which: MailGroup, { now, until, sending }: Claim): Promise<ClaimedMail[]> {
  const most = freePlaces(which, sending);
  if (most === 0) return [];
  const ofGroup = sending.filter((mail) => groupOf(mail) === which);
  const busy = [ofGroup.map(tenantOf), sending.map(tenantOf), sending.map(({ id }) => id)];
  const rows = await run<Mail>(db, CLAIM, [now, until, most, RANKS[which], turns[which], ...busy]);
  const mails = rows.map((row) => ({ ...row, leases: [until] }));
  turns[which] = lastServed(mails, turns[which]);
  return mails;
}

const QUEUED_RANKS = `SELECT r.rank FROM unnest($1::int[]) r (rank) WHERE EXISTS (SELECT FROM emails WHERE status = 'queued' AND ${RANK} = r.rank)`;

/** Finds which groups have queued mails. This is much cheaper than a claim, and usually no mail for the sign-in page is queued. */
async function findQueued(db: Db): Promise<MailGroup[]> {
  const ranks = await run<{ rank: number }>(db, QUEUED_RANKS, [GROUPS.flatMap((which) => RANKS[which])]);
  return GROUPS.filter((which) => RANKS[which].some((rank) => ranks.some((queued) => queued.rank === rank)));
}

/**
 * Claims due rows for the free places of a worker. The claims end at the time `until`, so the mails of a worker that died before sending can
 * be claimed again. Mails for which somebody waits at the sign-in page come first, then join links and notices that an account exists, which
 * strangers can request in large numbers. Each of the three groups has a place of its own, and the groups share the other two places. The mails of one tenant occupy at
 * most three places, two of them in one group. So neither many mails of one group or tenant nor a mail server that accepts them slowly can
 * delay the mails of other groups and tenants.
 */
export async function claimDue(db: Db, turns: RoundRobin, { sending, ...claim }: Claim): Promise<ClaimedMail[]> {
  const mails: ClaimedMail[] = [];
  for (const which of await findQueued(db)) {
    mails.push(...(await claimInTurn(db, turns, which, { ...claim, sending: [...sending, ...mails] })));
  }
  return mails;
}

// A row that another transaction has locked is left out, so that no worker waits for this transaction.
const RENEW = `UPDATE emails SET "leasedUntil" = $3 WHERE id IN (SELECT id FROM emails
  WHERE id = $1 AND "leasedUntil" = ANY($2::timestamptz[]) AND status = 'queued' FOR UPDATE SKIP LOCKED)`;

/** Extends the claims of those mails that a worker has not begun to send, unless another worker has claimed the row. */
export async function renewClaims(db: Db, mails: readonly ClaimedMail[], until: Date): Promise<void> {
  for (const mail of mails) {
    // The time is noted before it is stored, because `beginSending` may run in between.
    mail.leases.push(until);
    await run(db, RENEW, [mail.id, mail.leases, until]);
  }
}

const BEGIN = `UPDATE emails SET status = 'sending', "leasedUntil" = $3, "from" = $4, "to" = $5, subject = $6, html = $7
  WHERE id = $1 AND status = 'queued' AND "leasedUntil" = ANY($2::timestamptz[]) RETURNING id`;

/** Marks a mail as `sending`. Bytes of the mail may be sent only afterwards. Throws when another worker has claimed the row. */
export async function beginSending(db: Db, mail: ClaimedMail, { until, written }: { until: Date; written: SentContent }): Promise<void> {
  const { from, to, subject, html } = written;
  const begun = await run(db, BEGIN, [mail.id, mail.leases, until, from, to, subject, html]);
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
 * Stores the outcome of an attempt, but only while the row still has a lease of this attempt: a lease of the claim (`mail.leases`) or,
 * after sending has begun, the lease that ends at `until`.
 */
export async function endAttempt(
  db: Db,
  mail: ClaimedMail,
  { end, until, written }: { end: AttemptEnd; until: Date; written?: SentContent | undefined },
): Promise<void> {
  const { status, response, now, nextAttemptAt } = end;
  const { from, to, subject, html } = written ?? {};
  const leases = [...mail.leases, until];
  await run(db, END, [mail.id, leases, status, oneLine(response), now, nextAttemptAt, from, to, subject, html]);
}

const HOLD = `UPDATE emails SET "nextAttemptAt" = $3, response = $4, "leasedUntil" = NULL
  WHERE id = $1 AND "leasedUntil" = ANY($2::timestamptz[]) AND status = 'queued'`;

/** Makes a claimed mail due at a later time. This does not count as an attempt to send the mail. */
export async function hold(db: Db, mail: ClaimedMail, { heldUntil, reason }: { heldUntil: Date; reason: string }): Promise<void> {
  await run(db, HOLD, [mail.id, mail.leases, heldUntil, reason]);
}

export async function deleteUnsent(db: Db, mail: ClaimedMail): Promise<void> {
  await run(db, `DELETE FROM emails WHERE id = $1 AND "leasedUntil" = ANY($2::timestamptz[]) AND status = 'queued'`, [
    mail.id,
    mail.leases,
  ]);
}

const LOST = `UPDATE emails SET status = 'unknown', "leasedUntil" = NULL, attempts = attempts + 1, response = $2
  WHERE status = 'sending' AND "leasedUntil" < $1`;

/** Gives the state "unknown" to mails whose worker died while sending them, because these mails may have arrived (contract §8). */
export const endLost = (db: Db, now: Date): Promise<unknown[]> =>
  run(db, LOST, [now, 'The server was stopped while it handed this e-mail over. Nobody knows whether it arrived.']);
