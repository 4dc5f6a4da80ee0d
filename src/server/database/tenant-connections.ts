// Limits how many connections of the pool tenants occupy at once. A statement occupies its connection while it waits for locked rows.
// Without these limits, slow changes of a few tenants would occupy every connection, and all other requests would wait (reliability,
// "abuse").
import { AsyncLocalStorage } from 'node:async_hooks';
import { blockOrAddressOf, siteOrAddressOf } from '../auth/network.ts';
import { createLimiter, createLimiters } from '../queues/limiter.ts';
import { MINUTE } from '../../domain/durations.ts';

/** A tenant may occupy half of the pool. The other connections stay free for other tenants, and for finding sessions. */
const MAX_PER_TENANT = 5;
/** All tenants together leave one connection of the pool to jobs that belong to no tenant, such as finding sessions. */
const MAX_TOTAL = 9;
/**
 * When tenants together occupy this many connections, a tenant gets a further connection only under two conditions: it occupies no other
 * connection, and it occupied none for long in the last minute. Other tenants therefore get connections, however many tenants make slow
 * changes at the same time.
 */
const MAX_SHARED = 6;
/** A connection that is occupied for more than this many milliseconds counts as occupied for long. */
const LONG_OCCUPATION_MS = 1000;
/** A tenant counts as slow for this many milliseconds after it has released a connection that it had occupied for long. */
const SLOW_TENANT_MS = MINUTE;
const MAX_QUEUED = 1000;
/** The maximum wait, the same as for a connection of the pool. */
const MAX_WAIT_MS = 10_000;
/** A job that has waited for a connection for this many milliseconds releases its permit of a limiter that all tenants share. */
const MAX_WAIT_WITH_PERMIT_MS = 50;
const OF_TENANT = { concurrency: MAX_PER_TENANT, maxQueued: MAX_QUEUED, maxWait: MAX_WAIT_MS, leastBusyFirst: true };

/**
 * All signed-out clients together count as one tenant, whose id no row of the database has. Slow statements are not remembered for this
 * tenant: one slow client would otherwise prevent all others from signing in for a minute.
 */
export const PUBLIC_TENANT = -1;
/**
 * The maximum number of connections for the signed-out clients of one IPv4 address or IPv6 /48. Two are enough for all people in a hall who
 * sign in at once, because checking their passwords takes longer than their statements.
 */
const MAX_PER_BLOCK = 2;
const OF_PUBLIC = { ...OF_TENANT, concurrencyPerGroup: MAX_PER_BLOCK };

interface Member {
  readonly tenantId: number;
  /** The id of the user. For a signed-out client it is the client's IPv4 address or IPv6 /56. */
  readonly userId: number | string;
  /** The users of a group together have the turns of one user. For a signed-out client, the group is its IPv6 /48 or IPv4 address. */
  readonly group?: string | undefined;
  /** If this signal is aborted before the job gets its first connection, the job fails. A job that has a connection runs to its end. */
  signal?: AbortSignal | undefined;
}
const current = new AsyncLocalStorage<Member>();

/** Returns the member as which a signed-out client with this IP address uses connections. */
export const publicMember = (address: string): Member => ({
  tenantId: PUBLIC_TENANT,
  userId: siteOrAddressOf(address),
  group: blockOrAddressOf(address),
});

/**
 * Runs `job` for a user of a tenant. The connections that the job uses count toward the tenant's limit. The groups of a tenant take turns,
 * and so do the users of each group. Users who have occupied connections for a short time recently come first.
 */
export const asMember = <Result>({ tenantId, userId, group, signal }: Member, job: () => Promise<Result>): Promise<Result> =>
  current.run({ tenantId, userId, group, signal }, job);

/** Returns the id of the user for whom the current job runs, `shared` for a shared job, or undefined if the job runs for no tenant. */
export const currentUserId = (): Member['userId'] | undefined => current.getStore()?.userId;

/**
 * Runs a job whose result several requests share. The job runs to its end even if the client of the request that started it disconnects. The
 * shared jobs of a tenant are a group of their own: otherwise people would wait behind the other jobs of the busy person whose request
 * started the job.
 */
