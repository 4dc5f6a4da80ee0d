import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

const INPUTS = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'vite.server.config.ts',
  'scripts/build/loading-shell.ts',
  'scripts/build/fonts.ts',
  'scripts/build/languages.ts',
  'scripts/build/pseudo-language.ts',
  'scripts/build/chunks.ts',
  'scripts/build/precompress.ts',
  'package.json',
  'package-lock.json',
];

const IS_TEST = /\.test\.tsx?$/;

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !IS_TEST.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** Computes a hash over all sources of the client and the server. */
function inputsOf(): string {
  const hash = createHash('sha256').update(`${process.env['VITE_API_HOST'] ?? ''}\0${process.env['FEASTDAY_LANGUAGE'] ?? ''}`);
  for (const path of INPUTS.flatMap((name) => filesIn(join(ROOT, name)))) {
    hash.update(`\0${path.slice(ROOT.length)}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/**
 * The file in which a build stores the hash of its sources. The file is part of the build, so that the hash always belongs to that build.
 */
const STAMP = '.vite/made-of';

/** Returns a Vite plugin that writes the hash as the last file of a build. An aborted build therefore has no hash. */
export function stampBuild(): Plugin {
  let inputs = '';
  return {
    name: 'stamp',
    apply: 'build',
    buildStart() {
      inputs = inputsOf();
    },
    writeBundle({ dir }) {
      const path = join(dir ?? '', STAMP);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, inputs);
    },
  };
}

/** Whether each of `folders` is a complete build of the current sources. */
export function areBuildsFresh(folders: readonly string[]): boolean {
  const inputs = inputsOf();
  return folders.every((folder) => existsSync(join(folder, STAMP)) && readFileSync(join(folder, STAMP), 'utf8') === inputs);
}
