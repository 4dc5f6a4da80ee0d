// Stores in the page's history entry which row's link was followed, so that returning to the page focuses that link again.
interface FollowedLink {
  readonly row: number;
  readonly href: string;
}

/** Milliseconds that a virtualized list needs to replace estimated row heights by measured ones. */
const MEASURED = 200;

const entry = (): Record<string, unknown> => ({ ...(history.state as object | null) });

export function rememberFollowedLink(followed: FollowedLink): void {
  history.replaceState({ ...entry(), followed }, '');
}

export const lastFollowedLink = (): FollowedLink | null => (entry()['followed'] as FollowedLink | undefined) ?? null;

/** Focuses the followed link once when the link is rendered again, unless the focus is elsewhere by then. */
export function focusLastFollowedLink(link: HTMLElement): void {
  const { followed: _, ...rest } = entry();
  history.replaceState(rest, '');
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body && activeElement.tagName !== 'MAIN') return;
  link.scrollIntoView({ block: 'center' });
  link.focus({ preventScroll: true });
  setTimeout(() => document.activeElement === link && link.scrollIntoView({ block: 'center' }), MEASURED);
}
