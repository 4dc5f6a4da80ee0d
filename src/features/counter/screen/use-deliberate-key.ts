import { useRef, type FocusEvent, type KeyboardEvent } from 'react';

/** The milliseconds after a button has got the focus in which nobody can have read its label yet. */
export const UNREAD_MS = 300;

export interface DeliberateKey {
  readonly onFocus: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onKeyUp: (event: KeyboardEvent) => void;
}

/**
 * Lets a button ignore a key press that was meant for the field before it: the second of two quick Enters, or a key that is held down. If
 * the button obeyed such a key press, the Enter that moves the focus to the button could be followed by a payment whose amount nobody has
 * seen.
 */
export function useDeliberateKey(): DeliberateKey {
  const focusedAt = useRef(-Infinity);
  return {
    onFocus: ({ timeStamp }) => {
      focusedAt.current = timeStamp;
    },
    onKeyDown: (event) => {
      const isPress = event.key === 'Enter' || event.key === ' ';
      // A press may be older than the focus, when the page was busy in between.
      if (isPress && (event.repeat || event.timeStamp - focusedAt.current < UNREAD_MS)) event.preventDefault();
    },
    // A user who moves to the button with Tab has chosen the button.
    onKeyUp: ({ key }) => {
      if (key === 'Tab') focusedAt.current = -Infinity;
    },
  };
}
