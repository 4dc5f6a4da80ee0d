import { existsSync } from 'node:fs';
import './test/setup/sampling.ts';
import { isolatedFiles } from './test/setup/isolated-files.ts';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The time limits are long, because a shared machine may be several times slower than a quiet one. Tests normally end long before.
const settings = {
  setupFiles: ['test/setup/vitest-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
  maxWorkers: 3,
};

const NODE_TESTS = ['{src,scripts,db,test,bench}/**/*.test.ts'];
const isolated = isolatedFiles(NODE_TESTS);
const SCREEN_TESTS = ['{src,test}/**/*.test.tsx'];
const isolatedScreens = isolatedFiles(SCREEN_TESTS);
// From Node 25 on, Node has its own global localStorage. It would hide that of jsdom, so it is turned off.
const screens = { ...settings, environment: './test/environments/dom-on-node.ts', execArgv: ['--no-experimental-webstorage'] };

export default defineConfig({
  test: {
    // The setup is set here and not in the projects, because both projects use one database.
    globalSetup: ['test/setup/global-setup.ts'].filter((file) => existsSync(file)),
    pool: 'forks',
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...settings,
          name: 'node',
          environment: 'node',
          // All files of a worker share their modules, because loading the modules for each file takes longer than most tests.
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
          // All files of a worker share their modules and the document, because loading the modules for each file takes longer than the
          // tests. test/setup/vitest-setup.ts empties the document after each file.
          isolate: false,
          include: SCREEN_TESTS,
          exclude: isolatedScreens,
        },
      },
      { plugins: [react()], test: { ...screens, name: 'isolated screens', include: isolatedScreens } },
    ],
  },
});
