/// <reference types="vite/types/importMeta.d.ts" />
import { pathOf } from '../../shared/endpoint.ts';
import type { BodyInputOf, Endpoint, ParamsOf, Query, ReplyOf } from '../../shared/endpoint.ts';
import { NOT_REACHED } from '../texts.ts';
import { noteServerTime } from './server-clock.ts';
import { shownUser } from './shown-user.ts';

/**
 * The error of a response whose status is not 2xx. The message is `status: text`, where the text is the response body, or the status text
 * if the body is empty (spec §8).
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly status: number;
  readonly text: string;
  /** Whether the server of Feastday sent the response. Otherwise a proxy sent it, which does not know whether the request was executed. */
  readonly isFromServer: boolean;

  constructor(status: number, text: string, isFromServer = true) {
    super(`${status}: ${text}`);
    this.status = status;
    this.text = text;
    this.isFromServer = isFromServer;
  }
}

/** Returns the sentence of an error for a screen. The status, which only support needs, is shown in toasts alone (spec §8). */
export const sentenceOf = (error: Error): string => (error instanceof CallError ? error.text : error.message);

/**
 * Whether the response refuses the request, with a status below 500. Status 500 or higher does not tell whether the server has saved
 * anything. A proxy can refuse a request too; `isFromServer` tells whether the server itself did.
 */
export const isRefusal = (error: Error): error is CallError => error instanceof CallError && error.status < 500;

/**
 * Whether the server has refused the request for good. After any other error, also if a proxy replied while the server restarts, the same
 * request can be sent again.
 */
export const isFinal = (error: unknown): error is CallError =>
  error instanceof CallError &&
  error.isFromServer &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 408, 429, 499].includes(error.status);

/**
 * Whether the error tells the result of a save with an Idempotency-Key, also that of earlier attempts, so that the key is no longer needed.
 * The status 403 does not, because the server checks the permission before it looks for the reply to an earlier attempt.
 */
export const isResultKnown = (error: Error): boolean => isFinal(error) && error.status !== 403;

/**
 * Whether the server has refused the data of a save. The form then reads its data again, because the data on the server may have changed.
 */
export const isDataRefused = (error: Error): boolean => error instanceof CallError && (error.status === 400 || error.status === 409);

export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

type ParamsArg<E> = keyof ParamsOf<E> extends never ? { params?: undefined } : { params: ParamsOf<E> };
type BodyArg<E> = E extends { method: 'GET' }
  ? { body?: undefined }
  : BodyInputOf<E> extends void
    ? { body?: undefined }
    : { body: BodyInputOf<E> };

/**
 * The arguments of a save: the path parameters, the query and the body. The type requires parameters and body only if the endpoint's contract
 * defines them.
 */
export type Payload<E> = ParamsArg<E> & BodyArg<E> & { query?: Query };
export type CallArgs<E> = Payload<E> & {
  signal?: AbortSignal;
  idempotencyKey?: string | undefined;
  /**
   * The user who made the request. If the session belongs to another user by now, the server replies 401. By default, saves are made by the
   * user of this tab, and reads by anybody.
   */
  userId?: number;
};
/**
 * Gives the arguments of a read the type that a call expects. Code that is generic over the endpoint needs this cast, because TypeScript
 * cannot know which arguments the contract of the endpoint requires.
 */
export const readArgs = <E>(args: { params: unknown; query: Query; body?: unknown; signal?: AbortSignal | undefined }): CallArgs<E> =>
  args as unknown as CallArgs<E>;
type CallArgsRest<E> = Record<never, never> extends CallArgs<E> ? [args?: CallArgs<E>] : [args: CallArgs<E>];

export type Call = <E extends Endpoint>(endpoint: E, ...args: CallArgsRest<E>) => Promise<ReplyOf<E>>;

interface AnyArgs {
  params?: Readonly<Record<string, string | number>>;
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
  userId?: number;
}

export interface Transport {
  /** The scheme and host without a trailing slash. An empty string means the origin of the page. */
  host: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Returns the user who makes the saves for which the caller names no user. Null if nobody is signed in. */
  savedBy?: () => number | null;
}

/** Creates the function that calls the API (spec §7). Tests pass their own host and their own fetch function. */
export function makeCall({ host, fetch = (url, init) => globalThis.fetch(url, init), savedBy = () => null }: Transport): Call {
  return async (endpoint, ...[args]) => {
    const { params, query, body, signal, idempotencyKey, userId } = (args ?? {}) as AnyArgs;
    const madeBy = userId ?? (endpoint.method === 'GET' ? null : savedBy());
    const headers: Record<string, string> = { Accept: 'application/json, text/plain;q=0.9' };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
    if (madeBy !== null) headers['X-User-Id'] = String(madeBy);

    const response = await reached(
      fetch(host + pathOf(endpoint, params, query), {
        method: endpoint.method,
        headers,
        credentials: 'include',
        cache: 'no-store',
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? timeLimitOf(endpoint),
      }),
    );
    noteServerTime(response.headers.get('date'));
    const text = await reached(response.text());
    // A proxy, or the sign-in page of a Wi-Fi network, replies with HTML.
    const isOwn = !/html/i.test(response.headers.get('content-type') ?? '');
    const isFromServer = response.headers.has(SENT_BY_SERVER);
    if (!response.ok) {
      const sentence = (isOwn && text.trim()) || response.statusText || NOT_REACHED;
      throw new CallError(response.status, sentence, isFromServer);
    }
    // If a proxy says that a save has succeeded, the server may not have received it. The idempotency key makes the retry safe.
    const needsServer = idempotencyKey !== undefined || endpoint.isConfirmedByServer;
    if (!isOwn || (needsServer && !isFromServer)) throw new NetworkError(NOT_REACHED);
    return (text === '' ? undefined : JSON.parse(text)) as never;
  };
}

/** Every response of the server has this header. */
const SENT_BY_SERVER = 'x-request-id';

/** A save without a response after this many milliseconds has failed. Its idempotency key makes the retry safe (contract §2). */
const SAVE_TIMEOUT = 60_000;
/** Reads, expensive calls and saves with long bodies have no time limit, because they may take minutes on a slow network. */
const timeLimitOf = ({ method, isExpensive, bodyLimit }: Endpoint): AbortSignal | null =>
  method === 'GET' || isExpensive === true || bodyLimit !== undefined ? null : AbortSignal.timeout(SAVE_TIMEOUT);

async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new NetworkError(NOT_REACHED, { cause: error });
  }
}

/** The host of the API. An empty string means the origin of the page (contract §1). */
export const API_HOST: string = import.meta.env?.['VITE_API_HOST'] ?? '';

declare global {
  /** Maps the URLs of prefetched requests to their responses (prefetch.ts). */
  var prefetched: Map<string, Promise<Response>> | undefined;
}

/**
 * The time after the start of the page during which prefetched responses are used. Afterwards their data may be too old, so the client sends
 * the requests again.
 */
const PREFETCH_LIFETIME_MS = 30_000;

/**
 * Returns the prefetched response of a request, or sends the request if there is none. Each prefetched response is used at most once. A
 * save discards all of them, because it may change the data that they contain.
 */
function fetchOrTake(url: string, init: RequestInit): Promise<Response> {
  const ahead = globalThis.prefetched;
  if (init.method !== 'GET') ahead?.clear();
  const answer = performance.now() < PREFETCH_LIFETIME_MS ? ahead?.get(url) : undefined;
  ahead?.delete(url);
  return answer ?? globalThis.fetch(url, init);
}

export const call: Call = makeCall({ host: API_HOST, fetch: fetchOrTake, savedBy: shownUser });
