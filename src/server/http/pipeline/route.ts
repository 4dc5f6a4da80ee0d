// Contains the types of the request pipeline, and the functions with which a feature declares a route (docs/architecture.md, "Request
// lifecycle").
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '../../../shared/endpoint.ts';
import type { PreloadArgs, PreloadQuery } from '../../auth/session-preload.ts';
import type { CountRows } from '../../database/count-rows.ts';
import { transaction, type Db } from '../../database/db.ts';
import type { IdempotencyRecord } from '../../database/idempotency-record.ts';
import type { Env } from '../../operations/env.ts';
import type { IdempotencyContext } from './idempotency.ts';
import type { ImageReply } from '../../images/image-reply.ts';
import type { CachedBody } from '../../web/body-cache.ts';
import type { SessionControl } from '../session-cookie.ts';
import type { Viewer } from '../../auth/session.ts';

/** The dependencies of the application. They are the same for every request. */
export interface AppContext {
  readonly db: Db;
  readonly env: Env;
  /** Returns the current time. Tests can set it. */
  readonly now: () => Date;
}

/** The input that the client has sent, after validation by the endpoint's contract. */
export interface RequestInput<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
}

/**
 * The context of one request. `Preloaded` is the type of the row that the route's session preload returns, or null. `Checked` is the type of
 * the result of the route's `refuseEarly`.
 */
export interface RouteContext<E, V extends Viewer | null = Viewer, Preloaded = unknown, Checked = unknown> extends RequestInput<E> {
  /** The database: a transaction if the handler runs for an Idempotency-Key, otherwise the pool (also in a preview and in a fast path). */
  readonly db: Db;
  readonly env: Env;
  readonly now: Date;
  readonly viewer: V;
  readonly preloaded: Preloaded | null;
  /** What `refuseEarly` has returned. */
  readonly checked: Checked;
  readonly session: SessionControl;
  /** The client's IP address. Behind a proxy, TRUST_PROXY determines how it is found. */
  readonly address: string;
  readonly log: FastifyBaseLogger;
  /** This signal is aborted when the client disconnects before its response is sent. */
  readonly signal: AbortSignal;
  /** From this call on, the request counts neither as running nor as an open reply. Call it before a request waits without work. */
  readonly releasePermits: () => void;
  /**
   * Waits while the viewer or the viewer's distributor has too many open replies with long lists. The reply of this call then counts as open
   * until the client has read it.
   */
  readonly openReply: () => Promise<unknown>;
  readonly countRows: CountRows;
  /** The context of the call's idempotency key. Null if the endpoint supports no idempotency keys, or if the client sent none. */
  readonly idempotency: IdempotencyContext | null;
}

/** A reply whose status differs from the usual status of its endpoint. */
export class ReplyWithStatus<Value> {
  readonly status: 200 | 201;
  readonly value: Value;
  constructor(status: 200 | 201, value: Value) {
    this.status = status;
    this.value = value;
  }
}

/** A reply that matches its contract and has already been converted to JSON. The JSON is empty if the endpoint has no reply. */
export class SerializedReply {
  readonly status: number;
  readonly json: string;
  constructor(status: number, json: string) {
    this.status = status;
    this.json = json;
  }
}

type Row<R> = R extends readonly (infer Item)[] ? Item : never;
type ListsOfBatches<R> = { readonly [Name in keyof R]: R[Name] | Batches<R[Name]> };
type Batches<R> = AsyncIterable<readonly (Row<R> | ListsOfBatches<Row<R>>)[]>;
/**
 * What a route may return: a value, a value with another status, batches of a long list, an object with batches of long lists, a cached
 * body, or a picture.
 */
type RouteReply<R> = R | ReplyWithStatus<R> | Batches<R> | ListsOfBatches<R> | CachedBody | ImageReply;

export type RecordOf<R> = (reply: ReplyWithStatus<R>) => IdempotencyRecord;
/**
 * Runs the whole call in one statement that also stores its reply, and returns the stored row. When it returns null or throws a refusal,
 * the statement has written nothing. The call then runs in a transaction with its key.
 */
type IdempotentFastPath<Context, R> = (context: Context, recordOf: RecordOf<R>) => Promise<IdempotencyRecord | null>;

