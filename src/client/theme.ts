import { storage } from './storage.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'feastday.theme';

export function chosenTheme(): Theme {
  const remembered = storage.read(KEY);
  return remembered === 'light' || remembered === 'dark' ? remembered : 'system';
}

/** Shows the theme and remembers it on this device; `system` forgets the choice. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme'];
    storage.remove(KEY);
  } else {
    document.documentElement.dataset['theme'] = theme;
    storage.write(KEY, theme);
  }
}

/** Called once, before anything is drawn but what the page itself shows, which has the system's colors. */
export const applyTheme = (): void => chooseTheme(chosenTheme());
