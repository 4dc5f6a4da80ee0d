import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { isWeightBarcode, parseOrderCode } from '../../../domain/counter/barcode.ts';

export interface ScannerOptions {
  /** The screen reads the code of an order itself. */
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onOrder: (orderId: number) => void;
  /** Called when a weight barcode was scanned while no field had the focus. */
  readonly onLostWeight: () => void;
}

/** A scanner needs less than this time per key, in milliseconds. */
const KEY_MS = 300;

/**
 * A scanner types like a keyboard into whatever has the focus, and ends with Enter (contract §14). The code of an order opens the order,
 * whichever field or button has the focus. The Enter at the end of a code never presses the focused button, because that may be the button
 * that pays.
 */
export function useScanner({ search, onOrder, onLostWeight }: ScannerOptions): void {
  const typed = useRef({ text: '', at: 0 });
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key, timeStamp: at } = event;
    if (target === search.current) return;
    const isField = target instanceof HTMLInputElement;
    const before = at - typed.current.at < KEY_MS ? typed.current.text : '';
    typed.current = { text: isField || key.length > 1 ? before : before + key, at };
    if (key !== 'Enter') return;
    typed.current.text = '';
    const text = isField ? target.value : before;
    const orderId = parseOrderCode(text);
    const isLostWeight = !isField && isWeightBarcode(text);
    if (orderId === null && !isLostWeight) return;
    event.preventDefault();
    event.stopPropagation();
    if (orderId === null) onLostWeight();
    else onOrder(orderId);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
