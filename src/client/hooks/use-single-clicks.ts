import { useEffect, useRef } from 'react';

/** Two clicks within this many milliseconds and pixels, without a key between them, are a double click. */
const DOUBLE_MS = 500;
const DOUBLE_PX = 30;

/**
 * Lets all buttons ignore the second click of a double click. The first click may have opened a dialog or a family, or recorded a payment. If
 * another button is below the pointer then, the second click could record a payment whose amount nobody has seen. With `mayRepeat`, a button
 * that got the first click also gets the second one, because some buttons are pressed several times, such as those that raise a quantity.
 */
export function useSingleClicks(mayRepeat = false): void {
  const last = useRef<{ at: number; x: number; y: number; button: Element | null }>({ at: -Infinity, x: 0, y: 0, button: null });
  useEffect(() => {
    const forget = (): void => {
      last.current.at = -Infinity;
    };
    const listen = (event: MouseEvent): void => {
      // A click without a pointer, by a key or by a label, has the detail 0.
      if (event.detail === 0) return;
      const { at, x, y, button: first } = last.current;
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      last.current = { at: event.timeStamp, x: event.clientX, y: event.clientY, button };
      const isSecond = event.timeStamp - at < DOUBLE_MS && Math.hypot(event.clientX - x, event.clientY - y) < DOUBLE_PX;
      if (!isSecond || !button || (mayRepeat && button === first)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    document.addEventListener('click', listen, options);
    for (const name of ['keydown', 'input']) document.addEventListener(name, forget, options);
    return () => stop.abort();
  }, [mayRepeat]);
}
