import { useState, type ReactNode } from 'react';
import { serverTime } from '../../../client/api/server-clock.ts';
import { changedFields } from '../../../client/api/changed-fields.ts';
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
import { clockProblem } from '../../../domain/distribution.ts';
import { shortDate } from '../../../shared/dates.ts';
import { zonedTime } from '../../../shared/zoned-time.ts';
import { replacesAnyText } from '../../../client/previous-values/texts.ts';
import { changeDistribution, MAX_REMIND_HOURS, type Distribution } from '../contract.ts';
import { SAVE } from '../../../client/texts.ts';
import {
  CLOSES,
  CLOSES_MEANS,
  closesAfterDayText,
  NO_SUCH_TIME,
  NOT_A_TIME,
  OPENS,
  OPENS_MEANS,
  ORDERING_IS_OVER,
  REMIND_HOURS_FIELD,
  REMINDER_FIELD,
  REMINDER_MEANS,
  TIME_ZONE,
  TIMES_SAVED,
  timeZoneText,
} from '../texts.ts';
import { LocalTimeField, type TypedTime } from './local-time-field.tsx';
import { readLocalTime, toLocalTime } from './local-time.ts';
import { useTimeZone } from './use-time-zone.ts';
import { zoneOptions } from './time-zones.ts';

interface TimeField {
  readonly value: TypedTime;
  readonly timeZone: string;
  /** The saved time as a UTC timestamp; null if there is none. */
  readonly saved: string | null;
}

/**
 * Returns the typed time as a UTC timestamp, or null for an empty field. Returns an error message if the text is not a time, or if clocks
 * skip this time. If the field shows the saved time, returns the saved time with its seconds, which the field does not show.
 */
export function instantOf({ value, timeZone, saved }: TimeField): { instant: string | null } | { error: string } {
  const { typed, isSecond } = value;
  const shown = typedOf(saved, timeZone);
  if (shown.typed === typed && shown.isSecond === isSecond) return { instant: saved };
  if (typed === '') return { instant: null };
  const read = readLocalTime(typed, timeZone);
  if (read.kind === 'one') return { instant: read.instant };
  if (read.kind === 'twice') return { instant: isSecond ? read.second : read.first };
  return { error: read.kind === 'none' ? NO_SUCH_TIME : NOT_A_TIME };
}

export function typedOf(instant: string | null, timeZone: string): TypedTime {
  const typed = toLocalTime(instant, timeZone);
  const read = readLocalTime(typed, timeZone);
  return { typed, isSecond: read.kind === 'twice' && instant !== null && Date.parse(instant) >= Date.parse(read.second) };
}

const HOURS = /^\d{1,3}$/;
function hoursOf(typed: string): number | null | undefined {
  if (typed.trim() === '') return null;
  const hours = Number(typed.trim());
  return HOURS.test(typed.trim()) && hours >= 1 && hours <= MAX_REMIND_HOURS ? hours : undefined;
}

const timesOf = ({ opensAt, closesAt, remindHours }: Distribution) => ({ opensAt, closesAt, remindHours });

