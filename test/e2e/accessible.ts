import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { inColors } from './colors.ts';
import { expect } from './fixtures.ts';

/** The axe rules that depend on colors; all other results are equal in light and dark. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

interface Asking {
  /** A selector to exclude. */
  readonly without?: string | undefined;
  readonly rules?: 'all' | 'of colors' | undefined;
}

/** One message for each violation that axe finds. */
export async function axeFaults(page: Page, { without, rules = 'all' }: Asking = {}): Promise<string[]> {
  // Otherwise each analysis opens a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // Reports one passing element per rule; listing all takes longer on a long list than everything else.
  axe.options({ resultTypes: ['violations'] });
  if (without !== undefined) axe.exclude(without);
  // A page that is still loading has no heading yet.
  if ((await page.locator('main > output:only-child, .skeleton').count()) > 0) axe.disableRules('page-has-heading-one');
  if (rules === 'of colors') axe.withRules(OF_COLORS);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}

/** How far the page, or the open dialog, scrolls sideways, in pixels. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const places = [document.documentElement, ...document.querySelectorAll('[role=dialog] > div, [role=alertdialog]')];
    return Math.max(...places.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });

/** How many pixels the page scrolls below its visible content, because of invisible elements outside of their scrolling box. */
export const emptyEnd = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const end = document.body.getBoundingClientRect().bottom + scrollY;
    return Math.round(document.documentElement.scrollHeight - Math.max(end, innerHeight));
  });

/** Checks that axe finds nothing in light and dark, and that the page does not scroll sideways. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const colors of ['light', 'dark'] as const) {
    await inColors(page, colors);
    const faults = await axeFaults(page, { rules: colors === 'dark' ? 'of colors' : 'all' });
    expect(faults, `${what} in ${colors}`).toEqual([]);
  }
  expect(await sidewaysScroll(page), `${what} scrolls sideways`).toBe(0);
}
