// Checks that controls are large enough. WCAG 2.5.8 requires 24 px, and touch screens need 44 px.
import type { Page } from '@playwright/test';

/**
 * Returns one message for each control whose width or height is below `least` px. `but` is a CSS selector for controls of third-party code,
 * which are not checked.
 */
export const smallControls = (page: Page, least: number, but = '.tox'): Promise<string[]> => page.evaluate(findSmall, { least, but });

function findSmall({ least, but }: { least: number; but: string }): string[] {
  const CONTROLS =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=option]';
  const modal = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1);
  const isSeen = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    // Visually hidden elements are not checked. They are only visible, and have their real size, while they have the focus.
    if (width === 0 || height === 0 || getComputedStyle(element).clipPath === 'inset(50%)') return false;
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('[inert], [aria-hidden=true]');
  };
  /** Returns whether the element is a link within a sentence. WCAG 2.5.8 makes an exception for such links. */
  const isInSentence = (element: Element): boolean => {
    if (element.tagName !== 'A' || getComputedStyle(element).display !== 'inline') return false;
    const around = element.closest('p, li, td, dd, span, div')?.textContent ?? '';
    return around.trim().length > (element.textContent ?? '').trim().length + 1;
  };
  /** Returns the box of the element and the boxes of its labels, because a click on a label also operates the element. */
  const boxesOf = (element: Element): DOMRect[] => {
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
    return [element, ...labels].map((one) => one.getBoundingClientRect());
  };
  /**
   * Returns whether clicks to the left, right, top and bottom of the center reach the element, at half of `least` from the center. The
   * clickable area may be larger than the visible box.
   */
  const takesPress = (element: Element): boolean => {
    element.scrollIntoView({ block: 'center', inline: 'center' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const reach = least / 2 - 1;
    const points = [
      [x - reach, y],
      [x + reach, y],
      [x, y - reach],
      [x, y + reach],
    ] as const;
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
    return points.every(([px, py]) => {
      const hit = document.elementFromPoint(px, py);
      return hit !== null && (element.contains(hit) || labels.some((label) => label.contains(hit)));
    });
  };
  return [...(modal ?? document).querySelectorAll(CONTROLS)]
    .filter((element) => !element.closest(but) && isSeen(element) && !isInSentence(element))
    .filter((element) => !boxesOf(element).some(({ width, height }) => width >= least - 0.5 && height >= least - 0.5))
    .filter((element) => !takesPress(element))
    .map((element) => {
      const { width, height } = element.getBoundingClientRect();
      return `${Math.round(width)} × ${Math.round(height)}: ${element.outerHTML.slice(0, 160)}`;
    });
}
