// This pipeline stage limits how often one person saves per minute, and how often the staff of one tenant save together. Otherwise a client
// could fill the database (docs/reliability.md, "growth"). Each server process has its own counts of a minute. The counts of a day are shared
// (daily-row-limit.ts).
import type { FastifyRequest } from 'fastify';
import { counted } from '../../../../shared/counted.ts';
import type { Endpoint } from '../../../../shared/endpoint.ts';
import { recentUserOf } from '../../../auth/recent-sessions.ts';
import { HttpError } from '../../errors.ts';
import { sessionCookieOf } from '../../session-cookie.ts';
import { authorized } from '../authorize.ts';
import { countRowsOfDay, createDailyRowLimiters, secondsUntilRows, type DailyRowLimiters } from './daily-row-limit.ts';
import type { AppContext, Route } from '../route.ts';
import type { Viewer } from '../../../auth/session.ts';
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
interface Count {
  readonly count?: number;
  /** As how many saves the same request has been counted before. */
  readonly alreadyCounted?: number;
}

export class SaveLimiter {
  readonly #buckets = new Map<number, Bucket>();
  readonly #perMinute: number;
  readonly msPerSave: number;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.msPerSave = MINUTE / perMinute;
  }

  #savesOf({ saves, at }: Bucket, now: number): number {
    return Math.min(BURST_MINUTES * this.#perMinute, saves + (Math.max(0, now - at) * this.#perMinute) / MINUTE);
  }

  #forgetFull(now: number): void {
    for (const [id, bucket] of this.#buckets) if (this.#savesOf(bucket, now) >= BURST_MINUTES * this.#perMinute) this.#buckets.delete(id);
  }

  /**
   * A bucket holds at most the saves of BURST_MINUTES, so a larger `count` could never be allowed. It is lowered to this maximum minus the
   * saves as which the request has already been counted.
   */
  #wanted({ count = 1, alreadyCounted = 0 }: Count): number {
    return Math.max(0, Math.min(count, BURST_MINUTES * this.#perMinute - alreadyCounted));
  }

  #left(id: number, now: number): number {
    const bucket = this.#buckets.get(id);
    return bucket ? this.#savesOf(bucket, now) : BURST_MINUTES * this.#perMinute;
  }

  /** Returns 0 if this person or tenant may save `count` times now, otherwise the number of seconds until then. */
  secondsUntil(id: number, now: number, count: Count = {}): number {
    const missing = this.#wanted(count) - this.#left(id, now);
    return missing > 0 ? Math.ceil((missing * MINUTE) / this.#perMinute / 1000) : 0;
  }

  /** Counts saves of this person or tenant if they are allowed. Returns the same as `secondsUntil`. */
  take(id: number, now: number, count: Count = {}): number {
    const seconds = this.secondsUntil(id, now, count);
    if (seconds > 0) return seconds;
    if (this.#buckets.size >= MANY_BUCKETS) this.#forgetFull(now);
    this.#buckets.set(id, { saves: this.#left(id, now) - this.#wanted(count), at: now });
    return 0;
  }
}

/**
 * Whether a call counts toward the limit. Calls of public endpoints, signing out and changing the password do not count, so that they
 * always work.
 */
const counts = ({ method, roles, isExemptFromSaveLimit }: Endpoint): boolean =>
  method !== 'GET' && !roles.includes('public') && isExemptFromSaveLimit !== true;

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

interface Saves extends Count {
  readonly by: Pick<Viewer, 'userId' | 'role' | 'tenantId'>;
  readonly now: number;
}

/**
 * Counts saves toward the limits of the person and, for staff, of the tenant. If one of the limits refuses the saves, neither limit counts
 * them.
 */
function take({ customer }: SaveLimiters, staff: StaffLimiters, { by, now, ...count }: Saves): number {
  if (by.role === 'customer') return customer.take(by.userId, now, count);
  return (
    staff.tenant.secondsUntil(by.tenantId, now, count) ||
    staff.person.take(by.userId, now, count) ||
    staff.tenant.take(by.tenantId, now, count)
  );
}

const staffLimitersOf = ({ staff, imports }: SaveLimiters, { isImport }: Endpoint): StaffLimiters => (isImport ? imports : staff);

const tooFast = (seconds: number): HttpError =>
  new HttpError(429, `Too many changes in a short time. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`, {}, seconds);

/** Returns a duration as text, rounded up: '90 seconds', '3 minutes' or '5 hours'. */
function durationText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return seconds < 120 ? counted(seconds, 'second') : minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
}

const tooManyRows = (seconds: number): HttpError =>
  new HttpError(429, `Too many changes in one day. Try again in ${durationText(seconds)}.`, {}, seconds);

const countedBefore = new WeakSet<FastifyRequest>();

/**
 * Counts the save before the session and its preload are read, if this process knows the session. A save above the limit is then refused
 * without its preload, which would cost more than the refusal.
 */
