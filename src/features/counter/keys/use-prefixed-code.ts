import { useEffect, useEffectEvent } from 'react';

/** A code ends when no key follows Enter, with which most scanners end a code, within this many milliseconds. */
const AFTER_ENTER_MS = 100;
/** A code ends when no key follows another key within this many milliseconds, because some scanners pause in a code. */
const PAUSE_MS = 500;
/** For this many milliseconds after a code, a key such as Enter still belongs to the code, and presses nothing. */
const AFTER_CODE_MS = 500;

/** F8, or the control character STX, which scanners type as Ctrl+B. The counter uses neither key for anything else. */
const isPrefix = ({ key, ctrlKey }: KeyboardEvent): boolean => key === 'F8' || (ctrlKey && key.toLowerCase() === 'b');

/** Returns what a key adds to the code. A key that types no character, for example Enter or Ctrl+Z, adds a line break. */
function characterOf({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): string {
  if (key === 'Shift') return '';
  return key.length > 1 || ctrlKey || altKey || metaKey ? '\n' : key;
}

/** Whether the key can press a button, move the focus or be a shortcut. */
const canPress = (event: KeyboardEvent): boolean => [' ', '\n'].includes(characterOf(event));

/**
 * Reads the codes of a scanner that types a prefix (F8 or STX) before each code. After the prefix, no key of the code reaches a field, a
 * button or a shortcut, even if the code contains Enter or Tab. `onCode` receives the whole code.
 */
export function usePrefixedCode(onCode: (code: string) => void): void {
  const read = useEffectEvent((code: string): void => onCode(code.trim()));
  useEffect(() => {
    /** The keys since the prefix; null if no code is being typed. */
    let code: string | null = null;
    let endedAt = -Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => {
      const ended = code;
      code = null;
      // A prefix alone may be a key that a person has pressed by mistake.
      if (ended) read(ended);
      endedAt = performance.now();
    };
    const listen = (event: KeyboardEvent): void => {
      const isPressed = event.type === 'keydown';
      const isBeginning = isPressed && isPrefix(event);
      if (isBeginning) {
        end();
        code = '';
        endedAt = -Infinity;
      }
      const isLate = event.timeStamp - endedAt < AFTER_CODE_MS && canPress(event);
      if (code === null && !isLate) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (code === null || !isPressed) return;
      if (!isBeginning) code += characterOf(event);
      clearTimeout(timer);
      timer = setTimeout(end, event.key === 'Enter' ? AFTER_ENTER_MS : PAUSE_MS);
    };
    // The window receives each key before the document, to which the other listeners of the counter are attached.
    for (const type of ['keydown', 'keyup'] as const) window.addEventListener(type, listen, { capture: true });
    return () => {
      clearTimeout(timer);
      for (const type of ['keydown', 'keyup'] as const) window.removeEventListener(type, listen, { capture: true });
    };
  }, []);
}
