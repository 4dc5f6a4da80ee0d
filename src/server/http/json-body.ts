// Accepts only JSON bodies, and removes the characters that change the direction of text from their strings. A parse error is stored, and
// `validate` throws it after the checks that reply 401 and 403.
import { setImmediate as nextIteration, setTimeout as pause } from 'node:timers/promises';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Endpoint } from '../../shared/endpoint.ts';
import type { Env } from '../operations/env.ts';
import { admissionOf, LONG_BODY, tooManyAtOnce } from './admission-rules.ts';
import { invalid } from '../errors.ts';
import { createLimiter, type JobOptions } from '../queues/limiter.ts';

const errors = new WeakMap<FastifyRequest, Error>();

export const NESTED_TOO_DEEPLY = 'The body is nested too deeply.';
export const TOO_MANY_FIELDS = 'The body has too many different fields.';
export const TOO_MANY_VALUES = 'The body has too many values.';
const DEEPEST = 64;
/**
 * The maximum number of different field names in a body. V8 parses objects with new field names twenty times as slowly as others. The valid
 * body with the most names has 5,000 new weights and, for each of them, the previous weight of the same unit.
 */
const MAX_FIELDS = 10_000;
/** The number of characters of a large body. The names and the nesting of a smaller body cannot block the event loop for long. */
const LARGE_BODY = 100_000;
/**
 * The maximum number of values in a body, unless the endpoint has its own `maxValues`. Of all other valid bodies, an import of 5,000 people
 * with 8 fields each has the most values: 45,000.
 */
const MAX_VALUES = 50_000;
/** The maximum number of values in the body of a call that customers may send. An order of 5,000 lines has 15,000 values. */
const VALUES_OF_CUSTOMER_CALL = 20_000;
/**
 * The maximum number of values in the body of a public call or of an unknown path, to which signed-out clients can send bodies. The largest
 * valid body of a public call has fewer than 100.
 */
const VALUES_OF_PUBLIC_CALL = 1000;

export interface BodyConfig {
  /** The maximum number of values in the bodies of a route. Each opening bracket and each comma counts as a value. */
  readonly maxValues?: number;
}

export const bodyConfigOf = ({ roles, maxValues }: Endpoint): BodyConfig => ({
  maxValues: roles.includes('public')
    ? VALUES_OF_PUBLIC_CALL
    : (maxValues ?? (roles.includes('customer') ? VALUES_OF_CUSTOMER_CALL : MAX_VALUES)),
});

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OBJECT, END_OF_OBJECT, ARRAY, END_OF_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Returns the reason why parsing and validating the body would block the event loop, or null if the body may be parsed
 * (docs/reliability.md, "freeze").
 */
function excessOf(text: string, maxValues: number): string | null {
  const names = new Set<string>();
  let [depth, values, lastString] = [0, 0, ''];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      lastString = text.slice(at, end);
      at = end;
    } else if (code === OBJECT || code === ARRAY || code === COMMA) {
      if (++values > maxValues) return TOO_MANY_VALUES;
      if (code !== COMMA && ++depth > DEEPEST) return NESTED_TOO_DEEPLY;
    } else if (code === END_OF_OBJECT || code === END_OF_ARRAY) depth--;
    else if (code === COLON && names.add(lastString).size > MAX_FIELDS) return TOO_MANY_FIELDS;
  }
  return null;
}

/**
 * Matches the JSON texts whose strings may contain an invisible character that changes the direction of the text after it, also as an escape
 * sequence. In a name, such a character would also reorder the amounts that are shown after the name. Hebrew and Arabic letters need none
 * of these characters. The characters U+200E and U+200F stay, because phones type them in Hebrew texts (see `isolated`).
 */
const MAY_HAVE_DIRECTIONS = /[\u061c\u202a-\u202e\u2066-\u2069]|\\u(?:061c|20[26])/i;
const isDirection = (code: number): boolean => code === 0x061c || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
/**
 * The fields that keep these characters: passwords, the HTML of mails, and the previous values of a product, which must equal the stored
 * values.
 */
const KEEP_DIRECTIONS: ReadonlySet<string> = new Set(['password', 'currentPassword', 'html', 'before']);
/** Removes these characters from a string. `String.replace` is not used, because it takes several times as long for a million of them. */
function withoutDirections(text: string): string {
  if (!MAY_HAVE_DIRECTIONS.test(text)) return text;
  let [kept, start] = ['', 0];
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isDirection(text.charCodeAt(at))) continue;
    kept += text.slice(start, at);
    start = at + 1;
  }
  return kept;
}

