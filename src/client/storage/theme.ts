import { asTheme, THEME_COOKIE, type ChosenTheme } from '../../shared/theme.ts';
import { storage } from './storage.ts';

export type Theme = 'system' | ChosenTheme;

const KEY = 'feastday.theme';
const YEAR = 31_536_000;

export const chosenTheme = (): Theme => asTheme(storage.read(KEY)) ?? 'system';

/** Sets the color of the address bar and other parts of the browser on a phone. */
function colorBrowser(theme: Theme): void {
  for (const color of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = color.dataset['of'];
    color.media = theme === 'system' ? `(prefers-color-scheme: ${own})` : theme === own ? 'all' : 'not all';
  }
}

export function chooseTheme(theme: Theme): void {
  const isChosen = theme !== 'system';
  if (isChosen) document.documentElement.dataset['theme'] = theme;
  else delete document.documentElement.dataset['theme'];
  storage.write(KEY, isChosen ? theme : null);
  colorBrowser(theme);
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; samesite=lax; max-age=${isChosen ? YEAR : 0}`;
}

/** Applies the stored theme. Called once, before the first render. Also renews the cookie, which some browsers delete after a week. */
export const applyTheme = (): void => chooseTheme(chosenTheme());
