// Decides which toast is visible (spec §9; contract §10). Only one toast card is visible at a time. A newer toast replaces a default toast.
// A destructive toast stays until the user closes it, its action succeeds or the route changes. While it is visible, a new default toast is
// shown on the same card (decision 6).
import { ERROR, nextNotice, SUCCESS } from '../texts.ts';

export interface ToastContent {
  title: string;
  description?: string | undefined;
  action?: { label: string; onClick: () => void } | undefined;
  variant?: 'default' | 'destructive' | undefined;
  /**
   * Identifies the action that the toast reports about. When the same action shows another toast or succeeds, its earlier error toast is
   * removed.
   */
  actionKey?: string | undefined;
  /** Milliseconds until the toast closes. */
  duration?: number | undefined;
}

export interface ToastItem extends ToastContent {
  id: number;
  /** The route on which the toast was shown. */
  path: string;
}

const TOAST_DURATION = 5_000;
/** How many milliseconds a toast with an Undo button stays. */
export const UNDO_MS = 10_000;

export const isDestructive = (item: ToastContent): boolean => item.variant === 'destructive';

export const durationOf = (item: ToastContent): number => item.duration ?? (isDestructive(item) ? Infinity : TOAST_DURATION);

/**
 * Adds a toast to the queue. The queue contains the errors in the sequence of their arrival, and after them at most one default toast. A
 * repeated error keeps its position.
 */
export function withToast(queue: readonly ToastItem[], added: ToastItem): ToastItem[] {
  const errors = queue.filter(isDestructive);
  if (!isDestructive(added)) return [...withoutAction(errors, added.actionKey), added];
  const isRepeated = (item: ToastItem): boolean => isOfAction(item, added.actionKey) || isSameToast(item, added);
  const others = errors.filter((item) => !isRepeated(item));
  const index = errors.findIndex(isRepeated);
  return others.toSpliced(index === -1 ? others.length : index, 0, added);
}

const isSameToast = (one: ToastContent, other: ToastContent): boolean => one.title === other.title && one.description === other.description;

const isOfAction = (item: ToastContent, actionKey: string | undefined): boolean => actionKey !== undefined && item.actionKey === actionKey;

export const withoutAction = (queue: readonly ToastItem[], actionKey: string | undefined): ToastItem[] =>
  queue.filter((item) => !isDestructive(item) || !isOfAction(item, actionKey));

/** After a route change, removes the errors of the previous screen. A success toast stays. */
export const withoutErrorsOfOtherRoutes = (queue: readonly ToastItem[], path: string): ToastItem[] =>
  queue.filter((item) => !isDestructive(item) || item.path === path);

/** Returns the text on the visible toast that announces the next error, so that the user knows that more errors follow. */
export function nextText([next, ...later]: readonly ToastContent[]): string {
  if (!next) return '';
  const text = GENERIC_TITLES.has(next.title) ? (next.description ?? next.title) : next.title;
  return nextNotice(text, later.length);
}

// These titles tell the user nothing without the description of the toast (spec §8).
const GENERIC_TITLES: ReadonlySet<string> = new Set([SUCCESS, ERROR]);

export const withoutToast = (queue: readonly ToastItem[], id: number): ToastItem[] => queue.filter((item) => item.id !== id);

export const withUpdate = (queue: readonly ToastItem[], id: number, change: Partial<ToastContent>): ToastItem[] =>
  queue.map((item) => (item.id === id ? { ...item, ...change } : item));