/** Removes these characters from all strings of a parsed body. It is not recursive, because a short body may be nested very deeply. */
function removeDirections(text: string, body: unknown): void {
  if (!MAY_HAVE_DIRECTIONS.test(text)) return;
  const values = [body];
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    const fields = value as Record<string, unknown>;
    for (const [name, field] of Object.entries(fields)) {
      if (KEEP_DIRECTIONS.has(name)) continue;
      if (typeof field === 'string') fields[name] = withoutDirections(field);
      else values.push(field);
    }
  }
}

export const bodyErrorOf = (request: FastifyRequest): Error | undefined => errors.get(request);

/** After a long body was parsed, the next one waits for the time of the parsing multiplied by this number. */
const PAUSE_FACTOR = 2;
/** If the parsing took less than this many milliseconds, the next body does not wait. */
const SHORT_PARSE_MS = 1;
/** A body that has waited in the queue for this many milliseconds is refused. */
const MAX_WAIT = 20_000;
/**
 * Only one long body is parsed at a time. The tenants take turns, and so do the customers of each tenant. The queue has a limit, because each
 * waiting body occupies memory.
 */
const parsing = createLimiter({
  concurrency: 1,
  maxQueued: 500,
  maxQueuedPerKey: 50,
  refusal: tooManyAtOnce,
  maxWait: MAX_WAIT,
  timeoutRefusal: tooManyAtOnce,
});

/** Waits until no other long body is parsed. If the client disconnects, its body leaves the queue. */
async function waitForTurn(turn: JobOptions, { raw: { socket } }: FastifyRequest): Promise<() => void> {
  const client = new AbortController();
  const disconnect = (): void => client.abort();
  if (socket.destroyed) disconnect();
  socket.once('close', disconnect);
  try {
    return await parsing.acquire({ ...turn, signal: client.signal });
  } finally {
    socket.off('close', disconnect);
  }
}

/**
 * Runs the steps of parsing while no other long body is parsed, each in an iteration of the event loop of its own. After steps that took a
 * millisecond or more together, there is a pause of twice their time. Therefore, parsing long bodies takes at most a third of the time of
 * the event loop, however many clients send them.
 */
async function parseInSteps(turn: JobOptions, request: FastifyRequest, steps: readonly (() => void)[]): Promise<void> {
  const release = await waitForTurn(turn, request);
  let took = 0;
  try {
    for (const step of steps) {
      // The first step waits, too: if it ran in the phase of I/O of an iteration, the second one would run right after it.
      await nextIteration();
      const began = performance.now();
      step();
      took += performance.now() - began;
    }
  } finally {
    void (took < SHORT_PARSE_MS ? nextIteration() : pause(PAUSE_FACTOR * took)).then(release);
  }
}

/**
 * Registers the parser of request bodies. An empty body counts as no body. Keys such as `__proto__` are dropped like every unknown field.
 */
export function parseJsonOnly(app: FastifyInstance, env: Env): void {
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  const parse = (request: FastifyRequest, body: string): unknown => {
    const { maxValues = VALUES_OF_PUBLIC_CALL } = request.routeOptions.config as BodyConfig;
    // A body has at most as many values as characters.
    const excess = body.length > Math.min(LARGE_BODY, maxValues) ? excessOf(body, maxValues) : null;
    if (excess !== null) return void errors.set(request, invalid(excess));
    let parsed: unknown;
    void parseJson(request, body, (error, value) => {
      if (error) errors.set(request, error);
      parsed = value;
    });
    return parsed;
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (request: FastifyRequest, body: string) => {
    if (body === '') return undefined;
    let parsed: unknown;
    const steps = [() => void (parsed = parse(request, body)), () => removeDirections(body, parsed)];
    if (body.length <= LONG_BODY) {
      for (const step of steps) step();
      return parsed;
    }
    // The last group is the largest one: all staff of a tenant, or the /56 of an IPv6 address.
    const { groups, turn } = admissionOf(env, request);
    const client = groups.at(-1)?.key ?? '';
    try {
      await parseInSteps({ group: turn.group, key: client }, request, steps);
      return parsed;
    } catch (error) {
      return void errors.set(request, error as Error);
    }
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, _body, done) => {
    errors.set(request, new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    done(null, undefined);
  });
}
