// Finds out which client sends a request, and how many requests of this client may run at once (docs/decisions/016-fair-admission.md).
import type { FastifyRequest } from 'fastify';
import { blockOrAddressOf, networkOf, siteOf } from '../auth/network.ts';
import { recentUserOfDevice } from '../auth/device.ts';
import { peopleGroupOf, recentUserOf, type RecentUser } from '../auth/recent-sessions.ts';
import type { Env } from '../operations/env.ts';
import { clientAddress } from './client-address.ts';
import { tooMany, type HttpError } from '../errors.ts';
import type { LimiterOptions } from '../queues/limiter.ts';
import { deviceOf, sessionCookieOf } from './session-cookie.ts';

const TOO_MANY_AT_ONCE = 'Too many requests at once. Please wait a moment and try again.';
const RETRY_AFTER_SECONDS = 5;

export const tooManyAtOnce = (): HttpError => tooMany(TOO_MANY_AT_ONCE, RETRY_AFTER_SECONDS);

interface AdmissionRule {
  /** `concurrency` is the maximum number of requests that run at once, and `maxQueued` the maximum number of queued requests. */
  readonly concurrency: number;
  readonly maxQueued: number;
  /**
   * The number of milliseconds for which a request still counts as running after its end. This pause limits the requests per second of a
   * client that sends a flood of requests.
   */
  readonly pauseMs: number;
  /**
   * Whether the pause follows every request. Otherwise it follows a request only if its body is long, or if the running and the queued
   * requests of the client are together more than `concurrency` at the end of the iteration of the event loop in which it ended. A client
   * that sends short requests one after the other therefore never has to wait for a pause.
   */
  readonly pausesAlways?: boolean;
  /**
   * The maximum number of requests that wait to run, that run, and whose replies the client has not read to their end. Each of them occupies
   * memory.
   */
  readonly openReplies: number;
  /**
   * Whether replies may wait for the database while they are sent. Otherwise a reply without progress waits for its client, and is cut off
   * if another request waits for an open reply (unread-replies.ts).
   */
  readonly repliesWait?: boolean;
  /**
   * A client of the group with fewer running requests, or open replies, never waits for those of the other clients. By default, all clients
   * of the group wait.
   */
  readonly ofEach?: number;
}

type Limits = Pick<LimiterOptions, 'concurrency' | 'mayStart' | 'maxQueued' | 'refusal'>;
const limitsOf = (most: number, ofEach: number, maxQueued: number): Limits => ({
  concurrency: Infinity,
  mayStart: (_client, running, ofClient) => running < most || ofClient < ofEach,
  maxQueued,
  refusal: tooManyAtOnce,
});

/** Returns the limits of the running requests of a group. */
export const limitsOfRequests = ({ concurrency, maxQueued, ofEach = 0 }: AdmissionRule): Limits => limitsOf(concurrency, ofEach, maxQueued);

/**
 * Returns the limits of the open replies of a group. Requests that wait for an open reply and requests that wait to run are in different
 * queues, which together hold `maxQueued` requests.
 */
export const limitsOfReplies = ({ concurrency, openReplies, maxQueued, ofEach = 0 }: AdmissionRule): Limits =>
  limitsOf(openReplies, ofEach, Math.max(0, concurrency + maxQueued - openReplies));

/** A person may run six requests at once, because a browser opens six connections to a server. */
const PERSON: AdmissionRule = { concurrency: 6, maxQueued: 500, pauseMs: 100, openReplies: 20, repliesWait: true };
/**
 * All staff of a tenant together may run ten times as many requests at once as one person. Otherwise a distributor could run more requests
 * by adding agents. Each can always have three requests running, and three open replies, whatever the others do.
 */