/** The times of a distribution, typed in the organization's time zone; the default is the zone of the browser (contract §11). */
export function ClockForm({ distribution, onClose, onDirty }: DialogContent & { distribution: Distribution }): ReactNode {
  const { id, date, orderingOpen } = distribution;
  // The times on the page may change while the form is open. The form compares with those that it showed first.
  const previous = usePreviousValues(timesOf(distribution));
  const { opensAt, closesAt, remindHours } = previous.opened;
  const { initialZone, timeZone, setTimeZone, ...zone } = useTimeZone(distribution.timeZone);
  const [opens, setOpens] = useState(() => typedOf(opensAt, initialZone));
  const [closes, setCloses] = useState(() => typedOf(closesAt, initialZone));
  const [hours, setHours] = useState(remindHours === null ? '' : String(remindHours));
  // The time at which the user last pressed Save. Until then, the form shows no errors.
  const [submittedAt, setSubmittedAt] = useState<string | null>(null);
  const { save, isSaving } = useSave(changeDistribution, { refresh: 'always' });

  const opening = instantOf({ value: opens, timeZone, saved: opensAt });
  const closing = orderingOpen ? instantOf({ value: closes, timeZone, saved: closesAt }) : { instant: closesAt };
  const reminder = hoursOf(hours);
  const isChanged = {
    opensAt: !('instant' in opening && opening.instant === opensAt),
    closesAt: !('instant' in closing && closing.instant === closesAt),
    remindHours: reminder !== remindHours,
  };
  const problemAt = (now: string): string | undefined =>
    'instant' in opening && 'instant' in closing
      ? clockProblem(changedFields({ opensAt: opening.instant, closesAt: closing.instant }, isChanged), distribution, now)?.text
      : undefined;
  const replacedText = (name: 'opensAt' | 'closesAt'): string | undefined => {
    const saved = isChanged[name] ? previous.savedMeanwhile(name) : undefined;
    return replacesAnyText(saved && zonedTime(saved, timeZone));
  };
  const errorOf = (name: 'opensAt' | 'closesAt', time: ReturnType<typeof instantOf>): string | undefined =>
    submittedAt !== null && 'error' in time ? time.error : replacedText(name);
  const hoursNow = isChanged.remindHours ? previous.savedMeanwhile('remindHours') : undefined;
  useReportDirty(timeZone !== initialZone || Object.values(isChanged).includes(true), onDirty);

  const submit = async (): Promise<void> => {
    const now = serverTime();
    setSubmittedAt(now);
    if ('error' in opening || 'error' in closing || reminder === undefined || problemAt(now) !== undefined) return;
    if (!(await zone.saveZone())) return;
    const typed = { opensAt: opening.instant, closesAt: closing.instant, remindHours: reminder };
    if (Object.values(isChanged).includes(true)) {
      const saved = await save({ params: { id }, body: previous.withBefore(typed, isChanged) });
      if (!saved.ok) return previous.onRefused(saved.error);
    }
    toast({ title: TIMES_SAVED });
    onClose();
  };
  return (
    <DialogForm
      {...ignoreUnread((pressedAt) => previous.isUnread(pressedAt) || zone.isUnread(pressedAt))}
      submitLabel={SAVE}
      isSaving={isSaving || zone.isSavingZone}
      onSubmit={submit}
    >
      <div className="grid gap-5">
        <SelectField
          label={TIME_ZONE}
          value={timeZone}
          options={zoneOptions(initialZone)}
          onChange={(event) => setTimeZone(event.target.value)}
        />
        <FieldNote text={zone.note} />
        <LocalTimeField
          label={OPENS}
          value={opens}
          timeZone={timeZone}
          hint={`${timeZoneText(timeZone)}. ${OPENS_MEANS}`}
          error={errorOf('opensAt', opening)}
          onValue={setOpens}
        />
        <div>
          <LocalTimeField
            label={CLOSES}
            value={closes}
            timeZone={timeZone}
            disabled={!orderingOpen}
            hint={orderingOpen ? `${timeZoneText(timeZone)}. ${CLOSES_MEANS}` : ORDERING_IS_OVER}
            error={(submittedAt === null ? undefined : problemAt(submittedAt)) ?? errorOf('closesAt', closing)}
            onValue={setCloses}
          />
          <FieldNote text={orderingOpen && closes.typed.slice(0, date.length) > date ? closesAfterDayText(shortDate(date)) : null} />
        </div>
        <TextField
          label={REMINDER_FIELD}
          inputMode="numeric"
          value={hours}
          hint={REMINDER_MEANS}
          error={submittedAt !== null && reminder === undefined ? REMIND_HOURS_FIELD : replacesAnyText(hoursNow)}
          onChange={(event) => setHours(event.target.value)}
        />
      </div>
    </DialogForm>
  );
}
