import { useLayoutEffect, useRef } from 'react';

/**
 * After a button has got the focus, or a question or an amount has appeared, key presses are ignored for this many milliseconds, because
 * nobody can have read yet what they would confirm.
 */
export const UNREAD_MS = 300;

/**
 * After a form has begun to show what somebody else has saved, it ignores presses of its save button for this many milliseconds. Reading a
 * sentence with a value takes longer than reading a button.
 */
export const UNREAD_VALUE_MS = 1000;

/**
 * At the counter, a second press within this many milliseconds records no money. The first press may have recorded a part of the amount due,
 * or opened another family, and nobody can have read the new amount yet.
 */
export const UNREAD_MONEY_MS = 1500;

/** The second press of a double click, or of a double tap, follows the first one within this many milliseconds. */
export const DOUBLE_MS = 500;

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
