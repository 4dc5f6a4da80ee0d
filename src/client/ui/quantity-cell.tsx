import clsx from 'clsx';
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { quantityOf } from '../texts.ts';

export interface QuantityCellProps {
  /** The accessible name: the product. */
  label: string;
  value: number;
  isChanged: boolean;
  /** The value is one that cannot be saved. */
  isInvalid: boolean;
  /** While it is being saved. */
  isReadOnly: boolean;
  /** What was typed; the caller makes a quantity of it and hands it back as `value`. */
  onText: (text: string) => void;
  /** The value from before the typing, as it was. */
  onRestore: (value: number) => void;
}

const stepOf = ({ key, shiftKey }: KeyboardEvent): number => {
  if (key === 'Enter') return shiftKey ? -1 : 1;
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
};

function move(input: HTMLInputElement, step: number): void {
  const cells = [...(input.closest('table, ul')?.querySelectorAll<HTMLInputElement>('[data-quantity]') ?? [])];
  cells[cells.indexOf(input) + step]?.focus();
}

/** A quantity in a table that is filled in like a spreadsheet: typing replaces, Enter and the arrows move, Esc restores (design §2.2). */
export function QuantityCell({ label, value, isChanged, isInvalid, isReadOnly, onText, onRestore }: QuantityCellProps): ReactNode {
  // What is no plain number stays as it was typed until the field is left: '2.7' must not turn into 27 on its way.
  const [typed, setTyped] = useState<string | null>(null);
  const before = useRef(value);
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const input = event.currentTarget;
    const step = stepOf(event);
    if (step === 0 && event.key !== 'Escape') return;
    event.preventDefault();
    if (step !== 0) return move(input, step);
    if (isReadOnly) return;
    setTyped(null);
    onRestore(before.current);
    // Once it is drawn: what is typed next replaces it.
    queueMicrotask(() => input.select());
  };
  return (
    <input
      type="text"
      inputMode="numeric"
      enterKeyHint="next"
      autoComplete="off"
      data-quantity
      aria-label={quantityOf(label)}
      aria-invalid={isInvalid || undefined}
      value={typed ?? value}
      readOnly={isReadOnly}
      onFocus={(event) => {
        before.current = value;
        event.target.select();
      }}
      onBlur={() => setTyped(null)}
      onChange={(event) => {
        setTyped(/^\d+$/.test(event.target.value) ? null : event.target.value);
        onText(event.target.value);
      }}
      onKeyDown={press}
      className={clsx(
        'num h-11 w-18 scroll-mt-28 scroll-mb-4 rounded-ctl border px-2.5 text-end font-semibold read-only:bg-sunk md:h-9',
        isChanged ? 'bg-accent-soft' : 'bg-card',
        isInvalid ? 'border-bad' : isChanged ? 'border-accent' : 'border-line-strong',
        value === 0 && 'text-ink-soft',
      )}
    />
  );
}
