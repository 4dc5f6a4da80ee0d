// Checks that pages respect two system preferences: reduced motion and forced colors.
import type { Page } from '@playwright/test';

/**
 * Switches on reduced motion, and returns one message for each element with an animation or transition that still takes more than a
 * millisecond.
 */
export async function movingThings(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return await page.evaluate(() => {
    const longest = (durations: string): number =>
      Math.max(...durations.split(',').map((one) => Number.parseFloat(one) * (one.includes('ms') ? 1 : 1000)));
    const isMoving = (element: Element): boolean => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
      return longest(transitionDuration) > 1 || (animationName !== 'none' && longest(animationDuration) > 1);
    };
    return [...document.querySelectorAll('body *')]
      .filter((element) => !element.closest('.tox') && isMoving(element))
      .map((element) => `moves: ${element.outerHTML.slice(0, 160)}`);
  });
}

/** Switches on forced colors, and returns one message for each selected tab or button that looks like an unselected one beside it. */
export async function unmarkedChoices(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const unmarked = await page.evaluate(() => {
    const lookOf = (element: Element): string =>
      [null, '::before', '::after']
        .map((part) => {
          const { content, backgroundColor, color, borderColor, borderWidth, borderStyle, outlineStyle, textDecorationLine } =
            getComputedStyle(element, part);
          if (part !== null && content === 'none') return '';
          return [backgroundColor, color, borderColor, borderWidth, borderStyle, outlineStyle, textDecorationLine].join(' ');
        })
        .join('; ');
    const pairs = [...document.querySelectorAll('[aria-pressed=true], [role=tab][aria-selected=true]')].map((chosen) => {
      const others = [...(chosen.parentElement?.children ?? [])].filter((other) =>
        other.matches('[aria-pressed=false], [role=tab][aria-selected=false]'),
      );
      // The selected button is compared with the last unselected one. The first button of a row has no line on its left, so it always looks
      // different.
      return { chosen, other: others.at(-1) };
    });
    return pairs
      .filter(({ chosen, other }) => other !== undefined && chosen !== document.activeElement && lookOf(chosen) === lookOf(other))
      .map(({ chosen }) => `is not marked: ${chosen.outerHTML.slice(0, 160)}`);
  });
  await page.emulateMedia({ forcedColors: 'none' });
  return unmarked;
}
