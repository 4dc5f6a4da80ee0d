import type { ReactNode } from 'react';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { SegmentedControl } from '../../../client/ui/forms/choices.tsx';
import { HAPPENS_TWICE, timeZoneText } from '../texts.ts';
import { readLocalTime } from './local-time.ts';

/** The typed time. `isSecond`: the later of the two instants with this local time at the end of daylight-saving time. */
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

/** A date and time in a named time zone; asks for one of the two instants when the local time occurs twice. */
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
