import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { inColors } from './colors.ts';
import { expect } from './fixtures.ts';

/** The axe rules whose results depend on colors. All other rules give the same results in light and dark colors. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

interface Asking {
  /** A CSS selector for elements that axe does not check. */
  readonly without?: string | undefined;
  readonly rules?: 'all' | 'of colors' | undefined;
}

/** Runs axe on the page, and returns one message for each violation. */
export async function axeFaults(page: Page, { without, rules = 'all' }: Asking = {}): Promise<string[]> {
  // Without legacy mode, each analysis would open another page.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // With this option, axe reports every element only for violations, and one element per rule for other types of results. Otherwise,
  // finding all passing elements of a long list would take most of the time.
  axe.options({ resultTypes: ['violations'] });
  if (without !== undefined) axe.exclude(without);
  // A page that is still loading has no heading yet, so the rule about headings is turned off for it.
  if ((await page.locator('main > output:only-child, .skeleton').count()) > 0) axe.disableRules('page-has-heading-one');
  if (rules === 'of colors') axe.withRules(OF_COLORS);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}

/** Returns by how many pixels the page or the open dialog can be scrolled sideways. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const places = [document.documentElement, ...document.querySelectorAll('[role=dialog] > div, [role=alertdialog]')];
    return Math.max(...places.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });

/**
 * Returns by how many pixels the page can be scrolled beyond the end of its visible content. Such an empty end is caused by invisible
 * elements outside of their scroll container.
 */
export const emptyEnd = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const end = document.body.getBoundingClientRect().bottom + scrollY;
    return Math.round(document.documentElement.scrollHeight - Math.max(end, innerHeight));
  });

/** Checks that axe finds no violation in light and dark colors, and that the page cannot be scrolled sideways. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const colors of ['light', 'dark'] as const) {
    await inColors(page, colors);
    const faults = await axeFaults(page, { rules: colors === 'dark' ? 'of colors' : 'all' });
    expect(faults, `${what} in ${colors}`).toEqual([]);
  }
  expect(await sidewaysScroll(page), `${what} scrolls sideways`).toBe(0);
}
