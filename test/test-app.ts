// Sets up the real application with a new database for each test file. Tests send calls through the same code as the browser.
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse as Answer } from 'fastify';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino, type Logger } from 'pino';
import { buildApi } from '../src/api.ts';
import { makeCall, type Call } from '../src/client/api/fetch.ts';
import { readEnv, type Env } from '../src/server/operations/env.ts';
import { openSession } from '../src/server/auth/session.ts';
import type { Role } from '../src/domain/accounts/roles.ts';
import { takeFoundCanaries, recordForeignCanaries } from './tenant-leak-canaries.ts';
import { copyOf } from './database/postgres-server.ts';
import { openTestDb, type TestDb } from './database/test-db.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { connection: Pick<pg.PoolConfig, 'host' | 'port' | 'user'>; template: string };
  }
}

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
}

export interface TestApp {
  readonly db: TestDb;
  readonly app: FastifyInstance;
  readonly env: Env;
  time: Date;
  /** The log of the application, with one JSON text per line. */
  readonly logged: string[];
  /** Opens a session of this user. Returns the header `Cookie` of its requests. */
  readonly cookieOf: (person: Person) => Promise<string>;
  /** Returns a function that sends calls with a session of this user, or without a session if the user is null. */
  readonly as: (person: Person | null) => Promise<Call>;
  /** Sends any HTTP request with a session of this user, or without a session if the user is null. */
  readonly request: (person: Person | null, options: InjectOptions) => Promise<Answer>;
}

function toInject(url: string, init: RequestInit, cookie: string): InjectOptions {
  const headers = { ...(init.headers as Record<string, string>), ...(cookie ? { cookie } : {}) };
  const method = (init.method ?? 'GET') as 'GET';
  return { method, url, headers, ...(typeof init.body === 'string' ? { payload: init.body } : {}) };
}

/**
 * Searches a response for the markers of other tenants. Two kinds of responses are not searched. An admin may see the distributors of all
 * tenants, and if a test sets its own cookie, the tenant is not known here.
 */
function searchAnswer(person: Person | null, { method, url, payload, headers }: InjectOptions, body: string): void {
  if (person?.role === 'admin' || headers?.['cookie'] !== undefined) return;
  const written = `${JSON.stringify(url)} ${typeof payload === 'string' ? payload : JSON.stringify(payload ?? '')}`;
  recordForeignCanaries(person?.email ?? null, body, { written, what: `${method ?? 'GET'} ${JSON.stringify(url)}` });
}

/**
 * The first user id of the next test file. The limits of the server hold in its process and remember each user for seconds. If the files of a
 * process had equal user ids, the requests of one file would count for the users of the next.
 */
let firstUserId = 1;
const USERS_OF_FILE = 100_000;

/** The time that the application's clock shows at the start of each test file. */
export const CLOCK = new Date('2027-04-01T12:00:00Z');

/**
 * Sets up the application before the tests of a file and closes it afterwards. Its properties exist only while tests and hooks run. Its
 * clock does not advance, so a test must change `time` to let time pass.
 */
export function setupTestApp(environment: NodeJS.ProcessEnv = {}): TestApp {
  const testApp = {
    time: new Date(CLOCK),
    logged: [] as string[],
    env: readEnv({ SAVES_PER_MINUTE: '0', ...environment }),
  } as unknown as TestApp & {
    db: TestDb;
    app: FastifyInstance;
  };
  const { connection, template } = inject('postgres');
  const logger: Logger = pino({ level: 'info' }, { write: (line: string) => void testApp.logged.push(line) });
  let close: () => Promise<void> = async () => undefined;

  beforeAll(async () => {
    const { database, drop } = await copyOf(template, connection);
    const opened = openTestDb({ ...connection, database });
    testApp.db = opened.db;
    await sql`ALTER TABLE users ALTER COLUMN id RESTART WITH ${sql.lit(firstUserId)}`.execute(opened.db);
    firstUserId += USERS_OF_FILE;
    testApp.app = await buildApi({ db: opened.db, env: testApp.env, now: () => testApp.time }, logger);
    close = async () => {
      await testApp.app.close();
      await opened.close();
      await drop();
    };
  });
  afterAll(() => close());
  afterEach(() => {
    expect(takeFoundCanaries()).toEqual([]);
  });

  const cookieOf: TestApp['cookieOf'] = async (person) => {
    const rules = { customerIdleDays: testApp.env.sessionDays, secure: false };
    return `sid=${(await openSession(testApp.db, person, undefined, { now: testApp.time, rules })).cookie}`;
  };
  const request: TestApp['request'] = async (person, options) => {
    const cookie = person ? await cookieOf(person) : '';
    const answer = await testApp.app.inject({ ...options, headers: { ...options.headers, ...(cookie ? { cookie } : {}) } });
    searchAnswer(person, options, answer.body);
    return answer;
  };
  const as: TestApp['as'] = async (person) => {
    const cookie = person ? await cookieOf(person) : '';
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      const asked = toInject(url, init, cookie);
      const answer = await testApp.app.inject(asked);
      searchAnswer(person, { ...asked, headers: {} }, answer.body);
      const body = [204, 304].includes(answer.statusCode) ? null : answer.body;
      const headers = {
        'content-type': String(answer.headers['content-type'] ?? ''),
        'x-request-id': String(answer.headers['x-request-id']),
      };
      return new Response(body, { status: answer.statusCode, headers });
    };
    return makeCall({ host: '', fetch });
  };
  return Object.assign(testApp, { cookieOf, as, request });
}
