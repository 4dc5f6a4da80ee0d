import { useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { unlessKeyFollows } from '../../../client/hooks/unless-key-follows.ts';
import { UNREAD_MS } from '../../../client/hooks/use-unread.ts';

export interface DeliberateKey {
  readonly onFocus: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void;
  readonly onKeyUp: (event: KeyboardEvent) => void;
}

/**
 * Lets a button ignore a key press that was not meant for it, because it could record a payment whose amount nobody has seen: the second of
 * two quick Enters, of which the first has moved the focus from a field to the button; a key that is held down; and a space at the beginning
 * of a scanned code. The space key therefore presses the button only if no other key follows. While `isUnread` returns true, the button
 * ignores both keys. `onTooSoon` is called when the button has ignored a key because it had just got the focus.
 */
export function useDeliberateKey(isUnread: (pressedAt: number) => boolean, onTooSoon?: () => void): DeliberateKey {
  const focusedAt = useRef(-Infinity);
  return {
    onFocus: ({ timeStamp }) => {
      focusedAt.current = timeStamp;
    },
    onKeyDown: (event) => {
      const { currentTarget: button, timeStamp } = event;
      const isEnter = event.key === 'Enter';
      if (!isEnter && event.key !== ' ') return;
      // If the page was busy, the key may have been pressed before the button got the focus. The difference of the two times is then
      // negative.
      const isTooSoon = timeStamp - focusedAt.current < UNREAD_MS;
      const isMeant = !isUnread(timeStamp) && !event.repeat && !isTooSoon;
      if (isEnter && isMeant) return;
      event.preventDefault();
      if (isTooSoon && !event.repeat) onTooSoon?.();
      if (!isMeant) return;
      unlessKeyFollows(() => !isUnread(timeStamp) && button.click());
    },
    onKeyUp: (event) => {
      // Some browsers press a button when the space key is released.
      if (event.key === ' ') event.preventDefault();
      // A user who moves to the button with Tab has chosen the button.
      if (event.key === 'Tab') focusedAt.current = -Infinity;
    },
  };
}
