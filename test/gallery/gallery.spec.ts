// npm run gallery [-- -g name] takes a screenshot of every visual state (test/visual-states) on a phone, a tablet and a desktop, in light
// and dark colors. It writes them into gallery/<name>-<width>-<colors>.png. npm test does not run this script.
import type { BrowserContextOptions } from '@playwright/test';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inColors } from '../e2e/colors.ts';
import { expect } from '../e2e/fixtures.ts';
import { VISUAL_STATES } from '../visual-states/all.ts';
import type { VisualState } from '../visual-states/setup/visual-state.ts';
import { test } from '../visual-states/setup/open-state.ts';

const GALLERY = resolve(import.meta.dirname, '../../gallery');

/** The devices on which states are shown. A state whose `width` equals `without` does not exist on the device. */
const DEVICES: readonly { width: number; without: VisualState['width']; device: BrowserContextOptions }[] = [
  { width: 375, without: 'desk', device: { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true } },
  { width: 768, without: 'phone', device: { viewport: { width: 768, height: 1024 } } },
  { width: 1280, without: 'phone', device: { viewport: { width: 1280, height: 800 } } },
];

for (const [area, states] of Object.entries(VISUAL_STATES)) {
  for (const state of states) {
    for (const { width, device } of DEVICES.filter(({ without }) => state.width === undefined || state.width !== without)) {
      test(`${area}: ${state.name} at ${width} px`, async ({ open }) => {
        const page = await open(state, device);
        for (const colors of ['light', 'dark'] as const) {
          const path = join(GALLERY, `${state.name}-${width}-${colors}.png`);
          await inColors(page, colors);
          await page.evaluate(() => document.fonts.ready);
          await page.screenshot({ path, fullPage: true, animations: 'disabled' });
          expect(existsSync(path)).toBe(true);
        }
      });
    }
  }
}
