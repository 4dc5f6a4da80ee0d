// Refuses a write request if the browser reports that it comes from another site (contract §2). The session cookie alone does not show that
// the user wanted the request.
import type { FastifyRequest } from 'fastify';
import { forbidden } from '../errors.ts';
import type { Env } from '../operations/env.ts';

interface Openness {
  readonly fromAnywhere?: boolean;
}
/**
 * The `config` of a route that needs no cookie, so requests from other sites are allowed. For example, a mailed link may be used from a
 * webmail page of another site (RFC 8058).
 */
export const ALLOW_CROSS_SITE: Openness & object = { fromAnywhere: true };

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function refuseCrossSite(request: FastifyRequest, env: Env): void {
  if (READS.has(request.method) || (request.routeOptions.config as Openness).fromAnywhere === true) return;
  const origin = request.headers.origin;
  if (origin !== undefined && env.corsOrigins.includes(origin)) return;
  const site = request.headers['sec-fetch-site'];
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const own = [env.publicUrl, `http://${request.headers.host ?? ''}`, `https://${request.headers.host ?? ''}`];
  const foreignOrigin = origin !== undefined && !own.includes(origin);
  if (foreignSite || foreignOrigin) throw forbidden('This request came from another site and was refused.');
}
