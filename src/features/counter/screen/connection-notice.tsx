import { useSyncExternalStore, type ReactNode } from 'react';
import type { CounterStore } from '../device/counter-store.ts';
import { CONNECTION_NOTICES } from '../texts.ts';

/** Says over the header that entries are kept while there is no network, or while the server is busy or has a problem. */
export function ConnectionNotice({ store }: { store: CounterStore }): ReactNode {
  const text = useSyncExternalStore(store.subscribe, () => CONNECTION_NOTICES[store.view().connection]);
  return (
    <output className="pointer-events-none absolute inset-0 block">
      {text !== null && (
        <span className="flex h-full items-center bg-wait-soft text-wait">
          <span className="page pe-44! text-s font-semibold max-md:text-xs/[1.2]">{text}</span>
        </span>
      )}
    </output>
  );
}
