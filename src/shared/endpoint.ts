// Defines how an API call is described. Each call is declared once in a file contract.ts. The server serves the call from this declaration,
// and the browser uses it to send the call.
import type * as z from 'zod/mini';
import type { Role } from '../domain/accounts/roles.ts';

/** The maximum number of bytes in a request body (contract §2). */
export const BODY_LIMIT = 1_048_576;

export type Schema = z.core.$ZodType;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Endpoint<
  Path extends string = string,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
  Query extends Schema = Schema,
> {
  readonly method: Method;
  readonly path: Path;
  readonly summary: string;
  /**
   * The rules that the schemas cannot express, such as preconditions, and limits over several calls. The OpenAPI document contains this
   * text.
   */
  readonly description?: string;
  /** The roles that may send the call. A public call must state 'public' explicitly. */
  readonly roles: readonly (Role | 'public')[];
  /** Agents may send the call only if the distributor has given them this permission. */
  readonly agentPermission?: 'mayTakePayments';
  /** Whether an agent may also send the call before adding a required second factor (contract §19). */
  readonly isOpenBeforeSecondFactor?: true;
  readonly body?: Body;
  readonly reply?: Reply;
  /** The schema of the query parameters. Each parameter arrives as a string. */
  readonly query?: Query;
  /**
   * Whether the reply is a list that grows with the number of orders. Screens read such a list in pages (shared/pages.ts), and the query of
   * the call is PageQuery.
   */
  readonly isLong?: true;
  /** The media type of the reply if it is not JSON. */
  readonly mediaType?: 'image/webp';
  /** The name under which the browser saves the reply, if the reply is a file. */
  readonly fileName?: string;
  /** The status of a successful reply if it is not 200. */
  readonly status?: 201 | 202 | 204;
  /** The status of the reply if the call changed an existing row instead of creating one, and this status differs. */
  readonly statusOfChange?: 200;
  /** Whether the call supports the Idempotency-Key header (contract §2). */
  readonly idempotent?: boolean;
  /**
   * Whether the client takes a success only from the server itself, also without an Idempotency-Key. A proxy can reply with 204 to any
   * request.
   */
  readonly isConfirmedByServer?: true;
  /** Says, for each error status, when the call refuses a request that its schemas allow. The OpenAPI document contains these sentences. */
  readonly refusals?: Readonly<Partial<Record<401 | 403 | 409 | 429, string>>>;
  /** The maximum number of bytes in the body if it is not BODY_LIMIT. */
  readonly bodyLimit?: number;
  /** The maximum number of values in the body if its largest valid body has more values than those of other calls (http/json-body.ts). */
  readonly maxValues?: number;
  /**
   * Whether the call keeps the database busy for long. The server runs only a limited number of such calls at once and queues the others. A
   * preview of the call is not queued.
   */
  readonly isExpensive?: boolean;
  /**
   * How many rows the call writes at most, or as how many rows its bytes count, if the size of its body does not show it. Such a call counts
   * as several saves toward the user's limit.
   */
  readonly rows?: number;
  /**
   * Whether an import sends this call once for each row of a file. Staff may send such calls more often than other calls, and the size of
   * their bodies does not count toward the user's limit.
   */
  readonly isImport?: true;
  /**
   * Whether the call does not count toward the user's limit of saves, unless its body is long. Such a call must also work after the limit
   * is reached. Calls of public endpoints never count.
   */
  readonly isExemptFromSaveLimit?: true;
  /**
   * Whether the saves of others of the staff never delay the call, because it may have to stop them. Only the person's own limits of saves
   * apply to it.
   */
  readonly isEmergency?: true;
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

type PathParams<Path extends string> = { readonly [Name in ParamNames<Path>]: Name extends TextParam ? string : number };

export type ParamsOf<E> = E extends Endpoint<infer Path, infer _Body, infer _Reply> ? PathParams<Path> : never;
export type BodyOf<E> = E extends Endpoint<infer _Path, infer Body, infer _Reply> ? z.output<Body> : never;
export type BodyInputOf<E> = E extends Endpoint<infer _Path, infer Body, infer _Reply> ? z.input<Body> : never;
export type ReplyOf<E> = E extends Endpoint<infer _Path, infer _Body, infer Reply> ? z.output<Reply> : never;

export type QueryOf<E> = E extends Endpoint<infer _Path, infer _Body, infer _Reply, infer Query> ? z.output<Query> : never;

export type Query = Readonly<Record<string, string>>;

/** Builds the URL path of a call. It replaces each `:name` by its value and appends the non-empty query parameters. */
export function pathOf(called: Endpoint, params: Readonly<Record<string, string | number>> = {}, query: Query = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  const path = called.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${called.path} needs ${name}`);
    return encodeURIComponent(value);
  });
  return search === '' ? path : `${path}?${search}`;
}
