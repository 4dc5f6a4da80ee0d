// Whether whoever walks the page by Tab sees where the focus is (WCAG 2.4.7, 2.4.11).
import type { Page } from '@playwright/test';

/** Takes so many steps forwards or backwards from the top; one text for each step whose control shows no ring or stands behind something. */
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

/** What closes as the focus leaves it does so in a turn of its own, and is drawn after that. */
const settled = (): Promise<void> =>
  new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

function problemOfFocus(): string | null {
  const element = document.activeElement;
  // Between the end of the page and its start the focus is in the bars of the browser; in a frame it is the frame's.
  if (element === null || element === document.body || element.tagName === 'IFRAME' || element.closest('.tox')) return null;
  // A menu that was opened by a press has the focus itself until an arrow chooses in it.
  if (element.matches('[role=menu]')) return null;
  const name = element.outerHTML.slice(0, 160);
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 1) return `no ring: ${name}`;
  const box = element.getBoundingClientRect();
  // Of what is taller than the screen only that part can be seen.
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
