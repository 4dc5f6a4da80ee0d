import { globSync, readFileSync } from 'node:fs';

const NEEDS_OWN_PROCESS = /\bvi\.(mock|resetModules)\(|@vitest-environment/;

/**
 * Returns the test files that need a separate process. These files mock modules or choose a test environment, and would affect other files
 * in a shared process.
 */
export const isolatedFiles = (patterns: readonly string[]): string[] =>
  globSync([...patterns]).filter((file) => NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8')));
