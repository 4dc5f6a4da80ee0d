import { existsSync } from 'node:fs';
import './test/setup/sampling.ts';
import { isolatedFiles } from './test/setup/isolated-files.ts';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** More than the two processor cores of the continuous integration, because many tests wait for the database or for a time limit. */
const WORKERS = 4;

// The time limits are long, because a shared machine may be several times slower than a quiet one. Tests normally end long before these
// limits.
const settings = {
  setupFiles: ['test/setup/vitest-setup.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks' as const,
  maxWorkers: WORKERS,
  tags: [
    { name: 'long', description: 'A test of much data or of an attack that takes seconds. npm run long-tests runs it, npm test does not.' },
  ],
};

const NODE_TESTS = ['{src,scripts,db,test,bench}/**/*.test.ts'];
const isolated = isolatedFiles(NODE_TESTS);
const SCREEN_TESTS = ['{src,test}/**/*.test.tsx'];
const isolatedScreens = isolatedFiles(SCREEN_TESTS);
// From Node 25 on, Node has its own global localStorage, which would hide that of jsdom. This option turns Node's localStorage off.
const screens = { ...settings, environment: './test/environments/dom-on-node.ts', execArgv: ['--no-experimental-webstorage'] };

export default defineConfig({
  test: {
    // The global setup is defined here and not in each project, because all projects use one database server.
    globalSetup: ['test/setup/global-setup.ts'].filter((file) => existsSync(file)),
    pool: 'forks',
    maxWorkers: WORKERS,
    projects: [
      {
        test: {
          ...settings,
          name: 'node',
          environment: 'node',
          // All test files of a worker process share their modules. Loading the modules for each file would take longer than most tests.
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
          // All test files of a worker process share their modules and the document. Loading the modules for each file would take longer
          // than the tests. test/setup/vitest-setup.ts empties the document after each file.
          isolate: false,
          include: SCREEN_TESTS,
          exclude: isolatedScreens,
        },
      },
      { plugins: [react()], test: { ...screens, name: 'isolated screens', include: isolatedScreens } },
    ],
  },
});
