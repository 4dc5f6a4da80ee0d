// npm run demo, npm start, npm run worker: rebuilds `dist` if its sources have changed, then runs the given file in this same process. A
// process between npm and the server would not pass SIGTERM on, and the server would keep running. For the same reason these npm scripts
// begin with `exec`: otherwise the shell dash would stay between npm and the command. This file is JavaScript, because an old Node reports
// a TypeScript file with a stack trace instead of the message below.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const OLDEST_NODE = 24;

async function launch(file) {
  const { buildWhenStale } = await import('./build/build-when-stale.ts');
  if (await buildWhenStale()) await import(pathToFileURL(resolve(import.meta.dirname, '..', file)).href);
  else process.exitCode = 1;
}

if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) await launch(process.argv[2]);
else {
  console.error(
    `Feastday needs Node ${OLDEST_NODE} or newer, which npm installs on Linux and macOS, and this is Node ${process.versions.node}: ` +
      'run npm install without --omit=optional, use WSL on Windows, or install a newer Node.',
  );
  process.exitCode = 1;
}
