import clsx from 'clsx';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { durationOf, isDestructive, nextText, withoutToast, withToast, withUpdate } from './toast-queue.ts';
import type { ToastContent, ToastItem } from './toast-queue.ts';

let queue: readonly ToastItem[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly ToastItem[]): void {
  queue = next;
  for (const listener of listeners) listener();
}

export interface ShownToast {
  /** Changes the toast in place, as a progress does; nothing when it is gone. */
  update: (change: Partial<ToastContent>) => void;
  dismiss: () => void;
}

/** Raises a toast, from inside React or out of it. */
export function toast(content: ToastContent): ShownToast {
  const id = ++lastId;
  show(withToast(queue, { ...content, id }));
  return {
    update: (change) => show(withUpdate(queue, id, change)),
    dismiss: () => show(withoutToast(queue, id)),
  };
}

export const dismissToasts = (): void => show([]);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stands once, at the root. */
export function Toaster(): ReactNode {
  const [first, ...waiting] = useSyncExternalStore(subscribe, () => queue);
  return (
    <Toast.Provider swipeDirection="right" label="Notification">
      {first && <ToastCard key={first.id} item={first} next={nextText(waiting)} />}
      <Toast.Viewport className="toast-viewport" />
    </Toast.Provider>
  );
}

function ToastCard({ item, next }: { item: ToastItem; next: string }): ReactNode {
  const isError = isDestructive(item);
  const close = (): void => show(withoutToast(queue, item.id));
  return (
    <Toast.Root
      type={isError ? 'foreground' : 'background'}
      duration={durationOf(item)}
      open
      onOpenChange={(open) => open || close()}
      className={clsx('toast', isError && 'toast-bad')}
    >
      {isError ? (
        <CircleAlert className="mt-0.5 size-5 text-bad" aria-hidden />
      ) : (
        <CircleCheck className="mt-0.5 size-5 text-good" aria-hidden />
      )}
      <div className="min-w-0 grow basis-0">
        <Toast.Title className="font-semibold break-words">{item.title}</Toast.Title>
        {item.description && (
          <Toast.Description className="text-s break-words text-ink-soft">
            <WithQuietStatus text={item.description} />
          </Toast.Description>
        )}
        {item.action && (
          <Toast.Action altText={item.action.label} className="toast-action" onClick={item.action.onClick}>
            {item.action.label}
          </Toast.Action>
        )}
      </div>
      <Toast.Close className="toast-close" aria-label="Close">
        <X className="size-5" aria-hidden />
      </Toast.Close>
      {/* Always there: what comes to wait while an error stands is heard too. */}
      {isError && <output className="toast-next">{next}</output>}
    </Toast.Root>
  );
}

/** `409: Ordering is closed`: the sentence is for the person, the number for whoever is asked (design §2.7). */
function WithQuietStatus({ text }: { text: string }): ReactNode {
  const [, status, sentence] = /^(\d{3}: )(.+)$/s.exec(text) ?? [];
  if (!status) return text;
  return (
    <>
      <span className="text-xs">{status}</span>
      <span className="text-ink">{sentence}</span>
    </>
  );
}
