import { useState, type ChangeEvent, type KeyboardEvent } from 'react';
import { quantityOf } from '../../texts.ts';
import { spinbuttonAttributes } from './spinbutton-attributes.ts';

export interface QuantityFieldProps {
  /** The accessible name of the field: the product's name. */
  label: string;
  value: number;
  /** The maximum quantity; 0 means that there is no maximum. */
  max: number;
  /** Receives the typed text. The caller parses the text and passes the quantity back as `value`. */
  onText: (text: string) => void;
}

/** Returns the attributes of the text field of a quantity. `forgetText` makes the field show `value` instead of the typed text. */
export function useQuantityField({ label, value, max, onText }: QuantityFieldProps) {
  // Keeps text that is not a plain number until the field loses the focus: '2.7' must not become 27 during typing.
  const [typed, setTyped] = useState<string | null>(null);
  const forgetText = (): void => setTyped(null);
  const attributes = {
    type: 'text',
    inputMode: 'numeric',
    enterKeyHint: 'next',
    autoComplete: 'off',
    ...spinbuttonAttributes({ value: typed?.trim() === '' ? null : value, text: typed ?? '', max }),
    'aria-label': quantityOf(label),
    value: typed ?? value,
    onBlur: forgetText,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>): void => {
      setTyped(/^\d+$/.test(target.value) ? null : target.value);
      onText(target.value);
    },
  } as const;
  return { attributes, forgetText };
}

const stepOf = ({ key, shiftKey }: KeyboardEvent): number => {
  if (key === 'Enter') return shiftKey ? -1 : 1;
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
};

/** Moves the focus from one quantity field to the next on Enter and the arrow keys. Returns false for any other key. */
export function moveQuantityFocus(event: KeyboardEvent<HTMLInputElement>): boolean {
  const step = stepOf(event);
  if (step === 0) return false;
  event.preventDefault();
  const input = event.currentTarget;
  const fields = [...(input.closest('main') ?? document).querySelectorAll<HTMLInputElement>('[data-quantity]')];
  fields[fields.indexOf(input) + step]?.focus();
  return true;
}
