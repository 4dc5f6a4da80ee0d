// Builds the client and the server if `dist` is missing or was built from other sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { areBuildsFresh } from './build-inputs.ts';

const root = resolve(import.meta.dirname, '../..');
const dist = join(root, 'dist');

const BUILDS = [
  { name: 'server', config: 'vite.server.config.ts' },
  { name: 'client', config: 'vite.config.ts' },
];

const isFresh = (): boolean => areBuildsFresh(BUILDS.map(({ name }) => join(dist, name)));
const aside = (name: string): string => join(dist, `${name}-${process.pid}`);
const discard = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Builds in a separate process, so that the server started afterwards does not keep the build's memory. */
async function build({ name, config }: (typeof BUILDS)[number], signal: AbortSignal): Promise<boolean> {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--config', config, '--outDir', aside(name), '--logLevel', 'warn'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', signal });
  child.on('error', () => undefined);
  const [status] = (await once(child, 'exit')) as [number | null];
  return status === 0;
}

/** Renames the complete build folder into place, so that a server that starts during a build never reads an incomplete build. */
function moveIn(name: string): void {
  const place = join(dist, name);
  const old = `${aside(name)}-old`;
  if (existsSync(place)) renameSync(place, old);
  renameSync(aside(name), place);
  discard(old);
}

async function buildAll(signal: AbortSignal): Promise<boolean> {
  console.log('Building client and server (about ten seconds) ...');
  let isBuilt = true;
  for (const one of BUILDS) isBuilt &&= await build(one, signal);
  if (!isBuilt && !signal.aborted) console.error('They could not be built.');
  // Moves the builds into place, unless another process has done so while this process was building.
  if (isBuilt && !isFresh()) for (const { name } of BUILDS) moveIn(name);
  for (const { name } of BUILDS) discard(aside(name));
  return isBuilt;
}

/**
 * Builds the client and the server if necessary. Returns whether `dist` is now built from the current sources. SIGTERM or SIGINT ends the
 * build and then this process.
 */
export async function buildWhenStale(): Promise<boolean> {
  if (isFresh()) return true;
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, stop);
  const isBuilt = await buildAll(stopping.signal);
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.removeListener(name, stop);
  return isBuilt;
}

if (import.meta.main && !(await buildWhenStale())) process.exitCode = 1;
