import { useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { SCANNER_MS, unlessScanned } from '../scanning/use-scanner.ts';

/** A key press within this many milliseconds after a button has got the focus is ignored, because nobody can have read its label yet. */
export const UNREAD_MS = 300;

export interface DeliberateKey {
  readonly onFocus: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void;
  readonly onKeyUp: (event: KeyboardEvent) => void;
}

/**
 * Lets a button ignore a key press that was not meant for it, because it could record a payment whose amount nobody has seen: the second of
 * two quick Enters, of which the first has moved the focus from a field to the button; a key that is held down; and a key that begins a
 * scanned code.
 */
export function useDeliberateKey(): DeliberateKey {
  const readableAt = useRef(-Infinity);
  return {
    onFocus: ({ timeStamp }) => {
      readableAt.current = timeStamp + UNREAD_MS;
    },
    onKeyDown: (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      // If the page was busy, the key may have been pressed before the button got the focus. The key then counts as too early.
      if (event.repeat || event.timeStamp < readableAt.current) return;
      const { currentTarget: button } = event;
      unlessScanned(() => button.click());
    },
    onKeyUp: (event) => {
      // Some browsers press a button when the space key is released.
      if (event.key === ' ') event.preventDefault();
      // A user who moves to the button with Tab has chosen the button. A scanner may type Tab, too, and goes on at once.
      if (event.key === 'Tab') readableAt.current = event.timeStamp + SCANNER_MS;
    },
  };
}
