import { useState, type ReactNode } from 'react';
import { useSave } from '../../../client/api/use-calls.ts';
import { useReportDirty } from '../../../client/hooks/use-report-dirty.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { SelectField } from '../../../client/ui/forms/select-field.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { isRequired } from '../../../shared/texts.ts';
import { instantOf } from '../../distributions/clock/clock-form.tsx';
import { LocalTimeField } from '../../distributions/clock/local-time-field.tsx';
import { browserTimeZone } from '../../distributions/clock/local-time.ts';
import { zoneOptions } from '../../distributions/clock/time-zones.ts';
import type { Distribution } from '../../distributions/contract.ts';
import { NOT_A_TIME, TIME_ZONE } from '../../distributions/texts.ts';
import { saveTimeZone } from '../../organization/contract.ts';
import { addSlot } from '../contract.ts';
import { ADD, CAPACITY_INVALID, CAPACITY_MEANS, LABEL_MEANS, SLOT_ADDED, SLOT_NAMES } from '../texts.ts';

interface SlotFormProps {
  distribution: Distribution;
  onClose: () => void;
  onDirty: (isDirty: boolean) => void;
}

const WHOLE = /^[1-9]\d{0,5}$/;
const EMPTY = { typed: '', isSecond: false };

/** Shows the form that adds a pick-up time (contract §16). */
export function SlotForm({ distribution, onClose, onDirty }: SlotFormProps): ReactNode {
  const [initialZone] = useState(() => distribution.timeZone ?? browserTimeZone());
  const [timeZone, setTimeZone] = useState(initialZone);
  const [label, setLabel] = useState('');
  const [start, setStart] = useState(EMPTY);
  const [capacity, setCapacity] = useState('');
  const [isSubmitted, setIsSubmitted] = useState(false);
  const zone = useSave(saveTimeZone);
  const { save, isSaving } = useSave(addSlot);
  useReportDirty(label !== '' || start.typed !== '' || capacity !== '', onDirty);

  const time = instantOf(start, timeZone);
  const startsAt = 'instant' in time ? time.instant : null;
  const isWhole = WHOLE.test(capacity.trim());
  const submit = async (): Promise<void> => {
    setIsSubmitted(true);
    if (label.trim() === '' || startsAt === null || !isWhole) return;
    if (timeZone !== distribution.timeZone && !(await zone.save({ body: { timeZone } })).ok) return;
    const saved = await save({ params: { id: distribution.id }, body: { label, startsAt, capacity: Number(capacity) } });
    if (!saved.ok) return;
    toast({ title: SLOT_ADDED });
    onClose();
  };
  return (
    <DialogForm submitLabel={ADD} isSaving={isSaving || zone.isSaving} onSubmit={submit}>
      <div className="grid gap-5">
        <TextField
          label={SLOT_NAMES.label}
          autoComplete="off"
          maxLength={200}
          value={label}
          hint={LABEL_MEANS}
          error={isSubmitted && label.trim() === '' ? isRequired(SLOT_NAMES.label) : undefined}
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
        <LocalTimeField
          label={SLOT_NAMES.startsAt}
          value={start}
          timeZone={timeZone}
          error={isSubmitted && startsAt === null ? ('error' in time ? time.error : NOT_A_TIME) : undefined}
          onValue={setStart}
        />
        <TextField
          label={SLOT_NAMES.capacity}
          inputMode="numeric"
          value={capacity}
          hint={CAPACITY_MEANS}
          error={isSubmitted && !isWhole ? CAPACITY_INVALID : undefined}
          onChange={(event) => setCapacity(event.target.value)}
        />
      </div>
    </DialogForm>
  );
}
