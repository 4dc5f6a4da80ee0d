import { useEffect, useState, type ReactNode } from 'react';
import type { DialogContent } from '../../../client/ui/overlays/dialog-button.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { toast } from '../../../client/toasts/toast.ts';
import { hasKeyboard } from '../../../client/hooks/use-media.ts';
import { useSave } from '../../../client/api/use-calls.ts';
import { useReportDirty } from '../../../client/hooks/use-report-dirty.ts';
import { today } from '../../../shared/dates.ts';
import { createDistribution } from '../contract.ts';
import { DistributionFields, useDistributionForm } from '../edit/distribution-fields.tsx';
import { SUCCESS } from '../../../client/texts.ts';
import { CREATE_DISTRIBUTION, CREATED } from '../texts.ts';

/** The form in the Create Distribution dialog (spec §5). */
export function CreateForm({ onClose, onDirty }: DialogContent): ReactNode {
  const [newDate] = useState(() => today(new Date()));
  const form = useDistributionForm({ name: '', date: newDate });
  const { setFocus } = form;
  const { isDirty } = form.formState;
  const { save, isSaving } = useSave(createDistribution, {
    onSaved: () => {
      toast({ title: SUCCESS, description: CREATED });
      onClose();
    },
  });
  useEffect(() => {
    if (hasKeyboard()) setFocus('name');
  }, [setFocus]);
  useReportDirty(isDirty, onDirty);
  return (
    <DialogForm submitLabel={CREATE_DISTRIBUTION} isSaving={isSaving} onSubmit={form.onSubmit((body) => save({ body }))}>
      <div className="grid gap-5">
        <DistributionFields form={form} />
      </div>
    </DialogForm>
  );
}