/** A query that a route runs in the same statement as the session lookup. */
interface PreloadOption<E, Args, Preloaded> {
  readonly query: PreloadQuery<Args, Preloaded>;
  /** Returns null if this request preloads nothing, because the query would take long for it. */
  readonly args: (input: RequestInput<E>) => Args | null;
  /** Returns how many order lines the preload has read. They count like `countRows({ read })`, also if the request is then refused. */
  readonly linesRead?: (preloaded: Preloaded) => number;
}

type OneAtATime = 'orders' | 'payments' | 'weights' | 'waiting lists' | 'distributions';

interface RouteOptions<E, Args, Preloaded, Checked, Context = RouteContext<E, Viewer, Preloaded>> {
  /**
   * Does slow work on the body that needs no database, and returns the body with which the call continues. It runs before the call waits in
   * the queue of imports and mailings, so it delays no other call. It also runs before the transaction that claims the Idempotency-Key, so
   * it occupies no database connection. If it refuses the body, the Idempotency-Key stays unused.
   */
  readonly prepareBody?: (context: Context) => Promise<BodyOf<E>>;
  /**
   * Whether a request only previews a change. A preview needs no Idempotency-Key, so it runs without a transaction, and its reply is not
   * stored.
   */
  readonly isPreview?: (context: Context) => boolean;
  /**
   * Whether this request changes so many rows that it keeps the database busy for long. It then waits in `expensiveQueue` before its
   * transaction, and its fast path is not used.
   */
  readonly isExpensiveChange?: (context: Context) => boolean;
  /**
   * Whether the lists of the reply stay in memory until the client has read them. Only a few of these replies of one distributor may be
   * open at once.
   */
  readonly keepsListsInMemory?: true;
  /** A person's calls of this route, and of the other routes with the same value, run one after the other. */
  readonly oneAtATime?: OneAtATime;
  /**
   * Throws if the call would be refused now. It runs before the call waits in the queue of imports and mailings, and before its transaction,
   * so that a refused call occupies no queue and locks no rows for which other people wait. The call must check again after it has taken its
   * locks. For this, it gets the result as `checked`. It may also do long work that does no harm if the call is refused later.
   */
  readonly refuseEarly?: (context: Context) => Promise<Checked>;
  readonly sessionPreload?: PreloadOption<E, Args, Preloaded>;
  readonly idempotentFastPath?: IdempotentFastPath<Context, ReplyOf<E>>;
}

/** The pipeline uses these types for the routes of all endpoints. */
export type AnyContext = RouteContext<Endpoint, Viewer | null>;
export interface Route extends RouteOptions<Endpoint, PreloadArgs, unknown, unknown, AnyContext> {
  readonly endpoint: Endpoint;
  readonly run: (context: AnyContext) => Promise<unknown>;
}

/** A pipeline stage around a route. It calls the next stage, or replies itself. */
export type RouteHandler = (context: AnyContext, request: FastifyRequest) => Promise<unknown>;

/** Declares the route of a non-public endpoint. Only signed-in viewers with one of the endpoint's roles may call it. */
export const on = <E extends Endpoint, Args extends PreloadArgs, Preloaded, Checked>(
  endpoint: E,
  run: (context: RouteContext<E, Viewer, Preloaded, Checked>) => Promise<RouteReply<ReplyOf<E>>>,
  options: RouteOptions<E, Args, Preloaded, Checked> = {},
): Route => ({ endpoint, run, ...options }) as unknown as Route;

/**
 * Like `on`, but `run` gets a transaction as `db`. After a serialization failure or a deadlock `run` runs again, so it must change nothing
 * but the database.
 */
export const onTransaction = <E extends Endpoint, Args extends PreloadArgs, Preloaded, Checked>(
  endpoint: E,
  run: (context: RouteContext<E, Viewer, Preloaded, Checked>) => Promise<RouteReply<ReplyOf<E>>>,
  options: RouteOptions<E, Args, Preloaded, Checked> = {},
): Route => on(endpoint, (context) => transaction(context.db, (db) => run({ ...context, db })), options);

/** Declares the route of a public endpoint. The viewer is null for a signed-out client. */
export const onPublic = <E extends Endpoint>(
  endpoint: E,
  run: (context: RouteContext<E, Viewer | null>) => Promise<RouteReply<ReplyOf<E>>>,
): Route => ({ endpoint, run: run as Route['run'] });
