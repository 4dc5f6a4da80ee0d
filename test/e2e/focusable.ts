// Checks that keyboard users always see the focus (WCAG 2.4.7, 2.4.11).
import type { Page } from '@playwright/test';

/**
 * Presses Tab or Shift+Tab `steps` times, beginning at the top of the page. Returns one message for each focused control that has no
 * visible focus ring or is hidden behind another element.
 */
export async function unseenFocus(page: Page, steps: number, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<string[]> {
  const unseen: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press(key);
    await page.evaluate(settled);
    const problem = await page.evaluate(problemOfFocus);
    if (problem !== null) unseen.push(problem);
  }
  return unseen;
}

/** Waits until popups have closed. A popup closes a moment after the focus has left it, and the browser renders the page after that. */
const settled = (): Promise<void> =>
  new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

function problemOfFocus(): string | null {
  const element = document.activeElement;
  // After the last element, the focus moves to the browser's own controls before it returns to the page. The focus inside a frame is not
  // checked by this function.
  if (element === null || element === document.body || element.tagName === 'IFRAME' || element.closest('.tox')) return null;
  // After a click has opened a menu, the menu itself has the focus until an arrow key selects an item.
  if (element.matches('[role=menu]')) return null;
  const name = element.outerHTML.slice(0, 160);
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 1) return `no ring: ${name}`;
  const box = element.getBoundingClientRect();
  // If an element is taller than the screen, only its visible part is checked.
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const [w, h] = [(right - left) / 2 - 2, (bottom - top) / 2 - 2];
  const points = [
    [x, y],
    [x, y - h],
    [x, y + h],
    [x - w, y],
    [x + w, y],
  ] as const;
  const isSeen = points.some(([px, py]) => {
    const hit = document.elementFromPoint(px, py);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });
  return isSeen ? null : `behind something: ${name}`;
}
