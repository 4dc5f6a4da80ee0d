import clsx from 'clsx';
import { Minus, Plus } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { usePressAndHold } from './use-press-and-hold.ts';
import { moveQuantityFocus, useQuantityField, type QuantityFieldProps } from './use-quantity-field.ts';
import { atMost, IS_MAXIMUM, lessOf, maxText, moreOf } from '../../texts.ts';

interface QuantityInputProps extends QuantityFieldProps {
  /**
   * A limit below `max` and its reason, for example that few units are left. The user cannot raise the quantity above `most`. A saved
   * quantity that is already larger stays. `isReasonShown` is true when the screen already shows the reason, so that it is not shown twice.
   */
  limit?: { readonly most: number; readonly reason: string; readonly isReasonShown?: boolean } | null;
  isReadOnly?: boolean;
}

const MINUS = <Minus className="size-[1.125rem]" aria-hidden />;
const PLUS = <Plus className="size-[1.125rem]" aria-hidden />;

/**
 * Renders an input for a quantity: a minus button, a text field and a plus button. The buttons pass the new number to `onText`
 * as text.
 */
export function QuantityInput({ limit = null, isReadOnly = false, ...field }: QuantityInputProps): ReactNode {
  const { label, value, max, onText } = field;
  const { attributes, forgetText } = useQuantityField(field);
  const isAtMax = max > 0 && value >= max;
  const isLimited = limit !== null && value >= limit.most;
  const isFull = isAtMax || isLimited;
  const reason = isLimited ? limit.reason : isAtMax ? maxText(max) : undefined;
  const isAboveMax = max > 0 && value > max;
  const isAboveLimit = limit !== null && value > limit.most;
  const isLeast = isReadOnly || value <= 0;
  const isMost = isReadOnly || isFull;
  const lower = (): void => onText(String(Math.max(0, value - 1)));
  const raise = (): void => onText(String(value + 1));
  const less = usePressAndHold(lower, isLeast);
  const more = usePressAndHold(raise, isMost);
  // The arrow keys work as on a spinbutton (ARIA APG); Enter moves to the next quantity.
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const isUp = event.key === 'ArrowUp';
    if (!isUp && event.key !== 'ArrowDown') return void moveQuantityFocus(event);
    event.preventDefault();
    if (isUp ? isMost : isLeast) return;
    forgetText();
    (isUp ? raise : lower)();
  };
  const button =
    'grid size-11 shrink-0 touch-manipulation place-items-center text-ink select-none hover:not-aria-disabled:bg-sunk focus-visible:-outline-offset-2 aria-disabled:text-line-strong';
  return (
    // Each field is in a form of its own, because Chromium's autofill reads all fields of a form at each key press. Chromium treats all
    // fields without a form as one form.
    <form className="flex items-center gap-3" onSubmit={(event) => event.preventDefault()}>
      <fieldset
        aria-label={label}
        className={clsx(
          'flex min-w-0 shrink-0 overflow-hidden rounded-ctl border bg-card',
          value > 0 ? 'border-accent' : 'border-line-strong',
        )}
      >
        <button type="button" aria-label={lessOf(label)} {...less} className={button}>
          {MINUS}
        </button>
        {/* The field has a fixed size, so that a key press makes the browser compute only the layout of this field. If the field were a
            stretched flex item, the browser would compute the layout of the whole page. */}
        <span className="h-11 w-13">
          <input
            {...attributes}
            data-quantity
            onKeyDown={press}
            readOnly={isReadOnly}
            onFocus={(event) => event.target.select()}
            className={clsx(
              'num block size-full border-x border-line bg-transparent text-center text-[1.0625rem] font-semibold contain-strict focus-visible:-outline-offset-2',
              value > 0 && 'text-accent',
            )}
          />
        </span>
        <button type="button" aria-label={moreOf(label)} title={reason} {...more} className={button}>
          {PLUS}
        </button>
      </fieldset>
      <output className={clsx('text-xs empty:-ms-3', isAboveMax || isAboveLimit ? 'font-semibold text-bad' : 'text-ink-soft')}>
        {isAboveMax ? atMost(max) : isLimited ? limit.isReasonShown !== true && limit.reason : isAtMax && IS_MAXIMUM}
      </output>
    </form>
  );
}
