import clsx from 'clsx';
import { Check } from 'lucide-react';
import { useEffect, useId, useRef, type Dispatch, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { unlessKeyFollows } from '../../../client/hooks/unless-key-follows.ts';
import { useUnread } from '../../../client/hooks/use-unread.ts';
import { isFarOff, isUnusual } from '../../../domain/weights/plausibility.ts';
import { spinbuttonAttributes } from '../../../client/ui/forms/spinbutton-attributes.ts';
import { MAX_WEIGHT } from '../../../domain/weights/weight.ts';
import { focusEmptyFieldBelow, focusFieldBy, focusNextEmptyField, isEmpty } from './field-keyboard-nav.ts';
import {
  aboutText,
  CONFIRM,
  ENTERED_BY_FAMILY,
  NOT_DELIVERED,
  NOT_DELIVERED_TO_FAMILY,
  NOT_SAVED_YET,
  UNUSUAL,
  wasText,
  withUom,
} from '../texts.ts';
import { UnitRemark } from './unit-remark.tsx';
import { needsDecision, type Remark, type WeighingAction } from './weighing-state.ts';
import { entryOf, recordedText, shownText, weightIn, type Unit } from './weights.ts';

export interface UnitFieldProps {
  unit: Unit;
  /** The text that the user typed; undefined while the field shows the recorded weight. */
  text: string | undefined;
  /** The weight that was recorded when the user typed `text`. */
  before: string | undefined;
  remark: Remark;
  /** The texts that the user has typed another weight over while the field asked about them; set if the remark is 'replaced'. */
  replaced: string | undefined;
  isReadOnly: boolean;
  /** Whether the user is staff. Only staff are told that a weight is unusual (contract §6). */
  isStaff: boolean;
  dispatch: Dispatch<WeighingAction>;
  /** Sets a unit back to not weighed; available to staff only. */
  onRemove: (unit: Unit) => void;
}

/** Returns a label such as '2/3' for the second of three ordered units. */
export const unitLabel = (unit: Unit): string => `${unit.index + 1}/${unit.product.quantityOrdered}`;

export const fieldName = (unit: Unit): string => `${unit.product.name} ${unitLabel(unit)}`;

/** Renders the field for the weight of one unit. When the user types another weight, the recorded weight is shown beside the field. */
export function UnitField({ unit, text, before, remark, replaced, isReadOnly, isStaff, dispatch, onRemove }: UnitFieldProps): ReactNode {
  const remarkId = useId();
  const field = useRef<HTMLInputElement>(null);
  const row = useRef<HTMLDivElement>(null);
  const { key, product } = unit;
  const weight = weightIn(unit, text);
  const { isUnread, setUnread } = useUnread(`${remark} ${recordedText(unit)} ${shownText(unit, text)}`);
  const onKeyDown = useKeys({ unit, remark, text, dispatch, isUnread });
  const accept = (): void => {
    dispatch({ act: 'accept', unit });
    if (field.current && !needsConfirmation(unit, remark, text)) focusNextEmptyField(field.current);
  };
  const confirm = (): void => {
    dispatch({ act: 'type', unit, text: recordedText(unit) });
    dispatch({ act: 'check', units: [unit] });
    // Confirms the weight even if it is unusual, so that the field asks no further question.
    dispatch({ act: 'accept', unit });
    field.current?.focus();
  };
  const takeTheirs = (): void => {
    dispatch({ act: 'undo', unit });
    field.current?.focus();
  };
  const remove = (): void => {
    onRemove(unit);
    field.current?.focus();
  };
  useEffect(() => {
    if (!needsDecision(remark) || document.activeElement !== field.current) return;
    // Selects the text of the weight in question, so that the next key replaces it. Another user's weight may arrive while the user types, so
    // the text is not selected then.
    if (remark !== 'overtaken') field.current?.select();
    // The bar at the bottom may cover the question.
    row.current?.scrollIntoView({ block: 'nearest' });
  }, [remark]);
  // The recorded weight is shown beside the field if the field contains another text. It is left out if the question below the field
  // already names the recorded weight.
  const isNew = entryOf(unit, text).kind !== 'same';
  const change = remark === 'overtaken' || !isNew ? null : unit.recorded;
  const isSettled = weight !== null && !needsDecision(remark);
  return (
    <div ref={row} className="scroll-mt-4 scroll-mb-40">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <input
          ref={field}
          id={key}
          type="text"
          inputMode="decimal"
          enterKeyHint="next"
          autoComplete="off"
          {...spinbuttonAttributes({ value: weight, text: shownText(unit, text), max: MAX_WEIGHT })}
          aria-label={fieldName(unit)}
          aria-invalid={remark === 'unreadable' || undefined}
          data-asks={needsDecision(remark) || undefined}
          aria-describedby={!unit.isLocked && (remark === null || remark === 'accepted') ? undefined : remarkId}
          placeholder={aboutText(product.unit_qty, product.uom)}
          value={shownText(unit, text)}
          readOnly={isReadOnly || unit.isLocked}
          onChange={(event) => dispatch({ act: 'type', unit, text: event.target.value })}
          onFocus={(event) => {
            event.target.select();
            setUnread();
          }}
          onBlur={() => dispatch({ act: 'check', units: [unit] })}
          onKeyDown={isReadOnly ? undefined : onKeyDown}
          className={clsx(
            'control num w-36 shrink-0 text-end read-only:bg-sunk placeholder:text-start placeholder:font-normal placeholder:text-ink-soft placeholder:italic',
            weight !== null && 'font-semibold',
          )}
        />
        <span className="text-s text-ink-soft">{product.uom}</span>
        {isSettled && !isNew && <Check className="size-4 shrink-0 text-good" strokeWidth={2.4} aria-hidden />}
        {isStaff && isSettled && isUnusual(weight, product.unit_qty) && <Badge tone="wait">{weight === 0 ? NOT_DELIVERED : UNUSUAL}</Badge>}
        {!isStaff && isSettled && !isNew && weight === 0 && <span className="text-s text-ink-soft">{NOT_DELIVERED_TO_FAMILY}</span>}
        {unit.isUnconfirmed && !isNew && (
          <>
            <Badge tone="wait">{ENTERED_BY_FAMILY}</Badge>
            {!isReadOnly && (
              <Button size="s" aria-label={`${CONFIRM} ${fieldName(unit)}`} onClick={confirm}>
                {CONFIRM}
              </Button>
            )}
          </>
        )}
        {isNew && (
          <span className="num text-xs text-ink-soft">
            {change && <span className="block">{wasText(withUom(recordedText(unit), product.uom))}</span>}
            {/* At the counter, a weight is saved as soon as the user leaves its field, and a narrow table has no room for this note. */}
            {isSettled && <span className="@max-2xl:hidden">{NOT_SAVED_YET}</span>}
          </span>
        )}
      </div>
      {/* In a narrow table, the message continues below the code and the name of the product. */}
      <div className="@max-2xl:-me-36">
        <UnitRemark
          id={remarkId}
          unit={unit}
          remark={remark}
          text={text}
          before={before}
          replaced={replaced}
          weight={weight}
          isReadOnly={isReadOnly}
          onAccept={accept}
          onTakeTheirs={takeTheirs}
          onRemove={isStaff && !isReadOnly ? remove : null}
        />
      </div>
    </div>
  );
}

/**
 * Returns whether the typed weight is unusual and the user has not confirmed it, but no question about it is shown yet. If so, the focus
 * stays in the field.
 */
function needsConfirmation(unit: Unit, remark: Remark, text: string | undefined): boolean {
  const entry = entryOf(unit, text);
  return remark !== 'unusual' && remark !== 'accepted' && entry.kind === 'weight' && entry.isUnusual;
}

interface Keys extends Pick<UnitFieldProps, 'unit' | 'text' | 'remark' | 'dispatch'> {
  /**
   * Returns whether the field had just got the focus, or the user had not read the question below it, when a key was pressed. The key was
   * then not meant for the field or the question.
   */
  isUnread: (pressedAt: number) => boolean;
}

/** Matches a key that can follow the first letter of a name. */
const CONTINUES_NAME = /^[\p{L}'’ -]$/u;

/**
 * Handles the keys of a field. Enter moves to the next empty field. If there is a question, Enter answers it with yes. If the weight is far
 * from the estimate, only the key Y answers with yes. Y answers unless a letter follows at once, because a name may begin with Y. Neither
 * key answers a question that nobody can have read yet. Enter does not leave an empty field that has just got the focus, because a key may
 * strike twice, and a scale may end its line with two characters. Shift+Enter and the arrow keys move between rows. Esc takes back what was
 * typed.
 */
function useKeys({ unit, remark, text, dispatch, isUnread }: Keys): (event: KeyboardEvent<HTMLInputElement>) => void {
  const isUnreadable = entryOf(unit, text).kind === 'unreadable';
  const isAsked = remark === 'unusual';
  const isFar = isAsked && isFarOff(weightIn(unit, text) ?? 0, unit.product.unit_qty);
  const isQuestion = remark === 'unusual' || remark === 'overtaken';
  const keepsFocusForConfirmation = isUnreadable || needsConfirmation(unit, remark, text);
  const yes = (field: HTMLInputElement, key: string, pressedAt: number): void => {
    if (isUnread(pressedAt)) return;
    const accept = (): void => {
      if (isUnread(pressedAt)) return;
      dispatch({ act: 'accept', unit });
      if (document.activeElement === field) focusNextEmptyField(field);
    };
    unlessKeyFollows(accept, (next) => {
      const isName = CONTINUES_NAME.test(next.key);
      // The letter Y is the first letter of the name.
      if (isName) flushSync(() => dispatch({ act: 'type', unit, text: key }));
      return isName;
    });
  };
  const enter = (field: HTMLInputElement, pressedAt: number): void => {
    const isSkipped = unit.recorded === null && isEmpty(field);
    if (isFar || ((isQuestion || isSkipped) && isUnread(pressedAt))) return;
    if (isQuestion) dispatch({ act: 'accept', unit });
    else dispatch({ act: 'check', units: [unit] });
    if (!keepsFocusForConfirmation) focusNextEmptyField(field);
  };
  return (event) => {
    const { currentTarget: field, timeStamp } = event;
    const moves: Partial<Record<string, () => unknown>> = {
      Enter: () => (event.shiftKey ? focusFieldBy(field, -1) : enter(field, timeStamp)),
      ArrowDown: () => focusFieldBy(field, 1),
      ArrowUp: () => focusFieldBy(field, -1),
      Escape: () => dispatch({ act: 'undo', unit }),
      ...(isAsked && { y: () => yes(field, 'y', timeStamp), Y: () => yes(field, 'Y', timeStamp) }),
    };
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    // Tab skips filled fields. When there is no empty field below, the browser moves the focus as usual, to the buttons.
    if (event.key === 'Tab' && !event.shiftKey && !keepsFocusForConfirmation && remark !== 'unusual' && focusEmptyFieldBelow(field))
      event.preventDefault();
    // The counter sends the key Undo in place of Escape, because Escape would also close the message that is shown.
    const move = moves[event.key === 'Undo' ? 'Escape' : event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
}
