// Which toast is visible (spec §9; contract §10): one card at a time. A newer toast replaces a default one. A destructive one stays until
// it is closed, its action succeeds or the route changes; a default one that arrives meanwhile is shown on the same card (decision 6).
import { ERROR, nextNotice, SUCCESS } from '../texts.ts';

export interface ToastContent {
  title: string;
  description?: string | undefined;
  action?: { label: string; onClick: () => void } | undefined;
  variant?: 'default' | 'destructive' | undefined;
  /** What was attempted: a later toast or success of the same action replaces its error. */
  actionKey?: string | undefined;
  /** Milliseconds on screen. */
  duration?: number | undefined;
}

export interface ToastItem extends ToastContent {
  id: number;
  /** The route on which it was raised. */
  path: string;
}

export const TOAST_DURATION = 5_000;

export const isDestructive = (item: ToastContent): boolean => item.variant === 'destructive';

export const durationOf = (item: ToastContent): number => item.duration ?? (isDestructive(item) ? Infinity : TOAST_DURATION);

/** Errors in the order of their arrival, then at most one default toast. An error that is repeated takes its own place. */
export function withToast(queue: readonly ToastItem[], added: ToastItem): ToastItem[] {
  const errors = queue.filter(isDestructive);
  if (!isDestructive(added)) return [...withoutAction(errors, added.actionKey), added];
  const isRepeated = (item: ToastItem): boolean => isOfAction(item, added.actionKey) || saysTheSame(item, added);
  const others = errors.filter((item) => !isRepeated(item));
  const place = errors.findIndex(isRepeated);
  return others.toSpliced(place === -1 ? others.length : place, 0, added);
}

const saysTheSame = (one: ToastContent, other: ToastContent): boolean => one.title === other.title && one.description === other.description;

const isOfAction = (item: ToastContent, actionKey: string | undefined): boolean => actionKey !== undefined && item.actionKey === actionKey;

/** After the action succeeded: its error is no longer true. */
export const withoutAction = (queue: readonly ToastItem[], actionKey: string | undefined): ToastItem[] =>
  queue.filter((item) => !isDestructive(item) || !isOfAction(item, actionKey));

/** After the route changed: errors of the screen that was left are gone; a success, such as of a saved order, stays. */
export const withoutErrorsOfOthers = (queue: readonly ToastItem[], path: string): ToastItem[] =>
  queue.filter((item) => !isDestructive(item) || item.path === path);

/** What the first of the waiting errors says, so that nobody waits for an answer that is already there. */
export function nextText([next, ...later]: readonly ToastContent[]): string {
  if (!next) return '';
  const said = SAYS_NOTHING.has(next.title) ? (next.description ?? next.title) : next.title;
  return nextNotice(said, later.length);
}

// Titles that only the description tells apart (spec §8).
const SAYS_NOTHING: ReadonlySet<string> = new Set([SUCCESS, ERROR]);

export const withoutToast = (queue: readonly ToastItem[], id: number): ToastItem[] => queue.filter((item) => item.id !== id);

export const withUpdate = (queue: readonly ToastItem[], id: number, change: Partial<ToastContent>): ToastItem[] =>
  queue.map((item) => (item.id === id ? { ...item, ...change } : item));
