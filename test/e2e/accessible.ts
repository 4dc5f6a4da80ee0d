import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { inColors } from './colors.ts';
import { expect } from './fixtures.ts';

/** Those of axe's rules that colors decide; all others see the same page in light and in dark. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

interface Asking {
  /** Not looked into. */
  readonly without?: string | undefined;
  readonly rules?: 'all' | 'of colors' | undefined;
}

/** One text for each place that axe finds fault with. */
export async function axeFaults(page: Page, { without, rules = 'all' }: Asking = {}): Promise<string[]> {
  // Otherwise every look opens a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // Of what passes axe names one place; naming all of them takes longer on a long list than everything else.
  axe.options({ resultTypes: ['violations'] });
  if (without !== undefined) axe.exclude(without);
  // A page that only waits has nothing yet that it could be called.
  if ((await page.locator('main > output:only-child, .skeleton').count()) > 0) axe.disableRules('page-has-heading-one');
  if (rules === 'of colors') axe.withRules(OF_COLORS);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}

/** By how much the page, or the dialog in front of it, scrolls sideways. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const places = [document.documentElement, ...document.querySelectorAll('[role=dialog] > div, [role=alertdialog]')];
    return Math.max(...places.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });

/** How far the page scrolls below everything that is on it: by what nobody sees and what is placed out of the box that scrolls it. */
export const emptyEnd = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const end = document.body.getBoundingClientRect().bottom + scrollY;
    return Math.round(document.documentElement.scrollHeight - Math.max(end, innerHeight));
  });

/** axe finds nothing in light and dark, and the page does not scroll sideways. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const colors of ['light', 'dark'] as const) {
    await inColors(page, colors);
    const faults = await axeFaults(page, { rules: colors === 'dark' ? 'of colors' : 'all' });
    expect(faults, `${what} in ${colors}`).toEqual([]);
  }
  expect(await sidewaysScroll(page), `${what} scrolls sideways`).toBe(0);
}
