// Mounts contracts on Fastify; every call is judged in the same order: who is it, may this role, is the body right, the work, does the
// reply match.
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { isIP } from 'node:net';
import { setImmediate as nextLoop } from 'node:timers/promises';
import * as z from 'zod/mini';
import { TEXT_PARAMS, type BodyOf, type Endpoint, type ParamsOf, type QueryOf, type ReplyOf, type Schema } from '../../shared/endpoint.ts';
import { LARGEST_INT } from '../../shared/fields.ts';
import { formatZodError } from './format-zod-error.ts';
import type { Db } from '../database/db.ts';
import type { Env } from '../operations/env.ts';
import { forbidden, HttpError, invalid, notFound, unauthenticated } from './errors.ts';
import { withHeavyLimit } from './heavy-queue.ts';
import { asRefusal, findStored, hashOf, idempotencyKey, once, type About, type IdempotencyRecord, type Kept } from './idempotency.ts';
import { isBatches, isLists, streamOf, streamOfLists } from './json-stream.ts';
import { ImageReply, sendImage } from '../images/image-reply.ts';
import { CachedBody, sendCachedBody } from '../web/body-cache.ts';
import { sessionCookieOf, sessionDoor, sessionRules, setSessionCookie, type SessionDoor } from './session-cookie.ts';
import { viewerOf, type ReadAlong, type Statement, type Viewer } from '../auth/session.ts';

export interface World {
  readonly db: Db;
  readonly env: Env;
  /** The clock, so that tests can set it. */
  readonly now: () => Date;
}

/** What the caller says, checked against the contract. */
interface Said<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
}

interface Asked<E> extends Said<E> {
  readonly db: Db;
  readonly env: Env;
  readonly now: Date;
  readonly session: SessionDoor;
  /** Of the client, as far as TRUST_PROXY lets it be known. */
  readonly address: string;
  readonly log: FastifyBaseLogger;
  /** Aborted when the client goes away before its reply is sent. */
  readonly signal: AbortSignal;
}
export type AskedBy<V, E> = Asked<E> & { readonly viewer: V };

/** A reply with another status than its contract's usual one. */
export class Answer<Value> {
  readonly status: 200 | 201;
  readonly value: Value;
  constructor(status: 200 | 201, value: Value) {
    this.status = status;
    this.value = value;
  }
}

type Row<R> = R extends readonly (infer Item)[] ? Item : never;
type Lists<R> = { readonly [Name in keyof R]: AsyncIterable<readonly Row<R[Name]>[]> };
/** A reply may be its value, the value under another status, batches of a long list or of several, a body made before, or a picture. */
type Reply<R> = R | Answer<R> | AsyncIterable<readonly Row<R>[]> | Lists<R> | CachedBody | ImageReply;

/** A row that a route has read together with the session (see `ReadAlong`); the route finds it, or null, as `found`. */
export interface Along<E, Found> {
  readonly text: Statement<Found>;
  readonly values: (said: Said<E>) => ReadAlong['values'];
}

/** What is stored under the key of a call whose reply is this. */
export type IdempotencyRecordOf = (answer: Answer<unknown>) => IdempotencyRecord;
/** The whole call, stored with its key in one statement; null or a refusal where nothing was stored: then the call runs in a transaction with its key. */
type WithKey<A> = (asked: A, recordOf: IdempotencyRecordOf) => Promise<IdempotencyRecord | null>;

export interface Route {
  readonly endpoint: Endpoint;
  readonly along?: Along<Endpoint, unknown> | undefined;
  readonly run: (asked: AskedBy<Viewer | null, Endpoint>) => Promise<unknown>;
  readonly withKey?: WithKey<AskedBy<Viewer | null, Endpoint>> | undefined;
}

/** The route of a contract for a signed-in viewer of one of its roles. */
export const on = <E extends Endpoint, Found>(
  written: E,
  run: (asked: AskedBy<Viewer, E> & { readonly found: Found | null }) => Promise<Reply<ReplyOf<E>>>,
  along?: Along<E, Found>,
  withKey?: WithKey<AskedBy<Viewer, E> & { readonly found: Found | null }>,
): Route => ({
  endpoint: written,
  along: along as Route['along'],
  run: run as Route['run'],
  withKey: withKey as Route['withKey'],
});

/** The route of a contract that is open to everybody; the viewer may be nobody. */
export const onPublic = <E extends Endpoint>(written: E, run: (asked: AskedBy<Viewer | null, E>) => Promise<Reply<ReplyOf<E>>>): Route => ({
  endpoint: written,
  run: run as Route['run'],
});

