// Sends messages between the tabs of one browser, because these tabs share one queue (contract §14).
export type TabMessage = 'queue' | 'signed out';

const NAME = 'feastday-counter';
const sender = 'BroadcastChannel' in globalThis ? new BroadcastChannel(NAME) : null;

export const tellTabs = (message: TabMessage): void => sender?.postMessage(message);

/** Calls `listen` with each message from another tab, until the returned function is called. */
export function onTabMessage(listen: (message: TabMessage) => void): () => void {
  const hear = (event: MessageEvent<TabMessage>): void => listen(event.data);
  sender?.addEventListener('message', hear);
  return () => sender?.removeEventListener('message', hear);
}

/**
 * Runs `work`, but never in two tabs at once. In browsers without Web Locks, tabs may send the same write, and its Idempotency-Key prevents
 * a duplicate.
 */
export async function inOneTab(work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request('feastday-counter-queue', work);
  else await work();
}
