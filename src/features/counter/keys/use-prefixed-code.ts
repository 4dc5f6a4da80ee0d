import { useEffect, useEffectEvent, useRef } from 'react';
import { parseUnitKey } from '../../../domain/weights/actuals.ts';

/** A code ends when no key follows within this many milliseconds. Scanners pause less between two keys. */
const PAUSE_MS = 100;

/** F8, or the control character STX, which scanners type as Ctrl+B. The counter uses neither key for anything else. */
const isPrefix = ({ key, ctrlKey }: KeyboardEvent): boolean => key === 'F8' || (ctrlKey && key.toLowerCase() === 'b');

/** Returns what a key adds to the code. A key that types no character, for example Enter or Ctrl+Z, adds a line break. */
function characterOf({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): string {
  if (key === 'Shift') return '';
  return key.length > 1 || ctrlKey || altKey || metaKey ? '\n' : key;
}

/**
 * Reads the codes of a scanner that types a prefix (F8 or STX) before each code. After the prefix, no key of the code reaches a field, a
 * button or a shortcut, even if the code contains Enter or Tab. `onCode` receives the whole code, and the weight field that has the focus
 * if staff may type in it.
 */
export function usePrefixedCode(onCode: (code: string, weightField: HTMLInputElement | null) => void): void {
  const scanned = useRef({ text: '', at: -Infinity });
  const end = useEffectEvent((): void => {
    const field = document.activeElement;
    const isWeightField = field instanceof HTMLInputElement && !field.readOnly && parseUnitKey(field.id) !== null;
    onCode(scanned.current.text.trim(), isWeightField ? field : null);
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = (event: KeyboardEvent): void => {
      const { text, at } = scanned.current;
      const isNext = event.timeStamp - at < PAUSE_MS;
      if (!isNext && (event.type === 'keyup' || !isPrefix(event))) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.type === 'keyup') return;
      scanned.current = { text: isNext ? text + characterOf(event) : '', at: event.timeStamp };
      clearTimeout(timer);
      timer = setTimeout(end, PAUSE_MS);
    };
    // The window receives each key before the document, to which the other listeners of the counter are attached.
    for (const type of ['keydown', 'keyup'] as const) window.addEventListener(type, listen, { capture: true });
    return () => {
      clearTimeout(timer);
      for (const type of ['keydown', 'keyup'] as const) window.removeEventListener(type, listen, { capture: true });
    };
  }, []);
}
