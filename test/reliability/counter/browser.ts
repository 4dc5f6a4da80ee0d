// Runs a browser as a separate process with a profile on disk. A test can kill it and start it again with the data that it has stored.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium, type BrowserContext } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from '../../../scripts/chromium.ts';
import { onCleanup } from '../setup/cleanups.ts';
import { openFolder } from '../setup/databases.ts';

export interface Device {
  readonly context: () => BrowserContext;
  /** Kills all processes of the browser with kill -9, and starts it again with the same profile. */
  readonly killAndRestart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const MAX_START_MS = 60_000;

async function debuggerUrl(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('the browser has no output');
  for await (const line of createInterface({ input: child.stderr, signal: AbortSignal.timeout(MAX_START_MS) })) {
    const [url] = /ws:\/\/\S+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the browser did not start');
}

export async function openDevice(): Promise<Device> {
  const { root: profile, remove } = await openFolder('feastday-device-');
  let child: ChildProcess;
  let context: BrowserContext;
  const start = async (): Promise<void> => {
    const args = [...CHROMIUM_ARGS, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--window-size=1280,800'];
    child = spawn(chromiumPath(), args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    const url = await debuggerUrl(child);
    child.stderr?.resume();
    const [first] = (await chromium.connectOverCDP(url)).contexts();
    if (!first) throw new Error('the browser has no window');
    context = first;
    context.setDefaultTimeout(MAX_START_MS);
  };
  const kill = async (): Promise<void> => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // The negative pid kills the whole process group, which includes the browser's renderer processes.
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  await start();
  const close = onCleanup(async () => {
    await kill();
    await remove();
  });
  return {
    context: () => context,
    killAndRestart: async () => {
      await kill();
      await start();
    },
    close,
  };
}
