// This pipeline stage limits how often one person saves per minute, and how often the staff of one tenant save together. Otherwise a client
// could fill the database (docs/reliability.md, "growth"). Each server process has its own counts of a minute. The counts of a day are shared
// (daily-row-limit.ts).
import type { FastifyRequest } from 'fastify';
import { counted } from '../../../../shared/counted.ts';
import type { Endpoint } from '../../../../shared/endpoint.ts';
import { tooMany, type HttpError } from '../../../errors.ts';
import type { Env } from '../../../operations/env.ts';
import { hasLongBody } from '../../admission-rules.ts';
import { knownUserOf } from '../../fair-admission.ts';
import { authorized } from '../authorize.ts';
import { rowsOf, rowsOfRequest, savesOf, savesOfRequest } from './counted-rows.ts';
import { countRowsOfDay, createDailyRowLimiters, secondsUntilRows, type DailyRowLimiters } from './daily-row-limit.ts';
import type { CountRows } from '../../../database/count-rows.ts';
import type { AppContext, Route } from '../route.ts';
import type { AuthResult, Viewer } from '../../../auth/session.ts';
import { MINUTE } from '../../../../domain/durations.ts';

/**
 * A person who has not saved for this many minutes may do all saves of these minutes at once. A short burst, for example from several open
 * windows, is therefore accepted.
 */
const BURST_MINUTES = 5;
/**
 * The limiter keeps a bucket with the number of allowed saves for each person who saves, and one for the staff of each tenant. When there
 * are MANY_BUCKETS, the full ones are deleted, because a missing bucket counts as full.
 */
const MANY_BUCKETS = 10_000;

interface Bucket {
  saves: number;
  at: number;
}

export class SaveLimiter {
  readonly #buckets = new Map<number, Bucket>();
  readonly msPerSave: number;
  /** The number of saves in a full bucket. */
  readonly burst: number;

  constructor(perMinute: number) {
    this.msPerSave = MINUTE / perMinute;
    this.burst = BURST_MINUTES * perMinute;
  }

  #savesOf({ saves, at }: Bucket, now: number): number {
    return Math.min(this.burst, saves + Math.max(0, now - at) / this.msPerSave);
  }

  #forgetFull(now: number): void {
    for (const [id, bucket] of this.#buckets) if (this.#savesOf(bucket, now) >= this.burst) this.#buckets.delete(id);
  }

  #left(id: number, now: number): number {
    const bucket = this.#buckets.get(id);
    return bucket ? this.#savesOf(bucket, now) : this.burst;
  }

  /** Returns 0 if this person or tenant may save `count` times now, otherwise the number of seconds until then. */
  secondsUntil(id: number, now: number, count = 1): number {
    const missing = count - this.#left(id, now);
    return missing > 0 ? Math.ceil((missing * this.msPerSave) / 1000) : 0;
  }

  /**
   * Counts saves of this person or tenant, also more than are left. The bucket is then negative, by at most the saves of a full bucket, and
   * the next saves are refused.
   */
  count(id: number, now: number, saves: number): void {
    if (this.#buckets.size >= MANY_BUCKETS) this.#forgetFull(now);
    this.#buckets.set(id, { saves: Math.max(-this.burst, this.#left(id, now) - saves), at: now });
  }

  /** Counts saves of this person or tenant if they are allowed. Returns the same as `secondsUntil`. */
  take(id: number, now: number, count = 1): number {
    const seconds = this.secondsUntil(id, now, count);
    if (seconds === 0) this.count(id, now, count);
    return seconds;
  }
}

/**
 * Whether a request counts toward the limit. Signing out, changing the password and similar calls count only with a long body: otherwise such
 * bodies could fill the memory, and with a short one these calls must always work. Public calls do not count; their long bodies have limits
 * of their own (admission-rules.ts).
 */
const counts = ({ savesPerMinute }: Env, { method, roles, isExemptFromSaveLimit }: Endpoint, request: FastifyRequest): boolean =>
  savesPerMinute !== 0 && method !== 'GET' && !roles.includes('public') && (isExemptFromSaveLimit !== true || hasLongBody(request));

/** Staff may save this many times as often as a customer, because they weigh, collect payments and edit orders for many families. */
const STAFF_TIMES = 5;
/**
 * Staff may send the calls with `isImport` this many times as often as a customer may save, because an import sends one request for each of
 * up to 5,000 rows.
 */
