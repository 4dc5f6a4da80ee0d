import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Pixels from the top that a toast needs at its usual place. */
const TOAST_ROOM = 200;

/** What each open dialog asks for, the last opened one last: that one decides. */
const tops: { value: string }[] = [];
const applyTop = (): void => document.documentElement.style.setProperty('--toast-top', tops.at(-1)?.value ?? '');

/** Keeps toasts off the head of a dialog that begins above their room: they are placed below it (styles/toast.css). */
export function useToastOffset(): RefObject<HTMLDivElement | null> {
  const head = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const dialog = head.current?.parentElement;
    if (!dialog) return undefined;
    const own = { value: '' };
    tops.push(own);
    const place = (): void => {
      // Sizes and not positions, which move while the dialog opens. It is centered, or as high as the screen.
      const top = (innerHeight - dialog.offsetHeight) / 2;
      const bottom = top + (head.current?.offsetHeight ?? 0);
      own.value = top < TOAST_ROOM ? `${bottom}px` : '';
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
