import { navigate } from 'wouter/use-browser-location';
import { guardNavigation } from './use-leave-guard.ts';

/** Navigates inside the app. A screen with unsaved typing first asks the user for confirmation. */
const go = (to: string, options?: { replace: boolean }): void => guardNavigation(navigate, to, options);

const hasHistory = (): boolean => 'navigation' in window;

/**
 * Stores the URL of each page in its history entry, because the browser does not report the URL of the previous page after a reload. Called
 * once when the app starts.
 */
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

/**
 * Navigates to the previous page. If the browser has unloaded that page, Back would load it from the server, and a visible toast would be
 * lost. In this case the client renders the page instead.
 */
function returnTo({ path, sameDocument }: { path: string; sameDocument: boolean }): void {
  if (sameDocument) history.back();
  else go(path, { replace: true });
}

/** Goes to the previous page of this tab, or to `otherwise` when the user opened the app on the current page. */
export function goBack(otherwise: string): void {
  const before = pageBefore();
  if (before) returnTo(before);
  else if (!hasHistory() && history.length > 1) history.back();
  else go(otherwise);
}

const pathnameOf = (url: string): string => new URL(url, location.href).pathname;

export const isPreviousPage = (path: string): boolean => pathnameOf(pageBefore()?.path ?? '/') === path;

/** Goes to `href`. If the previous page has the same path, the function goes back to it, so that its filters are restored. */
export function backTo(href: string): void {
  const before = pageBefore();
  if (before && pathnameOf(before.path) === pathnameOf(href)) returnTo(before);
  else go(href);
}
