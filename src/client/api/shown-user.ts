// Knows for which user this tab shows screens. The tabs of a browser share one session, so when another user signs in or the user signs out
// in one tab, the other tabs must no longer show or save anything for the previous user.
let shown: number | null = null;
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('feastday-user') : null;

/** The id of the user for whom this tab shows screens; null if nobody is signed in. */
export const shownUser = (): number | null => shown;

/**
 * Sets the user of this tab, and tells the other tabs which user is signed in. They hear nothing if the tab has no user: the session may
 * have expired, and the same user may sign in again to save what was typed in another tab.
 */
export function showUser(userId: number | null): void {
  shown = userId;
  if (userId !== null) tabs?.postMessage(userId);
}

/** Tells the other tabs that the user has signed out. */
export const tellSignedOut = (): void => tabs?.postMessage(null);

/**
 * Calls `check` when another tab says that the user of this tab has signed out, or that another user has signed in. The tab may say so too
 * late, so `check` must ask the server. Returns a function that ends the calls.
 */
export function onOtherUser(check: () => void): () => void {
  const hear = (event: Event): void => {
    if (shown !== null && (event as MessageEvent).data !== shown) check();
  };
  tabs?.addEventListener('message', hear);
  return () => tabs?.removeEventListener('message', hear);
}
