import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { parseUnitKey } from '../../../domain/weights/actuals.ts';
import { codeAtEnd, isWeightBarcode, parseOrderCode } from '../../../domain/counter/barcode.ts';
import { KEY_MS } from './key-times.ts';
import { usePrefixedCode } from './use-prefixed-code.ts';

export interface ScannerOptions {
  /** The search field, which reads scanned order codes itself. It gets the focus when another text was typed at a button. */
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onOrder: (orderId: number) => void;
  /** Called when a weight label was scanned while no weight field had the focus. */
  readonly onLostWeight: () => void;
  /** Called when another text was scanned, or typed while a button had the focus. */
  readonly onUnknown: () => void;
}

/** A scanner needs at most this many milliseconds for each key on average. A person types a number more slowly. */
const SCANNER_MS = 50;
/** A shorter text in a field never counts as scanned, because a person may type it as fast as a scanner. */
const SCANNED_LENGTH = 6;
/** An amount with cents, however fast it was typed, is not the code of anything. */
const AMOUNT = /^\d{1,5}[.,]\d{1,2}$/;
/** A scanner types the next key of a code within this many milliseconds. A person does not. */
const NEXT_KEY_MS = 30;
/** A person does not press Tab within this many milliseconds after Enter. A scanned code that contains both does. */
const TAB_MS = 60;

/** Whether the element shows typed characters. Radio buttons and buttons do not. */
const showsText = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('textarea, select, input:not([type="radio"], [type="checkbox"])');

/** Whether Enter or the space key at the element can press a button or submit a form, although typed characters are not shown there. */
const isButton = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('button, [type="radio"], [type="checkbox"]');

/** Sets a field's value as if the user had typed it, so that React and its form notice the change. */
function write(field: HTMLInputElement, value: string): void {
  if (field.value === value) return;
  // React overrides the setter on the element and ignores values set through it, so the prototype's setter is called.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

const isTypedByScanner = (text: string, duration: number): boolean =>
  text.length >= SCANNED_LENGTH && !AMOUNT.test(text) && duration < text.length * SCANNER_MS;

const stop = (event: Event): void => {
  event.preventDefault();
  event.stopPropagation();
};

/**
 * A scanner types its code like a keyboard into the element that has the focus, and then presses Enter (contract §14). The code of an order
 * opens the order, whichever field or button has the focus. The Enter after a code, also after an unknown one, neither presses the focused
 * button nor submits the field's form, because that could record a payment. A field that received the code gets its earlier content back.
 * An unknown code may contain Enter, as a business card does. What follows this Enter is ignored, unless it is the code of an order, or a
 * weight label in a weight field. A scanner that types a prefix before each code can press no button at all (use-prefixed-code.ts).
 */
export function useScanner({ search, onOrder, onLostWeight, onUnknown }: ScannerOptions): void {
  usePrefixedCode((code, weightField) => {
    const orderId = parseOrderCode(code);
    if (orderId !== null) return onOrder(orderId);
    if (!isWeightBarcode(code)) return onUnknown();
    if (!weightField) return onLostWeight();
    write(weightField, code);
    weightField.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  });
  /**
   * The keys of the current fast sequence, and the content of the field before each key. The content is needed because a number field drops
   * the letters of a code. `button` is the button at which text was typed, for example the name of the next family. As long as no other
   * element gets a key, this text belongs to the sequence, however slowly it is typed.
   */
  const typed = useRef({ text: '', contents: [''], since: 0, at: 0, button: null as EventTarget | null });
  /** When Enter was pressed, and whether it ended a code that opened no order. */
  const entered = useRef({ at: -Infinity, isUnread: false });
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key, timeStamp: at } = event;
    // Enter may have opened an order, whose main button ignores keys at first. Tab would move the focus to a button that records a payment.
    if (key === 'Tab' && at - entered.current.at < TAB_MS) return stop(event);
    const wait = at - typed.current.at;
    const isRest = entered.current.isUnread && wait < NEXT_KEY_MS;
    entered.current = { at: key === 'Enter' ? at : entered.current.at, isUnread: isRest };
    if (target === search.current && !isRest) {
      typed.current.button = null;
      return;
    }
    const field = target instanceof HTMLInputElement ? target : null;
    const isContinued = target === typed.current.button;
    const { text, contents, since } = isContinued || wait < KEY_MS ? typed.current : { text: '', contents: [], since: at };
    const isCharacter = key.length === 1;
    // The space key presses a button, and a key with Ctrl is a shortcut. Neither begins a text.
    const isText = isCharacter && key !== ' ' && !event.ctrlKey && !event.metaKey && !isRest;
    const button = isContinued || (isText && isButton(target)) ? target : null;
    typed.current = isCharacter
      ? { text: text + key, contents: [...contents, field?.value ?? ''], since, at, button }
      : { text, contents, since, at, button };
    // A space between two names presses no button.
    if (key !== 'Enter') return isRest || (isContinued && key === ' ') ? stop(event) : undefined;
    typed.current = { text: '', contents: [], since: at, at, button: null };
    const code = codeAtEnd(text);
    const orderId = parseOrderCode(code || (field?.value ?? ''));
    // A weight field reads a weight label that is scanned into it. A weight label that is scanned elsewhere belongs to no field, and the
    // user gets a message.
    const isWeightField = parseUnitKey(field?.id ?? '') !== null;
    const isLabel = isWeightBarcode(code);
    if (isRest && isLabel && field && isWeightField) return write(field, code);
    const isLostWeight = isLabel && !isWeightField;
    // A scale that types like a keyboard is as fast as a scanner, so a weight field checks its numbers itself.
    const isFast = !isWeightField && isTypedByScanner(text, at - since);
    const isUnknown = code === '' && (showsText(target) ? isFast : text !== '');
    if (orderId === null && !isLostWeight && !isUnknown && !isRest) return;
    entered.current.isUnread = orderId === null;
    stop(event);
    if (field) write(field, contents[text.length - (code || text).length] ?? '');
    if (orderId !== null) onOrder(orderId);
    else if (isLostWeight) onLostWeight();
    else if (!isRest) {
      // Staff who have typed the name of the next family at a button now type the weights. These must not reach the opened order either.
      if (isContinued) search.current?.focus();
      onUnknown();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
