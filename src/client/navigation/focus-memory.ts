// Stores in the history entry of a page which row's link the user followed. When the user returns to the page, that link gets the focus
// again.
interface FollowedLink {
  readonly row: number;
  readonly href: string;
}

/**
 * A virtualized list measures its rows within this time. Until then it only estimates the heights of the rows, so the scroll position may be
 * wrong.
 */
const ROW_MEASURING_MS = 200;

const entry = (): Record<string, unknown> => ({ ...(history.state as object | null) });

export function rememberFollowedLink(followed: FollowedLink): void {
  history.replaceState({ ...entry(), followed }, '');
}

export const lastFollowedLink = (): FollowedLink | null => (entry()['followed'] as FollowedLink | undefined) ?? null;

/**
 * Focuses the followed link when it is rendered again, unless the user has already focused another element. Then forgets the link, so that
 * it gets the focus only once.
 */
export function focusLastFollowedLink(link: HTMLElement): void {
  const { followed: _, ...rest } = entry();
  history.replaceState(rest, '');
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body && activeElement.tagName !== 'MAIN') return;
  link.scrollIntoView({ block: 'center' });
  link.focus({ preventScroll: true });
  setTimeout(() => document.activeElement === link && link.scrollIntoView({ block: 'center' }), ROW_MEASURING_MS);
}
