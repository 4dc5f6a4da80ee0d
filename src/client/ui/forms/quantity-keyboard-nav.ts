import type { KeyboardEvent } from 'react';

const stepOf = ({ key, shiftKey }: KeyboardEvent): number => {
  if (key === 'Enter') return shiftKey ? -1 : 1;
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
};

/** Moves the focus from one quantity field to the next on Enter and the arrow keys (design §2.2). Returns false for any other key. */
export function moveQuantityFocus(event: KeyboardEvent<HTMLInputElement>): boolean {
  const step = stepOf(event);
  if (step === 0) return false;
  event.preventDefault();
  const input = event.currentTarget;
  const fields = [...(input.closest('main') ?? document).querySelectorAll<HTMLInputElement>('[data-quantity]')];
  fields[fields.indexOf(input) + step]?.focus();
  return true;
}
