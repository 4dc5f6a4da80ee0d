import { navigate } from 'wouter/use-browser-location';
import { guardNavigation } from './use-leave-guard.ts';

/** As any other way inside the app: a screen with unsaved typing is asked. */
const go = (to: string, options?: { replace: boolean }): void => guardNavigation(navigate, to, options);

const hasHistory = (): boolean => 'navigation' in window;

/** Writes each page's address into its own entry of the tab's history, because after a reload the browser no longer tells it. Called once, at the start. */
export function rememberPages(): void {
  if (!hasHistory()) return;
  const remember = (): void => window.navigation.updateCurrentEntry({ state: location.pathname + location.search });
  window.navigation.addEventListener('currententrychange', ({ navigationType }) => {
    if (navigationType !== null) remember();
  });
  remember();
}

function pageBefore(): { path: string; sameDocument: boolean } | null {
  if (!hasHistory()) return null;
  const { currentEntry } = window.navigation;
  const before = currentEntry && window.navigation.entries()[currentEntry.index - 1];
  const path: unknown = before?.getState();
  return before && typeof path === 'string' ? { path, sameDocument: before.sameDocument } : null;
}

/** A page that a reload has unloaded is gone to inside the app: loading it anew would lose the toast that says what was saved. */
function returnTo({ path, sameDocument }: { path: string; sameDocument: boolean }): void {
  if (sameDocument) history.back();
  else go(path, { replace: true });
}

/** To the page before this one in this tab, to `otherwise` when the app was opened here. */
export function goBack(otherwise: string): void {
  const before = pageBefore();
  if (before) returnTo(before);
  else if (!hasHistory() && history.length > 1) history.back();
  else go(otherwise);
}

/** To `href`: as it was left, with its filters, when it is the page before this one. */
export function backTo(href: string): void {
  const before = pageBefore();
  const { origin, pathname } = new URL(href, location.href);
  if (before && new URL(before.path, origin).pathname === pathname) returnTo(before);
  else go(href);
}