const STAFF_OF_TENANT: AdmissionRule = { ...PERSON, concurrency: 60, maxQueued: 5000, openReplies: 60, ofEach: 3 };
/** The queue of a network is long, because a thousand families in a hall may share one IPv4 address. */
const NETWORK: AdmissionRule = { concurrency: 8, maxQueued: 5000, pauseMs: 40, openReplies: 200 };
/** The rule for sign-ins. It also applies to signed-in people. Otherwise each of them could send further sign-ins beside those of the network. */
const SIGN_INS: AdmissionRule = { ...NETWORK };
/**
 * The rule for long bodies that the clients of a network send to calls without a session. The web application sends no such bodies, so the
 * rule does not affect its users. It also applies to signed-in people, because these calls do not count toward their limit of saves.
 * Reading many bodies of a megabyte delays other people, and a client can leave a body unfinished for half a minute.
 */
const LONG_BODIES: AdmissionRule = { concurrency: 2, maxQueued: 20, pauseMs: 400, pausesAlways: true, openReplies: 200 };
/** All long bodies of calls without a session together. Each has at most a megabyte, so they occupy at most 32 MB of memory. */
const LONG_BODIES_OF_ALL = { key: 'long bodies of all networks', rule: { ...LONG_BODIES, concurrency: 32, maxQueued: 200 } };
/**
 * The rule for requests whose session cookie this process has not verified recently, for example after a restart. One SQL statement
 * verifies many of these cookies.
 */
const UNKNOWN_SESSIONS: AdmissionRule = { concurrency: 16, maxQueued: 5000, pauseMs: 40, openReplies: 200 };
/**
 * The rule for the HTML pages, and for calls that need a session but arrive without its cookie. The server replies to them without work, and
 * the sign-in page needs one of each.
 */
const PAGES: AdmissionRule = { concurrency: 16, maxQueued: 5000, pauseMs: 40, openReplies: 200 };
/** The files of the web application cause little work, and a browser requests many of them at once. */
const FILES: AdmissionRule = { concurrency: 50, maxQueued: 5000, pauseMs: 80, openReplies: 500 };
/** Monitoring has limits of its own, because it must work while the same network sends a flood of other requests. */
const MONITORING: AdmissionRule = { concurrency: 50, maxQueued: 500, pauseMs: 250, pausesAlways: true, openReplies: 50 };
/**
 * The API document is in memory, and the files of its page are sent without compression, so a request ends soon. Only a pause after each
 * request limits a flood of them.
 */
const DOCUMENTS: AdmissionRule = { concurrency: 4, maxQueued: 5000, pauseMs: 250, pausesAlways: true, openReplies: 200 };

const MONITORING_PATHS = new Set(['/api/live', '/api/health', '/metrics']);
const API_PATH = '/api/';
const SIGN_IN_PATH = '/api/login';
const FILES_PATHS = ['/assets/', '/tinymce/'];
const DOCUMENT_PATHS = ['/api/openapi.json', '/api/docs'];

/**
 * All 256 networks of an IPv6 /56 together may run this many times as many requests at once as a single network, because they may have one
 * owner.
 */
const NETWORKS_OF_SITE = 2;

/** A body with more bytes than this is long. An order with 200 products has this size. */
export const LONG_BODY = 16_384;
export const hasLongBody = ({ headers }: FastifyRequest): boolean => Number(headers['content-length'] ?? 0) > LONG_BODY;

export interface AdmissionConfig {
  /** Whether the route refuses a request without a valid session before it does any work. */
  readonly needsSession?: boolean;
}

/**
 * Whether a request with a session that this process did not know counts as a request of its person, and no longer of its network, as soon
 * as its session was read. Otherwise a person with many sessions could send any number of requests at once.
 */
export const mustCountForPerson = (request: FastifyRequest): boolean =>
  (request.routeOptions.config as AdmissionConfig).needsSession === true;

/** A group of clients whose requests share a limit. */
interface Group {
  readonly key: string;
  readonly rule: AdmissionRule;
}

