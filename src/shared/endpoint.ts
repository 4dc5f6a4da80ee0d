// Describes an API call. Each call is declared once in a contract.ts; the server serves it and the browser calls it.
import type * as z from 'zod/mini';
import type { Role } from '../domain/accounts/roles.ts';

/** The maximum number of bytes in a request body (contract §2). */
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
  /** Rules that schemas cannot express, such as limits over several calls and preconditions. The OpenAPI document contains this text. */
  readonly description?: string;
  /** The roles that may send the call. A public call must state 'public' explicitly. */
  readonly roles: readonly (Role | 'public')[];
  /** Agents may send the call only if the distributor has given them this permission. */
  readonly agentPermission?: 'mayTakePayments';
  /** Whether an agent who must first add a second factor may also send the call (contract §19). */
  readonly isOpenBeforeSecondFactor?: true;
  readonly body?: Body;
  readonly reply?: Reply;
  /** The query parameters, all of them strings. */
  readonly query?: Query;
  /** Whether the list grows with the number of orders. Screens read such a list in pages (shared/pages.ts), and its query is PageQuery. */
  readonly isLong?: true;
  /** The media type of the reply if it is not JSON. */
  readonly mediaType?: 'image/webp';
  /** If the reply is a file, the name under which the browser saves it. */
  readonly fileName?: string;
  /** The status of a successful reply if it is not 200. */
  readonly status?: 201 | 202 | 204;
  /** Whether the call supports the Idempotency-Key header (contract §2). */
  readonly idempotent?: boolean;
  /** Sentences for the OpenAPI document that say when the call refuses input which its schemas allow. */
  readonly refusals?: Readonly<Partial<Record<403 | 409 | 429, string>>>;
  /** The maximum number of bytes in the body if it is not BODY_LIMIT. */
  readonly bodyLimit?: number;
  /** Whether the call keeps the database busy for long. Such calls are queued. */
  readonly isHeavy?: boolean;
  /**
   * Whether the call does not count as a save, because it must also work after the user has reached the limit of saves. Public endpoints
   * never count.
   */
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

/** The path parameters that are not integer ids. */
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
