import type { ReactNode } from 'react';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { SegmentedControl } from '../../../client/ui/forms/choices.tsx';
import { HAPPENS_TWICE, timeZoneText } from '../texts.ts';
import { readLocalTime } from './local-time.ts';

/** A time as typed. When clocks are set back, a local time occurs twice: `isSecond` chooses the later occurrence. */
export interface TypedTime {
  readonly typed: string;
  readonly isSecond: boolean;
}

interface LocalTimeFieldProps {
  label: string;
  value: TypedTime;
  timeZone: string;
  error?: string | undefined;
  disabled?: boolean;
  hint?: string;
  onValue: (value: TypedTime) => void;
}

/**
 * A field for a date and time in a named time zone. If the typed time occurs twice because clocks are set back, the user chooses one of the
 * two.
 */
export function LocalTimeField({ label, value, timeZone, error, disabled = false, hint, onValue }: LocalTimeFieldProps): ReactNode {
  const isTwice = value.typed !== '' && readLocalTime(value.typed, timeZone).kind === 'twice';
  return (
    <div>
      <TextField
        label={label}
        type="datetime-local"
        value={value.typed}
        disabled={disabled}
        hint={hint ?? timeZoneText(timeZone)}
        error={error}
        onChange={(event) => onValue({ typed: event.target.value, isSecond: false })}
      />
      {isTwice && (
        <div className="mt-2 grid gap-1.5 text-s">
          <p>{HAPPENS_TWICE.question}</p>
          <SegmentedControl<'first' | 'second'>
            label={HAPPENS_TWICE.question}
            options={[
              { value: 'first', label: HAPPENS_TWICE.first },
              { value: 'second', label: HAPPENS_TWICE.second },
            ]}
            value={value.isSecond ? 'second' : 'first'}
            onValue={(choice) => onValue({ ...value, isSecond: choice === 'second' })}
          />
        </div>
      )}
    </div>
  );
}
