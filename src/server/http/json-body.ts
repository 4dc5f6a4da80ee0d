// Accepts only JSON bodies. A parse error is stored, and `validate` throws it after the checks that reply 401 and 403.
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { invalid } from './errors.ts';

const errors = new WeakMap<FastifyRequest, Error>();

export const NESTED_TOO_DEEPLY = 'The body is nested too deeply.';
export const TOO_MANY_FIELDS = 'An object of the body has too many fields.';
const DEEPEST = 64;
/**
 * The maximum number of fields of one JSON object in a body. The largest object has 5,000 new weights, each with the earlier weight of the
 * same unit.
 */
const MAX_FIELDS = 10_000;
/** The number of characters of a large body. Parsing a smaller body cannot block the event loop for long. */
const LARGE_BODY = 100_000;

/** A body with more bytes than this is long. An order with 200 products has this size. */
const LONG_BODY = 16_384;
/** Whether the body of the request is long. A body whose length the client does not send counts as long. */
export const hasLongBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LONG_BODY;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
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
function excessOf(text: string): string | null {
  const fields: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OBJECT || code === ARRAY) {
      if (fields.push(0) > DEEPEST) return NESTED_TOO_DEEPLY;
    } else if (code === END_OF_OBJECT || code === END_OF_ARRAY) fields.pop();
    else if (code === COLON) {
      const counted = (fields.at(-1) ?? 0) + 1;
      if (counted > MAX_FIELDS) return TOO_MANY_FIELDS;
      fields[fields.length - 1] = counted;
    }
  }
  return null;
}

export const bodyErrorOf = (request: FastifyRequest): Error | undefined => errors.get(request);

/**
 * Registers the parser of request bodies. An empty body counts as no body. Keys such as `__proto__` are dropped like every unknown field.
 */
export function parseJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    const excess = body.length > LARGE_BODY ? excessOf(body as string) : null;
    if (excess !== null) {
      errors.set(request, invalid(excess));
      return done(null, undefined);
    }
    void parse(request, body as string, (error, value) => {
      if (error) errors.set(request, error);
      done(null, value);
    });
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, _body, done) => {
    errors.set(request, new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    done(null, undefined);
  });
}
