import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { parseUnitKey } from '../../../domain/weights/actuals.ts';
import { codeAtEnd, isWeightBarcode, parseOrderCode } from '../../../domain/counter/barcode.ts';

export interface ScannerOptions {
  /** The search field, which reads scanned order codes itself. */
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onOrder: (orderId: number) => void;
  /** Called when a weight label was scanned while no weight field had the focus. */
  readonly onLostWeight: () => void;
}

/** The maximum number of milliseconds between two keys of a scanner. A person types more slowly. */
const KEY_MS = 300;

/** Sets a field's value as if the user had typed it, so that React and its form notice the change. */
function write(field: HTMLInputElement, value: string): void {
  if (field.value === value) return;
  // React overrides the setter on the element and ignores values set through it, so the prototype's setter is called.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * A scanner types its code like a keyboard into the element that has the focus, and then presses Enter (contract §14). The code of an order
 * opens the order, whichever field or button has the focus. The Enter after a code neither presses the focused button nor submits the
 * field's form, because that could record a payment. A field that received the code gets its earlier content back.
 */
export function useScanner({ search, onOrder, onLostWeight }: ScannerOptions): void {
  /**
   * The keys of the current fast sequence, and the content of the field before each key. The content is needed because a number field drops
   * the letters of a code.
   */
  const typed = useRef({ text: '', contents: [''], at: 0 });
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key, timeStamp: at } = event;
    if (target === search.current) return;
    const field = target instanceof HTMLInputElement ? target : null;
    const { text, contents } = at - typed.current.at < KEY_MS ? typed.current : { text: '', contents: [] };
    const isCharacter = key.length === 1;
    typed.current = isCharacter ? { text: text + key, contents: [...contents, field?.value ?? ''], at } : { text, contents, at };
    if (key !== 'Enter') return;
    typed.current = { text: '', contents: [], at };
    const code = codeAtEnd(text);
    const orderId = parseOrderCode(code || (field?.value ?? ''));
    // A weight field reads a weight label that is scanned into it. A weight label that is scanned elsewhere belongs to no field, and the
    // user gets a message.
    const isLostWeight = isWeightBarcode(code) && parseUnitKey(field?.id ?? '') === null;
    if (orderId === null && !isLostWeight) return;
    event.preventDefault();
    event.stopPropagation();
    if (field) write(field, contents[text.length - code.length] ?? '');
    if (orderId === null) onLostWeight();
    else onOrder(orderId);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
