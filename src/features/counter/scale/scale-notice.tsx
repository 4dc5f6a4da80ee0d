import type { ReactNode } from 'react';
import { BAUD_RATES, type Scale } from '../../../client/hooks/use-scale.ts';
import { SelectField } from '../../../client/ui/forms/select-field.tsx';
import { numberText } from '../../../shared/counted.ts';
import { BAUD_RATE, SCALE_UNREADABLE, SCALE_UNREADABLE_LEAD } from './texts.ts';

/** Says that the bytes of the scale cannot be read, and offers the usual baud rates (contract §14). */
export function ScaleNotice({ scale: { baudRate, chooseBaudRate } }: { scale: Pick<Scale, 'baudRate' | 'chooseBaudRate'> }): ReactNode {
  return (
    <div
      role="alert"
      className="grid gap-x-6 gap-y-3 rounded-card border border-bad bg-bad-soft px-4 py-3 md:grid-cols-[minmax(0,1fr)_14rem] md:items-center"
    >
      <div>
        <p className="font-semibold text-bad">{SCALE_UNREADABLE}</p>
        <p className="text-s">{SCALE_UNREADABLE_LEAD}</p>
      </div>
      <SelectField
        label={BAUD_RATE}
        options={BAUD_RATES.map((rate) => ({ value: String(rate), label: numberText(rate) }))}
        value={String(baudRate)}
        onChange={({ target }) => void chooseBaudRate(Number(target.value))}
      />
    </div>
  );
}
