import type { ReactNode } from 'react';
import { othersEntriesText } from './texts.ts';

/** Says that entries of another member of staff wait on this device, because they are sent only when that person signs in here. */
export function OthersEntries({ count }: { count: number }): ReactNode {
  return (
    <output className="no-print block">
      {count > 0 && (
        <span className="my-4 block rounded-card bg-wait-soft px-4 py-3 text-s font-semibold text-wait">{othersEntriesText(count)}</span>
      )}
    </output>
  );
}
