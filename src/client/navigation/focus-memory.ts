// Which link of a row was followed, kept in the page's own entry of the tab's history: whoever comes back finds the focus on it again.
interface FollowedLink {
  readonly row: number;
  readonly href: string;
}

/** ms until the rows of a long list, drawn by an estimate, have their real heights. */
const MEASURED = 200;

const entry = (): Record<string, unknown> => ({ ...(history.state as object | null) });

export function rememberFollowedLink(followed: FollowedLink): void {
  history.replaceState({ ...entry(), followed }, '');
}

export const lastFollowedLink = (): FollowedLink | null => (entry()['followed'] as FollowedLink | undefined) ?? null;

/** The link that was followed, drawn again: once, unless somebody has gone elsewhere meanwhile. */
export function focusLastFollowedLink(link: HTMLElement): void {
  const { followed: _, ...rest } = entry();
  history.replaceState(rest, '');
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body && activeElement.tagName !== 'MAIN') return;
  link.scrollIntoView({ block: 'center' });
  link.focus({ preventScroll: true });
  setTimeout(() => document.activeElement === link && link.scrollIntoView({ block: 'center' }), MEASURED);
}