function checkedBody(schema: Schema | undefined, body: unknown): unknown {
  if (!schema) return undefined;
  const parsed = z.safeParse(schema, body);
  if (!parsed.success) throw invalid(formatZodError(parsed.error));
  return parsed.data;
}

/** A reply that does not fit its contract is our fault, never the caller's. */
export function checkedReply(schema: Schema | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = z.safeParse(schema, value);
  if (!parsed.success) throw new Error(`The reply does not match its contract: ${formatZodError(parsed.error)}`);
  return parsed.data;
}

function checkedParams(params: Readonly<Record<string, string>>): Record<string, string | number> {
  const checked: Record<string, string | number> = {};
  for (const [name, text] of Object.entries(params)) {
    if ((TEXT_PARAMS as readonly string[]).includes(name)) checked[name] = text;
    else if (!/^\d{1,300}$/.test(text)) throw invalid('The id in the address must be a whole number.');
    else if (Number(text) > LARGEST_INT) throw notFound('Record');
    else checked[name] = Number(text);
  }
  return checked;
}

const check = ({ query, body }: Endpoint, request: FastifyRequest): Said<Endpoint> => ({
  params: checkedParams(request.params as Record<string, string>) as never,
  query: checkedBody(query, request.query) as never,
  body: checkedBody(body, request.body) as never,
});

/** Null where it is at fault: whose call it is comes first, and then the fault is told. */
function checkEarly(endpoint: Endpoint, request: FastifyRequest): Said<Endpoint> | null {
  try {
    return check(endpoint, request);
  } catch (error) {
    if (error instanceof HttpError) return null;
    throw error;
  }
}

interface Admitted {
  readonly viewer: Viewer | null;
  readonly found: unknown;
  readonly said: Said<Endpoint> | null;
}
const admitted = new WeakMap<FastifyRequest, Admitted>();

/** A handler whose caller was never judged must not run. */
function admittedOf(request: FastifyRequest): Admitted {
  const found = admitted.get(request);
  if (!found) throw new Error(`${request.method} ${request.routeOptions.url} ran without its authentication hook.`);
  return found;
}

/** Whose caller is asked for once their body is there. */
const unasked = new WeakSet<FastifyRequest>();

async function admit(world: World, { endpoint, along }: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  unasked.delete(request);
  const said = along ? checkEarly(endpoint, request) : null;
  const asked = {
    now: world.now(),
    rules: sessionRules(world.env),
    along: along && said && { text: along.text, values: along.values(said) },
  };
  const cookie = sessionCookieOf(world.env, request);
  const visit = await viewerOf(world.db, cookie, asked);
  admitted.set(request, { viewer: visit?.viewer ?? null, found: visit?.found ?? null, said });
  if (visit?.refreshed) setSessionCookie(reply, world.env, cookie ?? '', visit.refreshed);
  if (endpoint.roles.includes('public')) return;
  if (!visit) throw unauthenticated();
  if (!endpoint.roles.includes(visit.viewer.role)) throw forbidden();
}

/** Nobody's body is worth reading. */
async function refuseNobody({ env }: World, request: FastifyRequest): Promise<void> {
  if (sessionCookieOf(env, request) === undefined) throw unauthenticated();
  unasked.add(request);
}

/** Whose call it is comes first, also where the body cannot be read. */
const refusingUnread = (world: World, route: Route): NonNullable<RouteOptions['errorHandler']> =>
  async function refuse(error, request, reply) {
    if (unasked.has(request)) await admit(world, { ...route, along: undefined }, request, reply);
    throw error;
  };

/** A proxy may pass on whatever a client wrote into X-Forwarded-For: what is no IP address is never used, nor is the zone of an IPv6 one. */
function clientAddress({ ip, socket }: FastifyRequest): string {
  const address = [ip, socket.remoteAddress].find((given) => isIP(given ?? '') !== 0) ?? '';
  return address.replace(/%.*$/s, '');
}

/** Fastify's own request.signal is aborted as soon as a body has been read. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const client = new AbortController();
  // A client that left before emits no 'close' any more.
  if (raw.destroyed) client.abort();
  else raw.once('close', () => raw.writableFinished || client.abort());
  return client.signal;
}

/** The session may have ended, or the account been disabled, while the call waited. */
async function judgeAgain({ db, env, now }: World, request: FastifyRequest): Promise<void> {
  if (!(await viewerOf(db, sessionCookieOf(env, request), { now: now(), rules: sessionRules(env) }))) throw unauthenticated();
}

