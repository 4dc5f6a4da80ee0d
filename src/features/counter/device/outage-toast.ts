// Counts the writes that waited because the server was not reachable (contract §14).
import type { ToastContent } from '../../../client/toasts/toast-queue.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { NOTHING_WAITS, refusedEntriesText, sentText } from '../texts.ts';
import type { CounterView } from './counter-view.ts';
import { isRefused, isWaiting } from './writes.ts';

export interface Outage {
  /** Called with the number of writes that the server has just accepted. */
  readonly accepted: (count: number) => void;
  /**
   * Called with each new state of the counter. When no write of an outage waits any more and at least one was sent, shows a toast with the
   * numbers of sent and refused writes.
   */
  readonly changed: (view: CounterView) => void;
}

/** The warning need not stay open, because a separate alert is visible as long as an entry is refused. */
const warningOf = (refused: number, sent: number): ToastContent => ({
  title: refusedEntriesText(refused),
  description: sentText(sent),
  variant: 'destructive',
  duration: 10_000,
});

export function createOutage(): Outage {
  /** How many writes were sent since the outage began. Null while there is no outage. */
  let sent: number | null = null;
  return {
    accepted: (count) => {
      if (sent !== null) sent += count;
    },
    changed: ({ connection, writes }) => {
      if (connection !== 'online') sent ??= 0;
      if (sent === null || connection !== 'online' || writes.some(isWaiting)) return;
      const refused = writes.filter(isRefused).length;
      if (sent > 0) {
        const content = refused > 0 ? warningOf(refused, sent) : { title: sentText(sent), description: NOTHING_WAITS };
        toast({ ...content, actionKey: 'counter-sent' });
      }
      sent = null;
    },
  };
}
