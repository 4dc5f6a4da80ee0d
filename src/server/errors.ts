// The errors in this file refuse a request. The response body is the message itself, because the client shows `status: body` (spec §8).
import { changedMeanwhileText, OTHER_USER, PLEASE_SIGN_IN } from '../shared/texts.ts';

export class HttpError extends Error {
  readonly status: number;
  /** Additional members of the problem details (RFC 9457). */
  readonly details: Readonly<Record<string, unknown>>;
  /** The number of seconds in the Retry-After header. */
  readonly retryAfter: number | undefined;

  constructor(status: number, sentence: string, details: Readonly<Record<string, unknown>> = {}, retryAfter?: number) {
    super(sentence);
    this.status = status;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

const RETRY_AFTER_SECONDS = 2;
const DATABASE_BUSY = 'The database was busy, so nothing was done. Please try again in a moment.';

export const invalid = (sentence: string): HttpError => new HttpError(400, sentence);
export const unauthenticated = (): HttpError => new HttpError(401, PLEASE_SIGN_IN);
export const otherUser = (): HttpError => new HttpError(401, OTHER_USER);
export const forbidden = (sentence = 'Your role may not do this.'): HttpError => new HttpError(403, sentence);
/**
 * Returns the 404 error for an unknown record. The same error is used for a record of another distributor or customer, because a client
 * must not be able to distinguish the two cases (contract §2).
 */
export const notFound = (noun: string): HttpError => new HttpError(404, `${noun} not found`);

/** Returns the record, or throws `notFound` when there is none. */
export function assertFound<Found>(record: Found | null | undefined, noun: string): Found {
  if (record === null || record === undefined) throw notFound(noun);
  return record;
}

export const conflict = (sentence: string, details?: Readonly<Record<string, unknown>>): HttpError => new HttpError(409, sentence, details);

/** Returns the error for a client that has reached a limit. `seconds` is the time until it may try again, if the server knows it. */
export const tooMany = (sentence: string, seconds?: number): HttpError => new HttpError(429, sentence, {}, seconds);

/** Returns the error for a busy server. The client may repeat the request unchanged. */
export const busy = (sentence = DATABASE_BUSY): HttpError => new HttpError(503, sentence, {}, RETRY_AFTER_SECONDS);

/** Returns the error for a request whose client has disconnected. Nobody receives this response. */
export const clientGone = (): HttpError => new HttpError(499, 'The client closed the connection.');

/** Throws an HttpError if the domain refuses the request. Does nothing when `problem` is null. */
export function throwIfRefused(problem: string | null, status: 400 | 409 = 400): void {
  if (problem !== null) throw new HttpError(status, problem);
}

interface BasedChange {
  /** The values of changed fields that the user saw before the change. Fields without such a value are not compared. */
  readonly before: object | undefined;
  readonly after: object;
}

/**
 * Throws a conflict if somebody else has changed one of the fields: its stored value is neither the value in `before` nor the new value in
 * `after`. `name` is the name of the record in the message.
 */
export function throwIfOutdated(name: string, stored: object, { before = {}, after }: BasedChange): void {
  const [current, next] = [jsonOfFields(stored), jsonOfFields(after)];
  const isOutdated = [...jsonOfFields(before)].some(
    ([field, value]) => next.has(field) && current.get(field) !== value && current.get(field) !== next.get(field),
  );
  if (isOutdated) throw conflict(changedMeanwhileText(name));
}

/** Returns each field with its value as JSON, so that lists can be compared, too. */
const jsonOfFields = (fields: object): Map<string, string> =>
  new Map(Object.entries(fields).map(([field, value]) => [field, JSON.stringify(value)]));
