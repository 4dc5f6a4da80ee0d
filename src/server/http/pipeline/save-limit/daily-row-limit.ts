// Limits how many rows a person saves in a day. Without this limit, a person within the limit of saves per minute could add a million audit
// rows a day, which are never deleted (reliability, "growth").
import type { Viewer } from '../../../auth/session.ts';
import { runSingle, type Db } from '../../../database/db.ts';
import { DAY, SECOND } from '../../../../domain/durations.ts';

/**
 * A server process counts a person's rows in its memory, and adds them to the shared count in the database after this many rows. Most people
 * save fewer rows, so their saves need no further statement.
 */
const SHARED_AFTER = 500;
/**
 * When the process counts the rows of this many people, it forgets the counts that it has not added to the database yet, which are small.
 */
const MANY_PEOPLE = 100_000;

// The count decreases all the time, by the rows of a day in a day. The clocks of servers differ, so the time since the last count may be
// negative.
const ADD = `INSERT INTO saved_rows AS s ("userId", "ofAllStaff", rows, "countedAt") VALUES ($1, $2, $3, $4)
  ON CONFLICT ("userId", "ofAllStaff") DO UPDATE
    SET rows = excluded.rows + greatest(0, s.rows - $5::float8 * greatest(0, extract(epoch FROM excluded."countedAt" - s."countedAt"))),
      "countedAt" = greatest(s."countedAt", excluded."countedAt")
  RETURNING rows`;

class DailyRowLimiter {
  readonly #rowsPerSecond: number;
  readonly #perDay: number;
  readonly #ofAllStaff: boolean;
  /** The rows of each person or tenant that are not in the database yet. */
  readonly #counted = new Map<number, number>();
  /** The times in milliseconds until which saves of a person or tenant are refused. */
  readonly #refusedUntil = new Map<number, number>();

  constructor(perDay: number, { ofAllStaff = false } = {}) {
    this.#perDay = perDay;
    this.#rowsPerSecond = perDay / (DAY / SECOND);
    this.#ofAllStaff = ofAllStaff;
  }

  /** Counts rows of this person or tenant. */
  count(id: number, rows: number): void {
    if (this.#counted.size >= MANY_PEOPLE) this.#counted.clear();
    this.#counted.set(id, (this.#counted.get(id) ?? 0) + rows);
  }

  /** Returns 0 if this person or tenant may save now, otherwise the number of seconds until then. */
  async secondsUntil(db: Db, id: number, now: Date): Promise<number> {
    const rows = this.#counted.get(id) ?? 0;
    if (rows >= SHARED_AFTER) {
      this.#counted.delete(id);
      const shared = await runSingle<{ rows: number }>(db, ADD, [id, this.#ofAllStaff, rows, now, this.#rowsPerSecond]);
      const excess = shared.rows - this.#perDay;
      if (excess > 0) this.#refusedUntil.set(id, now.getTime() + (excess / this.#rowsPerSecond) * SECOND);
    }
    const wait = (this.#refusedUntil.get(id) ?? 0) - now.getTime();
    if (wait <= 0) this.#refusedUntil.delete(id);
    return wait > 0 ? Math.ceil(wait / SECOND) : 0;
  }
}

/**
 * A customer may save this many rows a day for each save that SAVES_PER_MINUTE allows: 24,000 rows with the default of 120. A family that
 * changes all 300 lines of its order can do so 80 times a day.
 */
const ROWS_PER_DAY = 200;
/**
 * The same number for a customer who joined through a join link: 2,400 rows with the default, so that an order of 60 lines can be changed 40
 * times. It is lower because one person with many e-mail addresses can join many times.
 */
const ROWS_PER_DAY_OF_JOINED = 20;
/** One member of staff may save this many times as many rows a day as a customer, for example to change 20 lines of 30,000 orders. */
const STAFF_TIMES = 25;
/** All staff of a tenant together may save this many times as many rows a day as one of them, so that no agent can lock out the others. */
const TENANT_TIMES = 4;

export interface DailyRowLimiters {
  readonly customer: DailyRowLimiter;
  readonly joined: DailyRowLimiter;
  readonly staff: DailyRowLimiter;
  readonly tenant: DailyRowLimiter;
}
export function createDailyRowLimiters(savesPerMinute: number): DailyRowLimiters {
  const ofCustomer = ROWS_PER_DAY * savesPerMinute;
  return {
    customer: new DailyRowLimiter(ofCustomer),
    joined: new DailyRowLimiter(ROWS_PER_DAY_OF_JOINED * savesPerMinute),
    staff: new DailyRowLimiter(STAFF_TIMES * ofCustomer),
    tenant: new DailyRowLimiter(TENANT_TIMES * STAFF_TIMES * ofCustomer, { ofAllStaff: true }),
  };
}

type Saver = Pick<Viewer, 'userId' | 'role' | 'tenantId' | 'hasJoined'>;

/** Returns the limiters of a person's saves, each with the id under which it counts them. An admin belongs to no tenant. */
function limitersOf(
  { customer, joined, staff, tenant }: DailyRowLimiters,
  { userId, role, tenantId, hasJoined }: Saver,
): [DailyRowLimiter, number][] {
  if (role === 'customer') return [[hasJoined ? joined : customer, userId]];
  return role === 'admin'
    ? [[staff, userId]]
    : [
        [staff, userId],
        [tenant, tenantId],
      ];
}

/** Counts saved rows toward the limits of the person and, for staff, of the tenant. */
export function countRowsOfDay(limiters: DailyRowLimiters, by: Saver, rows: number): void {
  for (const [limiter, id] of limitersOf(limiters, by)) limiter.count(id, rows);
}

/**
 * Returns 0 if the person has saved fewer rows than the limits of a day, otherwise the number of seconds until the next save. The rows of
 * others of the staff never delay an emergency call.
 */
export async function secondsUntilRows(
  db: Db,
  limiters: DailyRowLimiters,
  { isEmergency, ...by }: Saver & { readonly isEmergency?: true | undefined },
  now: Date,
): Promise<number> {
  const limiting = limitersOf(limiters, by).filter(([limiter]) => !isEmergency || limiter !== limiters.tenant);
  const waits = await Promise.all(limiting.map(([limiter, id]) => limiter.secondsUntil(db, id, now)));
  return Math.max(...waits);
}
