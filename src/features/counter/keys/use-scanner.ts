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
  /** Called when another text was scanned. */
  readonly onUnknown: () => void;
  /** Called when another text was typed at an element that shows no text, for example the next family's name at a button. */
  readonly onTyped: (text: string) => void;
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

/** Enters a weight label that was scanned after a prefix, as if the scanner had typed it into the field. */
function enterLabel(field: HTMLInputElement, label: string): void {
  write(field, label);
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
}

/** The keys of the current fast sequence, and when the first and the last one were pressed. */
interface Typed {
  readonly text: string;
  /** The content of the field before each key, because a number field drops the letters of a code. */
  readonly contents: readonly string[];
  readonly since: number;
  readonly at: number;
  /**
   * The element without a text at which text was typed, usually a button. As long as no other element gets a key, this text belongs to the
   * sequence, however slowly it is typed.
   */
  readonly place: EventTarget | null;
}

/** Escape deletes what was typed at an element without a text, and Backspace its last character. */
function shortened(typed: Typed, key: 'Escape' | 'Backspace'): Typed {
  const text = key === 'Escape' ? '' : typed.text.slice(0, -1);
  return { ...typed, text, contents: typed.contents.slice(0, text.length), place: text === '' ? null : typed.place };
}

/**
 * A scanner types its code like a keyboard into the element that has the focus, and then presses Enter (contract §14). The code of an order
 * opens the order, whichever field or button has the focus. The Enter after a code, also after an unknown one, neither presses the focused
 * button nor submits the field's form, because that could record a payment. A field that received the code gets its earlier content back.
 * An unknown code may contain Enter, as a business card does. What follows this Enter is ignored, unless it is the code of an order, or a
 * weight label in a weight field. A scanner that types a prefix before each code can press no button at all (use-prefixed-code.ts).
 */
export function useScanner({ search, onOrder, onLostWeight, onUnknown, onTyped }: ScannerOptions): void {
  usePrefixedCode((code, weightField) => {
    const orderId = parseOrderCode(code);
    if (orderId !== null) return onOrder(orderId);
    if (!isWeightBarcode(code)) return onUnknown();
    if (!weightField) return onLostWeight();
    enterLabel(weightField, code);
  });
  const typed = useRef<Typed>({ text: '', contents: [''], since: 0, at: 0, place: null });
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
      typed.current = { ...typed.current, place: null };
      return;
    }
    const field = target instanceof HTMLInputElement ? target : null;
    const isContinued = target === typed.current.place;
    const { text, contents, since } = isContinued || wait < KEY_MS ? typed.current : { text: '', contents: [], since: at };
    const isCharacter = key.length === 1;
    if (isContinued && (key === 'Escape' || key === 'Backspace')) return void (typed.current = shortened(typed.current, key));
    // The space key presses a button, and a key with Ctrl or Alt is a shortcut. Neither begins a text.
    const isText = isCharacter && key !== ' ' && !event.ctrlKey && !event.altKey && !event.metaKey && !isRest;
    const place = isContinued || (isText && !showsText(target)) ? target : null;
    typed.current = isCharacter
      ? { text: text + key, contents: [...contents, field?.value ?? ''], since, at, place }
      : { text, contents, since, at, place };
    // A space between two names presses no button.
    if (key !== 'Enter') return isRest || (isContinued && key === ' ') ? stop(event) : undefined;
    typed.current = { text: '', contents: [], since: at, at, place: null };
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
      if (isContinued && !isTypedByScanner(text, at - since)) onTyped(text.trim());
      else onUnknown();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
