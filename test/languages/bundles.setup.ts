import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { bundleOf, LANGUAGES } from './bundles.ts';

/** The maximum time for building the bundles, in milliseconds. Building takes ten seconds on a quiet machine and minutes on a busy one. */
const MAX_BUILD = 600_000;

for (const language of LANGUAGES) {
  test(`builds the bundle in ${language}`, () => {
    test.setTimeout(MAX_BUILD);
    const env = { ...process.env, FEASTDAY_LANGUAGE: language };
    const args = ['build', '--outDir', bundleOf(language), '--emptyOutDir', '--logLevel', 'warn'];
    expect(spawnSync('vite', args, { env, stdio: 'inherit' }).status).toBe(0);
  });
}
