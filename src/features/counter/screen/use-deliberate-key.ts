import { useRef, type FocusEvent, type KeyboardEvent } from 'react';

/** A key press within this many milliseconds after a button has got the focus is ignored, because nobody can have read its label yet. */
export const UNREAD_MS = 300;

export interface DeliberateKey {
  readonly onFocus: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onKeyUp: (event: KeyboardEvent) => void;
}

/**
 * Lets a button ignore a key press that was meant for the field before it: the second of two quick Enters, or a key that is held down.
 * Enter in the field moves the focus to the button. If the button obeyed the next key press at once, it could record a payment whose amount
 * nobody has seen.
 */
export function useDeliberateKey(): DeliberateKey {
  const focusedAt = useRef(-Infinity);
  return {
    onFocus: ({ timeStamp }) => {
      focusedAt.current = timeStamp;
    },
    onKeyDown: (event) => {
      const isPress = event.key === 'Enter' || event.key === ' ';
      // If the page was busy, the key may have been pressed before the button got the focus. The difference of the two times is then
      // negative.
      if (isPress && (event.repeat || event.timeStamp - focusedAt.current < UNREAD_MS)) event.preventDefault();
    },
    // A user who moves to the button with Tab has chosen the button.
    onKeyUp: ({ key }) => {
      if (key === 'Tab') focusedAt.current = -Infinity;
    },
  };
}
