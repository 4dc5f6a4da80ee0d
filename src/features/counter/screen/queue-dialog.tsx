import { memo, useId, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { Button } from '../../../client/ui/forms/button.tsx';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { dollars } from '../../../domain/money.ts';
import { receivedAmount } from '../../../domain/payment.ts';
import { sortNameOrEmail } from '../../../shared/person-name.ts';
import { METHOD_LABELS } from '../../payments/texts.ts';
import type { CounterStore } from '../device/counter-store.ts';
import { writeText } from '../device/write-text.ts';
import { isOutcomeUnknown, isRefused, isWaiting, type QueuedWrite } from '../device/writes.ts';
import {
  DISCARD_CONFIRM,
  DISCARD_QUESTION,
  DISCARD_UNKNOWN,
  DISCARD_WRITE,
  ENTRIES,
  discardText,
  giveBackText,
  moneyInHandText,
  NOT_READY_OFFLINE,
  NOTHING_ELSE_WAITS,
  NOTHING_WAITS,
  OPEN_FAMILY,
  orderText,
  QUEUE,
  QUEUE_LEAD,
  READY_OFFLINE,
  REFUSED,
  REFUSED_LEAD,
  SEND_AGAIN,
  waitingText,
} from '../texts.ts';

interface QueueDialogProps {
  open: boolean;
  onClose: () => void;
  store: CounterStore;
  /** Whether the service worker has stored the files with which the counter opens without a network. */
  isReady: boolean;
  onOpenFamily: (orderId: number) => void;
}

/** Lists the queued writes, and the refused writes with the server's message and what the user can do about each (contract §14). */
export const QueueDialog = memo(function QueueDialog({ open, onClose, store, isReady, onOpenFamily }: QueueDialogProps): ReactNode {
  // The id of the order that the user wants to see. The order opens after the dialog has closed and returned the focus, because the opened
  // order takes the focus itself.
  const chosen = useRef<number | null>(null);
  const showFamily = (orderId: number): void => {
    chosen.current = orderId;
    onClose();
  };
  const onClosed = (): void => {
    if (chosen.current !== null) onOpenFamily(chosen.current);
    chosen.current = null;
  };
  return (
    <Dialog open={open} onClose={onClose} title={ENTRIES} description={QUEUE_LEAD} size="m" onClosed={onClosed}>
      <Readiness store={store} isReady={isReady} />
      <QueueLists store={store} onShowFamily={showFamily} />
    </Dialog>
  );
});

/** Says whether the counter would open without a network. For this, its files and its families must be on the device. */
function Readiness({ store, isReady }: Pick<QueueDialogProps, 'store' | 'isReady'>): ReactNode {
  const hasFamilies = useSyncExternalStore(store.subscribe, () => store.view().snapshot !== null);
  const isOnDevice = isReady && hasFamilies;
  return (
    <p className="mb-4">
      <Badge tone={isOnDevice ? 'good' : 'wait'}>{isOnDevice ? READY_OFFLINE : NOT_READY_OFFLINE}</Badge>
    </p>
  );
}

/** A separate component that is rendered only while the dialog is open, because the queue can be long. */
function QueueLists({ store, onShowFamily }: { store: CounterStore; onShowFamily: (orderId: number) => void }): ReactNode {
  const id = useId();
  const [discarded, setDiscarded] = useState<QueuedWrite | null>(null);
  const { writes, othersUnsent, orders, snapshot } = useSyncExternalStore(store.subscribe, store.view);
  const textOf = ({ write, orderId, text }: QueuedWrite): string =>
    text ?? writeText(write, orders.get(orderId), snapshot?.catalogue.products);
  const familyOf = ({ orderId }: QueuedWrite): string => {
    const order = orders.get(orderId);
    return order ? sortNameOrEmail(order) : orderText(orderId);
  };
  const refused = writes.filter(isRefused);
  const waiting = writes.filter(isWaiting);
  return (
    <>
      {refused.length > 0 && (
        <section aria-label={REFUSED} className="mb-6">
          <h3 className="font-semibold">{REFUSED}</h3>
          <p className="mb-2 text-s text-ink-soft">{REFUSED_LEAD}</p>
          <ul className="divide-y divide-line border-y border-line">
            {refused.map((queued) => (
              <li key={queued.key} className="py-3">
                <p id={`${id}-${queued.key}`} className="clip-anywhere font-semibold">
                  <bdi>{familyOf(queued)}</bdi> · {textOf(queued)}
                </p>
                <p className="clip-anywhere mt-0.5 text-s text-bad">{queued.reason}</p>
                {queued.write.kind === 'payment' && !isOutcomeUnknown(queued) && (
                  <p className="mt-0.5 text-s">
                    {moneyInHandText(dollars(receivedAmount(queued.write)), METHOD_LABELS[queued.write.paymentMethod])}
                  </p>
                )}
                <div className="mt-2 flex flex-wrap gap-2">
                  <Button size="s" aria-describedby={`${id}-${queued.key}`} onClick={() => void store.retry(queued)}>
                    {SEND_AGAIN}
                  </Button>
                  {orders.has(queued.orderId) && (
                    <Button size="s" aria-describedby={`${id}-${queued.key}`} onClick={() => onShowFamily(queued.orderId)}>
                      {OPEN_FAMILY}
                    </Button>
                  )}
                  <Button size="s" variant="quiet" aria-describedby={`${id}-${queued.key}`} onClick={() => setDiscarded(queued)}>
                    {DISCARD_WRITE}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {waiting.length === 0 ? (
        <p className="py-4 text-ink-soft">{refused.length + othersUnsent > 0 ? NOTHING_ELSE_WAITS : NOTHING_WAITS}</p>
      ) : (
        <section aria-label={QUEUE}>
          <div className="mb-2">
            <Badge tone="wait">{waitingText(waiting.length)}</Badge>
          </div>
          <ol className="divide-y divide-line border-y border-line">
            {waiting.map((queued) => (
              <li key={queued.key} className="flex flex-wrap justify-between gap-x-4 py-2 text-s">
                <span className="clip-anywhere">{familyOf(queued)}</span>
                <span className="num clip-anywhere">{textOf(queued)}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {discarded && (
        <ConfirmDialog
          title={DISCARD_QUESTION}
          confirmLabel={DISCARD_CONFIRM}
          isDanger
          onConfirm={() => void store.discard(discarded)}
          onClose={() => setDiscarded(null)}
        >
          {consequenceOf(discarded, textOf(discarded))}
        </ConfirmDialog>
      )}
    </>
  );
}

function consequenceOf(queued: QueuedWrite, text: string): string {
  if (isOutcomeUnknown(queued)) return DISCARD_UNKNOWN;
  return queued.write.kind === 'payment' ? giveBackText(dollars(receivedAmount(queued.write))) : discardText(text);
}
