import { existsSync } from 'node:fs';
import './test/sampling.ts';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// A shared machine may be several times slower than a quiet one; a test that waits for nothing ends long before.
const settings = {
  setupFiles: ['test/setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    // Here, not in the projects: one database serves both.
    globalSetup: ['test/global-setup.ts'].filter((file) => existsSync(file)),
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...settings,
          name: 'node',
          environment: 'node',
          include: ['{src,scripts,db,test,bench,prove}/**/*.test.ts'],
          exclude: ['test/e2e/**'],
        },
      },
      {
        plugins: [react()],
        test: {
          ...settings,
          name: 'screens',
          // From Node 25 on localStorage is a global of Node, which hides jsdom's.
          execArgv: ['--no-experimental-webstorage'],
          // The files of a worker share its modules and page, which test/setup.ts empties: loading them for each file takes longer than the tests.
          isolate: false,
          environment: './test/environments/dom-on-node.ts',
          include: ['{src,test}/**/*.test.tsx'],
        },
      },
    ],
  },
});
