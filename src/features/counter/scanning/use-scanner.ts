import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { parseUnitKey } from '../../../domain/actuals.ts';
import { codeAtEnd, isWeightBarcode, parseOrderCode } from '../../../domain/counter/barcode.ts';

export interface ScannerOptions {
  /** The screen reads the code of an order itself. */
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onOrder: (orderId: number) => void;
  /** Called when a weight barcode was scanned while no weight field had the focus. */
  readonly onLostWeight: () => void;
}

/** A scanner needs less than this time per key, in milliseconds. */
const KEY_MS = 300;

/** Writes into a field as its user would, so that its form hears of it. */
function write(field: HTMLInputElement, value: string): void {
  if (field.value === value) return;
  // React replaces the setter of the element itself, and ignores values that are set with it.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * A scanner types like a keyboard into whatever has the focus, and ends with Enter (contract §14). The code of an order opens the order,
 * whichever field or button has the focus. The Enter at the end of a code never presses the focused button nor submits the form of the
 * field, because that may be what pays. A field gets back what it contained before the code.
 */
export function useScanner({ search, onOrder, onLostWeight }: ScannerOptions): void {
  /** What was typed quickly, with the content of the field before each key: a number field drops the letters of a code. */
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
    // A weight field reads the barcode itself.
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
