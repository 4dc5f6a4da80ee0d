// This pipeline stage checks whether path, query and body match the contract. An error is thrown only after `authorize` has run, because
// the replies 401 and 403 come first.
import type { FastifyRequest } from 'fastify';
import { setImmediate as nextLoop } from 'node:timers/promises';
import * as z from 'zod/mini';
import { TEXT_PARAMS, type Endpoint, type Schema } from '../../../shared/endpoint.ts';
import { MAX_INT } from '../../../shared/fields.ts';
import { formatZodError } from '../format-zod-error.ts';
import { HttpError, invalid, notFound } from '../../errors.ts';
import type { RequestInput, Route } from './route.ts';
import { bodyErrorOf } from '../json-body.ts';
import { stageResult } from './stage-result.ts';

export const validated = stageResult<RequestInput<Endpoint>>('validate');

type Validation = { readonly input: RequestInput<Endpoint>; readonly error?: never } | { readonly error: Error; readonly input?: never };
/**
 * Stores the validation of each request, so that a request is validated only once: `authenticate` may need the input for a preload before
 * `validate` runs.
 */
const validations = new WeakMap<FastifyRequest, Validation>();

function parse(schema: Schema | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = z.safeParse(schema, value);
  if (!parsed.success) throw invalid(formatZodError(parsed.error));
  return parsed.data;
}

function parseParams(params: Readonly<Record<string, string>>): Record<string, string | number> {
  const parsed: Record<string, string | number> = {};
  for (const [name, text] of Object.entries(params)) {
    if ((TEXT_PARAMS as readonly string[]).includes(name)) {
      // PostgreSQL stores no text with this character, and would refuse the statement.
      if (text.includes('\u0000')) throw notFound('Record');
      parsed[name] = text;
    } else if (!/^\d{1,300}$/.test(text)) throw invalid('The id in the address must be a whole number.');
    else if (Number(text) > MAX_INT) throw notFound('Record');
    else parsed[name] = Number(text);
  }
  return parsed;
}

function check({ query, body }: Endpoint, request: FastifyRequest): Validation {
  const error = bodyErrorOf(request);
  if (error) return { error };
  try {
    const input = {
      params: parseParams(request.params as Record<string, string>),
      query: parse(query, request.query),
      body: parse(body, request.body),
    };
    return { input: input as RequestInput<Endpoint> };
  } catch (error) {
    if (error instanceof HttpError) return { error };
    throw error;
  }
}

/**
 * Returns the validated input, or the error that `validate` throws later. The request then keeps only the validated body: a field that the
 * contract does not name could occupy megabytes of memory while the request waits.
 */
export function validationOf(endpoint: Endpoint, request: FastifyRequest): Validation {
  const known = validations.get(request);
  if (known) return known;
  const validation = check(endpoint, request);
  validations.set(request, validation);
  request.body = validation.input?.body;
  return validation;
}

export const validate = ({ endpoint }: Route) =>
  async function validate(request: FastifyRequest): Promise<void> {
    // A large body is parsed, validated and processed in three separate iterations of the event loop, so that other requests can run in
    // between.
    if (endpoint.bodyLimit) await nextLoop();
    const { input, error } = validationOf(endpoint, request);
    if (error) throw error;
    validated.set(request, input);
    if (endpoint.bodyLimit) await nextLoop();
  };
