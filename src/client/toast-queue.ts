// Which toast is seen (spec §9, contract §10): one at a time; a newer one takes the place of a default one;
// a destructive one stays until it is closed, and what comes meanwhile waits behind it.
import { ERROR, nextNotice, SUCCESS } from './texts.ts';

export interface ToastContent {
  title: string;
  description?: string | undefined;
  action?: { label: string; onClick: () => void } | undefined;
  variant?: 'default' | 'destructive' | undefined;
  /** Milliseconds on screen. */
  duration?: number | undefined;
}

export interface ToastItem extends ToastContent {
  id: number;
}

export const TOAST_DURATION = 5_000;

export const isDestructive = (item: ToastContent): boolean => item.variant === 'destructive';

export const durationOf = (item: ToastContent): number => item.duration ?? (isDestructive(item) ? Infinity : TOAST_DURATION);

/** The first is the one on screen. Of default ones only the newest waits; an error said again takes its own place. */
export function withToast(queue: readonly ToastItem[], added: ToastItem): ToastItem[] {
  const errors = queue.filter(isDestructive);
  if (!isDestructive(added)) return [...errors, added];
  if (errors.some((item) => saysTheSame(item, added))) return queue.map((item) => (saysTheSame(item, added) ? added : item));
  const unseen = errors.length === 0 ? [] : queue.filter((item) => !isDestructive(item));
  return [...errors, added, ...unseen];
}

const saysTheSame = (one: ToastContent, other: ToastContent): boolean =>
  one.variant === other.variant && one.title === other.title && one.description === other.description;

/** What the first of the waiting ones says, so that nobody waits for an answer that is already there. */
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
