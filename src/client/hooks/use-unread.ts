import { useLayoutEffect, useRef } from 'react';

/**
 * For this many milliseconds, a key press is ignored after a button has got the focus, or after a question or an amount has appeared. Before,
 * nobody can have read it.
 */
export const UNREAD_MS = 300;

/** The same for a form that shows what somebody else has saved. Reading a sentence with a value takes longer. */
export const UNREAD_VALUE_MS = 1000;

/**
 * For this many milliseconds after a press, a second press does not record money. The first press may have recorded a part of what is due, or
 * opened another family, so that the second one would record an amount that nobody has read.
 */
export const UNREAD_MONEY_MS = 1500;

interface Unread {
  /**
   * Returns whether a key was pressed before the user can have read what is shown now, so that the key was meant for what was shown before.
   * `pressedAt` is the `timeStamp` of the event, because a busy page may handle a key long after it was pressed.
   */
  readonly isUnread: (pressedAt: number) => boolean;
  /** Says that something else is shown from now on. */
  readonly setUnread: () => void;
}

/**
 * Notices when the user cannot have read yet what a key press would confirm, because `shown` has just changed or `setUnread` was called. If
 * `shown` becomes undefined, there is nothing to read.
 */
export function useUnread(shown?: string | number, readingTime = UNREAD_MS): Unread {
  const changedAt = useRef(-Infinity);
  const before = useRef(shown);
  const setUnread = (): void => {
    changedAt.current = performance.now();
  };
  // With useEffect, a key could be handled after the change is shown and before the change is noticed.
  useLayoutEffect(() => {
    if (shown !== undefined && before.current !== shown) setUnread();
    before.current = shown;
  });
  return { isUnread: (pressedAt) => pressedAt - changedAt.current < readingTime, setUnread };
}
