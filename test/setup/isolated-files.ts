import { globSync, readFileSync } from 'node:fs';

const NEEDS_OWN_PROCESS = /\bvi\.(mock|resetModules)\(|@vitest-environment/;

/**
 * Returns the test files that need a process of their own. A file that mocks a module or chooses an environment would affect other files in
 * a shared process.
 */
export const isolatedFiles = (patterns: readonly string[]): string[] =>
  globSync([...patterns]).filter((file) => NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8')));
