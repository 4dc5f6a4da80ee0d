// The shape of an API call, which is declared once in a contract.ts, served by the server and called by the browser.
import type * as z from 'zod/mini';
import type { Role } from '../domain/accounts/roles.ts';

/** Maximum bytes of a request body (contract §2). */
export const BODY_LIMIT = 1_048_576;

export type Schema = z.core.$ZodType;
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Endpoint<
  Path extends string = string,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
  Query extends Schema = Schema,
> {
  readonly method: Method;
  readonly path: Path;
  readonly summary: string;
  /** Rules that schemas cannot express: limits over several calls, and preconditions. */
  readonly description?: string;
  /** The roles that may send the call; 'public' must be stated explicitly. */
  readonly roles: readonly (Role | 'public')[];
  /** Agents may send the call only if the distributor has given them this permission. */
  readonly agentPermission?: 'mayTakePayments';
  /** An agent who must first add a second factor may send the call too (contract §19). */
  readonly isOpenBeforeSecondFactor?: true;
  readonly body?: Body;
  readonly reply?: Reply;
  /** The query parameters: an object of strings. */
  readonly query?: Query;
  /** The list grows with the number of orders: screens read it in pages (shared/pages.ts), and its query is PageQuery. */
  readonly isLong?: true;
  /** The media type of a reply that is not JSON. */
  readonly mediaType?: 'image/webp';
  /** The reply is a file to save under this name. */
  readonly fileName?: string;
  /** The success status when it is not 200. */
  readonly status?: 201 | 202 | 204;
  /** The call supports the Idempotency-Key header (contract §2). */
  readonly idempotent?: boolean;
  /** When the call refuses input that its schemas allow: a sentence for the OpenAPI document. */
  readonly refusals?: Readonly<Partial<Record<403 | 409 | 429, string>>>;
  /** Maximum bytes of the body when it is not BODY_LIMIT. */
  readonly bodyLimit?: number;
  /** The call keeps the database busy for long, so it is queued. */
  readonly isHeavy?: boolean;
  /** The call does not count as a save: it must also work after the user's limit is reached. Public endpoints never count. */
  readonly isExemptFromSaveLimit?: true;
}

type Nothing = z.core.$ZodVoid;

export const endpoint = <
  const Path extends string,
  Body extends Schema = Nothing,
  Reply extends Schema = Nothing,
  Query extends Schema = Nothing,
>(
  written: Endpoint<Path, Body, Reply, Query>,
): Endpoint<Path, Body, Reply, Query> => written;

/** Path parameters that are not integer ids. */
export const TEXT_PARAMS = ['role', 'token', 'code', 'hash'] as const;
type TextParam = (typeof TEXT_PARAMS)[number];

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type PathParams<Path extends string> = { readonly [Name in ParamNames<Path>]: Name extends TextParam ? string : number };

export type ParamsOf<E> = E extends Endpoint<infer Path, infer _Body, infer _Reply> ? PathParams<Path> : never;
export type BodyOf<E> = E extends Endpoint<infer _Path, infer Body, infer _Reply> ? z.output<Body> : never;
export type BodyInputOf<E> = E extends Endpoint<infer _Path, infer Body, infer _Reply> ? z.input<Body> : never;
export type ReplyOf<E> = E extends Endpoint<infer _Path, infer _Body, infer Reply> ? z.output<Reply> : never;

export type QueryOf<E> = E extends Endpoint<infer _Path, infer _Body, infer _Reply, infer Query> ? z.output<Query> : never;

export type Query = Readonly<Record<string, string>>;

/** Builds the URL path of a call: replaces each `:name` by its value and appends the non-empty query parameters. */
export function pathOf(called: Endpoint, params: Readonly<Record<string, string | number>> = {}, query: Query = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  const path = called.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${called.path} needs ${name}`);
    return encodeURIComponent(value);
  });
  return search === '' ? path : `${path}?${search}`;
}
