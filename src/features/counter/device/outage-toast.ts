// Counts the writes that waited because the server was not reachable (contract §14).
import { toast } from '../../../client/toasts/toast.ts';
import { NOTHING_WAITS, sentText, tasksText } from '../texts.ts';
import type { CounterView } from './counter-view.ts';
import { isRefused, isWaiting } from './writes.ts';

export interface Outage {
  /** Called with the number of writes that the server has just accepted. */
  readonly accepted: (count: number) => void;
  /** Called with each new state of the counter. When no write waits any more after an outage, shows how many writes were sent. */
  readonly changed: (view: CounterView) => void;
}

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
      const description = refused > 0 ? tasksText(refused) : NOTHING_WAITS;
      if (sent > 0) toast({ title: sentText(sent), description, actionKey: 'counter-sent' });
      sent = null;
    },
  };
}
