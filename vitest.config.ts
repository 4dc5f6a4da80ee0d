import { existsSync } from 'node:fs';
import './test/setup/sampling.ts';
import { isolatedFiles } from './test/setup/isolated-files.ts';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// A shared machine may be several times slower than a quiet one; tests normally end long before.
const settings = {
  setupFiles: ['test/setup/vitest-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
  maxWorkers: 2,
};

const NODE_TESTS = ['{src,scripts,db,test,bench}/**/*.test.ts'];
const isolated = isolatedFiles(NODE_TESTS);
const SCREEN_TESTS = ['{src,test}/**/*.test.tsx'];
const isolatedScreens = isolatedFiles(SCREEN_TESTS);
// From Node 25 on, localStorage is a global of Node that hides jsdom's.
const screens = { ...settings, environment: './test/environments/dom-on-node.ts', execArgv: ['--no-experimental-webstorage'] };

export default defineConfig({
  test: {
    // Set here and not in the projects, because one database serves both.
    globalSetup: ['test/setup/global-setup.ts'].filter((file) => existsSync(file)),
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...settings,
          name: 'node',
          environment: 'node',
          // Files of a worker share modules, because loading them for each file takes longer than most tests.
          isolate: false,
          include: NODE_TESTS,
          exclude: ['test/e2e/**', ...isolated],
        },
      },
      { test: { ...settings, name: 'isolated', environment: 'node', include: isolated } },
      {
        plugins: [react()],
        test: {
          ...screens,
          name: 'screens',
          // Files of a worker share modules and the document, which test/setup/vitest-setup.ts empties: loading them for each file takes
          // longer than the tests.
          isolate: false,
          include: SCREEN_TESTS,
          exclude: isolatedScreens,
        },
      },
      { plugins: [react()], test: { ...screens, name: 'isolated screens', include: isolatedScreens } },
    ],
  },
});
