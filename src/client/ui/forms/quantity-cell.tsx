import clsx from 'clsx';
import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { atMost } from '../../texts.ts';
import { moveQuantityFocus, useQuantityField, type QuantityFieldProps } from './use-quantity-field.ts';

interface QuantityCellProps extends QuantityFieldProps {
  /** The product's id, with which the keyboard navigation finds the field. */
  id: number;
  isChanged: boolean;
  isInvalid: boolean;
  isReadOnly: boolean;
  /** Called when the user presses Esc, with the value that the field had before the user typed. */
  onRestore: (value: number) => void;
}

/**
 * Renders a quantity field in a table that works like a spreadsheet: typing replaces the value, Enter and the arrow keys move to another
 * row, Esc restores the value.
 */
export function QuantityCell({ id, isChanged, isInvalid, isReadOnly, onRestore, ...field }: QuantityCellProps): ReactNode {
  const { value, max } = field;
  const { attributes, forgetText } = useQuantityField(field);
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
    forgetText();
    setIsCut(false);
    onRestore(before.current);
    // Selects the field's text after rendering, so that the next key replaces the text.
    queueMicrotask(() => input.select());
  };
  return (
    <>
      <input
        {...attributes}
        data-quantity={id}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isCut ? note : undefined}
        readOnly={isReadOnly}
        onFocus={(event) => {
          before.current = value;
          event.target.select();
        }}
        onChange={(event) => {
          setIsCut(max > 0 && Number(event.target.value) > max);
          attributes.onChange(event);
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
