import { useLayoutEffect, useRef, type RefObject } from 'react';

/** The height in pixels that a toast needs at its usual place. */
const TOAST_ROOM = 200;

/** The CSS positions that the open dialogs request for the toasts. The toasts take the position that was requested last. */
const tops: { value: string }[] = [];
const applyTop = (): void => document.documentElement.style.setProperty('--toast-top', tops.at(-1)?.value ?? '');

/**
 * Returns a ref for a dialog whose header the toasts would cover. While the dialog is open, toasts are shown below its header, and the
 * content of the dialog begins below the toast (styles/toast.css).
 */
export function useToastOffset(): RefObject<HTMLDivElement | null> {
  const head = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const dialog = head.current?.parentElement;
    if (!dialog) return undefined;
    const own = { value: '' };
    tops.push(own);
    const place = (): void => {
      // The dialog is centered or as high as the screen, so its position follows from its height. A measured position would be wrong during
      // the opening animation.
      const top = (innerHeight - dialog.offsetHeight) / 2;
      const bottom = top + (head.current?.offsetHeight ?? 0);
      const isBelowHead = top < TOAST_ROOM;
      own.value = isBelowHead ? `${bottom}px` : '';
      dialog.toggleAttribute('data-holds-toasts', isBelowHead);
      applyTop();
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(dialog);
    addEventListener('resize', place);
    return () => {
      observer.disconnect();
      removeEventListener('resize', place);
      tops.splice(tops.indexOf(own), 1);
      applyTop();
    };
  }, []);
  return head;
}
