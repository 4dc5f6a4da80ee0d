// Builds client and server when dist was not made of what lies here now.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { areFresh } from './build-inputs.ts';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');

const BUILDS = [
  { name: 'server', config: 'vite.server.config.ts' },
  { name: 'client', config: 'vite.config.ts' },
];

const isFresh = (): boolean => areFresh(BUILDS.map(({ name }) => join(dist, name)));
const aside = (name: string): string => join(dist, `${name}-${process.pid}`);
const discard = (folder: string): void => rmSync(folder, { recursive: true, force: true });

const build = ({ name, config }: (typeof BUILDS)[number]): boolean =>
  spawnSync('vite', ['build', '--config', config, '--outDir', aside(name), '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' })
    .status === 0;

/** Made aside and moved in whole: a server that starts meanwhile never reads half a build. */
function moveIn(name: string): void {
  const place = join(dist, name);
  const old = `${aside(name)}-old`;
  if (existsSync(place)) renameSync(place, old);
  renameSync(aside(name), place);
  discard(old);
}

if (!isFresh()) {
  console.log('Building client and server (about ten seconds) ...');
  if (!BUILDS.every(build)) {
    console.error('They could not be built.');
    process.exitCode = 1;
  } else if (!isFresh()) for (const { name } of BUILDS) moveIn(name);
  // What is still there was not built whole, or somebody else has built the same meanwhile.
  for (const { name } of BUILDS) discard(aside(name));
}