const IMPORT_TIMES = 25;

/**
 * All staff of a tenant together may save this many times as often as one member of staff. Otherwise a distributor could save as often as
 * it likes by adding agents. The limit is far above the work of a pick-up day: in a hall with 20 stations, each station may save five times
 * a second all the time. One person alone cannot reach it, so no agent can lock out the others. The customers of a tenant have no common
 * limit, because thousands of families may order in the same minute.
 */
const TENANT_TIMES = 10;

interface StaffLimiters {
  readonly person: SaveLimiter;
  readonly tenant: SaveLimiter;
}
const createStaffLimiters = (perMinute: number): StaffLimiters => ({
  person: new SaveLimiter(perMinute),
  tenant: new SaveLimiter(TENANT_TIMES * perMinute),
});

export interface SaveLimiters {
  readonly customer: SaveLimiter;
  readonly staff: StaffLimiters;
  readonly imports: StaffLimiters;
  readonly daily: DailyRowLimiters;
}
export const createSaveLimiters = (perMinute: number): SaveLimiters => ({
  customer: new SaveLimiter(perMinute),
  staff: createStaffLimiters(STAFF_TIMES * perMinute),
  imports: createStaffLimiters(IMPORT_TIMES * perMinute),
  daily: createDailyRowLimiters(perMinute),
});

interface Saves {
  readonly by: Pick<Viewer, 'userId' | 'role' | 'tenantId'>;
  readonly now: number;
  readonly count: number;
}

/**
 * Counts saves toward the limits of the person and, for staff, of the tenant. If one of the limits refuses the saves, neither limit counts
 * them.
 */
function take({ customer }: SaveLimiters, staff: StaffLimiters, { isEmergency }: Endpoint, { by, now, count }: Saves): number {
  if (by.role === 'customer') return customer.take(by.userId, now, count);
  const seconds = (isEmergency ? 0 : staff.tenant.secondsUntil(by.tenantId, now, count)) || staff.person.take(by.userId, now, count);
  if (seconds === 0) staff.tenant.count(by.tenantId, now, count);
  return seconds;
}

const tooFast = (seconds: number): HttpError =>
  tooMany(`Too many changes in a short time. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`, seconds);

/** Returns a duration as text, rounded up: '90 seconds', '3 minutes' or '5 hours'. */
function durationText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return seconds < 120 ? counted(seconds, 'second') : minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
}

const tooManyRows = (seconds: number): HttpError => tooMany(`Too many changes in one day. Try again in ${durationText(seconds)}.`, seconds);

/** As how many saves each request counts so far. */
const savesSoFar = new WeakMap<FastifyRequest, number>();

/**
 * Returns as how many more saves the request counts if it counts as `count` saves in all. A bucket holds at most the saves of BURST_MINUTES,
 * so a larger `count` could never be allowed. It is lowered to this maximum.
 */
function moreSaves({ customer, staff }: SaveLimiters, request: FastifyRequest, { by, count }: Saves): number {
  const { burst } = by.role === 'customer' ? customer : staff.person;
  return Math.max(0, Math.min(count, burst) - (savesSoFar.get(request) ?? 0));
}

/**
 * Counts the request as `count` saves in all, or throws 429. Requests of staff with many rows count toward the limit of ordinary saves,
 * because the limit of imports is for requests with one row. So do the rows that an import has changed during its work, and no import is
 * accepted while they have made a bucket of ordinary saves negative.
 */
function takeSaves(limiters: SaveLimiters, { endpoint }: Route, request: FastifyRequest, saves: Saves): void {
  const soFar = savesSoFar.get(request) ?? 0;
  const more = moreSaves(limiters, request, saves);
  if (more === 0) return;
  const isOneImport = endpoint.isImport === true && soFar === 0;
  const seconds =
    (isOneImport ? take(limiters, limiters.staff, endpoint, { ...saves, count: 0 }) : 0) ||
    take(limiters, isOneImport ? limiters.imports : limiters.staff, endpoint, { ...saves, count: more });
  // When the client repeats the request, it is first counted as the same number of saves again. The wait includes the time for them.
  const { msPerSave } = saves.by.role === 'customer' ? limiters.customer : limiters.staff.person;
  if (seconds > 0) throw tooFast(seconds + Math.ceil((soFar * msPerSave) / 1000));
  savesSoFar.set(request, soFar + more);
}