export const limitKnownSaves = ({ env, now }: AppContext, { endpoint }: Route, limiters: SaveLimiters) =>
  async function limitKnownSaves(request: FastifyRequest): Promise<void> {
    const user = recentUserOf(sessionCookieOf(env, request));
    if (env.savesPerMinute === 0 || !counts(endpoint) || !user || !endpoint.roles.includes(user.role)) return;
    const seconds = take(limiters, staffLimitersOf(limiters, endpoint), { by: user, now: now().getTime() });
    if (seconds > 0) throw tooFast(seconds);
    countedBefore.add(request);
  };

/** Refuses the call of a person who saves too fast, with status 429 and a Retry-After header. All routes share the counts. */
export const limitSaves = ({ env, now }: AppContext, { endpoint }: Route, limiters: SaveLimiters) =>
  async function limitSaves(request: FastifyRequest): Promise<void> {
    const viewer = authorized.get(request);
    if (env.savesPerMinute === 0 || !counts(endpoint) || !viewer || countedBefore.has(request)) return;
    const seconds = take(limiters, staffLimitersOf(limiters, endpoint), { by: viewer, now: now().getTime() });
    if (seconds > 0) throw tooFast(seconds);
  };

/**
 * A request that writes more rows than this counts as several saves. The fields of a body count as rows, too, but a body that describes a
 * single row has at most this many fields.
 */
const ROWS_OF_ONE_SAVE = 20;

/** Returns how many rows a request writes: the length of the longest list in its body, or the number of fields, such as weights. */
function rowsIn(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 1;
  const lists = Object.values(body).filter((value) => Array.isArray(value));
  return Math.max(Object.keys(body).length, ...lists.map((list) => list.length));
}

/** A request with a larger body counts as several saves. */
const BYTES_OF_ONE_SAVE = 2000;

/**
 * Returns the number of bytes that count toward the limit of saves. Imports and calls with a `bodyLimit` of their own need large bodies, so
 * their bytes do not count. Other limits restrict these calls, for example how many mails a distributor may send in a day, and how many
 * people and pictures a distributor may have.
 */
function bytesOf({ headers, body }: FastifyRequest, { isImport, bodyLimit }: Endpoint): number {
  if (isImport || bodyLimit !== undefined || body === undefined) return 0;
  // A request with a body and without this header was refused with 411.
  return Number(headers['content-length'] ?? 0);
}

/** Returns as how many saves a request counts because of its body. */
function savesOf(request: FastifyRequest, endpoint: Endpoint): number {
  const rows = Math.max(endpoint.rows ?? 1, rowsIn(request.body));
  return Math.ceil(Math.max(rows / ROWS_OF_ONE_SAVE, bytesOf(request, endpoint) / BYTES_OF_ONE_SAVE));
}

/**
 * Counts a request as `count` saves if this is more than the saves as which it has already been counted. Requests of staff with
 * many rows count toward the limit of ordinary saves, because the limit of imports is for requests with one row.
 */
function takeMore(limiters: SaveLimiters, { by, now, count = 1, alreadyCounted = 1 }: Saves): void {
  if (count <= alreadyCounted) return;
  const seconds = take(limiters, limiters.staff, { by, now, count: count - alreadyCounted, alreadyCounted });
  // When the client repeats the request, it is first counted as the same number of saves again. The wait includes the time for them.
  const { msPerSave } = by.role === 'customer' ? limiters.customer : limiters.staff.person;
  if (seconds > 0) throw tooFast(seconds + Math.ceil((alreadyCounted * msPerSave) / 1000));
}

/**
 * Counts a request with many rows or a large body as several saves, after its body was validated. If each request counted once, a person
 * could write millions of rows an hour. That person could use up the 2,147,483,647 ids of a table, after which no distributor could save
 * anything. Also refuses the request of a person who has saved as many rows as a day allows.
 */
export const limitRows = ({ db, env, now }: AppContext, { endpoint }: Route, limiters: SaveLimiters) =>
  async function limitRows(request: FastifyRequest): Promise<void> {
    const viewer = authorized.get(request);
    if (env.savesPerMinute === 0 || !counts(endpoint) || !viewer) return;
    takeMore(limiters, { by: viewer, now: now().getTime(), count: savesOf(request, endpoint) });
    const seconds = await secondsUntilRows(db, limiters.daily, viewer, now());
    if (seconds > 0) throw tooManyRows(seconds);
    countRowsOfDay(limiters.daily, viewer, endpoint.rows ?? 1);
  };

/**
 * Returns the function with which a route counts the rows that it changes (see RouteContext). The request already counts as one row of the
 * day, and as the saves of its body.
 */
export const rowCounter =
  ({ env, now }: AppContext, { endpoint }: Route, limiters: SaveLimiters, request: FastifyRequest) =>
  (rows: number): void => {
    const viewer = authorized.get(request);
    if (env.savesPerMinute === 0 || !counts(endpoint) || !viewer) return;
    const count = Math.ceil(rows / ROWS_OF_ONE_SAVE);
    takeMore(limiters, { by: viewer, now: now().getTime(), count, alreadyCounted: savesOf(request, endpoint) });
    countRowsOfDay(limiters.daily, viewer, Math.max(0, rows - 1));
  };
