// Builds the client when dist/client was not made of what lies here now.
import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { clientInputs, STAMP } from './client-inputs.ts';

const root = resolve(import.meta.dirname, '..');
const built = join(root, 'dist/client');

function isFresh(): boolean {
  try {
    return readFileSync(join(built, STAMP), 'utf8') === clientInputs(root);
  } catch {
    return false;
  }
}

if (!isFresh()) {
  console.log('Building the client (about ten seconds) ...');
  // Made aside and moved in whole: a server that starts meanwhile never reads half a build.
  const aside = join(root, `dist/client-${process.pid}`);
  const { status } = spawnSync('vite', ['build', '--outDir', aside, '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' });
  if (status === 0) {
    rmSync(built, { recursive: true, force: true });
    renameSync(aside, built);
  } else {
    rmSync(aside, { recursive: true, force: true });
    console.error('The client could not be built.');
    process.exitCode = 1;
  }
}
