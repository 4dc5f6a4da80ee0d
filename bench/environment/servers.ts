// Starts the baseline and Feastday, each in its own process as in production.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../src/server/root.ts';
import { freePort } from './free-port.ts';

const MAX_START_MS = 30_000;

export type ServerName = 'floor' | 'floorCache' | 'ours';
export interface Server {
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from the start of the process to its first response with status 200. */
  readonly startMs: number;
  stop(): Promise<void>;
}

const statusOf = (url: string): Promise<number> =>
  new Promise((resolve) => {
    get(url, { agent: false }, (answer) => resolve((answer.resume(), answer.statusCode ?? 0))).on('error', () => resolve(0));
  });

async function untilHealthy(child: ChildProcess, url: string): Promise<void> {
  for (const until = performance.now() + MAX_START_MS; (await statusOf(url)) !== 200; await pause(5)) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`no answer from ${url}`);
  }
}

export async function startServer(name: ServerName, databaseUrl: string, nodeArgs: readonly string[] = []): Promise<Server> {
  const port = await freePort();
  const file = name === 'ours' ? 'dist/server/start-server.js' : 'bench/floor/app.mjs';
  const mails = await mkdtemp(join(tmpdir(), 'feastday-bench-mails-'));
  const own = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: mails,
    CACHE: name === 'floorCache' ? '1' : '',
    LOG_LEVEL: 'error',
    // The value 0 switches off the limit on saves per minute. Each test customer stands for many real customers, and therefore saves more
    // often.
    SAVES_PER_MINUTE: '0',
    // The value 0 switches off the automatic backup and its restore drill. A backup and a drill would begin a minute after the start and
    // change the measured figures.
    BACKUP_HOURS: '0',
  };
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', ...own };
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, file], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await rm(mails, { recursive: true, force: true });
  };
  await untilHealthy(child, `http://127.0.0.1:${port}${name === 'ours' ? '/api' : ''}/health`).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const startMs = performance.now() - began;
  return { pid: child.pid ?? 0, port, startMs, stop };
}
