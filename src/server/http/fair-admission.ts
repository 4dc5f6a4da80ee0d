// Limits how many requests of one client run at once. A client is a signed-in person, all staff of a tenant, or all signed-out people of a
// network. Further requests wait before their body is read, so that no client can occupy the event loop and the database alone
// (docs/reliability.md, "abuse").
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../operations/env.ts';
import { recentUserOf, type RecentUser } from '../auth/recent-sessions.ts';
import {
  admissionOf,
  groupsOf,
  hasLongBody,
  limitsOfReplies,
  limitsOfRequests,
  mustCountForPerson,
  turnOf,
  type Admission,
} from './admission-rules.ts';
import { clientGone, HttpError } from '../errors.ts';
import { createActiveGroups, createCounts } from '../queues/counts.ts';
import { sessionCookieOf } from './session-cookie.ts';
import { createLimiter, createLimiters, limitPerIteration, type JobOptions, type Limiter } from '../queues/limiter.ts';
import { limitUnfinishedBodies } from './limits/unfinished-bodies.ts';
import { createUnreadReplies } from './limits/unread-replies.ts';
import { afterParsing, shortBodyArrived, type Timeouts } from './timeouts.ts';

/**
 * The number of milliseconds by which the reply to a refused request is delayed, so that a client that retries immediately causes little
 * work. If a route has refused a request with a long body with 429, this request still counts as running for the same time.
 */
const REFUSED_AFTER_MS = 1000;

/**
 * After this many milliseconds, a running request no longer counts toward the limit, because it may be waiting in another queue. A request
 * whose long body has not been parsed yet counts until it is parsed: otherwise, the bodies of a client could fill the memory.
 */
const MAX_HOLD_MS = 1000;

/**
 * The number of requests of all clients that start in one iteration of the event loop. Further requests wait. The tenants take turns, and so
 * do the people of each, so that many short requests of one tenant delay a request of another tenant by a few milliseconds at most.
 */
const STARTS_PER_ITERATION = 8;

/**
 * While requests of other groups run, or have run within the last second, a group of signed-in people may start this many saves and this many
 * reads in PACE_MS milliseconds: about 300 saves and 900 reads a second. A thousand families who all order in the same minute cause about
 * 50 saves a second, and their open order pages 500 reads a second, because each asks for the units left every two seconds.
 */
const SAVES_PER_PACE = 4;
const READS_PER_PACE = 12;
const PACE_MS = 10;

/**
 * Queues the starts of requests. Many customers of one tenant would keep the event loop and the database busy all the time, and each step of
 * a request of another tenant would wait for them. While others are active, the starts of a group are therefore spread over time. Neither a
 * group whose requests run alone nor signed-out people wait for that: each network has few running requests, and a page needs many files.
 */
function createStarts() {
  /** The groups of signed-in people whose requests run, or have ended within the last second. */
  const active = createActiveGroups();
  const turnOfIteration = limitPerIteration({ concurrency: STARTS_PER_ITERATION, leastBusyFirst: true });
  const limitPerPace = (perPace: number): Limiter =>
    createLimiter({
      concurrency: Infinity,
      mayStart: (group, _starting, ofGroup) => ofGroup < perPace || !active.isAnotherActive(group),
      leastBusyFirst: true,
    });
  const [saves, reads] = [limitPerPace(SAVES_PER_PACE), limitPerPace(READS_PER_PACE)];
  return {
    /** Resolves when the request of a signed-in person may start. The request counts as running until the function in `releases` is called. */
    async waitForPerson(turn: JobOptions & Admission['turn'], isRead: boolean, releases: (() => void)[]): Promise<void> {
      if (turn.signal?.aborted) throw clientGone();
      releases.push(active.begin(turn.group));
      setTimeout(await (isRead ? reads : saves).acquire(turn), PACE_MS).unref();
      await turnOfIteration(turn);
    },
    /** Resolves when the request of a signed-out client may start. */
    waitForNetwork: turnOfIteration,
  };
}

/** The user of each request whose session has been read. */
const foundUsers = new WeakMap<FastifyRequest, RecentUser>();

/**
 * Returns the user of the request if its session was read, or is one that this process has verified recently; otherwise null. Permissions
 * must not depend on it.
 */
export const knownUserOf = (env: Env, request: FastifyRequest): RecentUser | null =>
  foundUsers.get(request) ?? recentUserOf(sessionCookieOf(env, request));

