import { defineConfig } from '@playwright/test';
import { isLongForm, SEED_LINE } from './test/setup/sampling.ts';
import { CHROMIUM_ARGS, chromiumPath } from './scripts/chromium.ts';

/**
 * The tests that run only on the simulated desktop, unless FEASTDAY_PROVE is `full`. They test tasks of staff, and what the tasks change
 * for customers. On the simulated phone, test/e2e/visual-states.spec.ts covers their screens.
 */
const DESK_FILES = [
  'account',
  'catalogue',
  'copy',
  'corrections',
  'email-editor',
  'emails',
  'organization',
  'people',
  'personal-data',
  'report-page',
  'short-delivery',
];
const AT_DESKS = isLongForm ? [] : DESK_FILES.map((name) => `**/${name}.spec.ts`);
/**
 * Matches the tags of tests that do not run on the simulated phone. Tests with the tag @once behave the same on both devices, so they run
 * on the phone only if FEASTDAY_PROVE is `full`.
 */
const NOT_ON_PHONE = isLongForm ? /@desk/ : /@desk|@once/;

// Worker processes read this file too, so only the main process prints this line.
if (process.env['TEST_WORKER_INDEX'] === undefined) process.stdout.write(`${SEED_LINE}\n`);

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/environments/browser-server.ts',
  outputDir: 'test-results',
  forbidOnly: true,
  fullyParallel: false,
  workers: 3,
  retries: 0,
  // The limits are generous because a shared machine may be several times slower than an idle one.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ?? 'test-results/report.json' }]],
  use: {
    // Each worker process uses one browser context for all its tests, because creating a context takes half a second of CPU time.
    // Playwright clears the context between tests.
    reuseContext: true,
    // The pages show no animations, because drawing them takes a tenth of the CPU time of these tests. FEASTDAY_PROVE=full shows them.
    contextOptions: isLongForm ? {} : { reducedMotion: 'reduce' },
    launchOptions: { executablePath: chromiumPath(), args: CHROMIUM_ARGS },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'desktop', grepInvert: /@phone/, use: { viewport: { width: 1280, height: 800 } } },
    // The simulated phone excludes the tests that run on desktops only.
    {
      name: 'phone',
      grepInvert: NOT_ON_PHONE,
      testIgnore: AT_DESKS,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
    // npm run gallery: takes screenshots of every visual state.
    { name: 'gallery', testDir: 'test/gallery', fullyParallel: true },
    // npm run languages: checks every visual state in the pseudo-languages.
    { name: 'languages', testDir: 'test/languages', fullyParallel: true, dependencies: ['language-bundles'] },
    { name: 'language-bundles', testDir: 'test/languages', testMatch: '*.setup.ts' },
  ],
});
