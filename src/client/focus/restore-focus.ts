import { useRef } from 'react';

/**
 * Returns the topmost dialog, or the `main` element if no dialog is open. Confirmation dialogs are ignored, because they manage the focus
 * themselves.
 */
export const topmostContainer = (): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('main, [role="dialog"]')].at(-1) ?? null;

/**
 * After a dialog has closed, focuses the element that opened it. If that element no longer exists, the topmost open dialog gets the focus.
 * `useFocusFallback` would also focus that dialog, but only after 100 ms. In that time the user could press Tab and move the focus out of
 * the dialog.
 */
function restoreFocus(opener: Element | null): void {
  if (opener instanceof HTMLElement) opener.focus();
  // setTimeout is needed because the remaining dialog accepts focus only after the closing one is removed.
  setTimeout(() => {
    const front = topmostContainer();
    if (document.activeElement === document.body && front?.matches('[role="dialog"]')) front.focus();
  });
}

/**
 * Returns functions with which a dialog moves the focus back after it has closed. Radix does this itself only if the dialog has a trigger
 * button. For other dialogs, `returnFocus` focuses the element that had the focus when `noteOpener` was called.
 */
export function useFocusReturn(hasTrigger: boolean): { noteOpener: () => void; returnFocus: (event: Event) => void } {
  const opener = useRef<Element | null>(null);
  return {
    noteOpener: () => {
      opener.current = document.activeElement;
    },
    returnFocus: (event) => {
      if (hasTrigger) return;
      event.preventDefault();
      restoreFocus(opener.current);
    },
  };
}
