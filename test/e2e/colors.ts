import type { Page } from '@playwright/test';

/**
 * Shows the page in light or dark colors, at the end of everything that moves. Animations are ended rather than
 * waited for: a browser that paints no frames, as a busy machine's may for minutes, would never end them.
 */
export async function inColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(showWhatIsSkipped);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.waitForFunction(endAnimations, colorScheme, { polling: 50 });
}

/** What a browser skips to draw, because it lies far below, keeps the colors it had until it comes into sight. */
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
