import { globSync, readFileSync } from 'node:fs';

const NEEDS_OWN_PROCESS = /\bvi\.(mock|resetModules)\(|@vitest-environment/;

/** Test files that mock a module or choose an environment would affect other files in a shared process. */
export const isolatedFiles = (patterns: readonly string[]): string[] =>
  globSync([...patterns]).filter((file) => NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8')));