export function asShared<Result>(job: () => Promise<Result>): Promise<Result> {
  const member = current.getStore();
  if (!member) return job();
  const shared = member.tenantId === PUBLIC_TENANT ? member : { tenantId: member.tenantId, userId: 'shared', group: 'shared' };
  return current.run({ ...shared, signal: undefined }, job);
}

/**
 * Returns the same batches. The connections that read them count toward the tenant of the current request, whichever code requests the next
 * batch.
 */
export function forCurrentMember<Rows>(batches: AsyncIterable<Rows>): AsyncIterable<Rows> {
  const asCurrent = AsyncLocalStorage.snapshot();
  return {
    [Symbol.asyncIterator]() {
      const rows = batches[Symbol.asyncIterator]();
      return {
        next: () => asCurrent(() => rows.next()),
        return: async () => await asCurrent(async () => (await rows.return?.()) ?? { done: true, value: undefined }),
      };
    },
  };
}

/** Runs a job whose connections count toward the limit of no tenant, for example a health check. */
export const asNoTenant = <Result>(job: () => Promise<Result>): Promise<Result> => current.exit(job);

const permit = new AsyncLocalStorage<() => void>();

/**
 * Runs a job for which jobs of other tenants wait, because it holds a permit of a limiter. `releasePermit` lets the next job start. It is
 * called when the job waits for a connection. Otherwise a tenant whose slow changes occupy all of its connections would delay the jobs of
 * others.
 */
export function withPermit<Result>(releasePermit: () => void, job: () => Promise<Result>): Promise<Result> {
  const outer = permit.getStore();
  return permit.run(() => (outer?.(), releasePermit()), job);
}

/** Whether jobs of other tenants wait for the current job. */
export const holdsPermit = (): boolean => permit.getStore() !== undefined;

/** Creates the limits of one pool of connections. The returned function admits the tenant of the current request. */
export function createTenantAdmission(): () => Promise<() => void> {
  const tenants = createLimiters();
  /** Maps the id of a tenant to the time (`performance.now()`) when it last released a connection that it had occupied for long. */
  const slowAt = new Map<number, number>();
  const wasSlow = (tenantId: number): boolean => performance.now() - (slowAt.get(tenantId) ?? -Infinity) <= SLOW_TENANT_MS;
  const allTenants = createLimiter({
    concurrency: MAX_TOTAL,
    maxWait: MAX_WAIT_MS,
    mayStart: (tenantId, running, occupied) => running < MAX_SHARED || (occupied === 0 && !wasSlow(Number(tenantId))),
  });

  const admit = async (member: Member): Promise<() => void> => {
    const { tenantId, userId, group = String(userId), signal } = member;
    member.signal = undefined;
    const tenant = String(tenantId);
    const releaseOfTenant = await tenants.acquire(tenant, tenantId === PUBLIC_TENANT ? OF_PUBLIC : OF_TENANT, {
      key: String(userId),
      group,
      signal,
    });
    const releaseOfAll = await allTenants.acquire({ key: tenant, signal }).catch((error: unknown) => {
      releaseOfTenant();
      throw error;
    });
    const began = performance.now();
    return () => {
      // The time is stored first, because releasing the connection decides which waiting tenant gets it.
      if (performance.now() - began > LONG_OCCUPATION_MS && tenantId !== PUBLIC_TENANT) slowAt.set(tenantId, performance.now());
      releaseOfAll();
      releaseOfTenant();
    };
  };

  /**
   * Resolves when the current tenant may use another connection, with a function that must be called when the connection is no longer used.
   * Jobs that run for no tenant never wait.
   */
  return async () => {
    const member = current.getStore();
    if (!member) return () => undefined;
    const releasePermit = permit.getStore();
    const timer = releasePermit && setTimeout(releasePermit, MAX_WAIT_WITH_PERMIT_MS).unref();
    try {
      return await admit(member);
    } finally {
      clearTimeout(timer);
    }
  };
}
