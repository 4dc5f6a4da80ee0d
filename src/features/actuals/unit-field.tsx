import clsx from 'clsx';
import { Check } from 'lucide-react';
import { useId, useRef, type Dispatch, type KeyboardEvent, type ReactNode } from 'react';
import { Pill } from '../../client/ui/pill.tsx';
import { isUnusual } from '../../domain/actuals.ts';
import { moveBy, toEmptyBelow, toNextEmpty } from './field-moves.tsx';
import { UNUSUAL, wasText, withUom } from './texts.ts';
import { UnitRemark } from './unit-remark.tsx';
import type { Remark, WeighingAct } from './use-weighing.tsx';
import { entryOf, recordedText, shownText, weightIn, type Unit } from './weights.tsx';

export interface UnitFieldProps {
  unit: Unit;
  /** What has been typed; undefined while it is as recorded. */
  text: string | undefined;
  remark: Remark;
  isReadOnly: boolean;
  /** Staff see what is unusual (contract §6). */
  isStaff: boolean;
  dispatch: Dispatch<WeighingAct>;
}

/** '2/3', the second of three ordered units. */
export const unitLabel = (unit: Unit): string => `${unit.index + 1}/${unit.product.quantityOrdered}`;

/** The weight of one unit: what is typed stands beside what it was. */
export function UnitField({ unit, text, remark, isReadOnly, isStaff, dispatch }: UnitFieldProps): ReactNode {
  const remarkId = useId();
  const field = useRef<HTMLInputElement>(null);
  const { key, product } = unit;
  const typed = text === undefined ? {} : { [key]: text };
  const weight = weightIn(unit, typed);
  const onKeyDown = useKeys({ unit, remark, typed, dispatch });
  const accept = (): void => {
    dispatch({ act: 'accept', unit });
    if (field.current) toNextEmpty(field.current);
  };
  const isOpen = remark === 'unreadable' || remark === 'unusual';
  const change = entryOf(unit, typed).kind === 'same' ? null : unit.recorded;
  return (
    <>
      <div className="flex items-center gap-2.5">
        <input
          ref={field}
          id={key}
          type="text"
          inputMode="decimal"
          enterKeyHint="next"
          autoComplete="off"
          aria-label={`${product.name} ${unitLabel(unit)}`}
          aria-invalid={remark === 'unreadable' || undefined}
          aria-describedby={remark === null || remark === 'accepted' ? undefined : remarkId}
          placeholder={`about ${withUom(product.unit_qty, product.uom)}`}
          value={shownText(unit, typed)}
          readOnly={isReadOnly}
          onChange={(event) => dispatch({ act: 'type', unit, text: event.target.value })}
          onFocus={(event) => event.target.select()}
          onBlur={() => dispatch({ act: 'check', units: [unit] })}
          onKeyDown={isReadOnly ? undefined : onKeyDown}
          className={clsx('control num max-w-44 text-right read-only:bg-sunk placeholder:text-left', weight !== null && 'font-semibold')}
        />
        <span className="text-s text-ink-soft">{product.uom}</span>
        {weight !== null && !isOpen && <Check className="size-4 shrink-0 text-good" strokeWidth={2.4} aria-hidden />}
        {isStaff && weight !== null && !isOpen && isUnusual(weight, product.unit_qty) && <Pill tone="wait">{UNUSUAL}</Pill>}
        {change && <span className="num text-xs text-ink-soft">{wasText(withUom(recordedText(unit), product.uom))}</span>}
      </div>
      <UnitRemark id={remarkId} unit={unit} remark={remark} weight={weight} onAccept={accept} />
    </>
  );
}

interface Keys extends Pick<UnitFieldProps, 'unit' | 'remark' | 'dispatch'> {
  typed: Readonly<Record<string, string>>;
}

/** Enter: the next empty field, or the answer to a question; Shift+Enter and the arrows: the rows; Esc: what is recorded. */
function useKeys({ unit, remark, typed, dispatch }: Keys): (event: KeyboardEvent<HTMLInputElement>) => void {
  const entry = entryOf(unit, typed);
  const mustBeSeenTo = entry.kind === 'unreadable' || (entry.kind === 'weight' && entry.isUnusual && remark !== 'accepted');
  const enter = (field: HTMLInputElement): void => {
    if (remark === 'unusual') dispatch({ act: 'accept', unit });
    else dispatch({ act: 'check', units: [unit] });
    if (remark === 'unusual' || !mustBeSeenTo) toNextEmpty(field);
  };
  return (event) => {
    const field = event.currentTarget;
    const moves: Partial<Record<string, () => unknown>> = {
      Enter: () => (event.shiftKey ? moveBy(field, -1) : enter(field)),
      ArrowDown: () => moveBy(field, 1),
      ArrowUp: () => moveBy(field, -1),
      Escape: () => dispatch({ act: 'undo', unit }),
    };
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    // Tab skips what is filled; where nothing below is empty it goes its own way, to the buttons.
    if (event.key === 'Tab' && !event.shiftKey && !mustBeSeenTo && toEmptyBelow(field)) event.preventDefault();
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
}
