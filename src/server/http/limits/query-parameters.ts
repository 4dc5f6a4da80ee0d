// Limits the parameters of a URL. Fastify parses them before any hook runs, and a request keeps them while it is queued
// (docs/reliability.md, "abuse").
import type { FastifyRequest } from 'fastify';
import { parse } from 'node:querystring';
import { HttpError } from '../errors.ts';

/** No call has more than six parameters. Links from other sites may have further ones, with which these sites count visits. */
const MAX_PARAMETERS = 30;
const TOO_MANY_PARAMETERS = `The address has more than ${MAX_PARAMETERS} parameters.`;

/** Parses no more parameters than a request may have. */
export const parseQuery = (query: string): Record<string, unknown> => parse(query, '&', '=', { maxKeys: MAX_PARAMETERS });

export function refuseManyParameters({ url }: FastifyRequest): void {
  const query = url.indexOf('?');
  if (query >= 0 && url.slice(query).split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS) throw new HttpError(414, TOO_MANY_PARAMETERS);
}
