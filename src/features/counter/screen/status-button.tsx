import clsx from 'clsx';
import { CloudAlert, CloudOff, Wifi } from 'lucide-react';
import { useSyncExternalStore, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import type { CounterStore } from '../device/counter-store.ts';
import { isRefused, isWaiting } from '../device/writes.ts';
import { CONNECTIONS, refusedText, waitingText } from '../texts.ts';

const ICONS = { online: Wifi, offline: CloudOff, busy: CloudAlert, failing: CloudAlert } as const;

export function StatusButton({ store, onOpen }: { store: CounterStore; onOpen: () => void }): ReactNode {
  const { connection, writes } = useSyncExternalStore(store.subscribe, store.view);
  const waiting = writes.filter(isWaiting).length;
  const refused = writes.filter(isRefused).length;
  const state = CONNECTIONS[connection];
  const Icon = ICONS[connection];
  const isBadged = waiting + refused > 0;
  // On a phone, the name of the opened family needs most of the space. This button then shows only the badges or, if there are none, only
  // the icon. While no family is open, one badge replaces the text, so that the menu stays beside the button and nothing moves.
  const whereNarrow = 'max-md:group-has-data-family:sr-only';
  return (
    <>
      <output className="sr-only">{state}</output>
      <Button
        onClick={onOpen}
        icon={<Icon aria-hidden className={clsx(isBadged && whereNarrow)} />}
        className="group-not-has-data-family:min-w-0 group-not-has-data-family:shrink! py-1"
      >
        <span className={clsx('inline-flex flex-wrap items-center gap-x-2', !isBadged && whereNarrow)}>
          <span className={clsx(whereNarrow, isBadged && 'max-md:sr-only')}>{state}</span>
          {waiting > 0 && (
            <span className={clsx(refused > 0 && 'max-md:sr-only')}>
              <Badge tone="wait">{waitingText(waiting)}</Badge>
            </span>
          )}
          {refused > 0 && <Badge tone="bad">{refusedText(refused)}</Badge>}
        </span>
      </Button>
    </>
  );
}
