// Builds client and server when dist was not made of what lies here now.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildInputs, STAMP } from './build-inputs.ts';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** In this order: only the client says what it was made of. */
const BUILDS = [
  { name: 'server', config: 'vite.server.config.ts' },
  { name: 'client', config: 'vite.config.ts' },
];

function isFresh(): boolean {
  try {
    return existsSync(join(dist, 'server')) && readFileSync(join(dist, 'client', STAMP), 'utf8') === buildInputs(root);
  } catch {
    return false;
  }
}

const aside = (name: string): string => join(dist, `${name}-${process.pid}`);

const build = ({ name, config }: (typeof BUILDS)[number]): boolean =>
  spawnSync('vite', ['build', '--config', config, '--outDir', aside(name), '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' })
    .status === 0;

if (!isFresh()) {
  console.log('Building client and server (about ten seconds) ...');
  // Made aside and moved in whole: a server that starts meanwhile never reads half a build.
  const isBuilt = BUILDS.every(build);
  for (const { name } of BUILDS) {
    if (isBuilt) {
      rmSync(join(dist, name), { recursive: true, force: true });
      renameSync(aside(name), join(dist, name));
    } else rmSync(aside(name), { recursive: true, force: true });
  }
  if (!isBuilt) {
    console.error('They could not be built.');
    process.exitCode = 1;
  }
}