/**
 * Like `takeSaves`, but never refuses the request, because it has begun its work, which a refusal would not undo. The next requests of the
 * person are refused instead.
 */
function countSaves(limiters: SaveLimiters, request: FastifyRequest, saves: Saves): void {
  const { by, now } = saves;
  const more = moreSaves(limiters, request, saves);
  if (by.role === 'customer') limiters.customer.count(by.userId, now, more);
  else {
    limiters.staff.person.count(by.userId, now, more);
    limiters.staff.tenant.count(by.tenantId, now, more);
  }
  savesSoFar.set(request, (savesSoFar.get(request) ?? 0) + more);
}

/**
 * Refuses the call of a person who saves too fast, with status 429 and a Retry-After header. All routes share the counts. A request with many
 * rows or a large body counts as several saves. If each request counted once, a person could write millions of rows an hour. That person
 * could use up the 2,147,483,647 ids of a table, after which no distributor could save anything.
 *
 * The stage runs several times for a request, which still counts only once. It runs before the body of the request is read, and again with the
 * body. If this process knows the session, it runs before the session and its preload are read, because the preload of a save above the limit
 * would cost more than the refusal.
 */
export const limitSaves = ({ env, now }: AppContext, route: Route, limiters: SaveLimiters) =>
  async function limitSaves(request: FastifyRequest): Promise<void> {
    const { endpoint } = route;
    const by = knownUserOf(env, request);
    if (!by || !counts(env, endpoint, request)) return;
    // The role may be checked only after the body was read, so a long body counts for every role.
    if (!endpoint.roles.includes(by.role) && !hasLongBody(request)) return;
    takeSaves(limiters, route, request, { by, now: now().getTime(), count: savesOfRequest(request, endpoint) });
  };

/** Refuses the request of a person who has saved as many rows as a day allows. */
export const limitRowsOfDay = ({ db, env, now }: AppContext, { endpoint }: Route, { daily }: SaveLimiters) =>
  async function limitRowsOfDay(request: FastifyRequest): Promise<void> {
    const by = authorized.get(request);
    if (!by || !counts(env, endpoint, request)) return;
    const seconds = await secondsUntilRows(db, daily, { ...by, isEmergency: endpoint.isEmergency }, now());
    if (seconds > 0) throw tooManyRows(seconds);
    countRowsOfDay(daily, by, rowsOfRequest(request, endpoint));
  };

/**
 * Returns a function that counts the order lines that the session preload has read. They count before anything can refuse the request,
 * because reading them was its most expensive part.
 */
export const countPreloadedLines =
  ({ env, now }: AppContext, { endpoint, sessionPreload }: Route, limiters: SaveLimiters) =>
  (request: FastifyRequest, { viewer: by, preloaded }: AuthResult): void => {
    const lines = preloaded ? (sessionPreload?.linesRead?.(preloaded) ?? 0) : 0;
    const count = savesOf({ read: lines });
    if (count <= 1 || !counts(env, endpoint, request)) return;
    countSaves(limiters, request, { by, now: now().getTime(), count });
  };

/**
 * Returns the function with which a route counts its rows (see CountRows). The request already counts as the rows of the day and as the
 * saves of its body. The largest of the numbers of rows for its body, its changed rows and its stored bytes counts. So does the largest of
 * the numbers of saves for its body, its changed, read and summed rows and its stored bytes.
 */
export const rowCounter = ({ env, now }: AppContext, { endpoint }: Route, limiters: SaveLimiters, request: FastifyRequest): CountRows => {
  let allSummed = 0;
  let ofDay = rowsOfRequest(request, endpoint);
  return ({ summed = 0, ...counted }) => {
    const by = authorized.get(request);
    if (!by || !counts(env, endpoint, request)) return;
    allSummed += summed;
    countSaves(limiters, request, { by, now: now().getTime(), count: savesOf({ ...counted, summed: allSummed }) });
    const more = Math.max(0, rowsOf(counted) - ofDay);
    countRowsOfDay(limiters.daily, by, more);
    ofDay += more;
  };
};
