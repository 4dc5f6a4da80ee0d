// Readiness says whether this process may receive requests. Liveness says whether this process must be restarted. While the database is
// unreachable, a process is not ready. It need not be restarted, because it recovers automatically.
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { run } from '../database/db.ts';
import { HttpError } from '../http/errors.ts';
import { onPublic, type Route } from '../http/pipeline/route.ts';

const readHealth = endpoint({
  method: 'GET',
  path: '/api/health',
  summary: 'Whether the server and its database answer',
  roles: ['public'],
  reply: z.object({ status: z.literal('ok') }),
});

const readLiveness = endpoint({
  method: 'GET',
  path: '/api/live',
  summary: 'Whether the server answers, whatever its database does',
  roles: ['public'],
  reply: z.object({ status: z.literal('ok') }),
});

export const healthRoutes: Route[] = [
  onPublic(readHealth, async ({ db }) => {
    await run(db, 'SELECT 1', []).catch(() => {
      throw new HttpError(503, 'The database does not answer.');
    });
    return { status: 'ok' as const };
  }),
  onPublic(readLiveness, async () => ({ status: 'ok' as const })),
];
