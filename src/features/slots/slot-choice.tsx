import clsx from 'clsx';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { FieldError } from '../../client/ui/forms/field.tsx';
import { zonedTime } from '../../shared/zoned-time.ts';
import type { Slot } from './contract.ts';
import { FULL, NO_SLOT_CHOSEN, PICK_UP_TIME } from './texts.ts';

interface SlotChoiceProps {
  slots: readonly Slot[];
  /** The id of the chosen pick-up time. Null if none is chosen. */
  value: number | null;
  /** The pick-up time of the saved order. The user can choose this pick-up time even when it is full. */
  saved: number | null;
  timeZone: string | null;
  /** Whether the user is staff. Staff may choose a full pick-up time, or no pick-up time. */
  isStaff?: boolean;
  error?: string | undefined;
  /** The number of attempts to save without a pick-up time. After each of them, the error is shown again. */
  misses?: number | undefined;
  onValue: (id: number | null) => void;
}

/** In this field the user chooses the pick-up time of an order (contract §16). */
export function SlotChoice({ slots, value, saved, timeZone, isStaff = false, error, misses = 0, onValue }: SlotChoiceProps): ReactNode {
  const id = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  // When the field has an error, and after each further attempt to save, this effect moves the focus to the field. On a phone the field is far below the products, so the user
  // would not see the error otherwise. The message is below all pick-up times, so it is scrolled into view, too.
  useEffect(() => {
    if (error === undefined) return;
    group.current?.querySelector<HTMLInputElement>('input:enabled')?.focus();
    document.getElementById(`${id}-error`)?.scrollIntoView({ block: 'nearest' });
  }, [error, misses, id]);
  const options = [
    ...(isStaff ? [{ id: null, label: NO_SLOT_CHOSEN, time: null, isFull: false }] : []),
    ...slots.map((slot) => ({
      id: slot.id,
      label: slot.label,
      time: zonedTime(slot.startsAt, timeZone),
      isFull: slot.taken - (slot.id === saved ? 1 : 0) >= slot.capacity,
    })),
  ];
  return (
    <fieldset ref={group} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className="mb-1.5 text-s font-semibold">{PICK_UP_TIME}</legend>
      {options.map(({ id: slotId, label, time, isFull }) => (
        <label
          key={slotId}
          className={clsx(
            'flex min-h-11 items-center gap-3 border-b border-line py-1.5 text-s last:border-b-0',
            isFull && !isStaff && 'text-ink-soft',
          )}
        >
          <input
            type="radio"
            name={id}
            checked={slotId === value}
            disabled={isFull && !isStaff}
            onChange={() => onValue(slotId)}
            className="size-5 shrink-0 accent-accent"
          />
          <span className="min-w-0 grow wrap-anywhere">
            <span className="block font-semibold">{label}</span>
            {time !== null && <span className="block text-ink-soft">{time}</span>}
          </span>
          {isFull && <span className="shrink-0 font-semibold">{FULL}</span>}
        </label>
      ))}
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}
