import clsx from 'clsx';
import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { atMost, quantityOf } from '../../texts.ts';
import { moveQuantityFocus } from './quantity-keyboard-nav.ts';
import { spinbuttonAttributes } from './spinbutton-attributes.ts';

interface QuantityCellProps {
  /** The product's id, with which the keyboard navigation finds the field. */
  id: number;
  /** The accessible name of the field: the product's name. */
  label: string;
  value: number;
  /** The maximum quantity; 0 means that there is no maximum. */
  max: number;
  isChanged: boolean;
  isInvalid: boolean;
  isReadOnly: boolean;
  /** Receives the typed text. The caller parses the text and passes the quantity back as `value`. */
  onText: (text: string) => void;
  /** Called when the user presses Esc, with the value that the field had before the user typed. */
  onRestore: (value: number) => void;
}

/**
 * Renders a quantity field in a table that works like a spreadsheet: typing replaces the value, Enter and the arrow keys move to another
 * row, Esc restores the value (design §2.2).
 */
export function QuantityCell({ id, label, value, max, isChanged, isInvalid, isReadOnly, onText, onRestore }: QuantityCellProps): ReactNode {
  // Keeps text that is not a plain number until the field loses the focus: '2.7' must not become 27 during typing.
  const [typed, setTyped] = useState<string | null>(null);
  // Whether the user typed more than the maximum, and the quantity was reduced to it. Screen readers announce this until the next key
  // press.
  const [isCut, setIsCut] = useState(false);
  const note = useId();
  const before = useRef(value);
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const input = event.currentTarget;
    if (moveQuantityFocus(event) || event.key !== 'Escape') return;
    event.preventDefault();
    if (isReadOnly) return;
    setTyped(null);
    setIsCut(false);
    onRestore(before.current);
    // Selects the field's text after rendering, so that the next key replaces the text.
    queueMicrotask(() => input.select());
  };
  return (
    <>
      <input
        type="text"
        inputMode="numeric"
        enterKeyHint="next"
        autoComplete="off"
        data-quantity={id}
        {...spinbuttonAttributes({ value: typed?.trim() === '' ? null : value, text: typed ?? '', max })}
        aria-label={quantityOf(label)}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isCut ? note : undefined}
        value={typed ?? value}
        readOnly={isReadOnly}
        onFocus={(event) => {
          before.current = value;
          event.target.select();
        }}
        onBlur={() => setTyped(null)}
        onChange={(event) => {
          setTyped(/^\d+$/.test(event.target.value) ? null : event.target.value);
          setIsCut(max > 0 && Number(event.target.value) > max);
          onText(event.target.value);
        }}
        onKeyDown={press}
        className={clsx(
          'num h-11 w-18 scroll-mt-28 scroll-mb-4 rounded-ctl border px-2.5 text-end font-semibold read-only:bg-sunk dense:h-9',
          isChanged ? 'bg-accent-soft' : 'bg-card',
          isInvalid ? 'border-bad' : isChanged ? 'border-accent' : 'border-line-strong',
          value === 0 && 'text-ink-soft',
        )}
      />
      {/* The live region is always rendered, because screen readers announce only changes of an existing live region. */}
      <output id={note} className="block text-end text-xs font-semibold text-wait">
        {isCut && atMost(max)}
      </output>
    </>
  );
}
