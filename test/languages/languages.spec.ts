// npm run languages [-- -g name], not part of npm test: every visual state in the accented pseudo-language (a third longer) and in the
// mirrored one, on a phone and a desktop (design §3.4, U14). Another bundle replaces the server's own. PICTURES=<folder> keeps screenshots.
import type { BrowserContextOptions } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inColors } from '../e2e/colors.ts';
import { expect } from '../e2e/fixtures.ts';
import { VISUAL_STATES } from '../visual-states/all.ts';
import type { VisualState } from '../visual-states/setup/visual-state.ts';
import { test as sights } from '../visual-states/setup/open-state.ts';
import { dataIn } from './data.ts';
import { faultsOn } from './faults.ts';
import { findInAnyLetters } from './script-coverage.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PHONE: BrowserContextOptions = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };
const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

function build(bundle: string, language: string): void {
  const env = { ...process.env, FEASTDAY_LANGUAGE: language };
  const { status } = spawnSync('vite', ['build', '--outDir', bundle, '--logLevel', 'warn'], { cwd: ROOT, env, stdio: 'inherit' });
  expect(status, `the bundle in ${language}`).toBe(0);
}

const test = sights.extend<Record<never, never>, { bundleIn: (language: string) => string }>({
  bundleIn: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the pattern
    async ({}, provide) => {
      const folder = mkdtempSync(join(tmpdir(), 'feastday-languages-'));
      await provide((language) => {
        const bundle = join(folder, language);
        if (!existsSync(bundle)) build(bundle, language);
        return bundle;
      });
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** The server renders mails in English. */
const isMail = ({ name }: VisualState): boolean => name.startsWith('mail-');
const SEEN = Object.entries(VISUAL_STATES).flatMap(([area, all]) => all.filter((one) => !isMail(one)).map((one) => [area, one] as const));

for (const language of ['en-XA', 'ar-XB']) {
  for (const [area, sight] of SEEN) {
    test(`${area}: ${sight.name} in ${language}`, async ({ open, contextOf, bundleIn }) => {
      const bundle = bundleIn(language);
      for (const device of [...(sight.width === 'desk' ? [] : [PHONE]), ...(sight.width === 'phone' ? [] : [DESK])]) {
        const context = await contextOf(device);
        await context.unrouteAll();
        // Everything except API calls comes from the other bundle.
        await context.route(/^http:\/\/127\.0\.0\.1:\d+\/(?!api\/|source)/, async (route) => {
          const file = join(bundle, new URL(route.request().url()).pathname);
          await route.fulfill({ path: /\.\w+$/.test(file) && existsSync(file) ? file : join(bundle, 'index.html') });
        });
        const data = await dataIn(context);
        context.once('page', findInAnyLetters);
        const page = await open(sight, device);
        await inColors(page, 'light');
        await page.evaluate(() => document.fonts.ready);
        const faults = await faultsOn(page, { language, data: await data(page) });
        const { PICTURES } = process.env;
        const name = `${sight.name}-${language}-${device.viewport?.width}.png`;
        if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, name), fullPage: true });
        expect.soft(faults, `at ${device.viewport?.width} px`).toEqual([]);
      }
    });
  }
}
