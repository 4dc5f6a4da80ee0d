// Limits how many connections of the pool one tenant occupies at once. A statement that waits for locked rows occupies its connection
// meanwhile. Without this limit, slow changes of one tenant would occupy every connection, and all other requests would wait (reliability,
// "abuse").
import { AsyncLocalStorage } from 'node:async_hooks';
import { createLimiter, type Limiter } from '../http/limiter.ts';

/** A tenant may occupy half of the pool. The other connections stay free for other tenants, and for finding sessions. */
const MOST_AT_ONCE = 5;
const MOST_QUEUED = 1000;
/** The maximum wait in milliseconds, the same as for a connection of the pool. */
const MAX_WAIT = 10_000;

interface Tenant {
  readonly limit: Limiter;
  /** The number of connections that the tenant occupies or waits for. */
  connections: number;
}
const tenants = new Map<number, Tenant>();
type Member = Readonly<Record<'tenantId' | 'userId', number>>;
const current = new AsyncLocalStorage<Member>();

/** Runs `job` for a user of a tenant. The connections that it uses count toward the tenant's limit. The users of a tenant take turns. */
export const asMember = <Result>({ tenantId, userId }: Member, job: () => Promise<Result>): Promise<Result> =>
  current.run({ tenantId, userId }, job);

/**
 * Resolves when the current tenant may use another connection, with a function that must be called when the connection is no longer used.
 * Jobs that run for no tenant never wait.
 */
export async function admitTenant(): Promise<() => void> {
  const member = current.getStore();
  if (!member) return () => undefined;
  const { tenantId, userId } = member;
  const tenant = tenants.get(tenantId) ?? {
    limit: createLimiter({ concurrency: MOST_AT_ONCE, maxQueued: MOST_QUEUED, maxWait: MAX_WAIT }),
    connections: 0,
  };
  tenants.set(tenantId, tenant);
  const admitted = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const occupy = async (): Promise<void> => {
    admitted.resolve();
    await finished.promise;
  };
  tenant.connections++;
  void tenant
    .limit(occupy, { key: String(userId) })
    .catch(admitted.reject)
    .finally(() => {
      tenant.connections--;
      if (tenant.connections === 0) tenants.delete(tenantId);
    });
  await admitted.promise;
  return finished.resolve;
}
