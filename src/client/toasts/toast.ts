import { useSyncExternalStore } from 'react';
import { withoutAction, withoutErrorsOfOtherRoutes, withoutToast, withToast, withUpdate } from './toast-queue.ts';
import type { ToastContent, ToastItem } from './toast-queue.ts';

let queue: readonly ToastItem[] = [];
let lastId = 0;
/** The element in which the toasts are rendered; null for their usual place at the end of the page. */
let host: HTMLElement | null = null;
const listeners = new Set<() => void>();

function show(next: readonly ToastItem[]): void {
  queue = next;
  for (const listener of listeners) listener();
}

/** Shows toasts inside a native dialog until the returned function is called. */
export function showToastsIn(dialog: HTMLElement | null): () => void {
  host = dialog;
  show([...queue]);
  return () => {
    host = null;
    show([...queue]);
  };
}

export interface ShownToast {
  /** Updates the visible toast, for example its progress. Does nothing after the toast is closed. */
  update: (change: Partial<ToastContent>) => void;
  dismiss: () => void;
}

export function toast(content: ToastContent): ShownToast {
  const id = ++lastId;
  show(withToast(queue, { ...content, id, path: location.pathname }));
  return {
    update: (change) => show(withUpdate(queue, id, change)),
    dismiss: () => dismissToast(id),
  };
}

export const dismissToasts = (): void => show([]);

/** Removes all toasts that are not in `left`. Does not render if there are none. */
function keepOnly(left: readonly ToastItem[]): void {
  if (left.length < queue.length) show(left);
}

export const dismissErrorOf = (actionKey: string): void => keepOnly(withoutAction(queue, actionKey));
export const dismissErrorsOfOtherRoutes = (path: string): void => keepOnly(withoutErrorsOfOtherRoutes(queue, path));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns all toasts, the visible toast first, and the element in which the toasts are rendered. */
export function useToasts(): { toasts: readonly ToastItem[]; host: HTMLElement | null } {
  const toasts = useSyncExternalStore(subscribe, () => queue);
  return { toasts, host };
}

export const dismissToast = (id: number): void => show(withoutToast(queue, id));
