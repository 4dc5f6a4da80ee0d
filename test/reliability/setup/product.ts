// Runs the application as its operators do: in a separate process. Tests can send requests to the process, stop it and kill it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestDatabase } from './databases.ts';
import { ROOT } from '../../../src/server/root.ts';

const MAX_START_MS = 90_000;
const MAX_STOP_MS = 10_000;

export interface ProductResponse {
  /** The status of the response, or 0 when the connection ended without a response. */
  readonly status: number;
  /** The body of the response as text, or the code of the connection error. */
  readonly text: string;
  /** The cookie of the session that the response opens, or null if it opens no session. */
  readonly cookie: string | null;
  /** Whether the request was sent over a connection that an earlier request had already used. */
  readonly isKept: boolean;
  readonly ms: number;
}

export interface ProductRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly cookie?: string;
  readonly key?: string;
  readonly body?: object;
  readonly agent?: Agent;
  /** The IP address that the client pretends to have. The request contains it in a header, as a trusted proxy would send it. */
  readonly address?: string;
}

export interface ProductProcess {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly kill: () => Promise<void>;
  /** Sends SIGTERM and returns the exit status, or null if a signal ended the process. */
  readonly stop: () => Promise<number | null>;
}
export interface Product extends ProductProcess {
  readonly port: number;
  readonly ask: (asking: ProductRequest) => Promise<ProductResponse>;
}

const running = new Set<ChildProcess>();
export const killProducts = (): void => running.forEach((child) => child.kill('SIGKILL'));

/** Runs a command of the application until it ends. Returns its exit status and its output. */
export async function runProductCommand(
  file: string,
  place: TestDatabase,
  ...args: string[]
): Promise<{ status: number | null; said: string }> {
  const child = launched(join('src', file), place.env, { args });
  const said = hear(child);
  const [status] = (await once(child, 'exit')) as [number | null];
  return { status, said: said() };
}

interface Launch {
  readonly args?: readonly string[];
  /** The folder of the application. A test may use the folder of another version. */
  readonly root?: string;
}

function launched(script: string, env: Readonly<Record<string, string>>, { args = [], root = ROOT }: Launch = {}): ChildProcess {
  const basic = {
    PATH: process.env['PATH'],
    TMPDIR: process.env['TMPDIR'],
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    PORT: '0',
    SAVES_PER_MINUTE: '0',
  };
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env: { ...basic, ...env }, stdio: 'pipe' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

function hear(child: ChildProcess): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-20_000)));
  return () => said;
}

const everybody = new Agent({ keepAlive: true, maxSockets: Infinity });

/** Sends a request to the server with the origin `url`. If the connection fails, the status of the response is 0. */
export function send(
  url: string,
  { method = 'GET', path, cookie, key, body, agent = everybody, address }: ProductRequest,
): Promise<ProductResponse> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    ...(cookie === undefined ? {} : { cookie: `sid=${cookie}` }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  };
  const began = performance.now();
  return new Promise((resolve) => {
    const lost = (error: Error): void =>
      resolve({
        status: 0,
        text: (error as NodeJS.ErrnoException).code ?? error.message,
        cookie: null,
        isKept: asked.reusedSocket,
        ms: performance.now() - began,
      });
    const asked = request(`${url}${path}`, { method, headers, agent, timeout: 60_000 }, (answer) => {
      let said = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (said += piece));
      answer.on('error', lost);
      answer.on('end', () => {
        const [, session = null] = /^sid=([^;]+)/.exec(answer.headers['set-cookie']?.[0] ?? '') ?? [];
        resolve({
          status: answer.statusCode ?? 0,
          text: said,
          cookie: session,
          isKept: asked.reusedSocket,
          ms: performance.now() - began,
        });
      });
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer within a minute')));
    asked.on('error', lost);
    asked.end(text);
  });
}

async function untilLogged(what: RegExp, child: ChildProcess, said: () => string): Promise<string> {
  for (const until = Date.now() + MAX_START_MS; ; await pause(10)) {
    const [found] = what.exec(said()) ?? [];
    if (found !== undefined) return found;
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > until) throw new Error(`the product did not start: ${said()}`);
  }
}

async function started(child: ChildProcess, ready: RegExp): Promise<{ runs: ProductProcess; found: string }> {
  const said = hear(child);
  const ended = once(child, 'exit').then(([status]) => status as number | null);
  const found = await untilLogged(ready, child, said);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return await ended;
  };
  return { runs: { child, said, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') }, found };
}

/** Starts a server on a database and waits until it listens. `root` may be the folder of another version of the application. */
export async function startProduct(place: TestDatabase, env: Readonly<Record<string, string>> = {}, root = ROOT): Promise<Product> {
  // The folder of an old version is not built, so its source is run.
  const script = existsSync(join(root, 'dist/server')) ? 'dist/server/start-server.js' : 'src/start-server.ts';
  const child = launched(script, { BACKUP_HOURS: '0', ...place.env, ...env }, { root });
  const { runs, found } = await started(child, /http:\/\/127\.0\.0\.1:\d+/);
  return { ...runs, port: Number(new URL(found).port), ask: (asking) => send(found, asking) };
}

/** Stops the process. Returns the time that this took, and a message if the exit status was not 0 or the time was too long. */
export async function stopAndMeasure(running: ProductProcess): Promise<{ ms: number; wrong: string[] }> {
  const began = performance.now();
  const status = await running.stop();
  const ms = Math.round(performance.now() - began);
  return { ms, wrong: status === 0 && ms < MAX_STOP_MS ? [] : [`a process ended with ${status} after ${ms} ms`] };
}

/** Starts a mail worker on a database and waits until it is ready. */
export async function startWorker(place: TestDatabase, env: Readonly<Record<string, string>> = {}): Promise<ProductProcess> {
  return (await started(launched('dist/server/start-worker.js', { ...place.env, ...env }), /sends the mails/)).runs;
}
