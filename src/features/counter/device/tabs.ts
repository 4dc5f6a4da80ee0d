// Sends messages between the tabs of one browser, which share one queue (contract §14).
export type TabMessage = 'queue' | 'signed out';

const NAME = 'feastday-counter';
const sender = 'BroadcastChannel' in globalThis ? new BroadcastChannel(NAME) : null;

export const tellTabs = (message: TabMessage): void => sender?.postMessage(message);

/** Calls `listen` with the messages of other tabs, not with those of this tab. */
export function onTabMessage(listen: (message: TabMessage) => void): () => void {
  const hear = (event: MessageEvent<TabMessage>): void => listen(event.data);
  sender?.addEventListener('message', hear);
  return () => sender?.removeEventListener('message', hear);
}

/** Runs `work` in one tab at a time. In browsers without Web Locks the Idempotency-Keys still prevent duplicate writes. */
export async function inOneTab(work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request('feastday-counter-queue', work);
  else await work();
}
