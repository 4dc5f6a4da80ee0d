import { CloudOff, Wifi } from 'lucide-react';
import { useSyncExternalStore, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import type { CounterStore } from '../device/counter-store.ts';
import { isRefused, isWaiting } from '../device/writes.ts';
import { NO_NETWORK, ONLINE, refusedText, waitingText } from '../texts.ts';

export function StatusButton({ store, onOpen }: { store: CounterStore; onOpen: () => void }): ReactNode {
  const { isReachable, writes } = useSyncExternalStore(store.subscribe, store.view);
  const waiting = writes.filter(isWaiting).length;
  const refused = writes.filter(isRefused).length;
  const state = isReachable ? ONLINE : NO_NETWORK;
  return (
    <>
      <output className="sr-only">{state}</output>
      <Button onClick={onOpen} icon={isReachable ? <Wifi aria-hidden /> : <CloudOff aria-hidden />}>
        <span className="inline-flex items-center gap-2">
          {state}
          {waiting > 0 && <Badge tone="wait">{waitingText(waiting)}</Badge>}
          {refused > 0 && <Badge tone="bad">{refusedText(refused)}</Badge>}
        </span>
      </Button>
    </>
  );
}
