import { useSyncExternalStore, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import type { CounterStore } from '../device/counter-store.ts';
import { isRefused } from '../device/writes.ts';
import { CONNECTION_NOTICES, refusedEntriesText, showRefusedText } from '../texts.ts';

/**
 * Says over the header that entries were refused, or that entries are kept while there is no network or while the server is busy or has a
 * problem. The number of refused entries and the state of the connection are also in the status button.
 */
export function CounterNotice({ store, onShowQueue }: { store: CounterStore; onShowQueue: () => void }): ReactNode {
  const connection = useSyncExternalStore(store.subscribe, () => CONNECTION_NOTICES[store.view().connection]);
  const refused = useSyncExternalStore(store.subscribe, () => store.view().writes.filter(isRefused).length);
  return (
    <>
      <output className="pointer-events-none absolute inset-0 block">
        {refused === 0 && connection !== null && (
          <span className="flex h-full items-center bg-wait-soft text-wait">
            <span className="page pe-44! text-s font-semibold max-md:text-xs/[1.2]">{connection}</span>
          </span>
        )}
      </output>
      {refused > 0 && (
        <div role="alert" className="absolute inset-0 flex items-center bg-bad-soft">
          <div className="page flex flex-wrap items-center gap-x-4 pe-44! leading-tight font-semibold text-bad max-md:gap-x-2 max-md:text-s">
            <span className="max-md:grow max-md:basis-20">{refusedEntriesText(refused)}</span>
            <Button size="s" onClick={onShowQueue}>
              {showRefusedText(refused)}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}