export interface Admission {
  readonly groups: readonly [Group, ...Group[]];
  /**
   * The group and the key with which the request waits for its turn. The customers of a tenant are one group and its staff are another one,
   * so that a tenant with many people gets no more turns than others. All signed-out clients with the same rule are one group, in which all
   * networks of an IPv6 /48 have the same key. The sign-ins on all devices on which a user has signed in at this process have one key.
   */
  readonly turn: { readonly group: string; readonly key: string };
  readonly isSignedIn: boolean;
}

/** Returns the group and the key with which the requests of a signed-in person wait for their turns. */
export const turnOf = (user: RecentUser): Admission['turn'] => ({ group: peopleGroupOf(user), key: `user ${user.userId}` });

/** Returns the groups that limit a signed-in person: the person and, for staff, all staff of the tenant. */
export function groupsOf(user: RecentUser): Admission['groups'] {
  const { key, group } = turnOf(user);
  const person = { key, rule: PERSON };
  return user.role === 'customer' ? [person] : [person, { key: group, rule: STAFF_OF_TENANT }];
}

/**
 * Returns the rule of a request and the kind of requests whose queue it shares. Whatever a client sends to other calls, the people behind its
 * IPv4 address get the sign-in page and can sign in.
 */
function ruleForNetwork(env: Env, request: FastifyRequest): [kind: string, rule: AdmissionRule] {
  const path = request.routeOptions.url ?? request.url;
  if (MONITORING_PATHS.has(path)) return ['monitoring of', MONITORING];
  if (DOCUMENT_PATHS.some((start) => path.startsWith(start))) return ['documents of', DOCUMENTS];
  const { needsSession } = request.routeOptions.config as AdmissionConfig;
  const hasSession = sessionCookieOf(env, request) !== undefined;
  if (needsSession && hasSession) return ['sessions of', UNKNOWN_SESSIONS];
  if (hasLongBody(request)) return ['long bodies of', LONG_BODIES];
  if (needsSession) return ['calls without a session of', PAGES];
  if (request.method === 'GET' && FILES_PATHS.some((start) => request.url.startsWith(start))) return ['files of', FILES];
  if (request.method === 'GET' && !path.startsWith(API_PATH)) return ['pages of', PAGES];
  return path.startsWith(SIGN_IN_PATH) ? ['sign-ins of', SIGN_INS] : ['requests of', NETWORK];
}

/**
 * Returns the key with which a request waits for the other requests of its network. The sign-ins on a device on which somebody has signed in
 * before do not wait for all others behind the same IPv4 address, which may be guesses.
 */
function keyInNetwork(env: Env, request: FastifyRequest, rule: AdmissionRule): string {
  const userId = rule === SIGN_INS ? recentUserOfDevice(deviceOf(env, request)) : null;
  return userId === null ? blockOrAddressOf(clientAddress(request)) : `devices of user ${userId}`;
}

/**
 * Returns the groups to which the client of a request belongs. A signed-in person is a group, and all staff of a tenant are another one.
 * For a signed-out client, the groups are its network and, for IPv6, also its /56. The clients that send long bodies to calls without a
 * session are one more group.
 */
export function admissionOf(env: Env, request: FastifyRequest): Admission {
  const [kind, rule] = ruleForNetwork(env, request);
  const user = [FILES, MONITORING, DOCUMENTS, LONG_BODIES, SIGN_INS].includes(rule) ? null : recentUserOf(sessionCookieOf(env, request));
  if (user !== null) return { groups: groupsOf(user), turn: turnOf(user), isSignedIn: true };
  const address = clientAddress(request);
  const network = { key: `${kind} ${networkOf(address)}`, rule };
  const site = siteOf(address);
  const ofSite = site === null ? [] : [{ key: `${kind} ${site}`, rule: { ...rule, concurrency: NETWORKS_OF_SITE * rule.concurrency } }];
  const ofAll = rule === LONG_BODIES ? [LONG_BODIES_OF_ALL] : [];
  return { groups: [network, ...ofSite, ...ofAll], turn: { group: kind, key: keyInNetwork(env, request, rule) }, isSignedIn: false };
}