const JSON_TYPE = 'application/json; charset=utf-8';

function settled(endpoint: Endpoint, result: unknown): { status: number; reply: string } {
  const answer = result instanceof Answer ? result : { status: endpoint.status ?? 200, value: result };
  return { status: answer.status, reply: endpoint.reply ? JSON.stringify(checkedReply(endpoint.reply, answer.value)) : '' };
}

/** Rows of one of the lists of a reply are checked as the reply would be that has no others. */
function listCheck({ reply }: Endpoint, names: readonly string[]) {
  const none = Object.fromEntries(names.map((name) => [name, []]));
  return (rows: readonly unknown[], name: string): unknown[] =>
    (checkedReply(reply, { ...none, [name]: rows }) as Record<string, unknown[]>)[name] ?? [];
}

/** What `withKey` of the route has stored; null where it stored nothing. A refusal is stored by the transaction that follows. */
async function keptAtOnce(route: Route, asked: AskedBy<Viewer | null, Endpoint>, { key, bodyHash, now }: About): Promise<Kept | null> {
  const recordOf = (answer: Answer<unknown>): IdempotencyRecord => ({ key, bodyHash, createdAt: now, ...settled(route.endpoint, answer) });
  try {
    return (await route.withKey?.(asked, recordOf)) ?? null;
  } catch (error) {
    // A busy database is not asked for a transaction as well.
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return null;
  }
}

async function answer(world: World, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { endpoint } = route;
  const { viewer, found, said } = admittedOf(request);
  // A large body is read, checked and worked on in turns of the event loop of their own: others are served in between.
  if (endpoint.bodyLimit) await nextLoop();
  const asked = {
    ...(said ?? check(endpoint, request)),
    env: world.env,
    now: world.now(),
    viewer,
    found,
    session: sessionDoor(world, request, reply),
    address: clientAddress(request),
    log: request.log,
    signal: signalOf(reply),
  };
  if (endpoint.bodyLimit) await nextLoop();
  const job = { key: String(viewer?.tenantId), signal: asked.signal, judge: () => judgeAgain(world, request) };
  const key = endpoint.idempotent ? idempotencyKey(request.headers['idempotency-key']) : null;
  if (key !== null && asked.viewer !== null) {
    const call = `${endpoint.method} ${request.url}`;
    const about = { viewer: asked.viewer, key, bodyHash: hashOf(call, asked.body), now: asked.now };
    const kept =
      (await keptAtOnce(route, { ...asked, db: world.db }, about)) ??
      // A finished call is replayed without waiting in the queue.
      (endpoint.isHeavy ? await findStored(world.db, about) : null) ??
      (await withHeavyLimit(endpoint, job, () =>
        once(world.db, about, async (db) => settled(endpoint, await route.run({ ...asked, db }))),
      ));
    if (kept.status >= 400) throw asRefusal(kept);
    return await reply.code(kept.status).type(JSON_TYPE).send(kept.reply);
  }
  const result = await withHeavyLimit(endpoint, job, async () => await route.run({ ...asked, db: world.db }));
  if (result instanceof CachedBody) return await sendCachedBody(request, reply, result);
  if (result instanceof ImageReply) return await sendImage(request, reply, result);
  if (isBatches(result))
    return await reply.type(JSON_TYPE).send(await streamOf(result, (rows) => checkedReply(endpoint.reply, rows) as unknown[]));
  if (isLists(result)) return await reply.type(JSON_TYPE).send(await streamOfLists(result, listCheck(endpoint, Object.keys(result))));
  const { status, reply: json } = settled(endpoint, result);
  return json === '' ? await reply.code(status).send() : await reply.code(status).type(JSON_TYPE).send(json);
}

/** Puts every route behind the same five steps. */
export function mount(app: FastifyInstance, routes: readonly Route[], world: World): void {
  for (const route of routes) {
    app.route({
      method: route.endpoint.method,
      url: route.endpoint.path,
      ...(route.endpoint.bodyLimit ? { bodyLimit: route.endpoint.bodyLimit } : {}),
      // What is read along may need the body, so the caller is asked for once it is there.
      ...(route.along && route.endpoint.body
        ? {
            onRequest: (request) => refuseNobody(world, request),
            preHandler: (request, reply) => admit(world, route, request, reply),
            errorHandler: refusingUnread(world, route),
          }
        : { onRequest: (request, reply) => admit(world, route, request, reply) }),
      handler: (request, reply) => answer(world, route, request, reply),
    });
  }
}
