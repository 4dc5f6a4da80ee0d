// Limits the path and the parameters of a URL (docs/reliability.md, "abuse"). Fastify parses the parameters before any hook runs, and a
// request keeps them while it is queued.
import type { FastifyRequest } from 'fastify';
import { parse } from 'node:querystring';
import { numberText } from '../../../shared/counted.ts';
import { HttpError } from '../../errors.ts';

/** The longest path of a link has about 100 characters. The server searches its files for each path, which takes long for a long path. */
const MAX_PATH = 2000;
const PATH_TOO_LONG = `The path of the address has more than ${numberText(MAX_PATH)} characters.`;
/** No call has more than six parameters. Links from other sites may have further ones, with which these sites count visits. */
const MAX_PARAMETERS = 30;
const TOO_MANY_PARAMETERS = `The address has more than ${MAX_PARAMETERS} parameters.`;

/** Parses no more parameters than a request may have. */
export const parseQuery = (query: string): Record<string, unknown> => parse(query, '&', '=', { maxKeys: MAX_PARAMETERS });

export function refuseLongUrl({ url }: FastifyRequest): void {
  const query = url.indexOf('?');
  if ((query >= 0 ? query : url.length) > MAX_PATH) throw new HttpError(414, PATH_TOO_LONG);
  if (query >= 0 && url.slice(query).split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS) throw new HttpError(414, TOO_MANY_PARAMETERS);
}