type WaitForTurn = (user: RecentUser) => Promise<void>;
/** For each request that has started as one of a signed-out client: the function that waits for the turn of a user. */
const waits = new WeakMap<FastifyRequest, WaitForTurn>();

/**
 * Called when the session of a request has been read. Resolves when the request may continue. If this process knew the session when the
 * request arrived, the request has waited for the turn of its user already, and continues at once. Otherwise it waits now, because a user with
 * a new session for each request would never wait for a turn.
 */
export async function waitForTurnOf(request: FastifyRequest, user: RecentUser): Promise<void> {
  foundUsers.set(request, user);
  await waits.get(request)?.(user);
  waits.delete(request);
}

/** For each request: the function after which it no longer counts as running, and the one after which its reply no longer counts as open. */
const leaves = new WeakMap<FastifyRequest, () => void>();
const closes = new WeakMap<FastifyRequest, () => void>();

/**
 * Releases the permits of a request whose reply is short. It is called before the rest of the body of a refused request is discarded, and
 * before the reply to a failed sign-in is delayed. Both may take seconds, and would otherwise delay everybody behind the same IPv4 address.
 */
export function releasePermits(request: FastifyRequest): void {
  leaves.get(request)?.();
  closes.get(request)?.();
}

type Groups = Admission['groups'];

/** Limits the running requests and the open replies of each group. */
function createRequestLimits() {
  const requests = createLimiters();
  const replies = createLimiters();
  const unread = createUnreadReplies();
  /** Counts the queued and the running requests by group. */
  const unfinished = createCounts();
  return {
    /** Counts a queued or running request, until the functions that are added to `releases` are called. */
    count(groups: Groups, releases: (() => void)[]): void {
      for (const { key } of groups) releases.push(unfinished.add(key));
    },
    /** Resolves when the reply may be open. It counts as open until the functions that are added to `open` are called. */
    async openReply(groups: Groups, job: JobOptions, { raw }: FastifyReply, open: (() => void)[]): Promise<void> {
      for (const { key, rule } of groups) {
        const opened = replies.acquire(key, limitsOfReplies(rule), job);
        const close = await (rule.repliesWait ? opened : opened.finally(unread.wait(key)));
        open.push(close);
        if (!rule.repliesWait) open.push(unread.add(key, raw));
        if (job.signal?.aborted) open.splice(0).forEach((each) => each());
      }
    },
    /** Resolves when the request may run. It counts as running until the functions that are added to `releases` are called. */
    async run(groups: Groups, job: JobOptions, releases: (() => void)[]): Promise<void> {
      for (const { key, rule } of groups) releases.push(await requests.acquire(key, limitsOfRequests(rule), job));
    },
    stop: unread.stop,
    isAboveLimit: (groups: Groups): boolean => groups.some(({ key, rule }) => unfinished.of(key) > rule.concurrency),
  };
}

/** Delays the refusal of a request with 429. */
async function refuseLate(admitted: Promise<void>): Promise<void> {
  try {
    await admitted;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) await pause(REFUSED_AFTER_MS);
    throw error;
  }
}

/** Returns for how many milliseconds a request still counts as running after it has ended. */
function pauseAfter(
  request: FastifyRequest,
  { statusCode }: FastifyReply,
  { rule: { pauseMs, pausesAlways }, isAboveLimit }: { rule: Admission['groups'][0]['rule']; isAboveLimit: boolean },
): number {
  const isLong = hasLongBody(request);
  if (pausesAlways !== true && !isLong && !isAboveLimit) return 0;
  // The server has read the long body even if the route then refused the request with 429, for example an import of too many people. The
  // longer pause limits such floods.
  return isLong && statusCode === 429 ? REFUSED_AFTER_MS : pauseMs;
}

interface WaitingRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** This signal is aborted when the client disconnects before the request runs. */
  readonly signal: AbortSignal;
}

