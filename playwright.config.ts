import { defineConfig } from '@playwright/test';
import { isLongForm, SEED_LINE } from './test/setup/sampling.ts';
import { CHROMIUM_ARGS, chromiumPath } from './scripts/chromium.ts';

/** FEASTDAY_PROVE=full repeats the distributor's desktop tasks on a phone; otherwise test/e2e/visual-states.spec.ts covers them there. */
const AT_DESKS = isLongForm ? [] : ['**/{emails,people,organization}.spec.ts'];
/** Tests tagged @once do the same on a phone as on a desktop, so only FEASTDAY_PROVE=full runs them there. */
const NOT_ON_PHONE = isLongForm ? /@desk/ : /@desk|@once/;

// Worker processes read this file too.
if (process.env['TEST_WORKER_INDEX'] === undefined) process.stdout.write(`${SEED_LINE}\n`);

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  forbidOnly: true,
  fullyParallel: false,
  workers: 2,
  retries: 0,
  // A shared machine may be several times slower than a quiet one; tests normally end long before.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ?? 'test-results/report.json' }]],
  use: {
    launchOptions: { executablePath: chromiumPath(), args: CHROMIUM_ARGS },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'desktop', grepInvert: /@phone/, use: { viewport: { width: 1280, height: 800 } } },
    // A tag marks tests for desktops only, and long tests.
    {
      name: 'phone',
      grepInvert: NOT_ON_PHONE,
      testIgnore: AT_DESKS,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
    // npm run gallery: photographs of every visual state.
    { name: 'gallery', testDir: 'test/gallery', fullyParallel: true },
    // npm run languages: every visual state in the pseudo-languages.
    { name: 'languages', testDir: 'test/languages', fullyParallel: true, dependencies: ['language-bundles'] },
    { name: 'language-bundles', testDir: 'test/languages', testMatch: '*.setup.ts' },
  ],
});
