import { useState, type ReactNode } from 'react';
import { useSave } from '../../../client/api/use-calls.ts';
import { usePreviousValues } from '../../../client/previous-values/use-previous-values.ts';
import { useReportDirty } from '../../../client/hooks/use-report-dirty.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { FieldNote } from '../../../client/ui/feedback/field-note.tsx';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { SelectField } from '../../../client/ui/forms/select-field.tsx';
import type { DialogContent } from '../../../client/ui/overlays/dialog-button.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { ignoreUnread } from '../../../client/previous-values/ignore-unread.ts';
import { shortDate } from '../../../shared/dates.ts';
import { isRequired } from '../../../shared/texts.ts';
import { zonedTime } from '../../../shared/zoned-time.ts';
import { instantOf, typedOf } from '../../distributions/ordering-times/clock-form.tsx';
import { LocalTimeField } from '../../distributions/ordering-times/local-time-field.tsx';
import { toLocalTime } from '../../distributions/ordering-times/local-time.ts';
import { useTimeZone } from '../../distributions/ordering-times/use-time-zone.ts';
import { zoneOptions } from '../../distributions/ordering-times/time-zones.ts';
import type { Distribution } from '../../distributions/contract.ts';
import { NOT_A_TIME, TIME_ZONE } from '../../distributions/texts.ts';
import { addSlot, changeSlot, type Slot } from '../contract.ts';
import { replacesAnyText } from '../../../client/previous-values/texts.ts';
import { SAVE } from '../../../client/texts.ts';
import {
  ADD,
  CAPACITY_INVALID,
  CAPACITY_MEANS,
  capacityBelowText,
  keptText,
  LABEL_MEANS,
  otherDayText,
  SLOT_ADDED,
  SLOT_CHANGED,
  SLOT_NAMES,
} from '../texts.ts';

interface SlotFormProps extends DialogContent {
  distribution: Distribution;
  /** The pick-up time to change; null for a new one. */
  slot: Slot | null;
  others: readonly Slot[];
}

const valuesOf = (slot: Slot | null) => ({
  label: slot?.label ?? null,
  startsAt: slot?.startsAt ?? null,
  capacity: slot?.capacity ?? null,
});

const WHOLE = /^[1-9]\d{0,5}$/;

/** Shows the form that adds or changes a pick-up time (contract §16). */
export function SlotForm({ distribution, slot, others, onClose, onDirty }: SlotFormProps): ReactNode {
  const { initialZone, timeZone, setTimeZone, ...zone } = useTimeZone(distribution.timeZone);
  const { opened, withBefore, onRefused, savedMeanwhile, isUnread } = usePreviousValues(valuesOf(slot));
  const [initial] = useState(() => ({
    label: opened.label ?? '',
    start: typedOf(opened.startsAt, initialZone),
    capacity: String(opened.capacity ?? ''),
  }));
  const [label, setLabel] = useState(initial.label);
  const [start, setStart] = useState(initial.start);
  const [capacity, setCapacity] = useState(initial.capacity);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const adding = useSave(addSlot);
  const changing = useSave(changeSlot, { refresh: 'always' });
  const isChanged = {
    label: label !== initial.label,
    startsAt: start.typed !== initial.start.typed || start.isSecond !== initial.start.isSecond || timeZone !== initialZone,
    capacity: capacity !== initial.capacity,
  };
  useReportDirty(Object.values(isChanged).includes(true), onDirty);

  const time = instantOf({ value: start, timeZone, saved: opened.startsAt });
  const startsAt = 'instant' in time ? time.instant : null;
  const isWhole = WHOLE.test(capacity.trim());
  const taken = slot?.taken ?? 0;
  const isNewTime = startsAt !== null && start.typed !== initial.start.typed;
  const otherDay = isNewTime ? otherDayNote(start.typed.slice(0, DAY_LENGTH), { distribution, others, timeZone }) : null;
  const replaced = <Name extends keyof typeof isChanged>(name: Name) => (isChanged[name] ? savedMeanwhile(name) : undefined);
  const replacedStart = replaced('startsAt');
  const submit = async (): Promise<void> => {
    setIsSubmitted(true);
    if (label.trim() === '' || startsAt === null || !isWhole) return;
    if (!(await zone.saveZone())) return;
    const { id } = distribution;
    const body = { label, startsAt, capacity: Number(capacity) };
    const saved = slot
      ? await changing.save({ params: { id, slotId: slot.id }, body: withBefore(body, isChanged) })
      : await adding.save({ params: { id }, body });
    if (!saved.ok) return onRefused(saved.error);
    toast({ title: slot ? SLOT_CHANGED : SLOT_ADDED });
    onClose();
  };
  return (
    <DialogForm
      {...ignoreUnread((pressedAt) => isUnread(pressedAt) || zone.isUnread(pressedAt))}
      submitLabel={slot ? SAVE : ADD}
      isSaving={adding.isSaving || changing.isSaving || zone.isSavingZone}
      onSubmit={submit}
    >
      <div className="grid gap-5">
        {taken > 0 && <FieldNote text={keptText(taken)} />}
        <TextField
          label={SLOT_NAMES.label}
          autoComplete="off"
          maxLength={200}
          value={label}
          hint={LABEL_MEANS}
          error={isSubmitted && label.trim() === '' ? isRequired(SLOT_NAMES.label) : replacesAnyText(replaced('label'))}
          onChange={(event) => setLabel(event.target.value)}
        />
        {distribution.timeZone === null && (
          <SelectField
            label={TIME_ZONE}
            value={timeZone}
            options={zoneOptions(initialZone)}
            onChange={(event) => setTimeZone(event.target.value)}
          />
        )}
        <FieldNote text={zone.note} />
        <div>
          <LocalTimeField
            label={SLOT_NAMES.startsAt}
            value={start}
            timeZone={timeZone}
            error={
              isSubmitted && startsAt === null
                ? 'error' in time
                  ? time.error
                  : NOT_A_TIME
                : replacesAnyText(replacedStart && zonedTime(replacedStart, timeZone))
            }
            onValue={setStart}
          />
          <FieldNote text={otherDay} />
        </div>
        <div>
          <TextField
            label={SLOT_NAMES.capacity}
            inputMode="numeric"
            value={capacity}
            hint={CAPACITY_MEANS}
            error={isSubmitted && !isWhole ? CAPACITY_INVALID : replacesAnyText(replaced('capacity'))}
            onChange={(event) => setCapacity(event.target.value)}
          />
          <FieldNote text={isWhole && Number(capacity) < taken ? capacityBelowText(taken) : null} />
        </div>
      </div>
    </DialogForm>
  );
}

const DAY_LENGTH = '2027-04-01'.length;
/** The form asks no question about earlier days, because the field has years such as 0002 and 0020 while the user types a year. */
const FIRST_DAY = '2000-01-01';

interface OtherDays extends Pick<SlotFormProps, 'distribution' | 'others'> {
  timeZone: string;
}

/** Returns a question if neither the distribution nor another pick-up time is on this day, because the date may be mistyped. */
function otherDayNote(day: string, { distribution: { date }, others, timeZone }: OtherDays): string | null {
  const isKnown = day === date || others.some(({ startsAt }) => toLocalTime(startsAt, timeZone).startsWith(day));
  return isKnown || day < FIRST_DAY ? null : otherDayText(shortDate(day), shortDate(date));
}
