// npm run languages [-- -g name] checks every visual state in two pseudo-languages, on a phone and a desktop (U14). One
// pseudo-language has accents and is a third longer, and the other one is mirrored. npm test does not run this test. The scripts come from
// the bundles of test/languages/bundles.setup.ts and not from the server. With PICTURES=<folder>, screenshots are written into that folder.
import type { BrowserContextOptions } from '@playwright/test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inColors } from '../e2e/colors.ts';
import { expect } from '../e2e/fixtures.ts';
import { VISUAL_STATES } from '../visual-states/all.ts';
import type { VisualState } from '../visual-states/setup/visual-state.ts';
import { test } from '../visual-states/setup/open-state.ts';
import { bundleOf, LANGUAGES } from './bundles.ts';
import { dataIn } from './data.ts';
import { faultsOn } from './faults.ts';
import { findInAnyLetters } from './script-coverage.ts';

const PHONE: BrowserContextOptions = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };
const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

/** States that show mails are left out, because the server renders mails in English only. */
const isMail = ({ name }: VisualState): boolean => name.startsWith('mail-');
const SEEN = Object.entries(VISUAL_STATES).flatMap(([area, all]) => all.filter((one) => !isMail(one)).map((one) => [area, one] as const));

for (const language of LANGUAGES) {
  const bundle = bundleOf(language);
  for (const [area, state] of SEEN) {
    test(`${area}: ${state.name} in ${language}`, async ({ open, contextOf }) => {
      for (const device of [...(state.width === 'desk' ? [] : [PHONE]), ...(state.width === 'phone' ? [] : [DESK])]) {
        const context = await contextOf(device);
        await context.unrouteAll();
        // Everything except API calls comes from the bundle of the pseudo-language.
        await context.route(/^http:\/\/127\.0\.0\.1:\d+\/(?!api\/|source)/, async (route) => {
          const file = join(bundle, new URL(route.request().url()).pathname);
          await route.fulfill({ path: /\.\w+$/.test(file) && existsSync(file) ? file : join(bundle, 'index.html') });
        });
        const data = await dataIn(context);
        context.once('page', findInAnyLetters);
        const page = await open(state, device);
        await inColors(page, 'light');
        await page.evaluate(() => document.fonts.ready);
        const faults = await faultsOn(page, { language, data: await data(page) });
        const { PICTURES } = process.env;
        const name = `${state.name}-${language}-${device.viewport?.width}.png`;
        if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, name), fullPage: true });
        expect.soft(faults, `at ${device.viewport?.width} px`).toEqual([]);
      }
    });
  }
}
