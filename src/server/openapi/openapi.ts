// Generates the OpenAPI document from the schemas that validate the calls (contract §2).
import * as z from 'zod/mini';
import { BODY_LIMIT, TEXT_PARAMS, type Endpoint, type Schema } from '../../shared/endpoint.ts';
import { TOO_MANY } from '../http/pipeline/expensive-calls.ts';
import { DONE_WITHOUT_REPLY, KEY_HOURS, MAX_KEY_LENGTH, USED_FOR_ANOTHER } from '../http/pipeline/idempotency.ts';

const schemaOf = (schema: Schema, io: 'input' | 'output'): unknown => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
  return rest;
};

const propertiesOf = (schema: Schema) => (schemaOf(schema, 'input') as { properties: Record<string, unknown> }).properties;

/** The schema of an error that a client has asked for as RFC 9457. */
const PROBLEM = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
  },
};

const sentence = (description: string) => ({
  description,
  content: {
    'text/plain': { schema: { type: 'string' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  },
});

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `The same key of the same user within ${KEY_HOURS} hours answers what the first call answered and does nothing again.`,
  schema: { type: 'string', maxLength: MAX_KEY_LENGTH },
};

const WRONG_ROLE = 'The wrong role.';

/** Describes the replies 401, 403, 409, 413 and 429. Their reasons are limits that no schema expresses, or that all calls of a kind share. */
function refusalsOf({ body, bodyLimit = BODY_LIMIT, idempotent, isExpensive, refusals }: Endpoint): Record<string, unknown> {
  const reply = {
    401: refusals?.[401] ? [refusals[401]] : [],
    403: refusals?.[403] ? [WRONG_ROLE, refusals[403]] : [],
    409: [refusals?.[409] ?? [], idempotent ? [USED_FOR_ANOTHER, DONE_WITHOUT_REPLY] : []].flat(),
    413: body ? [`The body is larger than ${bodyLimit / BODY_LIMIT} MB.`] : [],
    429: [refusals?.[429] ?? [], isExpensive ? TOO_MANY : []].flat(),
  };
  return Object.fromEntries(
    Object.entries(reply).flatMap(([status, sentences]) => (sentences.length === 0 ? [] : [[status, sentence(sentences.join(' '))]])),
  );
}

const callersText = ({ roles, agentPermission }: Endpoint): string =>
  `For: ${roles.join(', ')}.${agentPermission ? ' An agent needs the permission of the distributor.' : ''}`;

function operationOf(endpoint: Endpoint): Record<string, unknown> {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const parameters = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: (TEXT_PARAMS as readonly string[]).includes(name) ? 'string' : 'integer' },
  }));
  const queryParameters = Object.entries(endpoint.query ? propertiesOf(endpoint.query) : {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema,
  }));
  const success = endpoint.reply
    ? { description: 'Success', content: { 'application/json': { schema: schemaOf(endpoint.reply, 'output') } } }
    : { description: 'Success', ...(endpoint.mediaType ? { content: { [endpoint.mediaType]: {} } } : {}) };
  const open = endpoint.roles.includes('public');
  return {
    summary: endpoint.summary,
    description: [open ? 'Open to everybody.' : callersText(endpoint), endpoint.description ?? []].flat().join('\n\n'),
    ...(open ? { security: [] } : {}),
    parameters: [...parameters, ...queryParameters, ...(endpoint.idempotent ? [KEY] : [])],
    ...(endpoint.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } } }
      : {}),
    responses: {
      [String(endpoint.status ?? 200)]: success,
      ...(endpoint.statusOfChange ? { [String(endpoint.statusOfChange)]: success } : {}),
      '400': sentence('Malformed or invalid: the body is a sentence.'),
      ...(names.length > 0 ? { '404': sentence('It does not exist, or belongs to somebody else.') } : {}),
      ...(open ? {} : { '401': sentence('Nobody is signed in.'), '403': sentence(WRONG_ROLE) }),
      ...refusalsOf(endpoint),
      default: sentence('Any other error, for example 503 while the server is busy.'),
    },
  };
}

export function openApiOf(endpoints: readonly Endpoint[], cookie: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Feastday', version: '0.1.0', license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' } },
    components: { schemas: { Problem: PROBLEM }, securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookie } } },
    security: [{ session: [] }],
    paths,
  };
}
