import { useSyncExternalStore } from 'react';
import { withoutAction, withoutErrorsOfOthers, withoutToast, withToast, withUpdate } from './toast-queue.ts';
import type { ToastContent, ToastItem } from './toast-queue.ts';

let queue: readonly ToastItem[] = [];
let lastId = 0;
/** Where they are shown, when that is not their own place. */
let host: HTMLElement | null = null;
const listeners = new Set<() => void>();

function show(next: readonly ToastItem[]): void {
  queue = next;
  for (const listener of listeners) listener();
}

/** Toasts are shown inside a dialog of the browser's own until the answer is called. */
export function showToastsIn(dialog: HTMLElement | null): () => void {
  host = dialog;
  show([...queue]);
  return () => {
    host = null;
    show([...queue]);
  };
}

export interface ShownToast {
  /** Changes the toast in place, as a progress does; nothing when it is gone. */
  update: (change: Partial<ToastContent>) => void;
  dismiss: () => void;
}

/** Raises a toast, from inside React or out of it. */
export function toast(content: ToastContent): ShownToast {
  const id = ++lastId;
  show(withToast(queue, { ...content, id, path: location.pathname }));
  return {
    update: (change) => show(withUpdate(queue, id, change)),
    dismiss: () => show(withoutToast(queue, id)),
  };
}

export const dismissToasts = (): void => show([]);

/** After the action succeeded: its error goes. */
export function dismissErrorOf(actionKey: string): void {
  const left = withoutAction(queue, actionKey);
  if (left.length < queue.length) show(left);
}

/** After the route changed: the errors of other routes go. */
export function dismissErrorsOfOthers(path: string): void {
  const left = withoutErrorsOfOthers(queue, path);
  if (left.length < queue.length) show(left);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All of them, the shown one first, and where they are shown. */
export function useToasts(): { toasts: readonly ToastItem[]; host: HTMLElement | null } {
  const toasts = useSyncExternalStore(subscribe, () => queue);
  return { toasts, host };
}

export const dismissToast = (id: number): void => show(withoutToast(queue, id));
