// The types of the request pipeline, and how a feature declares a route (docs/architecture.md, "Request lifecycle").
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '../../../shared/endpoint.ts';
import type { PreloadArgs, PreloadQuery } from '../../auth/session-preload.ts';
import type { Db } from '../../database/db.ts';
import type { Env } from '../../operations/env.ts';
import type { IdempotencyContext, IdempotencyRecord } from './idempotency.ts';
import type { ImageReply } from '../../images/image-reply.ts';
import type { CachedBody } from '../../web/body-cache.ts';
import type { SessionControl } from '../session-cookie.ts';
import type { Viewer } from '../../auth/session.ts';

/** The application's dependencies; the same for every request. */
export interface AppContext {
  readonly db: Db;
  readonly env: Env;
  /** The clock, so that tests can set it. */
  readonly now: () => Date;
}

/** The client's input, validated by the endpoint's contract. */
export interface RequestInput<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
}

/** The context of one request. `Preloaded` is the row of the route's session preload, or null. */
export interface RouteContext<E, V extends Viewer | null = Viewer, Preloaded = unknown> extends RequestInput<E> {
  /** A transaction if the request has an Idempotency-Key, otherwise the pool. */
  readonly db: Db;
  readonly env: Env;
  readonly now: Date;
  readonly viewer: V;
  readonly preloaded: Preloaded | null;
  readonly session: SessionControl;
  /** The client's IP address; behind a proxy as TRUST_PROXY tells. */
  readonly address: string;
  readonly log: FastifyBaseLogger;
  /** Aborted when the client disconnects before its response is sent. */
  readonly signal: AbortSignal;
  /** Null if the endpoint supports no Idempotency-Key, or the client sent none. */
  readonly idempotency: IdempotencyContext | null;
}

/** A reply whose status differs from its endpoint's usual one. */
export class ReplyWithStatus<Value> {
  readonly status: 200 | 201;
  readonly value: Value;
  constructor(status: 200 | 201, value: Value) {
    this.status = status;
    this.value = value;
  }
}

/** A reply that matches its contract and is already JSON; the JSON is empty if the endpoint has no reply. */
export class SerializedReply {
  readonly status: number;
  readonly json: string;
  constructor(status: number, json: string) {
    this.status = status;
    this.json = json;
  }
}

type Row<R> = R extends readonly (infer Item)[] ? Item : never;
type Batches<R> = AsyncIterable<readonly Row<R>[]>;
type ListsOfBatches<R> = { readonly [Name in keyof R]: Batches<R[Name]> };
/** A value, a value with another status, batches of one or several long lists, a cached body, or a picture. */
type RouteReply<R> = R | ReplyWithStatus<R> | Batches<R> | ListsOfBatches<R> | CachedBody | ImageReply;

/** Builds the row of the request's idempotency key for this reply. */
export type RecordOf<R> = (reply: ReplyWithStatus<R>) => IdempotencyRecord;
/**
 * Runs the whole call in one statement that also stores its reply, and returns the stored row. On null or a refusal nothing was written,
 * and the call runs in a transaction with its key.
 */
type IdempotentFastPath<Context, R> = (context: Context, recordOf: RecordOf<R>) => Promise<IdempotencyRecord | null>;

/** A query that runs in the same statement as the session lookup. */
interface RoutePreload<E, Args, Preloaded> {
  readonly query: PreloadQuery<Args, Preloaded>;
  readonly args: (input: RequestInput<E>) => Args;
}

interface RouteOptions<E, Args, Preloaded> {
  /**
   * Slow work on the body that needs no database; returns the body with which the call runs. It runs before the transaction of the call's
   * key, so that it occupies no connection. If it refuses the body, the key stays unused.
   */
  readonly prepareBody?: (context: RouteContext<E, Viewer, Preloaded>) => Promise<BodyOf<E>>;
  readonly sessionPreload?: RoutePreload<E, Args, Preloaded>;
  readonly idempotentFastPath?: IdempotentFastPath<RouteContext<E, Viewer, Preloaded>, ReplyOf<E>>;
}

/** A route of any endpoint, as the pipeline handles it. */
export type AnyContext = RouteContext<Endpoint, Viewer | null>;
export interface Route {
  readonly endpoint: Endpoint;
  readonly run: (context: AnyContext) => Promise<unknown>;
  readonly prepareBody?: (context: AnyContext) => Promise<unknown>;
  readonly sessionPreload?: RoutePreload<Endpoint, PreloadArgs, unknown>;
  readonly idempotentFastPath?: IdempotentFastPath<AnyContext, unknown>;
}

/** A stage of the pipeline around a route: it calls the next stage or replies itself. */
export type RouteHandler = (context: AnyContext, request: FastifyRequest) => Promise<unknown>;

/** The route of an endpoint for a signed-in viewer with one of its roles. */
export const on = <E extends Endpoint, Args extends PreloadArgs, Preloaded>(
  endpoint: E,
  run: (context: RouteContext<E, Viewer, Preloaded>) => Promise<RouteReply<ReplyOf<E>>>,
  options: RouteOptions<E, Args, Preloaded> = {},
): Route => ({ endpoint, run, ...options }) as unknown as Route;

/** The route of a public endpoint; the viewer may be null. */
export const onPublic = <E extends Endpoint>(
  endpoint: E,
  run: (context: RouteContext<E, Viewer | null>) => Promise<RouteReply<ReplyOf<E>>>,
): Route => ({ endpoint, run: run as unknown as Route['run'] });
