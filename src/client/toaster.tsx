import clsx from 'clsx';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { isLeftward } from './direction.ts';
import { CLOSE, NOTIFICATION, notificationsOf } from './texts.ts';
import { durationOf, isDestructive, nextText } from './toast-queue.ts';
import type { ToastItem } from './toast-queue.ts';
import { dismissToast, useToasts } from './toast.tsx';

/** Stands once, at the root. */
export function Toaster(): ReactNode {
  const { toasts, host } = useToasts();
  const [first, ...waiting] = toasts;
  return (
    <Toast.Provider swipeDirection={isLeftward() ? 'left' : 'right'} label={NOTIFICATION}>
      {first && <ToastCard key={first.id} item={first} next={nextText(waiting)} />}
      {host ? createPortal(<Viewport />, host) : <Viewport />}
    </Toast.Provider>
  );
}

/** A dialog hides the page from those who listen, but no live region: what is said beside the dialog can be found and closed. */
function Viewport(): ReactNode {
  return (
    <div aria-live="off">
      <Toast.Viewport label={notificationsOf('{hotkey}')} className="toast-viewport" />
    </div>
  );
}

function ToastCard({ item, next }: { item: ToastItem; next: string }): ReactNode {
  const isError = isDestructive(item);
  const close = (): void => dismissToast(item.id);
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
      <Toast.Close className="toast-close" aria-label={CLOSE}>
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
