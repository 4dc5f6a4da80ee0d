import clsx from 'clsx';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { isRtl } from '../is-rtl.ts';
import { CLOSE, NOTIFICATION, notificationsOf } from '../texts.ts';
import { durationOf, isDestructive, nextText } from './toast-queue.ts';
import type { ToastItem } from './toast-queue.ts';
import { dismissToast, useToasts } from './toast.ts';

export function Toaster(): ReactNode {
  const { toasts, host } = useToasts();
  const errors = toasts.filter(isDestructive);
  const [first, ...waiting] = errors.length > 0 ? errors : toasts;
  const meanwhile = errors.length > 0 ? toasts.find((item) => !isDestructive(item)) : undefined;
  return (
    <Toast.Provider swipeDirection={isRtl() ? 'left' : 'right'} label={NOTIFICATION}>
      {first && <ToastCard key={first.id} item={first} meanwhile={meanwhile} next={nextText(waiting)} />}
      {host ? createPortal(<Viewport />, host) : <Viewport />}
    </Toast.Provider>
  );
}

/**
 * Renders the list of toasts inside a live region, because an open dialog hides the rest of the page from assistive technology, except live
 * regions.
 */
function Viewport(): ReactNode {
  return (
    <div aria-live="off">
      <Toast.Viewport label={notificationsOf('{hotkey}')} className="toast-viewport" />
    </div>
  );
}

/** A ref callback that stores the height of the visible toast in a CSS variable (styles/toast.css). */
function publishHeight(card: HTMLLIElement | null): (() => void) | undefined {
  if (!card) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--toast-height', `${card.offsetHeight}px`));
  observer.observe(card);
  return () => {
    observer.disconnect();
    style.removeProperty('--toast-height');
  };
}

interface ToastCardProps {
  item: ToastItem;
  /** A default toast that was added while this error was visible. */
  meanwhile: ToastItem | undefined;
  next: string;
}

function ToastCard({ item, meanwhile, next }: ToastCardProps): ReactNode {
  const [isPaused, setIsPaused] = useState(false);
  const isError = isDestructive(item);
  const close = (): void => dismissToast(item.id);
  return (
    <Toast.Root
      ref={publishHeight}
      type={isError ? 'foreground' : 'background'}
      duration={durationOf(item)}
      open
      onOpenChange={(open) => open || close()}
      onPause={() => setIsPaused(true)}
      onResume={() => setIsPaused(false)}
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
      {/* The `output` elements are rendered even when they are empty, because screen readers announce only content that is added to an
          existing live region. */}
      {isError && (
        <output className="toast-next">{meanwhile && <Meanwhile key={meanwhile.id} item={meanwhile} isPaused={isPaused} />}</output>
      )}
      {isError && <output className="toast-next">{next}</output>}
    </Toast.Root>
  );
}

/** Renders a success toast on the card of an error that belongs to another action. The success toast closes after its own time. */
function Meanwhile({ item, isPaused }: { item: ToastItem; isPaused: boolean }): ReactNode {
  const { id, title, description, action } = item;
  const duration = durationOf(item);
  useEffect(() => {
    if (isPaused || duration === Infinity) return undefined;
    const timer = setTimeout(() => dismissToast(id), duration);
    return () => clearTimeout(timer);
  }, [id, duration, isPaused]);
  return (
    <span className="flex gap-3">
      <CircleCheck className="size-5 shrink-0 text-good" aria-hidden />
      <span className="min-w-0 grow break-words">
        <span className="block font-semibold">{title}</span>
        {description && <span className="block text-ink-soft">{description}</span>}
        {action && (
          <button
            type="button"
            className="toast-action"
            onClick={() => {
              action.onClick();
              dismissToast(id);
            }}
          >
            {action.label}
          </button>
        )}
      </span>
    </span>
  );
}

/**
 * Renders an error such as `409: Ordering is closed` with a small status, which only support needs, and a normal sentence for the user.
 */
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
