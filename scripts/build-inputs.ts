import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const INPUTS = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'vite.server.config.ts',
  'scripts/first-sight.ts',
  'scripts/fonts.ts',
  'scripts/languages.ts',
  'scripts/pseudo-language.ts',
  'scripts/chunks.ts',
  'scripts/precompress.ts',
  'package.json',
  'package-lock.json',
];

/** Where the client's build, which is made last, notes what both were made of; it lies inside, so that the two cannot part. */
export const STAMP = '.vite/made-of';

const IS_TEST = /\.test\.tsx?$/;

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !IS_TEST.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** A hash over everything that the client and the server are built of. `root` is the repository's folder. */
export function buildInputs(root: string): string {
  const hash = createHash('sha256').update(`${process.env['VITE_API_HOST'] ?? ''}\0${process.env['FEASTDAY_LANGUAGE'] ?? ''}`);
  for (const path of INPUTS.flatMap((name) => filesIn(join(root, name)))) {
    hash.update(`\0${path.slice(root.length)}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}
