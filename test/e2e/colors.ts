import type { Page } from '@playwright/test';

/**
 * Switches the page to light or dark colors and ends all animations. On a busy machine, a browser may paint no frames, and the animations
 * would then never end.
 */
export async function inColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(showWhatIsSkipped);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.waitForFunction(endAnimations, colorScheme, { polling: 50 });
}

/**
 * Makes the browser render all content. It normally skips content far below the viewport, and skipped content would keep the old colors
 * until it is scrolled into view.
 */
function showWhatIsSkipped(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important }');
  document.adoptedStyleSheets = [sheet];
}

function endAnimations(colorScheme: string): boolean {
  if (!matchMedia(`(prefers-color-scheme: ${colorScheme})`).matches) return false;
  const running = document.getAnimations().filter(({ playState }) => playState === 'running');
  for (const animation of running) {
    if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
    else animation.finish();
  }
  return running.length === 0;
}
