import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { dollars, minus, negated, parseDollars, type Cents } from '../../../domain/money.ts';
import { UNREADABLE } from '../../payments/texts.ts';
import { CASH_GIVEN, changeText, LESS_THAN_DUE, missingText, TO_SEE_THE_CHANGE } from '../texts.ts';

export interface CashGiven {
  readonly text: string;
  /** The cash that was handed over minus the amount to pay. Null while one of the two is missing or cannot be read. */
  readonly left: Cents | null;
  readonly error: string | undefined;
  readonly type: (text: string) => void;
  /** Shows the error at the field if the payment cannot be recorded with the typed cash. */
  readonly show: () => void;
  /** Whether the payment may be recorded: the field is empty, or the cash covers the amount. */
  readonly isEnough: boolean;
  /** Returns `isEnough`. If it is false, the field gets the focus and shows the reason. */
  readonly check: () => boolean;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** Keeps the cash that the customer hands over; nothing is stored. An empty field means that the customer gives the exact amount. */
export function useCashGiven(due: Cents | null): CashGiven {
  const [{ text, isChecked }, setTyped] = useState({ text: '', isChecked: false });
  const field = useRef<HTMLInputElement>(null);
  const given = parseDollars(text);
  const left = due === null || given === null ? null : minus(given, due);
  const problem = problemOf(text, given, left);
  const show = (): void => setTyped({ text, isChecked: true });
  return {
    text,
    left,
    error: isChecked ? problem : undefined,
    isEnough: problem === undefined,
    type: (next) => setTyped({ text: next, isChecked: false }),
    show,
    check: () => {
      if (problem === undefined) return true;
      show();
      field.current?.focus();
      return false;
    },
    field,
  };
}

function problemOf(text: string, given: Cents | null, left: Cents | null): string | undefined {
  if (text.trim() === '') return undefined;
  if (given === null) return UNREADABLE.amount;
  return left !== null && left < 0 ? LESS_THAN_DUE : undefined;
}

/** The id of the element that shows the change to give back, or what is missing. */
export const cashLeftId = 'counter-cash-left';

/**
 * A field for the cash that the customer hands over. It shows at once the change to give back, or what is missing. The error appears when the
 * user leaves the field or tries to pay.
 */
export function CashGivenField({ cash }: { cash: CashGiven }): ReactNode {
  const { text, left, error, type, show, field } = cash;
  useEffect(() => {
    // On a narrow screen, the bar at the bottom may cover the error below the field.
    if (error !== undefined && document.activeElement === field.current) field.current?.scrollIntoView({ block: 'nearest' });
  }, [error, field]);
  return (
    <div className="mt-4 grid grid-cols-2 items-start gap-4">
      <TextField
        ref={field}
        label={CASH_GIVEN}
        {...(error === undefined && { hint: TO_SEE_THE_CHANGE })}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        error={error}
        onChange={(event) => type(event.target.value)}
        onBlur={show}
      />
      <output id={cashLeftId} className="figure num mt-7 block text-l whitespace-normal!">
        {left === null ? '' : left < 0 ? missingText(dollars(negated(left))) : changeText(dollars(left))}
      </output>
    </div>
  );
}
