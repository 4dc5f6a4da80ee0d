import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { inColors } from './colors.ts';
import { expect } from './world.ts';

/** Those of axe's rules that colors decide; all others see the same page in light and in dark. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

export interface Looking {
  /** Not looked into. */
  readonly without?: string;
  /** Waits for what follows the colors later than the page does. */
  readonly inColor?: () => Promise<void>;
}

/** axe finds nothing in light and dark, and the page does not scroll sideways. */
export async function expectAccessible(page: Page, what: string, { without, inColor }: Looking = {}): Promise<void> {
  for (const colors of ['light', 'dark'] as const) {
    await inColors(page, colors);
    await inColor?.();
    // Otherwise every look opens a page of its own.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    if (without !== undefined) axe.exclude(without);
    if (colors === 'dark') axe.withRules(OF_COLORS);
    const { violations } = await axe.analyze();
    expect(violations.flatMap(({ id, nodes }) => nodes.map((node) => [what, colors, id, node.html, node.failureSummary]))).toEqual([]);
  }
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(sideways, `${what} scrolls sideways`).toBe(0);
}
