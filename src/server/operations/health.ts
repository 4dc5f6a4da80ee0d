// Readiness says whether this process may receive requests. Liveness says whether this process must be restarted. While the database is
// unreachable, a process is not ready. It need not be restarted, because it recovers automatically.
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { run, type Db } from '../database/db.ts';
import { asNoTenant } from '../database/tenant-connections.ts';
import { HttpError } from '../errors.ts';
import { onPublic, type Route } from '../http/pipeline/route.ts';

const statusEndpoint = (path: string, summary: string) =>
  endpoint({ method: 'GET', path, summary, roles: ['public'], reply: z.object({ status: z.literal('ok') }) });
const readHealth = statusEndpoint('/api/health', 'Whether the server and its database answer');
const readLiveness = statusEndpoint('/api/live', 'Whether the server answers, whatever its database does');

/** Requests within this many milliseconds share one check, so that a flood of them does not occupy the database. */
const SHARED_MS = 1000;

interface Check {
  readonly result: Promise<unknown>;
  /** The time (`performance.now()`) until which the result is used. */
  until: number;
}
const checks = new WeakMap<Db, Check>();

function checkDatabase(db: Db): Promise<unknown> {
  const last = checks.get(db);
  if (last && performance.now() < last.until) return last.result;
  const check: Check = { result: asNoTenant(() => run(db, 'SELECT 1', [])), until: Infinity };
  checks.set(db, check);
  const end = (): void => {
    check.until = performance.now() + SHARED_MS;
  };
  check.result.then(end, end);
  return check.result;
}

export const healthRoutes: Route[] = [
  onPublic(readHealth, async ({ db }) => {
    await checkDatabase(db).catch(() => {
      throw new HttpError(503, 'The database does not answer.');
    });
    return { status: 'ok' as const };
  }),
  onPublic(readLiveness, async () => ({ status: 'ok' as const })),
];
