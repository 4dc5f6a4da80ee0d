import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { parseUnitKey } from '../../../domain/weights/actuals.ts';
import { isWeightBarcode, parseOrderCode } from '../../../domain/counter/barcode.ts';
import { leaveField } from '../../actuals/weighing/field-keyboard-nav.ts';
import { NO_KEYS, readKey, type KeyPress } from './read-key.ts';
import { usePrefixedCode } from './use-prefixed-code.ts';

export interface ScannerOptions {
  /**
   * The search field, which reads scanned order codes itself. It gets the focus when another text was typed at a button, or a family's name
   * into a weight field.
   */
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onOrder: (orderId: number) => void;
  /** Called when a weight label was scanned while no weight field had the focus. */
  readonly onLostWeight: () => void;
  /** Called when a weight label was scanned while the focused weight field asks about the weight that it contains. */
  readonly onUnsettled: () => void;
  /** Called when another text was scanned. */
  readonly onUnknown: () => void;
  /** Whether the name of a family contains this word. What is typed behind a weight may also be a unit of measure. */
  readonly isFamily: (word: string) => boolean;
  /**
   * Called when another text was typed at an element that shows no text, or the next family's name into a weight field. `isBehindWeight`
   * tells whether it was typed behind a weight, which stays in its field.
   */
  readonly onTyped: (text: string, isBehindWeight: boolean) => void;
}

/** Whether the element shows typed characters, or a menu, in which they choose an item. Radio buttons and buttons do not show them. */
const showsText = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('textarea, select, input:not([type="radio"], [type="checkbox"]), [role^="menu"]');

/** Returns the element if it is a weight field into which staff may type. */
const weightFieldAt = (target: EventTarget | null): HTMLInputElement | null =>
  target instanceof HTMLInputElement && !target.readOnly && parseUnitKey(target.id) !== null ? target : null;

function kindOf(target: EventTarget | null, search: HTMLInputElement | null): KeyPress['kind'] {
  if (target === search) return 'search';
  if (!showsText(target)) return 'button';
  return weightFieldAt(target) ? 'weight field' : 'field';
}

/** Sets a field's value as if the user had typed it, so that React and its form notice the change. */
function write(field: HTMLInputElement | null, value: string): void {
  if (!field || field.value === value) return;
  // React overrides the setter on the element and ignores values set through it, so the prototype's setter is called.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Writes a weight label into a weight field, which enters it with the next Enter. The weight that staff have typed there is recorded before.
 * Returns false if the field asks about that weight. The label is then refused.
 */
function writeLabel(field: HTMLInputElement, label: string): boolean {
  if (!leaveField(field)) return false;
  write(field, label);
  return true;
}

/**
 * Reads the codes of a scanner wherever the focus is (read-key.ts). The code of an order opens the order. A field into which a code was
 * typed gets its earlier content back. A scanner that types a prefix before each code can press no button at all (use-prefixed-code.ts).
 */
export function useScanner({ search, onOrder, onLostWeight, onUnsettled, onUnknown, isFamily, onTyped }: ScannerOptions): void {
  usePrefixedCode((code) => {
    const weightField = weightFieldAt(document.activeElement);
    const orderId = parseOrderCode(code);
    if (orderId !== null) return onOrder(orderId);
    if (!isWeightBarcode(code)) return onUnknown();
    if (!weightField) return onLostWeight();
    if (!writeLabel(weightField, code)) return onUnsettled();
    weightField.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  });
  const keys = useRef(NO_KEYS);
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key, timeStamp: at, ctrlKey, altKey, metaKey } = event;
    const isShortcut = ctrlKey || altKey || metaKey;
    const kind = kindOf(target, search.current);
    const field = kind !== 'button' && target instanceof HTMLInputElement ? target : null;
    const content = field?.value ?? '';
    const isCaretAtEnd = field?.selectionEnd === content.length;
    const { history, meaning } = readKey(keys.current, { key, at, isShortcut, target, kind, content, isCaretAtEnd, isFamily });
    const isBehindWeight = meaning.is === 'family in a weight field' && meaning.weight !== '';
    if (meaning.is === 'family in a weight field' && field) {
      // With the key Undo, the weight field takes back what was typed (unit-field.tsx). This key is not a part of the history of keys, which is
      // stored below.
      if (isBehindWeight) write(field, meaning.weight);
      else field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Undo', bubbles: true }));
      // The weight is recorded, or kept with its question, before the search hides the family.
      leaveField(field);
    }
    keys.current = history;
    if (meaning.is === 'key') return;
    if ('content' in meaning) write(field, meaning.content);
    if (meaning.is === 'weight label' && field && writeLabel(field, meaning.code)) return;
    event.preventDefault();
    event.stopPropagation();
    if (meaning.is === 'order code') return onOrder(meaning.orderId);
    if (meaning.is === 'lost weight') return onLostWeight();
    if (meaning.is === 'weight label') return onUnsettled();
    if (meaning.is === 'ignored') return;
    // Staff who have typed the name of the next family elsewhere now type the weights. These must not reach the opened order either.
    if ('text' in meaning || meaning.isAtButton) search.current?.focus();
    if ('text' in meaning) onTyped(meaning.text, isBehindWeight);
    else onUnknown();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