/** Acquires and releases the permits of a request: to run, and to have an open reply. */
function createPermits(limits: ReturnType<typeof createRequestLimits>, { request, reply, signal }: WaitingRequest) {
  let counted: Groups | undefined;
  const releases: (() => void)[] = [];
  const open: (() => void)[] = [];
  const releaseAll = (): void => releases.splice(0).forEach((release) => release());
  const closeReply = (): void => open.splice(0).forEach((close) => close());
  closes.set(request, closeReply);
  reply.raw.once('finish', closeReply).once('close', closeReply);
  return {
    releases,
    releaseAll,
    /** Releases the permits of a request that is refused, or whose client has left, while it waits. */
    releaseOnError: (started: Promise<void>): Promise<void> =>
      started.catch((error: unknown) => {
        releaseAll();
        throw error;
      }),
    /** Resolves when the request may run as one of these groups. */
    async acquire(groups: Groups, key: string): Promise<void> {
      counted = groups;
      limits.count(groups, releases);
      // The permit of the reply comes first: a request that waits for it must not count as running. Otherwise people who do not read their
      // replies could use up the running requests of all staff.
      await limits.openReply(groups, { key, signal }, reply, open);
      await limits.run(groups, { key, signal }, releases);
    },
    /** Releases the permits to run, after the pause of the request's groups. */
    release(): void {
      const pauseMs = counted ? pauseAfter(request, reply, { rule: counted[0].rule, isAboveLimit: limits.isAboveLimit(counted) }) : 0;
      const held = releases.splice(0);
      const releaseEach = (): void => held.forEach((each) => each());
      if (pauseMs > 0) setTimeout(releaseEach, pauseMs).unref();
      else releaseEach();
    },
    closeReply,
  };
}

export function admitFairly(app: FastifyInstance, env: Env, { body: bodyMs }: Pick<Timeouts, 'body'>): void {
  const limits = createRequestLimits();
  const starts = createStarts();
  const bodyMayArrive = limitUnfinishedBodies();

  /**
   * Resolves when the request may run. The request counts as running until the function in `leaves` that belongs to the request is called,
   * and its reply counts as open until the client has read it.
   */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { groups, turn, isSignedIn } = admissionOf(env, request);
    const gone = new AbortController();
    let leave = (): void => gone.abort();
    leaves.set(request, () => leave());
    reply.raw.once('close', () => leave());
    const permits = createPermits(limits, { request, reply, signal: gone.signal });
    // A request whose short body has not arrived does not count. Otherwise a client could leave eight bodies unfinished, and nobody behind
    // the same IPv4 address could sign in.
    if (!hasLongBody(request)) await shortBodyArrived(request, bodyMs);
    let hold: NodeJS.Timeout | undefined;
    const startHold = (): void => void (hold = setTimeout(() => afterParsing(request, permits.releaseAll), MAX_HOLD_MS).unref());
    const startAs = async (person: Admission['turn']): Promise<void> => {
      await bodyMayArrive({ request, reply }, { ...person, signal: gone.signal }, permits.releases);
      await starts.waitForPerson({ ...person, signal: gone.signal }, request.method === 'GET', permits.releases);
    };
    const startAsFound = async (user: RecentUser): Promise<void> => {
      const person = turnOf(user);
      if (mustCountForPerson(request)) {
        clearTimeout(hold);
        permits.release();
        permits.closeReply();
        await permits.acquire(groupsOf(user), person.key);
        startHold();
      }
      await startAs(person);
    };
    const start = async (): Promise<void> => {
      await permits.acquire(groups, turn.key);
      await (isSignedIn ? startAs(turn) : starts.waitForNetwork({ ...turn, signal: gone.signal }));
    };
    await permits.releaseOnError(start());
    if (!isSignedIn) waits.set(request, (user) => refuseLate(permits.releaseOnError(startAsFound(user))));
    startHold();
    // From here on, `leave` no longer calls abort(). That call creates an error with a stack trace, which nobody needs for a running
    // request, and which would take 3 % of its processor time.
    leave = () => {
      leave = () => undefined;
      // A request that has not had the turn of its person yet must not continue after its client has left.
      if (reply.raw.destroyed && waits.has(request)) gone.abort();
      clearTimeout(hold);
      // A short request may end before the server reads the next one. It counts until the end of the iteration of the event loop, so that
      // short requests that arrive together are counted together.
      setImmediate(() => permits.release());
    };
    if (gone.signal.aborted) leave();
  };

  app.addHook('onClose', async () => limits.stop());
  app.addHook('onRequest', async (request, reply) => {
    await refuseLate(admit(request, reply));
  });
  // A request stops counting before its reply is sent, so that a client that reads slowly does not delay its own other requests.
  app.addHook('onSend', (request, _reply, payload, done) => {
    leaves.get(request)?.();
    done(null, payload);
  });
}
